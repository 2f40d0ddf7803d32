/* The walk over a kernel that collects its accesses. */
#include "analysis/access/index.h"
#include "analysis/access/internal.h"

#include <string.h>

enum { SHARE_FROM = 1024 }; /* nodes of an expression from which on shared parts are visited once */

static struct access *add(struct collector *c, enum access_kind kind,
                          const struct ir_buffer *buffer, struct location loc)
{
    const struct ir_buffer *root = buffer ? access_root_of(c, buffer) : NULL;
    const struct access_home *home = root ? map_get(&c->homes, root) : NULL;
    struct access access = {
        .kind = kind,
        .buffer = buffer,
        .root = root,
        .param = root ? access_param_of(c->func, root) : -1,
        .frame = c->frame,
        .home = home ? home->frame : NULL,
        .stmt = c->stmt,
        .loc = loc.source ? loc : c->stmt->loc,
        .is_init = c->is_init,
    };

    array_push(&c->items, access);
    return &array_last(&c->items);
}

static void add_effect(struct collector *c, enum access_effect effect, const struct ir_expr *call)
{
    struct access *access = add(c, ACCESS_EFFECT, NULL, call ? call->loc : c->stmt->loc);

    access->effect = effect;
    access->call = call;
}

/* The lane of a vector base + lane * stride, as a variable. */
static const struct ir_expr *lane_of(struct collector *c, const struct ir_expr *ramp)
{
    struct ir_context *context = c->context;
    const struct ir_expr *base = ramp->operands[0], *stride = ramp->operands[1];

    if (!c->frame || c->frame->kind != ACCESS_LANES) {
        struct access_frame *frame = access_push_frame(c, ACCESS_LANES);

        frame->var = ir_var_new(context, "lane", base->dtype);
        frame->min = ir_expr_int(context, base->dtype, 0);
        frame->extent = ir_expr_int(context, base->dtype, ramp->dtype.lanes);
        frame->step = 1;
    }
    const struct ir_expr *lane =
        ir_expr_cast(context, base->dtype, ir_expr_var(context, c->frame->var));
    if (!ir_expr_is_int(stride, 1))
        lane = ir_expr_binary(context, IR_EXPR_mul, lane, stride);
    return ir_expr_is_int(base, 0) ? lane : ir_expr_binary(context, IR_EXPR_add, base, lane);
}

/* @indices in terms of loop variables, in the arena; NULL if one is not known. */
static const struct ir_expr **resolve_indices(struct collector *c, struct access *access,
                                              const struct ir_expr *const *indices, unsigned count)
{
    const struct ir_expr **result = arena_array(c->arena, const struct ir_expr *, count + 1);
    bool is_known = count == access->buffer->ndim;

    for (unsigned i = 0; i < count; i++) {
        const struct ir_expr *index = indices[i];

        access->is_indirect |= access_has_load(index);
        if (index->kind == IR_EXPR_ramp)
            index = lane_of(c, index);
        else if (index->kind == IR_EXPR_broadcast)
            index = index->operands[0];
        result[i] = access_resolve(c, index);
        is_known &= result[i] != NULL;
        access->is_indirect |= result[i] && access_has_load(result[i]);
    }
    return is_known ? result : NULL;
}

static void add_access(struct collector *c, enum access_kind kind, const struct ir_buffer *buffer,
                       const struct ir_expr *const *indices, unsigned count, struct location loc)
{
    const struct access_frame *around = c->frame;
    struct access access = *add(c, kind, buffer, loc);

    access_locate(c, &access, resolve_indices(c, &access, indices, count));
    for (unsigned i = 0; access.indices && i < access.root->ndim; i++)
        access.is_indirect |= access_has_load(access.indices[i]);
    access.frame = c->frame; /* with lanes */
    array_last(&c->items) = access;
    c->frame = around;
}

static void expose(struct collector *c, const struct ir_buffer *buffer, struct location loc)
{
    (void)add(c, ACCESS_EXPOSE, buffer, loc);
}

/* A use of the data pointer of a buffer. */
static void expose_data(struct collector *c, const struct ir_expr *a)
{
    for (unsigned i = 0; i < c->func->param_count; i++)
        if (c->func->params[i].buffer && c->func->params[i].buffer->data_var == a->var)
            expose(c, c->func->params[i].buffer, a->loc);
    for (size_t i = 0; i < c->buffers.count; i++)
        if (c->buffers.items[i]->data_var == a->var)
            expose(c, c->buffers.items[i], a->loc);
    add_effect(c, ACCESS_STRANGE, NULL);
}

/* ---- expressions ---- */

static bool takes_address(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_call &&
           (strcmp(a->name, "address_of") == 0 || strcmp(a->name, "tvm_access_ptr") == 0);
}

bool access_is_choice(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_select || (a->kind == IR_EXPR_call && a->operand_count == 3 &&
                                         strcmp(a->name, "if_then_else") == 0);
}

static void look_at_expr(struct collector *c, const struct ir_expr *a);

/* @a where @condition holds.  As a part of a large expression it is visited once: no guard is
 * known. */
static void look_at_guarded(struct collector *c, const struct ir_expr *condition, bool is_negated,
                            const struct ir_expr *a)
{
    const struct access_frame *around = c->frame;

    if (!c->seen && access_has_load(a))
        access_push_guard(c, condition, is_negated);
    look_at_expr(c, a);
    c->frame = around;
}

static void look_at_let(struct collector *c, const struct ir_expr *a)
{
    size_t mark = c->values.count;
    const struct access_frame *around = c->frame;

    look_at_expr(c, a->operands[0]);
    access_define(c, a->var, a->operands[0]);
    look_at_expr(c, a->operands[1]);
    c->values.count = mark;
    c->frame = around;
}

static void look_at_operands(struct collector *c, const struct ir_expr *a)
{
    bool is_address = takes_address(a);

    for (unsigned i = 0; i < a->operand_count; i++) {
        const struct ir_expr *operand = a->operands[i];

        if (is_address && operand->kind == IR_EXPR_load) {
            expose(c, operand->buffer, operand->loc);
            look_at_operands(c, operand);
        } else {
            look_at_expr(c, operand);
        }
    }
}

static void look_at_node(struct collector *c, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_let) {
        look_at_let(c, a);
    } else if (access_is_choice(a)) {
        look_at_expr(c, a->operands[0]);
        look_at_guarded(c, a->operands[0], false, a->operands[1]);
        look_at_guarded(c, a->operands[0], true, a->operands[2]);
    } else if (a->kind == IR_EXPR_and || a->kind == IR_EXPR_or) {
        look_at_expr(c, a->operands[0]);
        look_at_guarded(c, a->operands[0], a->kind == IR_EXPR_or, a->operands[1]);
    } else {
        look_at_operands(c, a);
    }
}

static void look_at_expr(struct collector *c, const struct ir_expr *a)
{
    if (c->seen) {
        if (map_has(c->seen, a))
            return;
        map_set(c->seen, a, a);
    }
    look_at_node(c, a);
    if (a->kind == IR_EXPR_load) {
        add_access(c, ACCESS_READ, a->buffer, a->operands, a->operand_count, a->loc);
        array_last(&c->items).load = a;
    } else if (a->kind == IR_EXPR_var && a->dtype.code == IR_HANDLE) {
        expose_data(c, a);
    } else if (a->kind == IR_EXPR_call && !index_call_is_pure(a) && !takes_address(a)) {
        add_effect(c, ACCESS_CALL, a);
    }
}

/* @a, which may be NULL, as a whole. */
static void look_at(struct collector *c, const struct ir_expr *a)
{
    struct map seen = {0};

    if (!a)
        return;
    c->seen = a->size > SHARE_FROM ? &seen : NULL;
    look_at_expr(c, a);
    c->seen = NULL;
    map_finish(&seen);
}

static void look_at_list(struct collector *c, const struct ir_expr *const *items, unsigned count)
{
    for (unsigned i = 0; items && i < count; i++)
        look_at(c, items[i]);
}

/* ---- statements ---- */

static void look_at_loop(struct collector *c, const struct tir_stmt *stmt)
{
    look_at(c, stmt->loop.min);
    look_at(c, stmt->loop.extent);
    look_at(c, stmt->loop.step);
    if (stmt->loop.kind == TIR_THREAD_BINDING)
        add_effect(c, ACCESS_STRANGE, NULL);
    access_push_loop(c, stmt);
    access_collect(c, stmt->loop.body);
}

static void look_at_while(struct collector *c, const struct tir_stmt *stmt)
{
    add_effect(c, ACCESS_STOP, NULL);
    access_push_while(c, stmt);
    look_at(c, stmt->while_loop.condition);
    access_collect(c, stmt->while_loop.body);
}

/* Where all reduction axes are at their first value; NULL: everywhere. */
static const struct ir_expr *init_condition(struct collector *c, const struct tir_stmt *stmt)
{
    const struct ir_expr *all = NULL;

    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];

        if (axis->kind != TIR_REDUCE)
            continue;
        const struct ir_expr *is_first =
            ir_expr_binary(c->context, IR_EXPR_eq, ir_expr_var(c->context, axis->var),
                           ir_expr_cast(c->context, axis->var->dtype, axis->min));
        all = all ? ir_expr_binary(c->context, IR_EXPR_and, all, is_first) : is_first;
    }
    return all;
}

static void look_at_init(struct collector *c, const struct tir_stmt *stmt)
{
    const struct access_frame *around = c->frame;
    const struct ir_expr *condition = init_condition(c, stmt);
    bool was_init = c->is_init;

    if (condition)
        access_push_guard(c, condition, false);
    c->is_init = true;
    access_collect(c, stmt->block.init);
    c->is_init = was_init;
    c->frame = around;
}

static void look_at_block(struct collector *c, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        look_at(c, stmt->block.axes[i].value);
    look_at(c, stmt->block.predicate);
    for (unsigned i = 0; i < stmt->block.match_count; i++) {
        const struct tir_region *source = &stmt->block.matches[i].source;

        look_at_list(c, source->min, source->buffer->ndim);
        look_at_list(c, source->extent, source->buffer->ndim);
    }
    access_enter_block(c, stmt);
    if (stmt->block.init)
        look_at_init(c, stmt);
    access_collect(c, stmt->block.body);
}

static void look_at_store(struct collector *c, const struct tir_stmt *stmt)
{
    look_at(c, stmt->store.predicate);
    if (stmt->store.predicate)
        access_push_guard(c, stmt->store.predicate, false);
    look_at(c, stmt->store.value);
    look_at_list(c, stmt->store.indices, stmt->store.index_count);
    add_access(c, ACCESS_WRITE, stmt->store.buffer, stmt->store.indices, stmt->store.index_count,
               stmt->loc);
}

static void look_at_buffer(struct collector *c, const struct tir_stmt *stmt)
{
    const struct ir_buffer *buffer = stmt->alloc.buffer;

    look_at_list(c, buffer->shape, buffer->ndim);
    look_at_list(c, buffer->strides, buffer->ndim);
    look_at(c, buffer->elem_offset);
    if (stmt->kind == TIR_ALLOC) {
        access_allocate(c, buffer);
    } else if (buffer->data_of) {
        access_declare(c, buffer);
    } else { /* it may be the storage of anything that came from outside */
        for (unsigned i = 0; i < c->func->param_count; i++)
            if (c->func->params[i].buffer)
                expose(c, c->func->params[i].buffer, stmt->loc);
        add_effect(c, ACCESS_STRANGE, NULL);
    }
}

static void look_at_if(struct collector *c, const struct tir_stmt *stmt)
{
    const struct access_frame *around = c->frame;

    look_at(c, stmt->branch.condition);
    access_push_guard(c, stmt->branch.condition, false);
    access_collect(c, stmt->branch.then_body);
    c->frame = around;
    if (!stmt->branch.else_body)
        return;
    access_push_guard(c, stmt->branch.condition, true);
    access_collect(c, stmt->branch.else_body);
}

static void look_at_attr(struct collector *c, const struct tir_stmt *stmt)
{
    look_at(c, stmt->attr.value);
    if (strncmp(stmt->attr.key, "pragma_", 7) != 0)
        add_effect(c, ACCESS_STRANGE, NULL);
    access_collect(c, stmt->attr.body);
}

static void look_at_launch(struct collector *c, const struct tir_stmt *stmt)
{
    add_effect(c, ACCESS_STRANGE, NULL);
    access_push_frame(c, ACCESS_LET)->var = stmt->launch.var;
    access_collect(c, stmt->launch.body);
}

/* Their frames and values stay for what follows in the sequence. */
static bool look_at_definition(struct collector *c, const struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_LET) {
        look_at(c, stmt->let.value);
        access_define(c, stmt->let.var, stmt->let.value);
    } else if (stmt->kind == TIR_ASSERT) {
        look_at(c, stmt->assertion.condition);
        add_effect(c, ACCESS_STOP, NULL);
        access_push_guard(c, stmt->assertion.condition, false);
    }
    return stmt->kind == TIR_LET || stmt->kind == TIR_ASSERT;
}

static void look_at_other(struct collector *c, const struct tir_stmt *stmt)
{
    switch (stmt->kind) {
    case TIR_SEQ:
        for (unsigned i = 0; i < stmt->seq.count; i++)
            access_collect(c, stmt->seq.items[i]);
        return;
    case TIR_FOR:
        look_at_loop(c, stmt);
        return;
    case TIR_WHILE:
        look_at_while(c, stmt);
        return;
    case TIR_BLOCK:
        look_at_block(c, stmt);
        return;
    case TIR_STORE:
        look_at_store(c, stmt);
        return;
    case TIR_ALLOC:
    case TIR_DECL:
        look_at_buffer(c, stmt);
        return;
    case TIR_IF:
        look_at_if(c, stmt);
        return;
    case TIR_EVALUATE:
        look_at(c, stmt->value);
        return;
    case TIR_ATTR:
        look_at_attr(c, stmt);
        return;
    case TIR_RETURN:
        look_at(c, stmt->value);
        add_effect(c, ACCESS_JUMP, NULL);
        return;
    case TIR_BREAK:
    case TIR_CONTINUE:
        add_effect(c, ACCESS_JUMP, NULL);
        return;
    case TIR_LAUNCH_THREAD:
        look_at_launch(c, stmt);
        return;
    case TIR_LET:
    case TIR_ASSERT:
        break;
    }
    UNREACHABLE("kind of statement");
}

void access_collect(struct collector *c, const struct tir_stmt *stmt)
{
    const struct tir_stmt *around = c->stmt;
    size_t mark = c->values.count;
    const struct access_frame *frame = c->frame;

    c->stmt = stmt;
    if (!look_at_definition(c, stmt)) {
        look_at_other(c, stmt);
        c->values.count = mark;
        c->frame = frame;
    }
    c->stmt = around;
}
