/*
 * T.<name>(..) on evaluated arguments: mathematics as C's library does it, bits, tests.
 *
 * float32 uses the float functions (expf, not exp), as compiled code does; the 16-bit floats are
 * worked out in float32 and rounded.
 */
#define _GNU_SOURCE /* exp10 */
#include "codegen/interp/internal.h"

#include <math.h>
#include <string.h>

static float rsqrt_float(float x)
{
    return 1.0f / sqrtf(x);
}

static double rsqrt_double(double x)
{
    return 1.0 / sqrt(x);
}

static float sigmoid_float(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

static double sigmoid_double(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

static const struct {
    const char *name;
    float (*narrow)(float);
    double (*wide)(double);
} unary[] = {
#define C(name) {#name, name##f, name}
    C(acos),
    C(acosh),
    C(asin),
    C(asinh),
    C(atan),
    C(atanh),
    C(ceil),
    C(cos),
    C(cosh),
    C(erf),
    C(exp),
    C(exp2),
    C(fabs),
    C(floor),
    C(log),
    C(log10),
    C(log1p),
    C(log2),
    C(nearbyint),
    C(sin),
    C(sinh),
    C(sqrt),
    C(tan),
    C(tanh),
    C(trunc),
#undef C
    {"abs", fabsf, fabs},
    {"exp10", exp10f, exp10},
    {"round", nearbyintf, nearbyint},
    {"rsqrt", rsqrt_float, rsqrt_double},
    {"sigmoid", sigmoid_float, sigmoid_double},
};

static const struct {
    const char *name;
    float (*narrow)(float, float);
    double (*wide)(double, double);
} binary[] = {
#define C(name) {#name, name##f, name}
    C(atan2), C(copysign), C(fmod), C(hypot), C(nextafter), C(pow),
#undef C
};

static bool real_unary(const char *name, struct interp_scalar a, struct interp_scalar *out)
{
    for (size_t i = 0; i < ARRAY_SIZE(unary); i++)
        if (strcmp(unary[i].name, name) == 0) {
            double value =
                a.dtype.bits == 64 ? unary[i].wide(a.real) : (double)unary[i].narrow((float)a.real);
            *out = (struct interp_scalar){.dtype = a.dtype, .real = interp_round(a.dtype, value)};
            return true;
        }
    return false;
}

static bool real_binary(const char *name, const struct interp_scalar *args,
                        struct interp_scalar *out)
{
    struct ir_dtype dtype = args[0].dtype;
    double a = args[0].real, b = args[1].real, value = 0;
    if (strcmp(name, "ldexp") == 0 && ir_dtype_is_int(args[1].dtype)) {
        int64_t n = args[1].integer;
        value = ldexp(a, n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n);
        *out = (struct interp_scalar){.dtype = dtype, .real = interp_round(dtype, value)};
        return true;
    }
    for (size_t i = 0; i < ARRAY_SIZE(binary) && ir_dtype_equal(dtype, args[1].dtype); i++)
        if (strcmp(binary[i].name, name) == 0) {
            value = dtype.bits == 64 ? binary[i].wide(a, b)
                                     : (double)binary[i].narrow((float)a, (float)b);
            *out = (struct interp_scalar){.dtype = dtype, .real = interp_round(dtype, value)};
            return true;
        }
    return false;
}

static bool real_test(const char *name, double a, struct interp_scalar *out)
{
    *out = (struct interp_scalar){.dtype = IR_B1};
    if (strcmp(name, "isnan") == 0)
        out->integer = isnan(a) != 0;
    else if (strcmp(name, "isinf") == 0)
        out->integer = isinf(a) != 0;
    else if (strcmp(name, "isfinite") == 0)
        out->integer = isfinite(a) != 0;
    else
        return false;
    return true;
}

static bool real_fma(const struct interp_scalar *args, struct interp_scalar *out)
{
    struct ir_dtype dtype = args[0].dtype;
    double a = args[0].real, b = args[1].real, c = args[2].real;
    double value = dtype.bits == 64 ? fma(a, b, c) : (double)fmaf((float)a, (float)b, (float)c);
    *out = (struct interp_scalar){.dtype = dtype, .real = interp_round(dtype, value)};
    return true;
}

static bool integer_unary(const char *name, struct interp_scalar a, struct interp_scalar *out)
{
    uint64_t bits = (uint64_t)a.integer;
    if (a.dtype.bits < 64)
        bits &= (UINT64_C(1) << a.dtype.bits) - 1;
    *out = a;
    if (strcmp(name, "abs") == 0)
        out->integer = a.dtype.code == IR_INT && a.integer < 0
                           ? interp_wrap(a.dtype, (int64_t)(0 - (uint64_t)a.integer))
                           : a.integer;
    else if (strcmp(name, "bitwise_not") == 0)
        out->integer = ir_dtype_is_bool(a.dtype) ? !a.integer : interp_wrap(a.dtype, ~a.integer);
    else if (strcmp(name, "popcount") == 0)
        out->integer = __builtin_popcountll(bits);
    else if (strcmp(name, "clz") == 0)
        out->integer = (bits ? __builtin_clzll(bits) : 64) - (64 - a.dtype.bits);
    else if (strcmp(name, "isnan") == 0 || strcmp(name, "isinf") == 0)
        *out = (struct interp_scalar){.dtype = IR_B1, .integer = 0};
    else if (strcmp(name, "isfinite") == 0)
        *out = (struct interp_scalar){.dtype = IR_B1, .integer = 1};
    else if (strcmp(name, "ceil") != 0 && strcmp(name, "floor") != 0 &&
             strcmp(name, "round") != 0 && strcmp(name, "trunc") != 0 &&
             strcmp(name, "nearbyint") != 0)
        return false;
    return true;
}

static bool integer_binary(const char *name, struct interp_scalar a, struct interp_scalar b,
                           struct interp_scalar *out)
{
    *out = a;
    if (strcmp(name, "bitwise_and") == 0)
        out->integer = a.integer & b.integer;
    else if (strcmp(name, "bitwise_or") == 0)
        out->integer = a.integer | b.integer;
    else if (strcmp(name, "bitwise_xor") == 0)
        out->integer = a.integer ^ b.integer;
    else if (strcmp(name, "pow") == 0 && ir_dtype_is_int(a.dtype))
        out->integer = interp_power(a.dtype, a.integer, b.integer);
    else if (strcmp(name, "shift_left") == 0)
        out->integer = interp_shift(a.dtype, true, a.integer, b.integer);
    else if (strcmp(name, "shift_right") == 0)
        out->integer = interp_shift(a.dtype, false, a.integer, b.integer);
    else
        return false;
    return true;
}

/* The bits of @a read as @dtype. */
static bool reinterpret(struct ir_dtype dtype, struct interp_scalar a, struct interp_scalar *out)
{
    uint64_t slot[1] = {0};
    if (ir_dtype_bytes(dtype) != ir_dtype_bytes(a.dtype) || !ir_dtype_can_compute(dtype) ||
        !ir_dtype_can_compute(a.dtype))
        return false;
    interp_store_element(a, slot, 0);
    *out = interp_load_element(dtype, slot, 0);
    return true;
}

/* The sum of the products of the bytes of two words, which have signs where the words have; wraps. */
static bool dot4(const struct interp_scalar *args, struct interp_scalar *out)
{
    uint64_t sum = (uint64_t)args[2].integer;

    for (unsigned i = 0; i < 3; i++)
        if (!ir_dtype_is_int(args[i].dtype) || args[i].dtype.bits != 32)
            return false;
    for (unsigned b = 0; b < 32; b += 8) {
        int64_t factors[2];
        for (unsigned i = 0; i < 2; i++) {
            struct ir_dtype byte = {args[i].dtype.code, 8, 1};
            factors[i] = interp_wrap(byte, (int64_t)((uint64_t)args[i].integer >> b));
        }
        sum += (uint64_t)(factors[0] * factors[1]);
    }
    *out = (struct interp_scalar){.dtype = IR_I32, .integer = interp_wrap(IR_I32, (int64_t)sum)};
    return true;
}

bool interp_intrinsic(const char *name, struct ir_dtype result, const struct interp_scalar *args,
                      unsigned count, struct interp_scalar *out)
{
    if (count == 1 && (strcmp(name, "likely") == 0 || strcmp(name, "ignore_loop_partition") == 0)) {
        *out = args[0];
        return true;
    }
    if (count == 1 && strcmp(name, "reinterpret") == 0)
        return reinterpret(result, args[0], out);
    bool is_good = false;
    bool is_real = count > 0 && ir_dtype_is_float(args[0].dtype);
    if (is_real && count == 1)
        is_good = real_test(name, args[0].real, out) || real_unary(name, args[0], out);
    else if (is_real && count == 2)
        is_good = real_binary(name, args, out);
    else if (is_real && count == 3 && strcmp(name, "fma") == 0)
        is_good = real_fma(args, out);
    else if (count == 3 && strcmp(name, "dot4") == 0)
        is_good = dot4(args, out);
    else if (count == 1)
        is_good = integer_unary(name, args[0], out);
    else if (count == 2)
        is_good = integer_binary(name, args[0], args[1], out);
    if (is_good && !ir_dtype_equal(out->dtype, result) && !ir_dtype_is_void(result))
        *out = interp_cast(*out, (struct ir_dtype){result.code, result.bits, 1});
    return is_good;
}
