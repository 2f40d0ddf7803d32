/* What belongs to arrays and modules of Python, in graphs: x.shape[0], np.exp(x), float("inf"). */
#include "frontend/tvmscript/internal.h"

#include <string.h>

/* The tensor type of the value that @a names, or NULL. */
static const struct ir_type *tensor_of(struct frontend *f, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_find(f, a->name) : NULL;
    bool is_tensor = name && name->kind == NAME_VALUE && name->value->type->kind == IR_TYPE_TENSOR;

    return is_tensor ? name->value->type : NULL;
}

/* Can @dim be written where it is: a number, or a symbol that is in scope? */
static bool is_plain(struct frontend *f, const struct ir_expr *dim)
{
    if (dim->kind == IR_EXPR_int)
        return true;
    const struct name *name = dim->kind == IR_EXPR_var ? scope_find(f, dim->var->name) : NULL;
    return name && name->kind == NAME_VAR && name->var == dim->var;
}

/* x.shape[@index] */
static void help_extent(struct frontend *f, struct diag_message *m, const struct ast *a,
                        const struct ir_type *type, int64_t index)
{
    if (type->ndim == IR_NDIM_UNKNOWN || !type->dims)
        return;
    if (index < 0)
        index += type->ndim;
    if (index < 0 || index >= type->ndim || !is_plain(f, type->dims[index]))
        return;
    const struct ir_expr *dim = type->dims[index];
    const char *text = dim->kind == IR_EXPR_var
                           ? dim->var->name
                           : arena_printf(&f->arena, "%lld", (long long)dim->int_value);
    diag_help(m, "the type says it: `%s`", text);
    diag_help_edit(m, a->loc, "%s", text);
}

void help_member(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const struct ast *member = a->kind == AST_SUBSCRIPT ? a->items[0] : a;
    const struct ir_type *type =
        member->kind == AST_ATTRIBUTE ? tensor_of(f, member->items[0]) : NULL;
    int64_t index;

    if (!type)
        return;
    if (a->kind == AST_SUBSCRIPT) {
        if (strcmp(member->name, "shape") == 0 && a->item_count == 2 &&
            ast_int_literal(a->items[1], &index))
            help_extent(f, m, a, type, index);
    } else if (strcmp(member->name, "dtype") == 0 && !ir_dtype_is_void(type->dtype)) {
        char name[32];
        diag_help(m, "the type says it: `\"%s\"`", ir_dtype_name(type->dtype, name));
        diag_help_edit(m, a->loc, "\"%s\"", ir_dtype_name(type->dtype, name));
    } else if (strcmp(member->name, "ndim") == 0 && type->ndim != IR_NDIM_UNKNOWN) {
        diag_help(m, "the type says it: `%d`", type->ndim);
        diag_help_edit(m, a->loc, "%d", type->ndim);
    }
}

bool report_sizes(struct frontend *f, const struct ast *target, const struct ast *a)
{
    const struct ir_type *type = a->kind == AST_ATTRIBUTE ? tensor_of(f, a->items[0]) : NULL;
    const char *names = "", *values = "";
    bool is_same = true;

    if (!type || !type->dims || strcmp(a->name, "shape") != 0 ||
        (unsigned)type->ndim != target->item_count)
        return false;
    for (int i = 0; i < type->ndim; i++) {
        const struct ir_expr *dim = type->dims[i];
        const char *name = target->items[i]->name, *comma = *names ? ", " : "";
        if (strcmp(name, "_") == 0)
            continue;
        is_same = is_same && dim->kind == IR_EXPR_var && strcmp(dim->var->name, name) == 0;
        names = arena_printf(&f->arena, "%s%s%s", names, comma, name);
        values = arena_printf(&f->arena, "%s%sT.int64()", values, comma);
    }
    struct diag_message *m =
        diag_report(f->diag, a->name_loc, TYPE_ATTRIBUTE, ir_type_text(f->context, type), a->name);
    diag_help(m, "its type says the sizes");
    if (is_same && *names)
        diag_help_edit(m, location_join(target->loc, a->loc), "%s = %s", names, values);
    return true;
}

/* The indices of @a as tensors, "i, R.const(0, \"int64\"),"; NULL: they are something else. */
static const char *index_list(struct frontend *f, const struct ast *a)
{
    const char *list = "";

    for (unsigned i = 1; i < a->item_count; i++) {
        const struct ast *item = a->items[i];
        bool is_number = item->kind == AST_INT;
        if (!is_number && !tensor_of(f, item))
            return NULL;
        list = arena_printf(&f->arena, "%s%s%s%.*s%s", list, i > 1 ? " " : "",
                            is_number ? "R.const(" : "", LOCATION_TEXT(item->loc),
                            is_number ? ", \"int64\")," : ",");
    }
    return list;
}

void help_update(struct frontend *f, struct diag_message *m, const struct ast *a,
                 const struct ast *value)
{
    struct location all = location_join(a->loc, value->loc);
    const struct ast *slice = a->item_count == 2 ? a->items[1] : NULL;

    diag_help(m, "values never change: an operator gives the changed one, `R.index_put`, "
                 "`R.slice_scatter`, or a kernel by R.call_tir_inplace");
    if (a->kind != AST_SUBSCRIPT || !tensor_of(f, a->items[0]) || a->is_tuple)
        return;
    const char *x = a->items[0]->name;
    if (slice && slice->kind == AST_SLICE) {
        if (slice->items[0] && slice->items[1] && !slice->items[2])
            diag_help_edit(m, all, "%s = R.slice_scatter(%s, %.*s, %.*s, %.*s, 1)", x, x,
                           LOCATION_TEXT(value->loc), LOCATION_TEXT(slice->items[0]->loc),
                           LOCATION_TEXT(slice->items[1]->loc));
        return;
    }
    const char *indices = index_list(f, a);
    if (indices && a->item_count > 2) /* `(i, j)`, but `(i,)` */
        indices = arena_printf(&f->arena, "%.*s", (int)strlen(indices) - 1, indices);
    if (indices)
        diag_help_edit(m, all, "%s = R.index_put(%s, (%s), %.*s)", x, x, indices,
                       LOCATION_TEXT(value->loc));
}

/* What is in front of all dots of @a, where that is a module of Python that is no name here; or NULL. */
static const struct ast *library_of(struct frontend *f, const struct ast *a)
{
    static const char *const modules[] = {"np",  "numpy", "torch", "F",    "nn",    "math",
                                          "jnp", "jax",   "tf",    "topi", "relay", "relax",
                                          "r",   "onnx",  "op",    "mx",   "cp"};
    const struct ast *root = a;

    while (root->kind == AST_ATTRIBUTE)
        root = root->items[0];
    if (root == a || root->kind != AST_NAME || scope_find(f, root->name))
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
        if (strcmp(root->name, modules[i]) == 0)
            return root;
    return NULL;
}

bool report_library_number(struct frontend *f, const struct ast *a)
{
    static const char *const numbers[][3] = {
        /* in kernels, in graphs */
        {"inf", "T.float32(\"inf\")", "R.const(float(\"inf\"))"},
        {"nan", "T.float32(\"nan\")", "R.const(float(\"nan\"))"},
        {"pi", "3.141592653589793", "3.141592653589793"},
        {"e", "2.718281828459045", "2.718281828459045"},
    };
    const struct ast *root = library_of(f, a);

    for (size_t i = 0; root && i < ARRAY_SIZE(numbers); i++) {
        if (strcmp(a->name, numbers[i][0]) != 0)
            continue;
        const char *text = numbers[i][f->tir ? 1 : 2];
        struct diag_message *m = diag_report(f->diag, root->loc, NAME_UNDEFINED, root->name);
        diag_help(m, "write `%s`", text);
        diag_help_edit(m, a->loc, "%s", text);
        return true;
    }
    return false;
}

static bool is_array(const char *word)
{
    static const char *const words[] = {"array", "asarray", "tensor", "as_tensor", "FloatTensor"};

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* The dtype that @call says, "float32" or np.float32; else that of its numbers. */
static const char *dtype_of_array(struct frontend *f, const struct ast *call)
{
    const struct ast *dtype = call_arg(call, 1, "dtype"), *numbers = call->items[1];
    struct ir_dtype found;

    if (dtype && dtype->kind == AST_STRING)
        return dtype->string;
    if (dtype && dtype->kind == AST_ATTRIBUTE &&
        dtype_of_name(arena_printf(&f->arena, "T.%s", dtype->name), &found))
        return dtype->name;
    bool is_float = memchr(numbers->loc.source->text + numbers->loc.begin, '.',
                           numbers->loc.end - numbers->loc.begin);
    return is_float ? "float32" : "int64";
}

/* np.array([1.0, 2.0]) */
static bool report_array(struct frontend *f, const struct ast *call, const struct ast *root)
{
    struct diag_message *m = diag_report(f->diag, root->loc, NAME_UNDEFINED, root->name);

    diag_help(m, "a tensor of numbers is `R.const(.., dtype)`");
    const struct ast *numbers = call_positional_count(call) > 0 ? call->items[1] : NULL;
    if (numbers && (numbers->kind == AST_LIST || numbers->kind == AST_TUPLE ||
                    numbers->kind == AST_INT || numbers->kind == AST_FLOAT))
        diag_help_edit(m, call->loc, "R.const(%.*s, \"%s\")", LOCATION_TEXT(numbers->loc),
                       dtype_of_array(f, call));
    return true;
}

bool report_library(struct frontend *f, const struct ast *call)
{
    const struct ast *a = call->items[0], *root = library_of(f, a);
    const char *meant = root ? operator_of_word(f, a->name) : NULL;
    if (root && is_array(a->name))
        return report_array(f, call, root);
    if (!meant)
        return false;
    struct diag_message *m = diag_report(f->diag, root->loc, NAME_UNDEFINED, root->name);
    if (help_different(m, a->name, meant, call))
        return true;
    struct location place = callee_place(call);
    diag_help(m, "operators are functions: `R.%s`", meant);
    if (place.source)
        diag_help_edit(m, place, "R.%s", meant);
    return true;
}

void report_float(struct frontend *f, const struct ast *call)
{
    struct diag_message *m =
        diag_report(f->diag, call->items[0]->loc, NAME_UNDEFINED, call->items[0]->name);
    const struct ast *value = call->item_count == 2 ? call->items[1] : NULL;
    bool is_float = strcmp(call->items[0]->name, "float") == 0;

    if (value && value->kind == AST_STRING && is_float) {
        diag_help(m, "such a number stands in a constant: `R.const(float(\"inf\"))`");
        diag_help_wrap(m, call->loc, "R.const(", ")");
    } else if (value && (value->kind == AST_FLOAT || value->kind == AST_INT)) {
        bool is_whole = value->kind == AST_INT && is_float;
        diag_help(m, "a number stands alone");
        if (is_float || value->kind == AST_INT)
            diag_help_edit(m, call->loc, "%.*s%s", LOCATION_TEXT(value->loc), is_whole ? ".0" : "");
    } else if (value && value->kind != AST_KEYWORD && value->kind != AST_STARRED) {
        const char *dtype = is_float ? "float32" : "int32";
        diag_help(m, "convert it: `R.astype(.., \"%s\")`", dtype);
        diag_help_edit(m, call->loc, "R.astype(%.*s, \"%s\")", LOCATION_TEXT(value->loc), dtype);
    }
}
