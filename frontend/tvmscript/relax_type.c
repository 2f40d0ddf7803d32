/*
 * Types in the text: R.Tensor(..), R.Tuple(..), T.int64, and the symbols that signatures define.
 *
 * A symbol is defined where it stands alone as a dimension of a parameter: R.Tensor(("n", "n * 2"))
 * defines n.  All parameters are searched before any type is made, so `n * 2` may stand before the
 * parameter that defines n.
 */
#include "frontend/tvmscript/relax.h"
#include "ir/arith.h"

#include <string.h>

typedef const struct ir_type *type_fn(struct frontend *f, const struct ast *a);

/* What @a is, in words, for messages. */
static const char *describe(const struct ast *a)
{
    switch (a->kind) {
    case AST_INT:
    case AST_FLOAT:
        return "a number";
    case AST_STRING:
        return "a string";
    case AST_NAME:
        return "a name";
    case AST_TUPLE:
    case AST_LIST:
        return "a list";
    case AST_CALL:
        return "a call";
    default:
        return "another expression";
    }
}

/* Types of Python that annotations may mean. */
static const struct {
    const char *word, *type;
} scalars[] = {
    {"int", "T.int64"},
    {"float", "T.float32"},
    {"bool", "T.bool"},
};

static void help_type(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    static const char *const names[] = {"R.Tensor",  "R.Shape",      "R.Tuple", "R.Callable",
                                        "R.Any",     "R.PackedFunc", "R.Prim",  "T.int64",
                                        "T.float32", "T.bool",       "T.int32", NULL};
    const struct ast *name = a->kind == AST_CALL ? a->items[0] : a;
    const char *dotted = dotted_name(f, name);

    bool is_buffer = dotted && a->kind == AST_CALL &&
                     (strcmp(dotted, "T.Buffer") == 0 || strcmp(dotted, "R.Buffer") == 0);
    if (is_buffer) {
        diag_help(m, "what a graph computes with is an `R.Tensor`");
        diag_help_edit(m, name->loc, "R.Tensor");
    } else if (dotted)
        help_nearest(m, name->loc, dotted, names, "");
    for (unsigned i = 0; a->kind == AST_CALL && name->kind == AST_NAME && names[i]; i++)
        if (strcmp(names[i] + 2, name->name) == 0) { /* Tensor(..) */
            diag_help(m, "there is `%s`", names[i]);
            diag_help_edit(m, name->loc, "%s", names[i]);
        }
    if (a->kind == AST_SUBSCRIPT && dotted_name(f, a->items[0])) { /* R.Tensor[(2,), "float32"] */
        struct location inside = {a->loc.source, a->items[0]->loc.end + 1, a->loc.end - 1};
        diag_help(m, "its parts stand in round brackets");
        if (inside.source->text[inside.begin - 1] == '[')
            diag_help_edit(m, a->loc, "%.*s(%.*s)", LOCATION_TEXT(a->items[0]->loc),
                           LOCATION_TEXT(inside));
    }
    for (size_t i = 0; a->kind == AST_NAME && i < ARRAY_SIZE(scalars); i++)
        if (strcmp(a->name, scalars[i].word) == 0) {
            diag_help(m, "a scalar is of a dtype: `%s`", scalars[i].type);
            diag_help_edit(m, a->loc, "%s", scalars[i].type);
        }
}

/* `(R.Tensor(..), R.Tensor(..))` */
static void help_tuple(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    bool is_list = a->kind == AST_TUPLE || a->kind == AST_LIST;

    for (unsigned i = 0; is_list && i < a->item_count; i++)
        is_list = relax_is_type(f, a->items[i]);
    if (!is_list || a->item_count < 2)
        return;
    struct location items = location_join(a->items[0]->loc, a->items[a->item_count - 1]->loc);
    diag_help(m, "a tuple of types is `R.Tuple(..)`");
    diag_help_edit(m, a->loc, "R.Tuple(%.*s)", LOCATION_TEXT(items));
}

static const struct ir_type *not_a_type(struct frontend *f, const struct ast *a)
{
    if (a->kind != AST_ERROR) {
        struct diag_message *m = diag_report(f->diag, a->loc, TYPE_EXPECTED, describe(a));
        if (help_type_dot(m, a))
            return NULL;
        help_type(f, m, a);
        help_tuple(f, m, a);
        diag_help(m, "types are R.Tensor((2, 3), \"float32\"), R.Shape([2, n]), R.Tuple(..), "
                     "R.Callable(..), R.Any and T.int64");
    }
    return NULL;
}

/* `-1` or `None` for an extent that is not known: a symbol, by a name that the text does not have. */
static void help_open_dim(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    static const char *const names[] = {"n", "m", "k", "batch", "length"};

    diag_help(m, "an extent that is not known is a symbol: `\"n\"`");
    for (size_t i = 0; f->is_signature && i < ARRAY_SIZE(names); i++) {
        const char *quoted = arena_printf(&f->arena, "\"%s\"", names[i]);
        if (strstr(f->source->text, quoted))
            continue;
        diag_help_edit(m, a->loc, "%s", quoted);
        return;
    }
}

static bool dims_of(struct frontend *f, const struct ast *list, const struct ir_expr ***out_dims)
{
    const struct ir_expr **dims =
        arena_array(&f->context->arena, const struct ir_expr *, list->item_count);
    bool ok = true;
    for (unsigned i = 0; i < list->item_count; i++) {
        bool is_none = list->items[i]->kind == AST_NONE;
        dims[i] = is_none ? NULL : dim_translate(f, list->items[i]);
        if (is_none)
            help_open_dim(f, diag_report(f->diag, list->items[i]->loc, KERNEL_SCALAR, "None"),
                          list->items[i]);
        ok = ok && dims[i] != NULL;
    }
    *out_dims = dims;
    return ok;
}

const char *relax_vdevice(struct frontend *f, const struct ast *string)
{
    unsigned colons = 0;
    for (size_t i = 0; i < string->length; i++)
        colons += string->string[i] == ':';
    const char *rest = colons == 0 ? ":0:global" : colons == 1 ? ":global" : "";
    return atom_printf(&f->context->atoms, "%s%s", string->string, rest);
}

static const char *vdevice_text(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_STRING)
        return relax_vdevice(f, a);
    if (a->kind != AST_ERROR)
        diag_report(f->diag, a->loc, TYPE_UNSUPPORTED, "vdevice that is no string");
    return NULL;
}

static bool ndim_of(struct frontend *f, const struct ast *a, int *out_ndim)
{
    int64_t ndim;
    if (!ast_int_literal(a, &ndim) || ndim < -1 || ndim > 1024) {
        diag_report(f->diag, a->loc, TYPE_SHAPE_FORM, "no number of dimensions");
        return false;
    }
    *out_ndim = (int)ndim;
    return true;
}

/* False after a report: a dimension is negative whatever its symbols are. */
static bool dims_can_be(struct frontend *f, const struct ast *list,
                        const struct ir_expr *const *dims)
{
    bool ok = true;
    for (unsigned i = 0; i < list->item_count; i++) {
        int64_t value;
        if (ir_expr_constant(f->context, dims[i], &value) && value < 0) {
            struct diag_message *m =
                diag_report(f->diag, list->items[i]->loc, TYPE_DIM_NEGATIVE, i, (long long)value);
            if (value == -1)
                help_open_dim(f, m, list->items[i]);
            ok = false;
        }
    }
    return ok;
}

/* `R.Tensor(4, ..)` */
static void help_shape(const struct ast *a, struct diag_message *m)
{
    if (a->kind != AST_INT && a->kind != AST_BINARY)
        return;
    diag_help(m, "a shape of one dimension is `(n,)`");
    const char *text = a->loc.source->text;
    bool has_brackets =
        text[a->loc.begin - 1] == '(' && text[a->loc.end] == ')' && a->is_parenthesized; /* (4) */
    diag_help_wrap(m, a->loc, has_brackets ? "" : "(", has_brackets ? "," : ",)");
}

/* The shape of R.Tensor: dimensions, or the name of a shape value. */
static bool tensor_shape(struct frontend *f, const struct ast *a, const struct ir_expr ***out_dims,
                         int *out_ndim, const struct ir_value **out_var)
{
    if (a->kind == AST_TUPLE || a->kind == AST_LIST) {
        *out_ndim = (int)a->item_count;
        return dims_of(f, a, out_dims) && dims_can_be(f, a, *out_dims);
    }
    if (is_dotted(f, a, "R.shape") && a->kind == AST_CALL && a->item_count == 2 &&
        (a->items[1]->kind == AST_LIST || a->items[1]->kind == AST_TUPLE))
        return tensor_shape(f, a->items[1], out_dims, out_ndim, out_var);
    const struct name *name = a->kind == AST_NAME ? scope_use(f, a) : NULL;
    if (name != NULL && name->kind == NAME_ERROR)
        return false;
    if (name != NULL && name->kind == NAME_VALUE && name->value->type->kind == IR_TYPE_SHAPE) {
        *out_var = name->value;
        *out_ndim = name->value->type->ndim;
        return true;
    }
    if (a->kind == AST_NAME && name == NULL)
        report_undefined_name(f, a);
    else if (a->kind != AST_ERROR)
        help_shape(a, diag_report(f->diag, a->loc, TYPE_SHAPE_FORM, describe(a)));
    return false;
}

static const struct ir_type *tensor_type(struct frontend *f, const struct ast *a)
{
    static const char *const names[] = {"shape", "dtype", "vdevice", "ndim", NULL};
    if (a->kind != AST_CALL)
        return ir_type_tensor(f->context, IR_VOID, NULL, IR_NDIM_UNKNOWN);
    if (report_loose_dims(f, a) || !call_check_args(f, a, 4, names))
        return NULL;
    const struct ast *shape = call_arg(a, 0, "shape"), *dtype = call_arg(a, 1, "dtype");
    const struct ast *vdevice = call_arg(a, 2, "vdevice"), *rank = call_arg(a, 3, "ndim");
    if (shape != NULL && shape->kind == AST_STRING && dtype == NULL) {
        dtype = shape;
        shape = NULL;
    }
    const struct ir_expr **dims = NULL;
    const struct ir_value *shape_var = NULL;
    struct ir_dtype element = IR_VOID;
    const char *device = NULL;
    int ndim = IR_NDIM_UNKNOWN, given = IR_NDIM_UNKNOWN;
    bool ok = true;
    if (shape != NULL && shape->kind != AST_NONE)
        ok = tensor_shape(f, shape, &dims, &ndim, &shape_var);
    if (dtype != NULL && dtype->kind != AST_NONE &&
        !(dtype->kind == AST_STRING && dtype->length == 0))
        ok = dtype_translate(f, dtype, &element) && ok;
    if (vdevice != NULL && vdevice->kind != AST_NONE) {
        device = vdevice_text(f, vdevice);
        ok = ok && device != NULL;
    }
    if (rank != NULL)
        ok = ndim_of(f, rank, &given) && ok;
    if (!ok)
        return NULL;
    if (given != IR_NDIM_UNKNOWN && ndim != IR_NDIM_UNKNOWN && given != ndim) {
        struct diag_message *m = diag_report(f->diag, rank->loc, TYPE_NDIM, (long long)given, ndim);
        diag_help(m, "leave `ndim` out, or say %d", ndim);
        diag_help_edit(m, rank->loc, "%d", ndim);
        return NULL;
    }
    return ir_type_tensor_full(f->context, element, dims, ndim == IR_NDIM_UNKNOWN ? given : ndim,
                               shape_var, device);
}

static const struct ir_type *shape_type(struct frontend *f, const struct ast *a)
{
    static const char *const names[] = {"values", "ndim", NULL};
    if (a->kind != AST_CALL)
        return ir_type_shape(f->context, NULL, IR_NDIM_UNKNOWN);
    if (!call_check_args(f, a, 2, names))
        return NULL;
    const struct ast *values = call_arg(a, 0, "values"), *rank = call_arg(a, 1, "ndim");
    int ndim = IR_NDIM_UNKNOWN;
    if (rank != NULL && !ndim_of(f, rank, &ndim))
        return NULL;
    if (values == NULL || values->kind == AST_NONE)
        return ir_type_shape(f->context, NULL, ndim);
    if (values->kind != AST_LIST && values->kind != AST_TUPLE) {
        if (values->kind != AST_ERROR)
            diag_report(f->diag, values->loc, TYPE_SHAPE_FORM, describe(values));
        return NULL;
    }
    const struct ir_expr **dims;
    if (!dims_of(f, values, &dims))
        return NULL;
    if (ndim != IR_NDIM_UNKNOWN && ndim != (int)values->item_count) {
        diag_report(f->diag, rank->loc, TYPE_NDIM, (long long)ndim, (int)values->item_count);
        return NULL;
    }
    return ir_type_shape(f->context, dims, (int)values->item_count);
}

static bool types_of(struct frontend *f, struct ast *const *items, unsigned count,
                     const struct ir_type ***out_types)
{
    const struct ir_type **types = arena_array(&f->context->arena, const struct ir_type *, count);
    bool ok = true;
    for (unsigned i = 0; i < count; i++) {
        types[i] = relax_type(f, items[i]);
        ok = ok && types[i] != NULL;
    }
    *out_types = types;
    return ok;
}

static const struct ir_type *tuple_type(struct frontend *f, const struct ast *a)
{
    struct ast *const *items = a->kind == AST_CALL ? a->items + 1 : NULL;
    unsigned count = a->kind == AST_CALL ? a->item_count - 1 : 0;
    if (count == 1 && (items[0]->kind == AST_LIST || items[0]->kind == AST_TUPLE)) {
        count = items[0]->item_count;
        items = items[0]->items;
    }
    const struct ir_type **fields;
    if (!types_of(f, items, count, &fields))
        return NULL;
    return ir_type_tuple(f->context, fields, count);
}

static bool flag_of(struct frontend *f, const struct ast *a, bool fallback, bool *out_flag)
{
    *out_flag = a == NULL || a->kind == AST_NONE ? fallback : a->kind == AST_TRUE;
    if (a == NULL || a->kind == AST_NONE || a->kind == AST_TRUE || a->kind == AST_FALSE)
        return true;
    if (a->kind != AST_ERROR)
        help_flag(diag_report(f->diag, a->loc, SYNTAX_EXPECTED, "True or False", describe(a)), a);
    return false;
}

static const struct ir_type *callable_type(struct frontend *f, const struct ast *a)
{
    static const char *const names[] = {"params", "ret", "purity", "derive_func", NULL};
    const struct ir_type *any = ir_type_any(f->context);
    if (a->kind != AST_CALL)
        return ir_type_func_opaque(f->context, any, false, NULL);
    if (!call_check_args(f, a, 4, names))
        return NULL;
    const struct ast *params = call_arg(a, 0, "params"), *ret = call_arg(a, 1, "ret");
    const struct ast *derive = call_arg(a, 3, "derive_func");
    bool is_opaque = params == NULL || params->kind == AST_NONE, is_pure;
    if (!flag_of(f, call_arg(a, 2, "purity"), !is_opaque, &is_pure))
        return NULL;
    const struct ir_type *result = ret == NULL ? any : relax_type(f, ret);
    if (derive != NULL && derive->kind != AST_STRING && derive->kind != AST_NONE) {
        diag_report(f->diag, derive->loc, SYNTAX_EXPECTED, "a string", describe(derive));
        return NULL;
    }
    if (is_opaque)
        return result == NULL
                   ? NULL
                   : ir_type_func_opaque(
                         f->context, result, is_pure,
                         derive != NULL && derive->kind == AST_STRING ? derive->string : NULL);
    if (params->kind != AST_TUPLE && params->kind != AST_LIST) {
        const struct ir_type *param = relax_type(f, params);
        return param == NULL || result == NULL
                   ? NULL
                   : ir_type_func(f->context, &param, 1, result, is_pure);
    }
    const struct ir_type **fields;
    if (!types_of(f, params->items, params->item_count, &fields) || result == NULL)
        return NULL;
    return ir_type_func(f->context, fields, params->item_count, result, is_pure);
}

static const struct ir_type *any_type(struct frontend *f, const struct ast *a)
{
    return ir_type_any(f->context);
}

static const struct ir_type *packed_type(struct frontend *f, const struct ast *a)
{
    return ir_type_packed(f->context);
}

/* R.Prim("int64"), R.Prim(dtype="int64"); R.Prim(value="n") is an int64 that defines symbol n. */
static const struct ir_type *prim_type(struct frontend *f, const struct ast *a)
{
    static const char *const names[] = {"dtype", "value", NULL};
    if (a->kind != AST_CALL) {
        diag_report(f->diag, a->loc, TYPE_PRIM_VALUE, "nothing");
        return NULL;
    }
    if (!call_check_args(f, a, 2, names))
        return NULL;
    const struct ast *value = call_arg(a, 1, "value"), *dtype = call_arg(a, 0, "dtype");
    if (value != NULL) {
        const struct ir_expr *expr = scalar_translate(f, value, IR_I64);
        return expr != NULL ? ir_type_prim(f->context, expr->dtype) : NULL;
    }
    struct ir_dtype element;
    if (dtype == NULL) {
        diag_report(f->diag, a->loc, TYPE_PRIM_VALUE, "nothing");
        return NULL;
    }
    return dtype_translate(f, dtype, &element) ? ir_type_prim(f->context, element) : NULL;
}

static const struct ir_type *unsupported_type(struct frontend *f, const struct ast *a)
{
    diag_report(f->diag, a->loc, TYPE_UNSUPPORTED, "R.DTensor");
    return NULL;
}

static const struct {
    const char *name;
    type_fn *make;
} type_table[] = {
    {"R.Tensor", tensor_type},       {"R.Shape", shape_type},
    {"R.Tuple", tuple_type},         {"R.Callable", callable_type},
    {"R.PackedFunc", packed_type},   {"R.Any", any_type},
    {"R.Object", any_type},          {"R.Prim", prim_type},
    {"R.DTensor", unsupported_type}, {"R.dist.DTensor", unsupported_type},
};

static type_fn *find_type(const char *name)
{
    for (size_t i = 0; name != NULL && i < ARRAY_SIZE(type_table); i++)
        if (strcmp(name, type_table[i].name) == 0)
            return type_table[i].make;
    return NULL;
}

static const char *type_name(struct frontend *f, const struct ast *a)
{
    return a->kind == AST_CALL ? callee_name(f, a) : dotted_name(f, a);
}

bool relax_is_type(struct frontend *f, const struct ast *a)
{
    if (a->kind != AST_CALL && a->kind != AST_ATTRIBUTE)
        return false;
    const char *name = type_name(f, a);
    struct ir_dtype dtype;
    return find_type(name) != NULL ||
           (name != NULL && a->kind == AST_ATTRIBUTE && dtype_of_name(name, &dtype));
}

/* `x.ty`: the type of a value that is bound already. */
static const struct ir_type *type_of_value(struct frontend *f, const struct ast *a)
{
    bool is_type = a->kind == AST_ATTRIBUTE && a->items[0]->kind == AST_NAME &&
                   (strcmp(a->name, "ty") == 0 || strcmp(a->name, "struct_info") == 0);
    const struct name *name = is_type ? scope_use(f, a->items[0]) : NULL;
    return name != NULL && name->kind == NAME_VALUE ? name->value->type : NULL;
}

const struct ir_type *relax_type(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_NONE)
        return ir_type_tuple(f->context, NULL, 0);
    if (a->kind != AST_CALL && a->kind != AST_ATTRIBUTE)
        return not_a_type(f, a);
    if (f->depth >= 256) {
        diag_report(f->diag, a->loc, SYNTAX_NESTING, 256);
        return NULL;
    }
    const char *name = type_name(f, a);
    type_fn *make = find_type(name);
    struct ir_dtype dtype;
    if (make == NULL && name != NULL && dtype_of_name(name, &dtype) &&
        (a->kind == AST_ATTRIBUTE || a->item_count == 1))
        return ir_type_prim(f->context, dtype);
    if (make == NULL) {
        const struct ir_type *type = type_of_value(f, a);
        return type != NULL ? type : not_a_type(f, a);
    }
    f->depth++;
    const struct ir_type *type = make(f, a);
    f->depth--;
    return type != NULL && ir_type_is_within_limits(f->diag, a->loc, type) ? type : NULL;
}

const struct ir_type *relax_types(struct frontend *f, const struct ast *a)
{
    if (a->kind != AST_LIST && a->kind != AST_TUPLE)
        return relax_type(f, a);
    if (a->item_count == 1)
        return relax_type(f, a->items[0]);
    const struct ir_type **types;
    if (!types_of(f, a->items, a->item_count, &types))
        return NULL;
    return ir_type_tuple(f->context, types, a->item_count);
}

/* Symbols */

bool relax_is_identifier(const struct ast *a)
{
    if (a->kind != AST_STRING || a->length == 0 || (a->string[0] >= '0' && a->string[0] <= '9'))
        return false;
    for (size_t i = 0; i < a->length; i++) {
        char c = a->string[i];
        if (!(c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
              (c >= 'A' && c <= 'Z')))
            return false;
    }
    return true;
}

/* Names @var @text in the signature of @decl, unless something else has that name. */
static void bind_var(struct frontend *f, struct relax_decl *decl, const char *text,
                     struct location loc, const struct ir_var *var)
{
    struct name *name = scope_bind(f, NAME_VAR, text, loc);
    name->var = var;
    array_push(&decl->symbols, *name);
}

static bool is_bound(const struct relax_decl *decl, const char *text)
{
    for (size_t i = 0; i < decl->symbols.count; i++)
        if (decl->symbols.items[i].text == text)
            return true;
    return false;
}

static void bind_symbol(struct frontend *f, struct relax_decl *decl, const struct ast *a)
{
    if (is_bound(decl, a->string))
        return;
    struct ir_var *var = ir_symbol_new(f->context, a->string, IR_I64);
    var->loc = a->loc;
    bind_var(f, decl, a->string, a->loc, var);
}

/* Each string in a list of dimensions of @a that is a name alone defines it. */
static void bind_symbols_in(struct frontend *f, struct relax_decl *decl, const struct ast *a,
                            unsigned depth)
{
    bool is_list = a->kind == AST_TUPLE || a->kind == AST_LIST;
    if (depth > 256 || (a->kind != AST_CALL && a->kind != AST_KEYWORD && !is_list))
        return;
    for (unsigned i = a->kind == AST_CALL ? 1 : 0; i < a->item_count; i++) {
        if (is_list && relax_is_identifier(a->items[i]))
            bind_symbol(f, decl, a->items[i]);
        else
            bind_symbols_in(f, decl, a->items[i], depth + 1);
    }
}

/*
 * A scalar parameter is a variable in the types behind it: `n: T.int64`, or by another name
 * `n_param: R.Prim(value="n")`.  It may be negative, so it is no shape symbol.
 */
static void bind_scalar(struct frontend *f, struct relax_decl *decl, const struct ast *param)
{
    const struct ast *a = param->items[0];
    struct ir_dtype dtype = IR_I64;
    const char *name = relax_is_type(f, a) ? type_name(f, a) : NULL;
    if (name == NULL)
        return;
    const struct ast *alias = NULL;
    if (strcmp(name, "R.Prim") == 0 && a->kind == AST_CALL) {
        alias = call_arg(a, 1, "value");
        const struct ast *given = call_arg(a, 0, "dtype");
        if (alias == NULL &&
            (given == NULL || given->kind != AST_STRING || !ir_dtype_parse(given->string, &dtype)))
            return;
    } else if (!dtype_of_name(name, &dtype))
        return;
    const struct ir_var *var = ir_var_new(f->context, param->name, dtype);
    bind_var(f, decl, param->name, param->name_loc, var);
    if (alias != NULL && relax_is_identifier(alias) && alias->string != param->name)
        bind_var(f, decl, alias->string, alias->loc, var);
}

/* The parameters of a function type in the return annotation define symbols, too. */
static void bind_callable_symbols(struct frontend *f, struct relax_decl *decl, const struct ast *a,
                                  unsigned depth)
{
    if (depth > 256 || a->item_count == 0)
        return;
    if (a->kind == AST_CALL && is_dotted(f, a, "R.Callable") && a->item_count > 1)
        bind_symbols_in(f, decl, a->items[1], depth + 1);
    else if (a->kind == AST_CALL || a->kind == AST_LIST || a->kind == AST_TUPLE)
        for (unsigned i = 0; i < a->item_count; i++)
            bind_callable_symbols(f, decl, a->items[i], depth + 1);
}

void relax_bind_symbols(struct frontend *f, struct relax_decl *decl)
{
    for (unsigned i = 0; i < decl->def->item_count; i++) {
        const struct ast *param = decl->def->items[i];
        if (param->kind == AST_PARAM && param->item_count > 0 && param->items[0] != NULL)
            bind_scalar(f, decl, param);
    }
    for (unsigned i = 0; i < decl->def->item_count; i++) {
        const struct ast *param = decl->def->items[i];
        if (param->kind == AST_PARAM && param->item_count > 0 && param->items[0] != NULL)
            bind_symbols_in(f, decl, param->items[0], 0);
    }
    if (decl->def->returns != NULL)
        bind_callable_symbols(f, decl, decl->def->returns, 0);
}
