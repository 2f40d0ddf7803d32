/*
 * The verifier of kernels.
 *
 * One walk with a stack of what is visible: loop variables in their loop, block axes and buffers in
 * their block, lets and allocations to the end of what encloses them.  Symbols of the parameters'
 * shapes are visible everywhere where they stand alone in one.
 */
#include "base/array.h"
#include "base/map.h"
#include "ir/lanes.h"
#include "ir/verify.h"

#include <stdarg.h>
#include <stdio.h>

enum { STMT_DEPTH_LIMIT = 512 };

struct kernel_check {
    struct tir_func *func;
    struct diag *diag;
    bool is_fine;
    struct map visible; /* variables and buffers, to themselves while they are visible */
    struct map defined; /* all that were ever defined: each once */
    struct map reported;
    array(const void *) stack;
    struct location loc; /* of the statement that is looked at */
    unsigned depth;
};

static void broken(struct kernel_check *k, const char *format, ...) PRINTF(2, 3);

static void broken(struct kernel_check *k, const char *format, ...)
{
    char what[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    diag_report(k->diag, k->loc, KERNEL_BROKEN, k->func->name, what);
    k->is_fine = false;
}

/* Makes @what visible until the stack is cut. */
static void show(struct kernel_check *k, const void *what)
{
    map_set(&k->visible, what, what);
    array_push(&k->stack, what);
}

static void define(struct kernel_check *k, const void *what, const char *name)
{
    if (map_has(&k->defined, what))
        broken(k, "`%s` is defined twice", name);
    map_set(&k->defined, what, what);
    show(k, what);
}

static void cut(struct kernel_check *k, size_t mark)
{
    while (k->stack.count > mark)
        map_set(&k->visible, array_pop(&k->stack), NULL);
}

static void use_var(struct kernel_check *k, const struct ir_var *var)
{
    if (map_get(&k->visible, var) || map_has(&k->reported, var))
        return;
    map_set(&k->reported, var, var);
    struct diag_message *m = diag_report(k->diag, k->loc, KERNEL_VAR_UNDEFINED, var->name);
    if (var->loc.source)
        diag_label(m, var->loc, "declared here, which gives it no value");
    if (var->is_symbol)
        diag_help(m, "let it be a dimension of a parameter, or a parameter itself");
    k->is_fine = false;
}

static void use_buffer(struct kernel_check *k, const struct ir_buffer *buffer)
{
    if (map_get(&k->visible, buffer) || map_has(&k->reported, buffer))
        return;
    map_set(&k->reported, buffer, buffer);
    struct diag_message *m = diag_report(k->diag, k->loc, KERNEL_BUFFER_UNDEFINED, buffer->name);
    if (buffer->loc.source)
        diag_label(m, buffer->loc, "declared here, for other statements");
    k->is_fine = false;
}

/* A vector would give its first lane there. */
static void check_scalar(struct kernel_check *k, const struct ir_expr *a, const char *what)
{
    if (a->dtype.lanes > 1)
        broken(k, "%s is a vector", what);
}

static void check_indices(struct kernel_check *k, const struct ir_buffer *buffer,
                          const struct ir_expr *const *indices, unsigned count)
{
    use_buffer(k, buffer);
    if (count != buffer->ndim)
        broken(k, "buffer `%s` of rank %u has %u indices", buffer->name, buffer->ndim, count);
    for (unsigned i = 0; i < count; i++) {
        if (!ir_dtype_is_int(indices[i]->dtype))
            broken(k, "index %u of `%s` is no integer", i, buffer->name);
        if (i + 1 < count)
            check_scalar(k, indices[i], "an index in front of the last one");
    }
}

static bool check_node(void *state, const struct ir_expr *a)
{
    struct kernel_check *k = state;
    struct ir_dtype wanted;

    if (ir_expr_lane_misfit(a, &wanted))
        broken(k, "an operand has another number of lanes than its place");
    switch (a->kind) {
    case IR_EXPR_var:
        use_var(k, a->var);
        return true;
    case IR_EXPR_let: /* visible in what is below; the walk shows parents first */
        show(k, a->var);
        return true;
    case IR_EXPR_load:
        check_indices(k, a->buffer, a->operands, a->operand_count);
        return true;
    default:
        if (ir_expr_is_binary(a->kind) &&
            !ir_dtype_equal(a->operands[0]->dtype, a->operands[1]->dtype))
            broken(k, "the operands of an operator have two dtypes");
        return true;
    }
}

static void check_expr(struct kernel_check *k, const struct ir_expr *a)
{
    size_t mark = k->stack.count;

    if (a->loc.source)
        k->loc = a->loc;
    (void)ir_expr_walk(a, check_node, k);
    cut(k, mark);
}

static bool check_root(void *state, const struct ir_expr *a)
{
    struct kernel_check *k = state;
    struct location loc = k->loc;

    check_expr(k, a);
    k->loc = loc;
    return true;
}

/*
 * Bare variables of a buffer's layout: what the argument says for one that comes from outside; of one
 * that is allocated here they have no value that matters, since its layout is made here.
 */
static void define_bare(struct kernel_check *k, const struct ir_expr *a)
{
    if (a && a->kind == IR_EXPR_var && !map_get(&k->visible, a->var))
        show(k, a->var);
}

static void define_layout(struct kernel_check *k, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; buffer->strides && i < buffer->ndim; i++)
        define_bare(k, buffer->strides[i]);
    define_bare(k, buffer->elem_offset);
}

static void check_layout(struct kernel_check *k, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < buffer->ndim; i++) {
        check_root(k, buffer->shape[i]);
        if (!ir_dtype_is_int(buffer->shape[i]->dtype))
            broken(k, "dimension %u of `%s` is no integer", i, buffer->name);
        check_scalar(k, buffer->shape[i], "a dimension");
        if (buffer->strides)
            check_root(k, buffer->strides[i]);
    }
    if (buffer->elem_offset)
        check_root(k, buffer->elem_offset);
}

static void declare_buffer(struct kernel_check *k, const struct ir_buffer *buffer)
{
    define(k, buffer, buffer->name);
    if (buffer->data_var && !map_get(&k->visible, buffer->data_var))
        show(k, buffer->data_var);
}

static void check_region(struct kernel_check *k, const struct tir_region *region)
{
    use_buffer(k, region->buffer);
    for (unsigned i = 0; i < region->buffer->ndim; i++) {
        if (!region->min[i] || !region->extent[i]) {
            broken(k, "a region of `%s` lacks dimension %u", region->buffer->name, i);
            return;
        }
        check_scalar(k, region->min[i], "the begin of a region");
        check_root(k, region->min[i]);
        check_root(k, region->extent[i]);
    }
}

static void check_stmt(struct kernel_check *k, struct tir_stmt *stmt);

static void check_body(struct kernel_check *k, struct tir_stmt *body)
{
    size_t mark = k->stack.count;

    if (body)
        check_stmt(k, body);
    else
        broken(k, "a statement has no body");
    cut(k, mark);
}

/* Values of axes see the loops around; all else in a block sees its axes. */
static void check_axes(struct kernel_check *k, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];
        if (!axis->value || !axis->min || !axis->extent) {
            broken(k, "axis `%s` is not bound", axis->var->name);
            continue;
        }
        check_scalar(k, axis->value, "the value of an axis");
        check_scalar(k, axis->extent, "the extent of an axis");
        check_root(k, axis->value);
        check_root(k, axis->min);
        check_root(k, axis->extent);
    }
    if (stmt->block.predicate) {
        check_scalar(k, stmt->block.predicate, "the condition of a block");
        check_root(k, stmt->block.predicate);
    }
    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        define(k, stmt->block.axes[i].var, stmt->block.axes[i].var->name);
}

static void check_block(struct kernel_check *k, struct tir_stmt *stmt)
{
    size_t mark = k->stack.count;

    check_axes(k, stmt);
    for (unsigned i = 0; i < stmt->block.alloc_count; i++) {
        define_layout(k, stmt->block.allocs[i]);
        check_layout(k, stmt->block.allocs[i]);
        declare_buffer(k, stmt->block.allocs[i]);
    }
    for (unsigned i = 0; i < stmt->block.match_count; i++) {
        const struct tir_match *match = &stmt->block.matches[i];
        check_region(k, &match->source);
        define_layout(k, match->buffer);
        for (unsigned j = 0; j < match->buffer->ndim; j++)
            define_bare(k, match->buffer->shape[j]);
        check_layout(k, match->buffer);
        declare_buffer(k, match->buffer);
    }
    for (unsigned i = 0; i < stmt->block.read_count; i++)
        check_region(k, &stmt->block.reads[i]);
    for (unsigned i = 0; i < stmt->block.write_count; i++)
        check_region(k, &stmt->block.writes[i]);
    if (stmt->block.init)
        check_body(k, stmt->block.init);
    check_body(k, stmt->block.body);
    cut(k, mark);
}

static void check_loop(struct kernel_check *k, struct tir_stmt *stmt)
{
    size_t mark = k->stack.count;

    if (!stmt->loop.min || !stmt->loop.extent || !ir_dtype_is_int(stmt->loop.var->dtype) ||
        !ir_dtype_equal(stmt->loop.min->dtype, stmt->loop.extent->dtype))
        broken(k, "the bounds of loop `%s` have two dtypes", stmt->loop.var->name);
    else
        check_scalar(k, stmt->loop.extent, "the extent of a loop");
    tir_stmt_walk_exprs(stmt, check_root, k);
    define(k, stmt->loop.var, stmt->loop.var->name);
    check_body(k, stmt->loop.body);
    cut(k, mark);
}

static void check_store(struct kernel_check *k, struct tir_stmt *stmt)
{
    const struct ir_buffer *buffer = stmt->store.buffer;
    struct ir_dtype element = stmt->store.value->dtype;
    unsigned count = stmt->store.index_count;
    unsigned lanes = count ? stmt->store.indices[count - 1]->dtype.lanes : 1;

    check_indices(k, buffer, stmt->store.indices, count);
    element.lanes = buffer->dtype.lanes;
    if (!ir_dtype_equal(element, buffer->dtype))
        broken(k, "a store to `%s` has another dtype", buffer->name);
    else if (stmt->store.value->dtype.lanes != lanes * buffer->dtype.lanes)
        broken(k, "a store to `%s` has another number of lanes", buffer->name);
    tir_stmt_walk_exprs(stmt, check_root, k);
}

static void check_allocation(struct kernel_check *k, struct tir_stmt *stmt)
{
    const struct ir_buffer *buffer = stmt->alloc.buffer;

    define_layout(k, buffer);
    if (stmt->kind == TIR_DECL) {
        if (buffer->data)
            check_root(k, buffer->data);
        if (buffer->data_of)
            use_buffer(k, buffer->data_of);
    }
    check_layout(k, buffer);
    declare_buffer(k, buffer);
}

static void check_condition(struct kernel_check *k, const struct ir_expr *condition)
{
    if (!ir_dtype_is_bool(condition->dtype))
        broken(k, "a condition is no bool");
    check_scalar(k, condition, "a condition");
    check_root(k, condition);
}

static void check_children(struct kernel_check *k, struct tir_stmt *stmt)
{
    size_t mark = k->stack.count;

    switch (stmt->kind) {
    case TIR_ASSERT:
        check_condition(k, stmt->assertion.condition);
        return;
    case TIR_IF:
        check_condition(k, stmt->branch.condition);
        check_body(k, stmt->branch.then_body);
        if (stmt->branch.else_body)
            check_body(k, stmt->branch.else_body);
        return;
    case TIR_WHILE:
        check_condition(k, stmt->while_loop.condition);
        check_body(k, stmt->while_loop.body);
        return;
    case TIR_LAUNCH_THREAD:
        check_root(k, stmt->launch.extent);
        show(k, stmt->launch.var); /* one thread variable may be launched in several places */
        check_body(k, stmt->launch.body);
        break;
    default:
        tir_stmt_walk_exprs(stmt, check_root, k);
        for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
            check_body(k, tir_stmt_child(stmt, i));
        break;
    }
    cut(k, mark);
}

static void check_stmt(struct kernel_check *k, struct tir_stmt *stmt)
{
    struct location loc = k->loc;

    if (++k->depth > STMT_DEPTH_LIMIT) {
        broken(k, "statements are nested too deep");
        k->depth--;
        return;
    }
    if (stmt->loc.source)
        k->loc = stmt->loc;
    switch (stmt->kind) {
    case TIR_SEQ: /* what an item declares is visible in those behind it */
        for (unsigned i = 0; i < stmt->seq.count; i++)
            check_stmt(k, stmt->seq.items[i]);
        break;
    case TIR_LET:
        check_root(k, stmt->let.value);
        if (!ir_dtype_equal(stmt->let.var->dtype, stmt->let.value->dtype))
            broken(k, "`%s` has another dtype than its value", stmt->let.var->name);
        define(k, stmt->let.var, stmt->let.var->name);
        break;
    case TIR_ALLOC:
    case TIR_DECL:
        check_allocation(k, stmt);
        break;
    case TIR_FOR:
        check_loop(k, stmt);
        break;
    case TIR_BLOCK:
        check_block(k, stmt);
        break;
    case TIR_STORE:
        check_store(k, stmt);
        break;
    default:
        check_children(k, stmt);
        break;
    }
    k->loc = loc;
    k->depth--;
}

static void check_params(struct kernel_check *k)
{
    const struct tir_func *func = k->func;

    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;
        if (func->params[i].var && !buffer)
            define(k, func->params[i].var, func->params[i].var->name);
        for (unsigned j = 0; buffer && j < buffer->ndim; j++)
            define_bare(k, buffer->shape[j]);
        if (buffer)
            define_layout(k, buffer);
    }
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;
        if (!buffer)
            continue;
        k->loc = buffer->loc;
        declare_buffer(k, buffer);
        check_layout(k, buffer);
    }
}

bool tir_verify(struct tir_func *func, struct diag *diag)
{
    struct kernel_check k = {.func = func, .diag = diag, .is_fine = true, .loc = func->loc};

    check_params(&k);
    k.loc = func->loc;
    check_body(&k, func->body);
    map_finish(&k.visible);
    map_finish(&k.defined);
    map_finish(&k.reported);
    array_finish(&k.stack);
    return k.is_fine;
}
