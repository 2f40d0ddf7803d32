/* linear, outer, einsum: sums of products. */
#include "codegen/interp/ops/numbers.h"

#include <ctype.h>
#include <string.h>

const struct interp_value *interp_op_outer(struct interp_op *o)
{
    const struct inlay_tensor *a = interp_operand(o, 0), *b = interp_operand(o, 1);
    if (!a || !b)
        return NULL;
    int64_t shape[] = {a->shape[0], b->shape[0]};
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(a), shape, 2);
    for (int64_t i = 0; result && i < shape[0]; i++)
        for (int64_t k = 0; k < shape[1]; k++)
            num_store(result->tensor, i * shape[1] + k, NUM_MUL(num_load(a, i), num_load(b, k)));
    return result;
}

const struct interp_value *interp_op_linear(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *weight = interp_operand(o, 1);
    const struct inlay_tensor *bias = o->count > 2 ? interp_operand(o, 2) : NULL;
    int64_t shape[INTERP_RANK];
    if (!x || !weight || weight->ndim != 2 || x->ndim < 1)
        return NULL;
    unsigned ndim = (unsigned)x->ndim;
    int64_t inner = x->shape[ndim - 1], columns = weight->shape[0];
    if (inner != weight->shape[1]) {
        interp_fail(o->run, INLAY_ERROR_SHAPE, "rows of %lld elements meet a weight for %lld",
                    (long long)inner, (long long)weight->shape[1]);
        return NULL;
    }
    struct ir_dtype dtype = interp_attr_dtype(o, "out_dtype", interp_tensor_dtype(x));
    struct ir_dtype wide = interp_compute_dtype(dtype);
    memcpy(shape, x->shape, ndim * sizeof(int64_t));
    shape[ndim - 1] = columns;
    struct interp_value *result = interp_tensor_new(o->run, dtype, shape, ndim);
    struct interp_index at;
    if (!result)
        return NULL;
    for (interp_index_begin(&at, shape, ndim); !at.is_done; interp_index_next(&at)) {
        int64_t row = at.position / columns * inner, column = at.position % columns * inner;
        struct interp_scalar sum = num(wide, 0);
        for (int64_t k = 0; k < inner; k++)
            sum = NUM_ADD(sum, NUM_MUL(interp_cast(num_load(x, row + k), wide),
                                       interp_cast(num_load(weight, column + k), wide)));
        if (bias) {
            int64_t in_bias =
                interp_broadcast_offset(bias->shape, (unsigned)bias->ndim, at.at, ndim);
            sum = NUM_ADD(sum, interp_cast(num_load(bias, in_bias), wide));
        }
        num_store(result->tensor, at.position, sum);
    }
    return result;
}

/* ---- einsum: every assignment of the letters is one product ---- */

enum { LETTERS = 128 };

struct letters {
    char names[INTERP_RANK]; /* those of the result, then the others */
    int64_t extents[INTERP_RANK];
    unsigned count, result_count;
    int place[LETTERS]; /* in `names`, or -1 */
};

static void add_letter(struct letters *l, char letter)
{
    if (!isalpha((unsigned char)letter) || l->place[(unsigned char)letter] >= 0 ||
        l->count == INTERP_RANK)
        return;
    l->place[(unsigned char)letter] = (int)l->count;
    l->names[l->count++] = letter;
}

/* The letters of the result: behind the arrow, or those that stand once, in their order. */
static void add_result(struct letters *l, const char *text)
{
    const char *arrow = strstr(text, "->");
    for (const char *at = arrow ? arrow + 2 : ""; *at; at++)
        add_letter(l, *at);
    for (int letter = 'A'; !arrow && letter <= 'z'; letter++) {
        const char *first = isalpha(letter) ? strchr(text, letter) : NULL;
        if (first && !strchr(first + 1, letter))
            add_letter(l, (char)letter);
    }
    l->result_count = l->count;
}

/* Reads the extents of the letters; false after the error is set. */
static bool read_extents(struct interp_op *o, struct letters *l, const char *text,
                         const struct interp_value *list)
{
    for (unsigned i = 0; i < l->count; i++)
        l->extents[i] = -1;
    for (unsigned i = 0; i < list->count; i++) {
        const struct inlay_tensor *x = list->items[i]->tensor;
        int d = 0;
        for (; *text && *text != ',' && *text != '-'; text++) {
            if (!isalpha((unsigned char)*text))
                continue;
            if (d >= x->ndim)
                return num_refuse(o, "subscripts of another rank") != NULL;
            int64_t *extent = &l->extents[l->place[(unsigned char)*text]];
            if (*extent >= 0 && *extent != x->shape[d])
                return interp_fail(o->run, INLAY_ERROR_SHAPE, "a letter stands for %lld and %lld",
                                   (long long)*extent, (long long)x->shape[d]);
            *extent = x->shape[d++];
        }
        if (d != x->ndim)
            return num_refuse(o, "subscripts of another rank") != NULL;
        text += *text == ',';
    }
    return true;
}

static int64_t offset_in(const struct letters *l, const struct inlay_tensor *x, const char *text,
                         const int64_t *at)
{
    int64_t offset = 0;
    int d = 0;
    for (; *text && *text != ',' && *text != '-'; text++)
        if (isalpha((unsigned char)*text))
            offset = offset * x->shape[d++] + at[l->place[(unsigned char)*text]];
    return offset;
}

const struct interp_value *interp_op_einsum(struct interp_op *o)
{
    const struct interp_value *list = o->operands[0];
    const char *text = ir_op_attr(o->op, "subscripts")->string;
    struct letters l = {.count = 0};
    struct interp_index i;
    memset(l.place, -1, sizeof(l.place));
    if (list->kind != INTERP_TUPLE || list->count == 0 || strchr(text, '.'))
        return num_refuse(o, "these operands");
    add_result(&l, text);
    for (const char *at = text; *at && *at != '-'; at++)
        add_letter(&l, *at);
    if (!read_extents(o, &l, text, list))
        return NULL;
    struct ir_dtype dtype = interp_tensor_dtype(list->items[0]->tensor);
    struct ir_dtype wide = interp_compute_dtype(dtype);
    struct interp_value *sums = interp_tensor_new(o->run, wide, l.extents, l.result_count);
    struct interp_value *result = interp_tensor_new(o->run, dtype, l.extents, l.result_count);
    if (!sums || !result)
        return NULL;
    for (interp_index_begin(&i, l.extents, l.count); !i.is_done; interp_index_next(&i)) {
        struct interp_scalar product = num(wide, 1);
        const char *subscripts = text;
        for (unsigned k = 0; k < list->count; k++) {
            const struct inlay_tensor *x = list->items[k]->tensor;
            struct interp_scalar value =
                interp_cast(num_load(x, offset_in(&l, x, subscripts, i.at)), wide);
            product = k == 0 ? value : NUM_MUL(product, value);
            subscripts += strcspn(subscripts, ",");
            subscripts += *subscripts == ',';
        }
        int64_t to = interp_offset(l.extents, l.result_count, i.at);
        num_store(sums->tensor, to, NUM_ADD(num_load(sums->tensor, to), product));
    }
    for (int64_t k = 0; k < inlay_tensor_elements(result->tensor); k++)
        num_store(result->tensor, k, num_load(sums->tensor, k));
    return result;
}
