/* Names and facts of element types. */
#include "ir/dtype.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one code is called; the width stands behind the name, or is part of it. */
static const struct dtype_row {
    const char *name;
    uint8_t code;
    uint8_t bits; /* 0: the digits behind the name */
} dtype_rows[] = {
    {"bool", IR_BOOL, 8},
    {"bfloat16", IR_BFLOAT, 16},
    {"handle", IR_HANDLE, 64},
    {"float8_e3m4", IR_FLOAT8_E3M4, 8},
    {"float8_e4m3", IR_FLOAT8_E4M3, 8},
    {"float8_e4m3b11fnuz", IR_FLOAT8_E4M3B11FNUZ, 8},
    {"float8_e4m3fn", IR_FLOAT8_E4M3FN, 8},
    {"float8_e4m3fnuz", IR_FLOAT8_E4M3FNUZ, 8},
    {"float8_e5m2", IR_FLOAT8_E5M2, 8},
    {"float8_e5m2fnuz", IR_FLOAT8_E5M2FNUZ, 8},
    {"float8_e8m0fnu", IR_FLOAT8_E8M0FNU, 8},
    {"float6_e2m3fn", IR_FLOAT6_E2M3FN, 6},
    {"float6_e3m2fn", IR_FLOAT6_E3M2FN, 6},
    {"float4_e2m1fn", IR_FLOAT4_E2M1FN, 4},
    {"int", IR_INT, 0},
    {"uint", IR_UINT, 0},
    {"float", IR_FLOAT, 0},
    {"complex", IR_COMPLEX, 0},
};

bool ir_dtype_equal(struct ir_dtype a, struct ir_dtype b)
{
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

bool ir_dtype_is_void(struct ir_dtype dtype)
{
    return dtype.code == IR_HANDLE && dtype.bits == 0;
}

bool ir_dtype_is_int(struct ir_dtype dtype)
{
    return dtype.code == IR_INT || dtype.code == IR_UINT;
}

bool ir_dtype_is_float(struct ir_dtype dtype)
{
    return dtype.code == IR_FLOAT || dtype.code == IR_BFLOAT;
}

bool ir_dtype_is_bool(struct ir_dtype dtype)
{
    return dtype.code == IR_BOOL;
}

unsigned ir_dtype_bytes(struct ir_dtype dtype)
{
    return ((unsigned)dtype.bits * dtype.lanes + 7) / 8;
}

const char *ir_dtype_name(struct ir_dtype dtype, char buffer[static 32])
{
    if (ir_dtype_is_void(dtype))
        return "void";
    for (size_t i = 0; i < sizeof(dtype_rows) / sizeof(dtype_rows[0]); i++) {
        const struct dtype_row *row = &dtype_rows[i];
        char width[8] = "";

        if (row->code != dtype.code || (row->bits && row->bits != dtype.bits))
            continue;
        if (!row->bits)
            snprintf(width, sizeof(width), "%u", dtype.bits);
        if (dtype.lanes == 1)
            snprintf(buffer, 32, "%s%s", row->name, width);
        else
            snprintf(buffer, 32, "%s%sx%u", row->name, width, dtype.lanes);
        return buffer;
    }
    snprintf(buffer, 32, "custom[%u]%ux%u", dtype.code, dtype.bits, dtype.lanes);
    return buffer;
}

/* Reads the digits at *@text and moves past them; 0 where there are none, or too many. */
static unsigned read_number(const char **text)
{
    unsigned value = 0;

    while (**text >= '0' && **text <= '9') {
        value = value * 10 + (unsigned)(*(*text)++ - '0');
        if (value > UINT16_MAX)
            return 0;
    }
    return value;
}

static bool is_width(uint8_t code, unsigned bits)
{
    switch (code) {
    case IR_FLOAT:
        return bits == 16 || bits == 32 || bits == 64;
    case IR_COMPLEX:
        return bits == 64 || bits == 128;
    default:
        return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 ||
               bits == 64;
    }
}

/* Reads what stands behind the name of @row: width and lanes. */
static bool parse_rest(const struct dtype_row *row, const char *rest, struct ir_dtype *out_dtype)
{
    unsigned bits = row->bits;
    unsigned lanes = 1;

    if (!bits) {
        bits = read_number(&rest);
        if (!is_width(row->code, bits))
            return false;
    }
    if (*rest == 'x') {
        rest++;
        lanes = read_number(&rest);
        if (lanes == 0)
            return false;
    }
    if (*rest)
        return false;
    *out_dtype = (struct ir_dtype){row->code, (uint8_t)bits, (uint16_t)lanes};
    if (row->code == IR_UINT && bits == 1) /* what bool was called up to TVM 0.23 */
        *out_dtype = (struct ir_dtype){IR_BOOL, 8, (uint16_t)lanes};
    return true;
}

bool ir_dtype_parse(const char *name, struct ir_dtype *out_dtype)
{
    if (strcmp(name, "void") == 0) {
        *out_dtype = IR_VOID;
        return true;
    }
    for (size_t i = 0; i < sizeof(dtype_rows) / sizeof(dtype_rows[0]); i++) {
        size_t length = strlen(dtype_rows[i].name);

        if (strncmp(name, dtype_rows[i].name, length) == 0 &&
            parse_rest(&dtype_rows[i], name + length, out_dtype))
            return true;
    }
    return false;
}

bool ir_dtype_can_compute(struct ir_dtype dtype)
{
    switch (dtype.code) {
    case IR_INT:
    case IR_UINT:
        return dtype.bits >= 8;
    case IR_FLOAT:
    case IR_BFLOAT:
    case IR_BOOL:
        return true;
    default:
        return false;
    }
}
