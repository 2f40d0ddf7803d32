/* Element types and single elements; nothing of libc, so that artifacts have it too. */
#include "base/half.h"
#include "runtime/tensor.h"

int32_t inlay_dtype_bytes(struct inlay_dtype dtype)
{
    return (dtype.bits * dtype.lanes + 7) / 8;
}

bool inlay_dtype_is_float(struct inlay_dtype dtype)
{
    return dtype.code == INLAY_CODE_FLOAT || dtype.code == INLAY_CODE_BFLOAT;
}

bool inlay_dtype_is_supported(struct inlay_dtype dtype)
{
    if (dtype.lanes != 1)
        return false;
    switch (dtype.code) {
    case INLAY_CODE_INT:
    case INLAY_CODE_UINT:
        return dtype.bits == 8 || dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case INLAY_CODE_FLOAT:
        return dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case INLAY_CODE_BFLOAT:
        return dtype.bits == 16;
    case INLAY_CODE_BOOL:
        return dtype.bits == 8;
    default:
        return false;
    }
}

double inlay_element_real(struct inlay_dtype dtype, const void *data, int64_t index)
{
    if (dtype.code == INLAY_CODE_BFLOAT)
        return (double)bfloat_to_float(((const uint16_t *)data)[index]);
    if (dtype.code == INLAY_CODE_FLOAT) {
        if (dtype.bits == 32)
            return (double)((const float *)data)[index];
        if (dtype.bits == 64)
            return ((const double *)data)[index];
        return (double)half_to_float(((const uint16_t *)data)[index]);
    }
    int64_t value = inlay_element_integer(dtype, data, index);
    return dtype.code == INLAY_CODE_UINT ? (double)(uint64_t)value : (double)value;
}

int64_t inlay_element_integer(struct inlay_dtype dtype, const void *data, int64_t index)
{
    bool is_signed = dtype.code == INLAY_CODE_INT;
    switch (dtype.bits) {
    case 8:
        return is_signed ? ((const int8_t *)data)[index] : ((const uint8_t *)data)[index];
    case 16:
        return is_signed ? ((const int16_t *)data)[index] : ((const uint16_t *)data)[index];
    case 32:
        return is_signed ? (int64_t)((const int32_t *)data)[index]
                         : (int64_t)((const uint32_t *)data)[index];
    default:
        return ((const int64_t *)data)[index];
    }
}

void inlay_element_set_real(struct inlay_dtype dtype, void *data, int64_t index, double value)
{
    if (dtype.code == INLAY_CODE_BFLOAT)
        ((uint16_t *)data)[index] = bfloat_from_double(value);
    else if (dtype.bits == 32)
        ((float *)data)[index] = (float)value;
    else if (dtype.bits == 64)
        ((double *)data)[index] = value;
    else
        ((uint16_t *)data)[index] = half_from_double(value);
}

void inlay_element_set_integer(struct inlay_dtype dtype, void *data, int64_t index, int64_t value)
{
    if (dtype.code == INLAY_CODE_BOOL)
        value = value != 0;
    switch (dtype.bits) {
    case 8:
        ((uint8_t *)data)[index] = (uint8_t)value;
        break;
    case 16:
        ((uint16_t *)data)[index] = (uint16_t)value;
        break;
    case 32:
        ((uint32_t *)data)[index] = (uint32_t)value;
        break;
    default:
        ((int64_t *)data)[index] = value;
        break;
    }
}
