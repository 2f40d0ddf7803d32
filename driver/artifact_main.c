/*
 * The test program of an artifact: C that compiles as it stands beside the header, calls each entry with made-up
 * inputs and compares what comes back with what Inlay got.
 */
#include "driver/artifact.h"
#include "driver/artifact_vector.h"

#include <inttypes.h>
#include <string.h>

/* How inputs are made and results are summed up: the same as in spec.c and artifact_vector.c. */
static const char helpers[] =
    "struct wanted {\n"
    "    uint64_t hash;\n"
    "    double sum, magnitude;\n"
    "};\n"
    "\n"
    "static uint64_t next_random(uint64_t *state)\n"
    "{\n"
    "    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);\n"
    "    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);\n"
    "    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);\n"
    "    return z ^ z >> 31;\n"
    "}\n"
    "\n"
    "/* Of float16 (10 bits of mantissa) and bfloat16 (7). */\n"
    "static double small_float(uint16_t bits, int mantissa)\n"
    "{\n"
    "    int exponent = bits >> mantissa & ((1 << (15 - mantissa)) - 1);\n"
    "    int bias = (1 << (14 - mantissa)) - 1;\n"
    "    double value = bits & ((1 << mantissa) - 1);\n"
    "    if (exponent == 2 * bias + 1)\n"
    "        return NAN; /* or infinity: not counted */\n"
    "    if (exponent > 0)\n"
    "        value += 1 << mantissa;\n"
    "    value = ldexp(value, (exponent > 0 ? exponent : 1) - bias - mantissa);\n"
    "    return bits & 0x8000 ? -value : value;\n"
    "}\n"
    "\n"
    "/* @value, which the format has. */\n"
    "static uint16_t small_bits(double value, int mantissa)\n"
    "{\n"
    "    int exponent, bias = (1 << (14 - mantissa)) - 1, sign = value < 0 ? 0x8000 : 0;\n"
    "    double part = frexp(fabs(value), &exponent);\n"
    "    if (value == 0)\n"
    "        return 0;\n"
    "    exponent += bias - 1;\n"
    "    if (exponent <= 0)\n"
    "        return (uint16_t)(sign | (int)ldexp(part, mantissa + exponent));\n"
    "    return (uint16_t)(sign | exponent << mantissa | ((int)ldexp(part, mantissa + 1) - (1 << mantissa)));\n"
    "}\n"
    "\n"
    "/* Codes are DLPack's: 0 int, 1 uint, 2 float, 4 bfloat, 6 bool. */\n"
    "static void fill(void *to, int code, int bits, size_t count, uint64_t seed)\n"
    "{\n"
    "    int digits = bits == 64 ? 53 : bits == 32 ? 24 : code == 2 ? 11 : 8;\n"
    "    for (size_t i = 0; i < count; i++) {\n"
    "        uint64_t word = next_random(&seed);\n"
    "        double real = (double)(word >> (64 - digits)) * (2.0 / (double)(UINT64_C(1) << digits)) - 1.0;\n"
    "        int64_t integer = code == 6 ? (int64_t)(word >> 63) : (int64_t)(word % 10);\n"
    "        if ((code == 2 || code == 4) && bits == 64)\n"
    "            ((double *)to)[i] = real;\n"
    "        else if ((code == 2 || code == 4) && bits == 32)\n"
    "            ((float *)to)[i] = (float)real;\n"
    "        else if (code == 2 || code == 4)\n"
    "            ((uint16_t *)to)[i] = small_bits(real, code == 2 ? 10 : 7);\n"
    "        else if (bits == 8)\n"
    "            ((uint8_t *)to)[i] = (uint8_t)integer;\n"
    "        else if (bits == 16)\n"
    "            ((uint16_t *)to)[i] = (uint16_t)integer;\n"
    "        else if (bits == 32)\n"
    "            ((uint32_t *)to)[i] = (uint32_t)integer;\n"
    "        else\n"
    "            ((uint64_t *)to)[i] = (uint64_t)integer;\n"
    "    }\n"
    "}\n"
    "\n"
    "static double element(const void *from, int code, int bits, size_t i)\n"
    "{\n"
    "    if (code == 2 || code == 4)\n"
    "        return bits == 64 ? ((const double *)from)[i]\n"
    "             : bits == 32 ? (double)((const float *)from)[i]\n"
    "                          : small_float(((const uint16_t *)from)[i], code == 2 ? 10 : 7);\n"
    "    if (code == 0)\n"
    "        return bits == 8    ? ((const int8_t *)from)[i]\n"
    "               : bits == 16 ? ((const int16_t *)from)[i]\n"
    "               : bits == 32 ? ((const int32_t *)from)[i]\n"
    "                            : (double)((const int64_t *)from)[i];\n"
    "    return bits == 8    ? ((const uint8_t *)from)[i]\n"
    "           : bits == 16 ? ((const uint16_t *)from)[i]\n"
    "           : bits == 32 ? ((const uint32_t *)from)[i]\n"
    "                        : (double)((const uint64_t *)from)[i];\n"
    "}\n"
    "\n"
    "/* NaNs differ in sign and payload from machine to machine. */\n"
    "static int is_nan(const void *from, int code, int bits, size_t i)\n"
    "{\n"
    "    if (code != 2 && code != 4)\n"
    "        return 0;\n"
    "    if (bits == 16)\n"
    "        return (((const uint16_t *)from)[i] & 0x7fff) > (code == 2 ? 0x7c00 : 0x7f80);\n"
    "    return isnan(element(from, code, bits, i));\n"
    "}\n"
    "\n"
    "/* 0: the same bits (but for those of NaNs); 1: the sums are near, as they may be with another C library; 2: something else. */\n"
    "static int compare(const char *name, const void *from, int code, int bits, size_t count,\n"
    "                   const struct wanted *wanted)\n"
    "{\n"
    "    const unsigned char *bytes = from;\n"
    "    uint64_t found = UINT64_C(0xcbf29ce484222325);\n"
    "    double total = 0;\n"
    "    for (size_t i = 0; i < count; i++) {\n"
    "        double value = element(from, code, bits, i);\n"
    "        unsigned nan = is_nan(from, code, bits, i) ? 0xff : 0;\n"
    "        for (int b = 0; b < bits / 8; b++)\n"
    "            found = (found ^ (*bytes++ | nan)) * UINT64_C(0x100000001b3);\n"
    "        total += isfinite(value) ? value : 0;\n"
    "    }\n"
    "    double distance = fabs(total - wanted->sum);\n"
    "    int result = found == wanted->hash ? 0 : distance <= 1e-5 * wanted->magnitude + 1e-30 ? 1 : 2;\n"
    "    printf(\"%s: sum %.9g, %s\\n\", name, total,\n"
    "           result == 0 ? \"the same bits\" : result == 1 ? \"nearly the same\" : \"WRONG\");\n"
    "    return result;\n"
    "}\n";

struct printing {
    const struct c_view *view;
    struct text *out;
};

static int bits_of(const struct ir_type *type)
{
    return type->kind == IR_TYPE_SHAPE ? 64 : ir_dtype_is_bool(type->dtype) ? 8 : type->dtype.bits;
}

static int code_of(const struct ir_type *type)
{
    return type->kind == IR_TYPE_SHAPE ? 0 : (int)type->dtype.code;
}

/* Static, so that neither stack nor heap is needed. */
static void put_arrays(const struct c_function *function, const struct artifact_vector *vector,
                       struct text *out)
{
    for (size_t i = 0; i < function->params.count; i++) {
        const struct c_param *param = &function->params.items[i];
        const char *element = param->base.type && param->base.type->kind == IR_TYPE_SHAPE
                                  ? "int64_t"
                              : param->base.type ? c_view_element(param->base.type->dtype)
                                                 : NULL;
        size_t size = vector->sizes[i] ? vector->sizes[i] : 1;
        if (param->base.kind == CODEGEN_NUMBER || param->base.kind == CODEGEN_SYMBOL ||
            param->base.kind == CODEGEN_WEIGHTS)
            continue;
        if (param->base.kind == CODEGEN_ARENA && vector->arena_bytes == 0)
            continue;
        if (param->base.kind == CODEGEN_ARENA) {
            text_printf(out, "    static _Alignas(64) unsigned char arena[%lld];\n",
                        (long long)vector->arena_bytes);
        } else if (vector->shapes[i]) {
            text_printf(out, "    static const int64_t v_%s[] = {", param->name);
            for (size_t k = 0; k < vector->sizes[i]; k++)
                text_printf(out, "%s%lld", k ? ", " : "", (long long)vector->shapes[i][k]);
            text_puts(out, vector->sizes[i] ? "};\n" : "0};\n");
        } else {
            text_printf(out, "    static _Alignas(64) %s v_%s[%zu];\n", element, param->name, size);
        }
    }
}

static void put_fills(const struct c_function *function, const struct artifact_vector *vector,
                      struct text *out)
{
    for (size_t i = 0; i < function->params.count; i++) {
        const struct c_param *param = &function->params.items[i];
        if (param->base.kind == CODEGEN_DATA && !vector->shapes[i])
            text_printf(out, "    fill(v_%s, %d, %d, %lld, %u);\n", param->name,
                        code_of(param->base.type), bits_of(param->base.type),
                        (long long)vector->values[i], param->base.leaf + 1);
    }
}

static void put_number(const struct c_param *param, const struct artifact_vector *vector, size_t i,
                       struct text *out)
{
    const struct ir_dtype dtype = param->base.type->dtype;

    if (ir_dtype_is_float(dtype) && dtype.bits == 16)
        text_printf(out, "small_bits(%.17g, %d)", vector->reals[i],
                    dtype.code == IR_BFLOAT ? 7 : 10);
    else if (ir_dtype_is_float(dtype))
        text_printf(out, "%.17g", vector->reals[i]);
    else
        text_printf(out, "%lld", (long long)vector->values[i]);
}

static void put_call(const struct c_function *function, const struct artifact_vector *vector,
                     struct text *out)
{
    text_printf(out, "    int32_t status = %s(", function->name);
    for (size_t i = 0; i < function->params.count; i++) {
        const struct c_param *param = &function->params.items[i];
        text_puts(out, i ? ", " : "");
        if (param->base.kind == CODEGEN_NUMBER)
            put_number(param, vector, i, out);
        else if (param->base.kind == CODEGEN_SYMBOL)
            text_printf(out, "%lld /* %s */", (long long)vector->values[i], param->name);
        else if (param->base.kind == CODEGEN_ARENA && vector->arena_bytes == 0)
            text_puts(out, "NULL");
        else if (param->base.kind == CODEGEN_WEIGHTS)
            text_puts(out, "&weights");
        else
            text_printf(out, param->base.kind == CODEGEN_ARENA ? "%s" : "v_%s", param->name);
    }
    text_puts(out, ");\n");
}

/* The parameter that holds leaf @leaf of the result after the call. */
static const struct c_param *holder_of(const struct c_function *function, unsigned leaf)
{
    for (size_t i = 0; i < function->params.count; i++) {
        const struct c_param *param = &function->params.items[i];
        if (param->result == (int)leaf ||
            (param->base.kind == CODEGEN_RESULT && param->base.leaf == leaf))
            return param;
    }
    return NULL;
}

/* What result @leaf must come to, a row for each level. */
static void put_wanted(const struct artifact_vector *vectors, size_t count, unsigned leaf,
                       struct text *out)
{
    text_printf(out, "    static const struct wanted wanted_%u[] = {\n", leaf);
    for (size_t i = 0; i < count; i++) {
        if (leaf >= vectors[i].sums.count)
            continue; /* it fails, as the test will */
        const struct artifact_sum *sum = &vectors[i].sums.items[leaf];
        text_printf(out, "        {UINT64_C(0x%016" PRIx64 "), %.17g, %.17g},\n", sum->hash,
                    sum->sum, sum->magnitude);
    }
    text_puts(out, "    };\n");
}

/* @vectors: one for each level, alike but for the sums. */
static void put_function(const struct c_view *view, const struct c_function *function,
                         const struct artifact_vector *vectors, size_t count, struct text *out)
{
    const struct artifact_vector *vector = &vectors[0];

    text_printf(out, "\nstatic int test_%s(int level)\n{\n", function->name);
    put_arrays(function, vector, out);
    for (unsigned i = 0; i < vector->sums.count; i++)
        if (holder_of(function, i))
            put_wanted(vectors, count, i, out);
    text_puts(out, "    int worst = 0, result = 0;\n    char text[256];\n\n");
    put_fills(function, vector, out);
    put_call(function, vector, out);
    text_printf(out,
                "    if (status != %d) {\n"
                "        printf(\"%s: %%s\\n\", %s%smessage(status, text, sizeof(text)));\n"
                "        return 2;\n"
                "    }\n",
                vector->status, function->name, view->prefix, *view->prefix ? "_" : "");
    for (unsigned i = 0; i < vector->sums.count; i++) {
        const struct artifact_sum *sum = &vector->sums.items[i];
        const struct c_param *param = holder_of(function, i);
        if (!param)
            continue;
        text_printf(out,
                    "    result = compare(\"%s %s\", v_%s, %d, %d, %lld, &wanted_%u[level]);\n"
                    "    worst = result > worst ? result : worst;\n",
                    function->name, param->name, param->name, code_of(param->base.type),
                    bits_of(param->base.type), (long long)sum->elements, i);
    }
    text_puts(out,
              vector->sums.count
                  ? "    return worst;\n}\n"
                  : "    (void)level;\n    (void)result;\n    return worst; /* as it must */\n}\n");
}

/* Opens the weights, whose path may be given. */
static void put_open(struct c_view *view, const char *weights, struct text *out)
{
    const char *slash = strrchr(weights, '/'), *name = slash ? slash + 1 : weights;

    text_printf(out,
                "    struct inlay_run_error error;\n\n"
                "    if (%s_open(&weights, argc > 1 ? argv[1] : ",
                c_view_weights(view));
    text_put_json(out, name, strlen(name));
    text_puts(out, ", &error) != 0) {\n"
                   "        printf(\"%s\\n\", error.message);\n"
                   "        return 1;\n"
                   "    }\n");
}

/* Of function @index, by level. */
static bool put_test(const struct artifact_test *test, size_t count, size_t index, struct text *out)
{
    struct artifact_vector vectors[ARTIFACT_LEVEL_LIMIT] = {0};
    bool is_good = true;

    for (size_t i = 0; is_good && i < count; i++) {
        const struct c_view *view = &test->views[i];
        if (test->options->level_count)
            test->driver->target = test->options->levels[i].target;
        is_good = artifact_vector_make(&vectors[i], test->driver, view,
                                       &view->functions.items[index], test->codes[i]);
    }
    if (is_good)
        put_function(&test->views[0], &test->views[0].functions.items[index], vectors, count, out);
    for (size_t i = 0; i < count; i++)
        artifact_vector_finish(&vectors[i]);
    return is_good;
}

/* Each level that this machine has, and what its results must be. */
static void put_levels(const struct artifact_test *test, struct text *out)
{
    const char *prefix = test->views[0].prefix, *line = *prefix ? "_" : "";

    text_puts(out, "    static const char *const levels[] = {");
    for (size_t i = 0; i < test->options->level_count; i++)
        text_printf(out, "%s\"%s\"", i ? ", " : "", test->options->levels[i].target.cpu);
    text_printf(out,
                "};\n\n"
                "    for (int level = 0; level < %zu; level++) {\n"
                "        if (%s%suse_cpu(levels[level])) {\n"
                "            printf(\"%%s: this machine has it not\\n\", levels[level]);\n"
                "            continue;\n"
                "        }\n"
                "        printf(\"%%s:\\n\", levels[level]);\n"
                "        result = test(level);\n"
                "        worst = result > worst ? result : worst;\n"
                "    }\n",
                test->options->level_count, prefix, line);
}

bool artifact_put_main(const struct artifact_test *test, const char *header, struct text *out)
{
    struct c_view *view = &test->views[0];
    const char *weights = test->options->weights;
    size_t levels = test->options->level_count;
    bool is_good = true;

    text_printf(
        out,
        "/*\n * Calls each entry of %s with inputs that are made up, and compares the results with\n"
        " * what Inlay got. Exit status: 0 the same, or nearly; 1 not.\n *\n"
        " *     cc -std=c11 THIS.c ARTIFACT -lm\n *\n"
        " * A shared library is found again with -Wl,-rpath,'$ORIGIN' (in the folder of the program).\n%s */\n",
        header,
        weights
            ? " *\n * The argument is the path of the weights; without one they are in this folder.\n"
            : "");
    text_printf(out,
                "#include \"%s\"\n\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\n",
                header);
    text_puts(out, helpers);
    if (weights)
        text_puts(out, "\nstatic struct inlay_weights weights;\n");
    for (size_t i = 0; is_good && i < view->functions.count; i++)
        is_good = put_test(test, levels ? levels : 1, i, out);
    text_puts(out,
              "\nstatic int test(int level)\n{\n    int worst = 0, result;\n\n    (void)fill;\n"
              "    (void)compare;\n");
    for (size_t i = 0; i < view->functions.count; i++)
        text_printf(out,
                    "    result = test_%s(level);\n    worst = result > worst ? result : worst;\n",
                    view->functions.items[i].name);
    text_printf(out, "    return worst;\n}\n\nint main(%s)\n{\n",
                weights ? "int argc, char **argv" : "void");
    if (weights)
        put_open(view, weights, out);
    if (levels) {
        text_puts(out, "    int worst = 0, result;\n");
        put_levels(test, out);
        text_puts(out, "    return worst > 1;\n}\n");
    } else {
        text_puts(out, "    return test(0) > 1;\n}\n");
    }
    return is_good;
}
