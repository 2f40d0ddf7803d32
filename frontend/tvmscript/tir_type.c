/* Dtypes in kernels and shapes: their names, and how operands of two dtypes are brought to one. */
#include "base/text.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

const char *dtype_text(struct frontend *f, struct ir_dtype dtype)
{
    char buffer[32];

    return atom_intern_text(&f->context->atoms, ir_dtype_name(dtype, buffer));
}

/* Short names of T.<dtype>. */
static const struct {
    const char *text, *dtype;
} dtype_aliases[] = {
    {"boolean", "bool"},  {"f16", "float16"}, {"f32", "float32"}, {"f64", "float64"},
    {"bf16", "bfloat16"}, {"i8", "int8"},     {"i16", "int16"},   {"i32", "int32"},
    {"i64", "int64"},     {"u8", "uint8"},    {"u16", "uint16"},  {"u32", "uint32"},
    {"u64", "uint64"},
};

bool dtype_of_name(const char *dotted, struct ir_dtype *out_dtype)
{
    if (!dotted || strncmp(dotted, "T.", 2) != 0)
        return false;
    dotted += 2;
    for (size_t i = 0; i < ARRAY_SIZE(dtype_aliases); i++)
        if (strcmp(dotted, dtype_aliases[i].text) == 0)
            dotted = dtype_aliases[i].dtype;
    return ir_dtype_parse(dotted, out_dtype);
}

static const char *const dtype_names[] = {"float32", "float64", "float16", "bfloat16", "int8",
                                          "int16",   "int32",   "int64",   "uint8",    "uint16",
                                          "uint32",  "uint64",  "bool"};

/* A name without its quotes, one of another library, or one with a slip. */
static void help_dtype(struct diag_message *m, const struct ast *a)
{
    static const char *const other[][2] = {
#define DTYPE(word, dtype) {word, dtype},
#include "frontend/tvmscript/words.def"
    };
    const char *word = a->kind == AST_STRING                             ? a->string
                       : a->kind == AST_NAME || a->kind == AST_ATTRIBUTE ? a->name
                                                                         : NULL;
    if (!word)
        return;
    struct text_nearest nearest = text_nearest_to(word);
    for (size_t i = 0; i < ARRAY_SIZE(dtype_names); i++)
        text_nearest_offer(&nearest, dtype_names[i]);
    for (size_t i = 0; i < ARRAY_SIZE(other); i++)
        if (strcmp(word, other[i][0]) == 0)
            nearest.found = other[i][1];
    if (!nearest.found)
        return;
    diag_help(m, "write `\"%s\"`", nearest.found);
    diag_help_edit(m, a->loc, "\"%s\"", nearest.found);
}

static const char *bare_text(struct frontend *f, const struct ast *a)
{
    return a->loc.end - a->loc.begin > 40 ? describe_ast(a)
                                          : arena_printf(&f->arena, "%.*s", LOCATION_TEXT(a->loc));
}

static bool report_dtype(struct frontend *f, const struct ast *a)
{
    struct diag_message *m = diag_report(f->diag, a->loc, KERNEL_DTYPE,
                                         a->kind == AST_STRING ? a->string : bare_text(f, a));

    if (a->kind == AST_CALL && a->item_count == 2 && is_dotted(f, a, "T.let")) {
        diag_help(m, "T.let has its type in brackets");
        diag_help_edit(m, a->loc, "%.*s[%.*s]", LOCATION_TEXT(a->items[0]->loc),
                       LOCATION_TEXT(a->items[1]->loc));
        return false;
    }
    if (a->kind == AST_SUBSCRIPT && a->items[0]->kind == AST_ATTRIBUTE) {
        const struct ast *word = a->items[0];
        if (text_distance(word->name, strlen(word->name), "let", 3) == 1) {
            diag_help(m, "write `T.let`");
            diag_help_edit(m, word->name_loc, "let");
            return false;
        }
    }
    diag_help(m, "dtypes are written \"float32\", \"int64\", \"bool\"");
    help_dtype(m, a);
    help_member(f, m, a);
    return false;
}

/* A.dtype, x.dtype */
static bool dtype_of_attribute(struct frontend *f, const struct ast *a, struct ir_dtype *out_dtype)
{
    struct ir_buffer *buffer = buffer_of(f, a->items[0]);
    const struct name *name = a->items[0]->kind == AST_NAME ? scope_use(f, a->items[0]) : NULL;

    if (buffer)
        *out_dtype = buffer->dtype;
    else if (name && name->kind == NAME_VAR)
        *out_dtype = name->var->dtype;
    else
        return report_dtype(f, a);
    return true;
}

bool dtype_translate(struct frontend *f, const struct ast *a, struct ir_dtype *out_dtype)
{
    const char *dotted = dotted_name(f, a->kind == AST_CALL ? a->items[0] : a);

    if (a->kind == AST_STRING)
        return (*a->string == '\0' && (*out_dtype = IR_VOID, true)) ||
               ir_dtype_parse(a->string, out_dtype) || report_dtype(f, a);
    if (dotted && strcmp(dotted, "R.dtype") == 0 && call_arg(a, 0, "value"))
        return dtype_translate(f, call_arg(a, 0, "value"), out_dtype);
    if (dtype_of_name(dotted, out_dtype))
        return true;
    if (a->kind == AST_ATTRIBUTE && (strcmp(a->name, "dtype") == 0 || strcmp(a->name, "ty") == 0)) {
        if (a->items[0]->kind == AST_CALL &&
            dtype_of_name(callee_name(f, a->items[0]), out_dtype)) /* T.handle().ty */
            return true;
        return dtype_of_attribute(f, a, out_dtype);
    }
    return report_dtype(f, a);
}

void pointer_describe(struct ir_var *var, const struct ast *type)
{
    if (!type || type->kind != AST_CALL || var->dtype.code != IR_HANDLE)
        return;
    const struct ast *pointee = call_arg(type, 0, "dtype");
    const struct ast *scope = call_arg(type, 1, "storage_scope");
    if (pointee && pointee->kind == AST_STRING)
        var->pointee = pointee->string;
    if (scope && scope->kind == AST_STRING && strcmp(scope->string, "global") != 0)
        var->pointer_scope = scope->string;
}

void pointer_describe_value(struct frontend *f, struct ir_var *var, const struct ir_expr *value)
{
    if (var->dtype.code != IR_HANDLE || var->pointee)
        return;
    if (value->kind == IR_EXPR_call && value->operand_count == 1 &&
        value->operands[0]->kind == IR_EXPR_load)
        var->pointee = dtype_text(f, value->operands[0]->buffer->dtype);
    if (value->kind == IR_EXPR_var) {
        var->pointee = value->var->pointee;
        var->pointer_scope = value->var->pointer_scope;
    }
}

/* --- one dtype for two operands --- */

/* Classes of which any beats all behind it. */
static int float_rank(struct ir_dtype dtype)
{
    if (dtype.code == IR_FLOAT)
        return 5;
    if (dtype.code == IR_BFLOAT)
        return 4;
    if (dtype.code >= IR_FLOAT8_E3M4 && dtype.code <= IR_FLOAT8_E8M0FNU)
        return 3;
    if (dtype.code == IR_FLOAT6_E2M3FN || dtype.code == IR_FLOAT6_E3M2FN)
        return 2;
    return dtype.code == IR_FLOAT4_E2M1FN ? 1 : 0;
}

static bool promote_integers(struct ir_dtype a, struct ir_dtype b, struct ir_dtype *out_dtype)
{
    if (ir_dtype_is_bool(a) && ir_dtype_is_int(b))
        *out_dtype = b;
    else if (ir_dtype_is_int(a) && ir_dtype_is_bool(b))
        *out_dtype = a;
    else if (!ir_dtype_is_int(a) || !ir_dtype_is_int(b))
        return false;
    else if (a.bits != b.bits)
        *out_dtype = a.bits < b.bits ? b : a;
    else
        *out_dtype = a.code == IR_UINT ? a : b; /* of one width: unsigned */
    return true;
}

bool tir_promote(struct ir_dtype a, struct ir_dtype b, struct ir_dtype *out_dtype)
{
    int a_rank = float_rank(a), b_rank = float_rank(b);

    if (ir_dtype_equal(a, b) || a_rank > b_rank) {
        *out_dtype = a;
        return true;
    }
    if (b_rank > a_rank) {
        *out_dtype = b;
        return true;
    }
    if (a_rank == 5) { /* both IEEE: the wider one */
        *out_dtype = a.bits < b.bits ? b : a;
        return true;
    }
    return a_rank == 0 && promote_integers(a, b, out_dtype);
}

const struct ir_expr *tir_convert(struct frontend *f, const struct ir_expr *a,
                                  struct ir_dtype dtype)
{
    const struct ir_expr *converted = ir_expr_cast(f->context, dtype, a);

    return converted == a ? a : ir_expr_at(f->context, a->loc, converted);
}

static const struct ir_expr *broadcast(struct frontend *f, const struct ir_expr *a, uint16_t lanes)
{
    struct ir_dtype dtype = {a->dtype.code, a->dtype.bits, lanes};

    return ir_expr_at(f->context, a->loc, ir_expr_new(f->context, IR_EXPR_broadcast, dtype, &a, 1));
}

bool tir_match(struct frontend *f, struct location loc, const struct ir_expr **a,
               const struct ir_expr **b)
{
    struct ir_dtype dtype;

    if (ir_dtype_equal((*a)->dtype, (*b)->dtype))
        return true;
    if ((*a)->dtype.lanes == 1 && (*b)->dtype.lanes > 1)
        *a = broadcast(f, *a, (*b)->dtype.lanes);
    else if ((*b)->dtype.lanes == 1 && (*a)->dtype.lanes > 1)
        *b = broadcast(f, *b, (*a)->dtype.lanes);
    if ((*a)->dtype.lanes != (*b)->dtype.lanes || !tir_promote((*a)->dtype, (*b)->dtype, &dtype)) {
        struct diag_message *m = diag_report(
            f->diag, loc, KERNEL_TYPE_MIX, dtype_text(f, (*a)->dtype), dtype_text(f, (*b)->dtype));
        diag_label(m, (*a)->loc, "%s", dtype_text(f, (*a)->dtype));
        diag_label(m, (*b)->loc, "%s", dtype_text(f, (*b)->dtype));
        return false;
    }
    *a = tir_convert(f, *a, dtype);
    *b = tir_convert(f, *b, dtype);
    return true;
}
