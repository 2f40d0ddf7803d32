/* See spelling.h. */
#include "ir/spelling.h"

#include "base/text.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

/* `R.Tensor((n, CLASSES), "float32")` and its parts. */
struct said {
    struct ir_context *context;
    const struct ir_type *type; /* what it says */
    struct location all, shape, dtype;
    bool has_dtype;
};

static bool starts_with(struct location place, const char *text)
{
    size_t length = strlen(text);

    return place.end - place.begin >= length &&
           strncmp(place.source->text + place.begin, text, length) == 0;
}

static bool is_tensor(const struct ir_type *type)
{
    return type && type->kind == IR_TYPE_TENSOR && (type->dims || type->ndim == 0);
}

/* False: it is written in another way. */
static bool read_said(struct said *said, struct ir_context *context, struct location place,
                      const struct ir_type *type)
{
    *said = (struct said){.context = context, .type = type, .all = place};
    if (!place.source || !starts_with(place, "R.Tensor(") || !is_tensor(type))
        return false;
    said->shape = location_argument(place, 0, "shape");
    said->dtype = location_argument(place, 1, "dtype");
    said->has_dtype = said->dtype.begin != place.begin && starts_with(said->dtype, "\"");
    bool has_shape = said->shape.begin != place.begin && starts_with(said->shape, "(");
    struct location more = location_argument(said->shape, (unsigned)type->ndim, NULL);
    return has_shape && more.begin == said->shape.begin;
}

/* Dim @i of it; nowhere if that is not seen. */
static struct location said_dim(const struct said *said, int i)
{
    struct location dim = location_argument(said->shape, (unsigned)i, NULL);

    return dim.begin == said->shape.begin ? (struct location){0} : dim;
}

static bool is_same(const struct said *said, int i, const struct ir_expr *dim)
{
    return ir_prove_equal(said->context, said->type->dims[i], dim);
}

/* @dim, which stands at @axis, as it is written at that axis or at another one. */
static void put_dim(const struct said *said, int axis, const struct ir_expr *dim, struct text *out)
{
    struct location place = {0};

    for (int i = 0; i < said->type->ndim && !place.source; i++)
        if (is_same(said, i, dim))
            place = said_dim(said, i);
    if (axis < said->type->ndim && is_same(said, axis, dim))
        place = said_dim(said, axis);
    if (place.source)
        text_printf(out, "%.*s", LOCATION_TEXT(place));
    else
        ir_expr_print(dim, out);
}

static void put_shape(const struct said *said, const struct ir_type *wanted, struct text *out)
{
    text_putc(out, '(');
    for (int i = 0; i < wanted->ndim; i++) {
        text_puts(out, i ? ", " : "");
        put_dim(said, i, wanted->dims[i], out);
    }
    text_puts(out, wanted->ndim == 1 ? ",)" : ")");
}

/* The text of @said with the shape and dtype of @wanted. */
static void put_type(const struct said *said, const struct ir_type *wanted, struct text *out)
{
    const char *text = said->all.source->text;
    struct location dtype = said->dtype;
    char name[32];

    text_printf(out, "%.*s", (int)(said->shape.begin - said->all.begin), text + said->all.begin);
    put_shape(said, wanted, out);
    if (ir_dtype_equal(wanted->dtype, said->type->dtype)) {
        text_printf(out, "%.*s", (int)(said->all.end - said->shape.end), text + said->shape.end);
        return;
    }
    text_printf(out, "%.*s\"%s\"", (int)(dtype.begin - said->shape.end), text + said->shape.end,
                ir_dtype_name(wanted->dtype, name));
    text_printf(out, "%.*s", (int)(said->all.end - dtype.end), text + dtype.end);
}

const char *ir_type_spelled(struct ir_context *context, struct location place,
                            const struct ir_type *given, const struct ir_type *wanted)
{
    struct text text = {0};
    struct said said;

    if (!is_tensor(wanted) || ir_dtype_is_void(wanted->dtype) ||
        !read_said(&said, context, place, given) ||
        (!ir_dtype_equal(wanted->dtype, given->dtype) &&
         (!said.has_dtype || said.dtype.begin < said.shape.end)))
        return ir_type_text(context, wanted);
    put_type(&said, wanted, &text);
    const char *spelled = arena_copy_text(&context->arena, text_string(&text), text.length);
    text_finish(&text);
    return spelled;
}
