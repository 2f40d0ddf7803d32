/*
 * R.const: numbers and nested lists of numbers as tensor data, by NumPy's rules.
 *
 * Without a dtype floats are float32, integers int32, bools bool (TVM narrows NumPy's 64 bits).
 * A number must fit its dtype: integers exactly, floats in range; half precision rounds to nearest,
 * ties to even.
 */
#include "base/half.h"
#include "base/memory.h"
#include "frontend/python/numbers.h"
#include "frontend/tvmscript/relax.h"
#include "frontend/tvmscript/tir.h"

#include <math.h>
#include <string.h>

enum { NDIM_LIMIT = 64 };

struct builder {
    struct frontend *f;
    struct ir_dtype dtype;
    unsigned ndim;
    int64_t shape[NDIM_LIMIT];
    char *data;
    size_t count;
    bool has_float, has_int; /* among the elements */
};

/* A number of the text: an integer (negative or not) or a float. */
struct number {
    bool is_float, is_negative, is_bool;
    uint64_t magnitude;
    double real;
};

static bool is_float_call(const struct ast *a)
{
    return a->kind == AST_CALL && a->item_count == 2 && a->items[0]->kind == AST_NAME &&
           strcmp(a->items[0]->name, "float") == 0 && a->items[1]->kind == AST_STRING;
}

/* "inf", "-inf", "nan": as TVM prints them, and as arguments of float(). */
static bool read_float_text(const char *text, bool is_negative, struct number *out)
{
    bool is_minus = text[0] == '-';
    text += is_minus || text[0] == '+';
    out->is_float = true;
    if (strcmp(text, "inf") == 0 || strcmp(text, "infinity") == 0)
        out->real = is_minus != is_negative ? -INFINITY : INFINITY;
    else if (strcmp(text, "nan") == 0)
        out->real = NAN;
    else
        return false;
    return true;
}

/* True, False, a number, arithmetic of numbers, or float("inf"); false without a report. */
static bool read_number(struct frontend *f, const struct ast *a, struct number *out)
{
    struct constant constant;
    bool has_failed = false, is_negative = a->kind == AST_UNARY && a->op == AST_NEG;
    *out = (struct number){0};
    if (a->kind == AST_TRUE || a->kind == AST_FALSE) {
        out->is_bool = true;
        out->magnitude = a->kind == AST_TRUE;
        out->real = (double)out->magnitude;
        return true;
    }
    if (a->kind == AST_STRING)
        return read_float_text(a->string, false, out);
    if (is_float_call(is_negative ? a->items[0] : a))
        return read_float_text((is_negative ? a->items[0] : a)->items[1]->string, is_negative, out);
    if (!constant_evaluate(f, a, &constant, &has_failed))
        return false;
    out->is_float = constant.is_float;
    out->is_negative = !constant.is_float && !constant.is_wide && constant.integer < 0;
    out->magnitude = out->is_negative ? 0 - (uint64_t)constant.integer : (uint64_t)constant.integer;
    out->real = constant.is_float  ? constant.real
                : out->is_negative ? (double)constant.integer
                                   : (double)out->magnitude;
    return true;
}

const char *source_text(struct frontend *f, const struct ast *a)
{
    uint32_t length = a->loc.end - a->loc.begin;
    return length > 40
               ? "this"
               : arena_printf(&f->arena, "`%.*s`", (int)length, a->loc.source->text + a->loc.begin);
}

/* The literal of the file that @a, a use of its name, stands for; @a itself. */
static const struct ast *constant_of(struct frontend *f, const struct ast *a)
{
    const char *name = atom_intern(&f->context->atoms, a->loc.source->text + a->loc.begin,
                                   a->loc.end - a->loc.begin);
    const struct ast *constant = map_get(&f->constants, name);

    return constant ? constant : a;
}

/* `[1.0] [2.0]`: two rows, for Python an element of the first. */
static void help_rows(struct diag_message *m, const struct ast *a)
{
    diag_help(m, "separate them with `,`");
    diag_help_edit(m, location_behind(a->items[0]->loc), ",");
}

/* Finds the shape, and which kinds of numbers there are. */
static bool measure(struct builder *b, const struct ast *a, unsigned depth)
{
    struct number number;
    if (a->kind != AST_LIST && a->kind != AST_TUPLE) {
        if (depth < b->ndim) {
            diag_report(b->f->diag, a->loc, CONST_RAGGED, "a number stands where a list is");
            return false;
        }
        unsigned errors_before = diag_error_count(b->f->diag);
        if (!read_number(b->f, a, &number)) {
            const struct name *name = a->kind == AST_NAME ? scope_find(b->f, a->name) : NULL;
            bool is_reported = a->kind == AST_ERROR || (name && name->kind == NAME_ERROR);
            if (a->kind == AST_NAME && !name) {
                report_undefined_name(b->f, a);
                return false;
            }
            if (!is_reported && diag_error_count(b->f->diag) == errors_before) {
                struct diag_message *m =
                    diag_report(b->f->diag, a->loc, CONST_ELEMENT, source_text(b->f, a));
                if (a->kind == AST_STRING)
                    help_unquoted(m, constant_of(b->f, a));
                else if (a->kind == AST_SUBSCRIPT && a->items[0]->kind == AST_LIST)
                    help_rows(m, a);
                else
                    diag_note(m, "Python values must be written as literals");
            }
            return false;
        }
        b->has_float = b->has_float || number.is_float;
        b->has_int = b->has_int || !number.is_bool;
        return true;
    }
    if (depth >= b->ndim || b->shape[depth] != a->item_count) {
        diag_report(b->f->diag, a->loc, CONST_RAGGED,
                    depth >= b->ndim ? "a list stands where a number is"
                                     : "the lists have different lengths");
        return false;
    }
    for (unsigned i = 0; i < a->item_count; i++)
        if (!measure(b, a->items[i], depth + 1))
            return false;
    return true;
}

static bool store_float(struct builder *b, double value, char *to)
{
    float single = (float)value;
    bool fits = true;
    if (b->dtype.bits == 16) {
        bool is_bfloat = b->dtype.code == IR_BFLOAT;
        uint16_t half = is_bfloat ? bfloat_from_double(value) : half_from_double(value);
        fits = isinf(value) || !isinf(is_bfloat ? bfloat_to_float(half) : half_to_float(half));
        memcpy(to, &half, sizeof(half));
    } else if (b->dtype.bits == 32) {
        fits = isinf(value) || !isinf(single);
        memcpy(to, &single, sizeof(single));
    } else
        memcpy(to, &value, sizeof(value));
    return fits;
}

static bool store_int(struct builder *b, const struct number *number, char *to)
{
    unsigned bits = b->dtype.bits;
    bool is_unsigned = b->dtype.code == IR_UINT;
    uint64_t magnitude = number->magnitude;
    if (number->is_float) {
        double whole = trunc(number->real);
        if (whole != number->real || !(fabs(whole) < 0x1p63))
            return false;
        magnitude = (uint64_t)fabs(whole);
    }
    bool is_negative = magnitude != 0 && number->is_float ? number->real < 0 : number->is_negative;
    uint64_t limit = is_unsigned ? (is_negative ? 0 : UINT64_MAX >> (64 - bits))
                                 : (UINT64_C(1) << (bits - 1)) - !is_negative;
    uint64_t value = is_negative ? 0 - magnitude : magnitude;
    memcpy(to, &value, bits / 8); /* little-endian */
    return magnitude <= limit;
}

static bool store(struct builder *b, const struct ast *a)
{
    unsigned size = ir_dtype_bytes(b->dtype);
    char *to = b->data + size * b->count++;
    struct number number;
    bool is_number = read_number(b->f, a, &number), fits = is_number;
    if (ir_dtype_is_bool(b->dtype))
        *to = (char)(number.is_float ? number.real != 0 : number.magnitude != 0);
    else if (ir_dtype_is_float(b->dtype))
        fits = store_float(b, number.real, to);
    else
        fits = store_int(b, &number, to);
    if (!fits) {
        char name[32];
        diag_report(b->f->diag, a->loc, CONST_RANGE, source_text(b->f, a),
                    ir_dtype_name(b->dtype, name));
    }
    return fits;
}

static bool fill(struct builder *b, const struct ast *a)
{
    if (a->kind != AST_LIST && a->kind != AST_TUPLE)
        return store(b, a);
    for (unsigned i = 0; i < a->item_count; i++)
        if (!fill(b, a->items[i]))
            return false;
    return true;
}

static bool choose_dtype(struct builder *b, const struct ast *a)
{
    char name[32];
    if (ir_dtype_is_void(b->dtype))
        b->dtype = b->has_float ? IR_F32 : b->has_int ? IR_I32 : IR_B1;
    bool is_empty = b->ndim > 0 && b->shape[b->ndim - 1] == 0;
    if (is_empty && !b->has_float && !b->has_int && ir_dtype_is_bool(b->dtype))
        b->dtype = IR_F32;
    unsigned bits = b->dtype.bits;
    bool is_simple =
        ir_dtype_is_bool(b->dtype) ||
        (ir_dtype_is_float(b->dtype) && (bits == 16 || bits == 32 || bits == 64)) ||
        (ir_dtype_is_int(b->dtype) && (bits == 8 || bits == 16 || bits == 32 || bits == 64));
    if (is_simple && b->dtype.lanes == 1)
        return true;
    diag_report(b->f->diag, a->loc, CONST_DTYPE, ir_dtype_name(b->dtype, name));
    return false;
}

/* One after the other, from the text. */
static bool fill_from_text(struct builder *b, const struct ast *a, char *to)
{
    const char *start = a->loc.source->text, *at = start + a->loc.begin;
    unsigned size = ir_dtype_bytes(b->dtype);
    struct plain_number plain;

    for (; at < start + a->loc.end; to += size) {
        if (!(at = numbers_next(at, &plain)))
            return false;
        struct number number = {.is_float = plain.is_float,
                                .is_negative = plain.is_negative,
                                .magnitude = plain.magnitude,
                                .real = plain.real};
        bool fits = true;
        if (ir_dtype_is_bool(b->dtype))
            *to = (char)(plain.real != 0);
        else if (ir_dtype_is_float(b->dtype))
            fits = store_float(b, plain.real, to);
        else
            fits = store_int(b, &number, to);
        if (!fits) {
            struct ast place = {.loc = {a->loc.source, (uint32_t)(plain.begin - start),
                                        (uint32_t)(plain.end - start)}};
            char name[32];
            diag_report(b->f->diag, place.loc, CONST_RANGE, source_text(b->f, &place),
                        ir_dtype_name(b->dtype, name));
            return false;
        }
        while (at < start + a->loc.end &&
               (*at == ']' || *at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
            at++; /* behind the last one there are only these */
    }
    return true;
}

/* The text is measured again: it is as long as what is made of it, and nothing of it was kept. */
static struct ir_constant *text_constant(struct builder *b, const struct ast *a)
{
    struct numbers numbers;
    size_t bytes;

    if (!numbers_measure(a->loc.source->text + a->loc.begin, &numbers))
        return NULL;
    b->ndim = numbers.ndim;
    memcpy(b->shape, numbers.shape, sizeof(numbers.shape));
    b->has_float = numbers.has_float;
    b->has_int = true;
    if (!choose_dtype(b, a) || !ir_shape_bytes(b->shape, b->ndim, b->dtype, &bytes))
        return NULL;
    char *data = memory_new(bytes, 1);
    struct ir_constant *constant =
        fill_from_text(b, a, data)
            ? ir_module_add_constant(b->f->module, b->dtype, b->shape, b->ndim, data)
            : NULL;
    memory_free(data);
    return constant;
}

struct ir_constant *relax_constant(struct frontend *f, const struct ast *a, struct ir_dtype dtype)
{
    struct builder b = {.f = f, .dtype = dtype};
    if (a->kind == AST_NUMBERS)
        return text_constant(&b, a);
    for (const struct ast *list = a; list->kind == AST_LIST || list->kind == AST_TUPLE;
         list = list->items[0]) {
        if (b.ndim == NDIM_LIMIT) {
            diag_report(f->diag, list->loc, SYNTAX_NESTING, (int)NDIM_LIMIT);
            return NULL;
        }
        b.shape[b.ndim++] = list->item_count;
        if (list->item_count == 0)
            break;
    }
    size_t bytes;
    if (!measure(&b, a, 0) || !choose_dtype(&b, a) ||
        !ir_shape_bytes(b.shape, b.ndim, b.dtype, &bytes))
        return NULL;
    b.data = arena_array(&f->arena, char, bytes);
    return fill(&b, a) ? ir_module_add_constant(f->module, b.dtype, b.shape, b.ndim, b.data) : NULL;
}
