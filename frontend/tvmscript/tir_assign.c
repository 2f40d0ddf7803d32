/*
 * Assignments in kernels: stores, scalars, lets, and names for what is no value.
 *
 * `x = e` makes a mutable scalar, a buffer of one element that is read by its name; up to TVM 0.23 it
 * was an immutable let.
 */
#include "frontend/tvmscript/tir.h"

#include <math.h>
#include <string.h>

/* --- stores --- */

/* @value as elements of @buffer, @lanes of them. */
static const struct ir_expr *fit_value(struct frontend *f, const struct ast *a,
                                       const struct ir_expr *value, struct ir_dtype dtype,
                                       const struct ir_buffer *buffer)
{
    bool is_handle = dtype.code == IR_HANDLE || value->dtype.code == IR_HANDLE;

    if (value->dtype.lanes == 1 && dtype.lanes > 1) {
        struct ir_dtype wide = {value->dtype.code, value->dtype.bits, dtype.lanes};
        value = ir_expr_at(f->context, value->loc,
                           ir_expr_new(f->context, IR_EXPR_broadcast, wide, &value, 1));
    }
    if (value->dtype.lanes != dtype.lanes || (is_handle && value->dtype.code != dtype.code)) {
        diag_report(f->diag, a->loc, KERNEL_TYPE_MIX, dtype_text(f, dtype),
                    dtype_text(f, value->dtype));
        return NULL;
    }
    bool is_whole = value->kind == IR_EXPR_float && value->float_value == trunc(value->float_value);
    if (ir_dtype_is_float(value->dtype) && !ir_dtype_is_float(dtype) && !is_whole && !is_handle) {
        struct diag_message *m = diag_report(f->diag, value->loc, KERNEL_STORE_ROUNDS,
                                             dtype_text(f, value->dtype), dtype_text(f, dtype));
        if (help_scalar_type(f, m, buffer, value->dtype))
            return tir_convert(f, value, dtype);
        diag_help(m, "say that it is meant: `T.Cast(\"%s\", ..)`", dtype_text(f, dtype));
        diag_help_wrap(m, value->loc,
                       arena_printf(&f->arena, "T.Cast(\"%s\", ", dtype_text(f, dtype)), ")");
    }
    return tir_convert(f, value, dtype);
}

static bool push_store(struct frontend *f, const struct ast *a, const struct ir_buffer *buffer,
                       const struct ir_expr *const *indices, unsigned count,
                       const struct ir_expr *value)
{
    struct ir_dtype dtype = buffer->dtype;

    if (count && indices[count - 1]->dtype.lanes > 1)
        dtype.lanes = (uint16_t)(dtype.lanes * indices[count - 1]->dtype.lanes);
    value = fit_value(f, a, value, dtype, buffer);
    if (!value)
        return false;
    struct tir_stmt *stmt = tir_store(f->module, buffer, indices, value);
    stmt->loc = a->loc;
    stmt_push(f, stmt);
    return true;
}

static struct ir_buffer *stored_buffer(struct frontend *f, const struct ast *base)
{
    struct ir_buffer *buffer = buffer_of(f, base);
    const struct name *name = base->kind == AST_NAME ? scope_use(f, base) : NULL;

    if (buffer)
        return buffer;
    if (base->kind == AST_NAME && !name)
        report_undefined_name(f, base);
    else if (!name || name->kind != NAME_ERROR)
        help_brackets(
            diag_report(f->diag, base->loc, KERNEL_STORE_TARGET,
                        base->kind == AST_NAME ? "what is no buffer" : describe_ast(base)),
            base);
    return NULL;
}

bool store_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                     const struct ast *value, const struct ast *predicate)
{
    const struct ir_buffer *buffer = stored_buffer(f, target->items[0]);
    const struct ir_expr **indices = NULL;
    unsigned count;

    if (buffer)
        indices = indices_translate(f, target, buffer, &count);
    struct ir_dtype lane = buffer ? buffer->dtype : IR_VOID;
    f->tir->stored = lane;
    const struct ir_expr *stored = scalar_translate(f, value, lane);
    f->tir->stored = IR_VOID;
    if (!indices || !stored || !push_store(f, a, buffer, indices, count, stored))
        return false;
    if (predicate && predicate->kind != AST_NONE) {
        array_last(&f->tir->stmts)->store.predicate = scalar_translate(f, predicate, IR_VOID);
        return array_last(&f->tir->stmts)->store.predicate != NULL;
    }
    return true;
}

static bool store_scalar(struct frontend *f, const struct ast *a, const struct ir_buffer *buffer,
                         const struct ir_expr *value)
{
    const struct ir_expr *zero = ir_expr_int(f->context, IR_I32, 0);

    return value && push_store(f, a, buffer, &zero, 1, value);
}

/* --- lets and scalars --- */

static bool push_let_of(struct frontend *f, const struct ast *a, const struct ir_var *var,
                        const struct ir_expr *value)
{
    struct tir_stmt *stmt = stmt_new(f, TIR_LET, a);

    stmt->let.var = var;
    stmt->let.value = value;
    stmt_push(f, stmt);
    return true;
}

/* @type is the annotation, or NULL. */
static bool push_let(struct frontend *f, const struct ast *a, const struct ast *target,
                     const struct ast *type, const struct ir_expr *value, struct ir_dtype dtype)
{
    bool is_pointer = dtype.code == IR_HANDLE && value->dtype.code == IR_HANDLE;

    if (!is_pointer && (value->kind == IR_EXPR_int || value->kind == IR_EXPR_float) &&
        dtype.code != IR_HANDLE)
        value = tir_convert(f, value, dtype);
    if (!is_pointer && !ir_dtype_equal(value->dtype, dtype) && dtype.code != IR_HANDLE) {
        struct diag_message *m = diag_report(f->diag, value->loc, KERNEL_LET_TYPE,
                                             dtype_text(f, value->dtype), dtype_text(f, dtype));
        diag_help(m, "convert it: `T.%s(..)`", dtype_text(f, dtype));
        diag_help_wrap(m, value->loc, arena_printf(&f->arena, "T.%s(", dtype_text(f, dtype)), ")");
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    struct ir_var *var = ir_symbol_new(f->context, target->name, dtype);
    var->is_symbol = false;
    var->loc = target->loc;
    pointer_describe(var, type);
    pointer_describe_value(f, var, value);
    scope_bind(f, NAME_VAR, atom_intern_text(&f->context->atoms, target->name), target->loc)->var =
        var;
    return push_let_of(f, a, var, value);
}

static struct ir_buffer *push_scalar(struct frontend *f, const struct ast *a,
                                     const struct ast *target, struct ir_dtype dtype)
{
    const struct ir_expr *one = ir_expr_int(f->context, IR_I32, 1);
    struct tir_stmt *stmt = stmt_new(f, TIR_ALLOC, a);
    struct ir_buffer *buffer = tir_buffer_new(f->module, target->name, dtype, &one, 1);

    buffer->is_scalar = true;
    buffer->scope = atom_intern_text(&f->context->atoms, "local");
    buffer->loc = target->loc;
    stmt->alloc.buffer = buffer;
    stmt_push(f, stmt);
    scope_bind(f, NAME_BUFFER, target->name, target->loc)->buffer = buffer;
    return buffer;
}

/* `x: float = e`: the edit is a type of kernels, not a string. */
static bool report_python_type(struct frontend *f, const struct ast *annotation)
{
    static const char *const types[][2] = {
        {"float", "T.float32"}, {"int", "T.int32"}, {"bool", "T.bool"}};

    for (size_t i = 0; annotation->kind == AST_NAME && i < ARRAY_SIZE(types); i++) {
        if (strcmp(annotation->name, types[i][0]) != 0)
            continue;
        struct diag_message *m =
            diag_report(f->diag, annotation->loc, KERNEL_DTYPE, annotation->name);
        diag_help(m, "write `%s`", types[i][1]);
        diag_help_edit(m, annotation->loc, "%s", types[i][1]);
        return true;
    }
    return false;
}

/* --- name = value --- */

/* The buffer that `name = e` stores to, for it has one element; NULL: a new name. */
static struct ir_buffer *mutable_scalar(struct frontend *f, const struct ast *target)
{
    struct ir_buffer *buffer = buffer_of(f, target);

    if (!buffer)
        return NULL;
    if (buffer->is_scalar || (buffer->ndim == 1 && ir_expr_is_int(buffer->shape[0], 1)))
        return buffer;
    return NULL;
}

/* `x: T.let[T.int32] = e`: the edit that makes a mutable scalar of it. */
static void help_mutable(struct diag_message *m, const struct name *known)
{
    struct location type = location_behind(known->loc);
    const char *text = type.source->text + type.begin;
    size_t length = strcspn(text, "]\n");

    if (strncmp(text, ": T.let[", 8) != 0 || text[length] != ']')
        return;
    type.end = type.begin + (uint32_t)length + 1;
    diag_help(m, "without `T.let` it is a scalar that may be stored to");
    diag_help_edit(m, type, ": %.*s", (int)length - 8, text + 8);
    diag_help_unsure(m);
}

/* `name = ..` of what does not change: a let, a loop, an axis, a buffer.  It is another name from here on. */
static void warn_hidden(struct frontend *f, const struct ast *target, const struct name *known)
{
    bool is_buffer = known->kind == NAME_BUFFER;
    struct diag_message *m = diag_report(f->diag, target->loc, KERNEL_NAME_HIDDEN, target->name,
                                         is_buffer ? "buffer" : "scalar");

    f->tir->func->is_hidden |= is_buffer;
    diag_label(m, known->loc, "`%s` is bound here", known->text);
    const char *indices = is_buffer ? indices_meant(f, known->buffer) : NULL;
    if (is_buffer)
        diag_help(m, "no element is stored: `%s[%s] = ..`%s", target->name,
                  indices ? indices : "..", indices ? "" : " in loops over its axes");
    if (indices)
        diag_help_edit(m, location_behind(target->loc), "[%s]", indices);
    else if (!is_buffer)
        help_mutable(m, known);
}

/* Is @target a name of the kernel that `=` does not store to? */
static bool hides(struct frontend *f, const struct ast *target, const struct ast *value)
{
    const struct name *known = scope_find(f, target->name);
    bool is_fixed = known && known->loc.source && known->loc.begin != target->loc.begin &&
                    (known->kind == NAME_VAR || known->kind == NAME_BUFFER);

    const struct ast *callee = value->kind == AST_CALL ? value->items[0] : value;
    struct ir_dtype dtype;
    bool is_symbol = (callee->kind == AST_NAME || callee->kind == AST_ATTRIBUTE) &&
                     dtype_of_name(arena_printf(&f->arena, "T.%s", callee->name), &dtype);
    if (is_symbol) /* `n = T.int64`, which is told as what it is */
        return false;
    return is_fixed && !mutable_scalar(f, target) && f->tir->dialect == DIALECT_NEW &&
           (value->kind != AST_NAME || value->name != target->name);
}

/* Names for what is no scalar: a buffer, the module's class, a tuple of scalars. */
static bool bind_alias(struct frontend *f, const struct ast *target, const struct ast *value)
{
    const struct name *known = value->kind == AST_NAME ? scope_use(f, value) : NULL;
    struct ir_buffer *buffer = buffer_of(f, value);

    if (known && known->kind == NAME_CLASS) {
        scope_bind(f, NAME_CLASS, target->name, target->loc);
        return true;
    }
    if (buffer && !buffer->is_scalar) {
        scope_bind(f, NAME_BUFFER, target->name, target->loc)->buffer = buffer;
        return true;
    }
    bool is_shape = value->kind == AST_ATTRIBUTE && buffer_of(f, value->items[0]) &&
                    (strcmp(value->name, "shape") == 0 || strcmp(value->name, "strides") == 0);
    const struct ir_expr *const *items;
    unsigned count;
    if (!is_shape || !scalars_translate(f, value, IR_VOID, &items, &count))
        return false;
    struct name *name = scope_bind(f, NAME_TUPLE, target->name, target->loc);
    name->items = items;
    name->item_count = count;
    return true;
}

/* I.meta_var(e): a name while reading, and nothing in the kernel. */
static bool bind_meta_var(struct frontend *f, const struct ast *target, const struct ast *call)
{
    const struct ast *value = call_arg(call, 0, "value");

    if (!value) {
        diag_report(f->diag, call->loc, ARG_MISSING, "value");
        return false;
    }
    if (bind_alias(f, target, value))
        return true;
    const struct ir_expr *expr = scalar_translate(f, value, IR_VOID);
    scope_bind(f, expr ? NAME_EXPR : NAME_ERROR, target->name, target->loc)->expr = expr;
    return expr != NULL;
}

static bool assign_name(struct frontend *f, const struct ast *a, const struct ast *target,
                        const struct ast *value)
{
    struct ir_buffer *scalar = mutable_scalar(f, target);

    if (scalar)
        return store_scalar(f, a, scalar, scalar_translate(f, value, scalar->dtype));
    const char *type = value->kind == AST_ATTRIBUTE ? dotted_name(f, value) : NULL;
    struct ir_dtype dtype;
    if (type && dtype_of_name(type, &dtype)) { /* n = T.int64 */
        report_uncalled(f, value, type);
        return false;
    }
    bool is_hidden = hides(f, target, value);
    struct name before = is_hidden ? *scope_find(f, target->name) : (struct name){0};
    if (bind_alias(f, target, value)) {
        if (is_hidden)
            warn_hidden(f, target, &before);
        return true;
    }
    const struct ir_expr *expr = scalar_translate(f, value, IR_VOID);
    if (!expr) { /* it may have been meant as a symbol: `n = T.int46()` */
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    if (is_hidden)
        warn_hidden(f, target, &before);
    if (f->tir->dialect == DIALECT_OLD || expr->dtype.code == IR_HANDLE)
        return push_let(f, a, target, NULL, expr, expr->dtype);
    return store_scalar(f, a, push_scalar(f, a, target, expr->dtype), expr);
}

bool bind_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                    const struct ast *call)
{
    static const char *const names[] = {"value", "type_annotation", "var", NULL};
    const struct ast *value = call_arg(call, 0, "value");
    const struct ast *type = call_arg(call, 1, "type_annotation");
    const struct ast *var = call_arg(call, UINT16_MAX, "var");
    struct ir_dtype dtype = IR_VOID;

    if (!call_check_args(f, call, 2, names))
        return false;
    if (!value || (target && target->kind != AST_NAME)) {
        diag_report(f->diag, call->loc, ARG_MISSING, "value");
        return false;
    }
    if (type && type->kind != AST_NONE && !dtype_translate(f, type, &dtype))
        return false;
    const struct ir_expr *expr = scalar_translate(f, value, dtype);
    if (!expr) {
        if (target)
            scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    const struct name *known = var && var->kind == AST_NAME ? scope_use(f, var) : NULL;
    if (known && known->kind == NAME_VAR) /* declared before: `v = T.int32()` */
        return push_let_of(f, a, known->var, expr);
    struct ast nameless = {.kind = AST_NAME, .loc = a->loc, .name = "v"};
    return push_let(f, a, target ? target : &nameless, type, expr,
                    ir_dtype_is_void(dtype) ? expr->dtype : dtype);
}

/* --- name = call --- */

static bool bind_thread(struct frontend *f, const struct ast *target, const struct ast *call)
{
    const struct ast *tag = call_arg(call, 0, "thread_tag");

    if (!tag || tag->kind != AST_STRING) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "the argument of T.env_thread",
                    "a name such as \"threadIdx.x\"");
        return false;
    }
    struct ir_var *var = ir_symbol_new(f->context, target->name, IR_I32);
    var->is_symbol = false;
    var->loc = target->loc;
    array_push(&f->tir->threads, (struct tir_thread){var, tag->string});
    scope_bind(f, NAME_VAR, target->name, target->loc)->var = var;
    return true;
}

/* The call has a meaning of its own as the right side; false in @out_known: it is a scalar. */
static bool assign_call(struct frontend *f, const struct ast *a, const struct ast *target,
                        const struct ast *call, bool *out_known)
{
    const char *name = callee_name(f, call);
    const struct ast *source = call_arg(call, 0, "param");

    *out_known = true;
    if (is_axis_call(f, call))
        return axis_translate(f, target, call);
    if (name && target->kind == AST_NAME) {
        if (strcmp(name, "T.match_buffer") == 0)
            return source && (source->kind == AST_SUBSCRIPT || buffer_of(f, source))
                       ? block_match_translate(f, target, call)
                       : match_param_translate(f, target, call);
        if (strcmp(name, "T.bind") == 0 || strcmp(name, "T.Bind") == 0)
            return bind_translate(f, a, target, call);
        if (strcmp(name, "T.env_thread") == 0)
            return bind_thread(f, target, call);
        if (strcmp(name, "T.launch_thread") == 0)
            return launch_translate(f, a, target, call);
        if (strcmp(name, "T.meta_var") == 0 || strcmp(name, "I.meta_var") == 0)
            return bind_meta_var(f, target, call);
        if (is_allocation(f, call))
            return allocation_translate(f, a, target, call);
    }
    *out_known = false;
    return false;
}

static bool assign_one(struct frontend *f, const struct ast *a, const struct ast *target,
                       const struct ast *value)
{
    bool is_known = false;

    if (value->kind == AST_CALL) {
        bool done = assign_call(f, a, target, value, &is_known);
        if (is_known) {
            if (!done)
                bind_lost(f, target);
            return done;
        }
    }
    if (target->kind == AST_SUBSCRIPT)
        return store_translate(f, a, target, value, NULL);
    if (target->kind == AST_NAME)
        return assign_name(f, a, target, value);
    diag_report(f->diag, target->loc, KERNEL_STORE_TARGET, describe_ast(target));
    return false;
}

/* a, b = 1, 2 and m, n = A.shape */
static bool assign_several(struct frontend *f, const struct ast *a, const struct ast *target,
                           const struct ast *value)
{
    const struct ir_expr *const *items;
    unsigned count = value->item_count;
    bool is_list = value->kind == AST_TUPLE || value->kind == AST_LIST;
    bool done = true;

    if (!is_list && !scalars_translate(f, value, IR_VOID, &items, &count))
        return false;
    if (count != target->item_count) {
        diag_report(f->diag, target->loc, KERNEL_UNPACK, target->item_count,
                    PLURAL(target->item_count), count, PLURAL(count));
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct ast *one = target->items[i];
        if (is_list)
            done = assign_one(f, a, one, value->items[i]) && done;
        else if (one->kind == AST_NAME)
            scope_bind(f, NAME_EXPR, one->name, one->loc)->expr = items[i];
        else {
            diag_report(f->diag, one->loc, KERNEL_STORE_TARGET,
                        one->kind == AST_SUBSCRIPT ? "elements by unpacking" : describe_ast(one));
            done = false;
        }
    }
    return done;
}

/* --- annotations and operators --- */

static bool is_let(struct frontend *f, const struct ast *annotation, const struct ast **out_type)
{
    const struct ast *base = annotation->kind == AST_SUBSCRIPT ? annotation->items[0] : annotation;
    const char *name = dotted_name(f, base);

    *out_type = annotation->kind == AST_SUBSCRIPT && annotation->item_count == 2
                    ? annotation->items[1]
                    : NULL;
    return name && strcmp(name, "T.let") == 0;
}

static bool let_annotated(struct frontend *f, const struct ast *a, const struct ast *type)
{
    const struct ast *target = a->items[0], *value = a->items[2];
    struct ir_dtype dtype = IR_VOID;

    if (!value) {
        diag_report(f->diag, a->loc, SYNTAX_EXPECTED, "a value for the let", "none");
        return false;
    }
    if (type && !dtype_translate(f, type, &dtype))
        return false;
    const struct ir_expr *expr =
        value->kind == AST_STRING
            ? ir_expr_at(f->context, value->loc, ir_expr_string(f->context, value->string))
            : scalar_translate(f, value, dtype);
    if (!expr) {
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    return push_let(f, a, target, type, expr, type ? dtype : expr->dtype);
}

/* x: T.float32[M, N]: a buffer in local memory. */
static bool declare_vector(struct frontend *f, const struct ast *a, struct ir_dtype dtype)
{
    const struct ast *target = a->items[0], *annotation = a->items[1];
    unsigned count = annotation->item_count - 1;
    const struct ir_expr **dims = arena_array(&f->arena, const struct ir_expr *, count + 1);

    for (unsigned i = 0; i < count; i++)
        if (!(dims[i] = index_translate(f, annotation->items[i + 1])))
            return false;
    struct tir_stmt *stmt = stmt_new(f, TIR_ALLOC, a);
    stmt->alloc.buffer = tir_buffer_new(f->module, target->name, dtype, dims, count);
    stmt->alloc.buffer->scope = atom_intern_text(&f->context->atoms, "local");
    stmt->alloc.buffer->loc = target->loc;
    stmt_push(f, stmt);
    scope_bind(f, NAME_BUFFER, target->name, target->loc)->buffer = stmt->alloc.buffer;
    return true;
}

static bool assign_annotated(struct frontend *f, const struct ast *a)
{
    const struct ast *target = a->items[0], *annotation = a->items[1], *value = a->items[2];
    const struct ast *type;
    struct ir_dtype dtype;

    if (target->kind != AST_NAME) {
        diag_report(f->diag, target->loc, KERNEL_STORE_TARGET, describe_ast(target));
        return false;
    }
    if (is_let(f, annotation, &type))
        return let_annotated(f, a, type);
    if (annotation->kind == AST_SUBSCRIPT && !value &&
        dtype_of_name(dotted_name(f, annotation->items[0]), &dtype))
        return declare_vector(f, a, dtype);
    if (report_python_type(f, annotation) || !dtype_translate(f, annotation, &dtype)) {
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    if (f->tir->dialect == DIALECT_OLD || dtype.code == IR_HANDLE)
        return let_annotated(f, a, annotation);
    const struct ir_expr *expr = value ? scalar_translate(f, value, dtype) : NULL;
    struct ir_buffer *buffer = push_scalar(f, a, target, dtype);
    return !value || store_scalar(f, a, buffer, expr);
}

/* A[i] += e, x += e */
static bool assign_augmented(struct frontend *f, const struct ast *a)
{
    const struct ast *target = a->items[0];
    const struct ir_expr *old, *value;
    unsigned count = 1;

    if (!operands_translate(f, target, a->items[1], &old, &value))
        return false;
    value = scalar_at(f, a->loc, scalar_binary(f, a, a->op, old, value));
    if (!value)
        return false;
    if (target->kind == AST_NAME) {
        struct ir_buffer *scalar = mutable_scalar(f, target);
        if (scalar)
            return store_scalar(f, a, scalar, value);
        struct diag_message *m =
            diag_report(f->diag, target->loc, KERNEL_ASSIGN_NAME, target->name);
        diag_help(m, "mutable scalars are made by `%s: T.%s = ..`", target->name,
                  dtype_text(f, value->dtype));
        return false;
    }
    const struct ir_buffer *buffer =
        target->kind == AST_SUBSCRIPT ? stored_buffer(f, target->items[0]) : NULL;
    const struct ir_expr **indices = buffer ? indices_translate(f, target, buffer, &count) : NULL;
    return indices && push_store(f, a, buffer, indices, count, value);
}

static bool translate(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_AUG_ASSIGN)
        return assign_augmented(f, a);
    if (a->kind == AST_ANN_ASSIGN)
        return assign_annotated(f, a);
    if (symbols_declare(f, a))
        return true;
    const struct ast *target = a->items[0], *value = a->items[1];
    bool is_several = target->kind == AST_TUPLE || target->kind == AST_LIST;
    if (is_several && is_axis_call(f, value))
        return axis_translate(f, target, value);
    return is_several ? assign_several(f, a, target, value) : assign_one(f, a, target, value);
}

bool assign_translate(struct frontend *f, const struct ast *a)
{
    bool done = translate(f, a);

    if (!done && a->kind != AST_AUG_ASSIGN)
        bind_lost(f, a->items[0]);
    return done;
}
