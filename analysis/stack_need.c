/*
 * The need of functions: at each op, what lies on the stack there, and beside it what is called.
 *
 * Callees come before callers.  In a cycle of calls each turn takes the same again, so there is a bound only where
 * no function of the cycle takes anything, or where all calls within it are turns of loops (tail_calls.h), which
 * take as much as the largest turn: where symbols are the same in all turns what their sum says, else a number, by upper bounds
 * of the symbols if there are some.
 */
#include "analysis/stack_need.h"

#include "analysis/stack_kept.h"
#include "analysis/stack_loop.h"
#include "analysis/storage/storage.h"
#include "base/array.h"
#include "ir/arith.h"
#include "ops/ids.h"

struct finder {
    struct stack_needs *needs;
    struct ir_module *module;
    struct ir_context *context;
    struct storage_module *facts;
    struct stack_options options;
    struct map kernels; /* struct tir_func -> struct stack_need */
    struct tail_calls tails;
    struct stack_kept_search kept;    /* if the options ask for it */
    bool has_nested_cycle;            /* a call within the cycle in work is no tail call */
    const struct storage_node *cycle; /* in work: the functions of its component count as 0 */
};

struct piece {
    const struct ir_op *end;
    const struct ir_expr *before; /* what lay on the stack without it */
};

/* One function, while it is walked through. */
struct walk {
    struct finder *finder;
    const struct ir_function *function;
    struct stack_places places;
    struct map symbols;                /* that the parameters bind */
    array(struct piece) open;          /* innermost last */
    const struct ir_expr *live, *most; /* NULL: refused */
    struct stack_need *out;
};

static bool refuse(struct walk *w, struct location where, const char *why)
{
    if (w->most)
        *w->out = (struct stack_need){.why = why, .where = where};
    w->most = NULL;
    return false;
}

/* --- symbols --- */

static bool note_symbol(void *state, const struct ir_expr *e)
{
    if (e->kind == IR_EXPR_var)
        map_set(state, e->var, e->var);
    return true;
}

static void note_symbols(struct walk *w)
{
    for (unsigned i = 0; i < w->function->param_count; i++) {
        const struct ir_value *param = w->function->params[i];

        (void)ir_type_walk_exprs(param->type, note_symbol, &w->symbols);
        if (param->var)
            map_set(&w->symbols, param->var, param->var);
    }
}

static bool is_bound(void *state, const struct ir_expr *e)
{
    struct walk *w = state;
    struct ir_context *context = w->finder->context;

    if (e->kind != IR_EXPR_var || map_has(&w->symbols, e->var))
        return true;
    return refuse(w, w->function->loc,
                  atom_printf(&context->atoms,
                              "it depends on `%s`, which is only known when a part of it has run",
                              e->var->name));
}

/* @bytes of the stack are taken at @op, in symbols of this function; with what lies there that is the most. */
static bool need_at(struct walk *w, const struct ir_op *op, const struct ir_expr *bytes)
{
    if (!ir_expr_walk(bytes, is_bound, w)) {
        w->out->where = op->loc;
        return false;
    }
    w->most = stack_max(w->finder->context, w->most, bytes);
    return true;
}

/* --- pieces --- */

const struct ir_expr *stack_tensor_bytes(struct ir_context *context, const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && type->ndim == 0
               ? ir_expr_int(context, IR_I64, ir_dtype_bytes(type->dtype))
               : ir_type_bytes(context, type);
}

const struct ir_expr *stack_op_bytes(struct ir_context *context, const struct ir_op *op)
{
    bool is_memory = op_is(op, OP_memory_alloc_storage);
    const struct ir_type *type = op->result.type;

    if (!is_memory && !op_is(op, OP_vm_alloc_storage))
        return stack_tensor_bytes(context, type);
    const struct ir_type *shape = op->operands[0].value->type;
    const struct ir_value *dtype = op->operands[2].value;

    if (shape->kind != IR_TYPE_SHAPE || (!shape->dims && shape->ndim != 0))
        return NULL;
    if (!is_memory && !(dtype->def && ir_op_is(dtype->def, IR_CORE_dtype)))
        return NULL;
    struct ir_dtype element =
        is_memory ? IR_DTYPE(IR_UINT, 8) : ir_op_attr(dtype->def, "value")->dtype;

    return stack_tensor_bytes(context, ir_type_tensor(context, element, shape->dims, shape->ndim));
}

static bool take(struct walk *w, const struct ir_op *op, const struct ir_op *end)
{
    struct ir_context *context = w->finder->context;
    const struct ir_expr *bytes = stack_op_bytes(context, op);

    if (!bytes)
        return refuse(w, op->loc,
                      atom_printf(&context->atoms, "the size of `%s` is not known",
                                  op->result.name ? op->result.name : op->info->name));
    array_push(&w->open, (struct piece){end, w->live});
    w->live = stack_sum(context, w->live, stack_round(context, ir_simplify(context, bytes)));
    return need_at(w, op, w->live);
}

static void give(struct walk *w, const struct ir_op *end)
{
    while (w->open.count > 0 && array_last(&w->open).end == end)
        w->live = array_pop(&w->open).before;
}

/* --- calls --- */

/* What is not bound by the call: the run works it out. */
struct free_symbols {
    const struct ir_bindings *known;
    const struct ir_var *first;
};

static bool is_known(void *state, const struct ir_expr *e)
{
    struct free_symbols *search = state;

    if (e->kind != IR_EXPR_var || ir_bindings_find(search->known, e->var))
        return true;
    search->first = e->var;
    return false;
}

/* What lies below the stack of what @op calls. */
static const struct ir_expr *live_at(const struct walk *w, const struct ir_op *op)
{
    struct ir_context *context = w->finder->context;
    const struct stack_held *held = stack_held(&w->places, op);

    return held ? stack_sum(context, array_last(&w->open).before,
                            ir_expr_int(context, IR_I64, held->bytes))
                : w->live;
}

/* @op calls what needs @need, of symbols that are @known. */
static bool call(struct walk *w, const struct ir_op *op, const struct stack_need *need,
                 const struct ir_bindings *known)
{
    struct ir_context *context = w->finder->context;
    struct free_symbols search = {.known = known};

    if (!need->bytes)
        return refuse(w, need->where, need->why);
    if (!ir_expr_walk(need->bytes, is_known, &search))
        return refuse(w, op->loc,
                      atom_printf(&context->atoms,
                                  "what it calls needs a size of `%s`, which only the "
                                  "run knows",
                                  search.first->name));
    const struct ir_expr *bytes =
        ir_simplify(context, ir_expr_substitute(context, need->bytes, known));

    return need_at(w, op, stack_sum(context, live_at(w, op), bytes));
}

/* What a kernel is given, in the order of its parameters of each kind. */
struct given {
    struct ir_context *context;
    array(const struct ir_type *) tensors;
    array(const struct ir_expr *) scalars; /* NULL: the run works it out */
};

static void give_type(struct given *given, const struct ir_type *type)
{
    if (type->kind == IR_TYPE_TENSOR)
        array_push(&given->tensors, type);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        give_type(given, type->fields[i]);
}

static void give_operand(void *state, struct ir_use *use)
{
    struct given *given = state;
    const struct ir_op *def = use->value->def;
    const struct ir_type *type = use->value->type;

    if (type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_TUPLE)
        give_type(given, type);
    else if (type->kind == IR_TYPE_SHAPE)
        for (int i = 0; i < type->ndim; i++)
            array_push(&given->scalars, type->dims ? type->dims[i] : NULL);
    else if (def && ir_op_is(def, IR_CORE_prim) && ir_op_attr(def, "value")->kind == IR_ATTR_EXPR)
        array_push(&given->scalars, ir_op_attr(def, "value")->expr);
    else if (type->kind == IR_TYPE_PRIM)
        array_push(&given->scalars,
                   use->value->var ? ir_expr_var(given->context, use->value->var) : NULL);
}

static void bind(struct ir_context *context, const struct ir_expr *dim, const struct ir_expr *value,
                 struct ir_bindings *out)
{
    if (dim->kind == IR_EXPR_var && value && !ir_bindings_find(out, dim->var))
        array_push(out, (struct ir_binding){dim->var, ir_expr_cast(context, dim->dtype, value)});
}

/* The variables of @kernel, as far as the call says what they are. */
static void bind_kernel(struct given *given, const struct tir_func *kernel, struct ir_bindings *out)
{
    size_t tensor = 0, scalar = 0;

    for (unsigned i = 0; i < kernel->param_count; i++) {
        const struct ir_buffer *buffer = kernel->params[i].buffer;

        if (!buffer && scalar < given->scalars.count) {
            const struct ir_expr *value = given->scalars.items[scalar++];

            if (value)
                array_push(out,
                           (struct ir_binding){
                               kernel->params[i].var,
                               ir_expr_cast(given->context, kernel->params[i].var->dtype, value)});
        }
        if (!buffer || tensor == given->tensors.count)
            continue;
        const struct ir_type *type = given->tensors.items[tensor++];

        for (unsigned d = 0; type->dims && (int)d < type->ndim && d < buffer->ndim; d++)
            bind(given->context, buffer->shape[d], type->dims[d], out);
    }
}

/* Results that take no operand's storage are given behind the operands. */
static void give_outputs(struct given *given, const struct ir_op *op)
{
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;
    const struct ir_type *type = op->declared;

    if (!type || ir_op_is(op, IR_CORE_call))
        return;
    for (unsigned i = 0; i < (type->kind == IR_TYPE_TUPLE ? type->field_count : 1); i++)
        if (!indices || i >= indices->count || indices->items[i]->integer < 0)
            give_type(given, type->kind == IR_TYPE_TUPLE ? type->fields[i] : type);
}

static const struct stack_need *scratch_of(struct finder *f, const struct tir_func *kernel)
{
    struct stack_need *need = map_get(&f->kernels, kernel);

    if (!need) {
        need = arena_new(&f->needs->arena, struct stack_need);
        (void)stack_scratch(f->context, kernel->body, &f->options, need);
        map_set(&f->kernels, kernel, need);
    }
    return need;
}

static bool call_kernel(struct walk *w, struct ir_op *op, const struct tir_func *kernel)
{
    const struct stack_need *need = scratch_of(w->finder, kernel);
    struct given given = {.context = w->finder->context};
    struct ir_bindings known = {0};

    if (need->bytes && need->bytes->kind == IR_EXPR_int)
        return call(w, op, need, &known);
    ir_op_walk_operands(op, give_operand, &given);
    give_outputs(&given, op);
    bind_kernel(&given, kernel, &known);
    bool is_fine = call(w, op, need, &known);

    array_finish(&given.tensors);
    array_finish(&given.scalars);
    array_finish(&known);
    return is_fine;
}

static bool is_in_cycle(const struct walk *w, const struct ir_function *callee)
{
    const struct storage_node *cycle = w->finder->cycle;
    const struct storage_node *node = map_get(&w->finder->facts->nodes, callee);

    return cycle && node && node->component == cycle->component;
}

void stack_bind_call(struct ir_context *context, const struct ir_op *op,
                     const struct ir_function *callee, struct ir_bindings *out)
{
    for (unsigned i = 0; i < callee->param_count && i < op->operand_count; i++) {
        const struct ir_value *param = callee->params[i], *arg = op->operands[i].value;
        const struct ir_op *def = arg->def;

        ir_type_match(context, param->type, arg->type, out);
        if (param->var && arg->var)
            array_push(out, (struct ir_binding){param->var, ir_expr_var(context, arg->var)});
        else if (param->var && def && ir_op_is(def, IR_CORE_prim) &&
                 ir_op_attr(def, "value")->kind == IR_ATTR_EXPR)
            array_push(out, (struct ir_binding){param->var, ir_op_attr(def, "value")->expr});
    }
}

static bool call_function(struct walk *w, struct ir_op *op, const struct ir_function *callee)
{
    const struct stack_need *need = stack_needs_of(w->finder->needs, callee);
    struct ir_bindings known = {0};

    if (is_in_cycle(w, callee)) {
        w->finder->has_nested_cycle |= !is_tail_call(&w->finder->tails, op);
        return true;
    }
    if (!need)
        return refuse(w, op->loc, "what it calls is not known");
    stack_bind_call(w->finder->context, op, callee, &known);
    bool is_fine = call(w, op, need, &known);

    array_finish(&known);
    return is_fine;
}

/* --- functions --- */

static bool visit(void *state, struct ir_op *op)
{
    struct walk *w = state;
    const struct ir_op *end = stack_end(&w->places, op);
    const struct ir_global *callee = ir_op_callee(op);

    if (stack_is_end(op))
        give(w, op);
    if (end)
        return take(w, op, end);
    if (callee && callee->kind == IR_GLOBAL_KERNEL)
        return call_kernel(w, op, callee->kernel);
    if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        return call_function(w, op, callee->function);
    return true;
}

static void find_need(struct finder *f, struct ir_function *function, struct stack_need *out)
{
    struct walk w = {.finder = f, .function = function, .out = out};

    *out = (struct stack_need){0};
    w.live = w.most = ir_expr_int(f->context, IR_I64, 0);
    note_symbols(&w);
    stack_places_find(&w.places, function, &f->tails);
    stack_held_find(&w.places, function);
    (void)ir_region_walk(function->body, visit, &w);
    out->bytes = w.most;
    stack_places_finish(&w.places);
    map_finish(&w.symbols);
    array_finish(&w.open);
}

static struct stack_need *need_new(struct finder *f, const struct ir_function *function)
{
    struct stack_need *need = map_get(&f->needs->needs, function);

    if (!need) {
        need = arena_new(&f->needs->arena, struct stack_need);
        map_set(&f->needs->needs, function, need);
    }
    return need;
}

/* --- cycles of calls --- */

/* What all of the @count functions of a cycle take at most; NULL: not known. */
static const struct ir_expr *largest_turn(struct finder *f, struct storage_node *const *nodes,
                                          size_t count)
{
    const struct ir_expr *most = ir_expr_int(f->context, IR_I64, 0);

    for (size_t i = 0; most && i < count; i++) {
        const struct ir_expr *bytes = need_new(f, nodes[i]->function)->bytes;

        bytes = stack_in_all_turns(f->context, &f->tails, nodes[i]->function, count, bytes);
        most = bytes ? stack_max(f->context, most, bytes) : NULL;
    }
    return most;
}

/* The largest of what functions keep; false: not known. */
static bool find_turn(struct finder *f, struct storage_node *const *nodes, size_t count,
                      struct stack_turn *out)
{
    out->kept = out->largest = ir_expr_int(f->context, IR_I64, 0);
    for (size_t i = 0; i < count; i++) {
        const struct stack_kept *kept = stack_kept_of(&f->kept, nodes[i]->function);
        struct ir_function *function = nodes[i]->function;

        if (!kept->inside) {
            *need_new(f, function) = (struct stack_need){.why = kept->why, .where = kept->where};
            return false;
        }
        const struct ir_expr *head =
            ir_expr_int(f->context, IR_I64, kept->pieces > 0 ? STACK_PIECE_HEAD : 0);
        const struct ir_expr *heads =
            ir_expr_int(f->context, IR_I64, kept->pieces * STACK_PIECE_HEAD);
        const struct ir_expr *all =
            stack_in_all_turns(f->context, &f->tails, function, count, kept->inside);
        const struct ir_expr *one =
            stack_in_all_turns(f->context, &f->tails, function, count, kept->largest);

        if (!all || !one)
            return false;
        out->kept = stack_max(f->context, out->kept, stack_sum(f->context, all, heads));
        out->largest = stack_max(f->context, out->largest, stack_sum(f->context, one, head));
    }
    return true;
}

static void refuse_cycle(struct finder *f, const struct ir_function *function,
                         struct stack_need *need)
{
    const char *why = f->has_nested_cycle ? "calls itself, as often as the run says"
                                          : "is a loop whose turns may differ in what they take";

    if (need->bytes)
        *need = (struct stack_need){
            .why = atom_printf(&f->context->atoms, "`%s` %s", function->name, why),
            .where = function->loc};
}

/* What the loop keeps while it runs counts as on the stack; results as kept by who called it.  NULL: not known. */
static const struct ir_expr *add_turns(struct finder *f, struct storage_node *const *nodes,
                                       size_t count, const struct ir_expr *most)
{
    struct stack_turn turn;
    struct stack_loop loop;

    if (!most || f->has_nested_cycle)
        return NULL;
    for (size_t i = 0; i < count; i++)
        stack_kept_find(&f->kept, nodes[i]->function);
    if (!find_turn(f, nodes, count, &turn))
        return NULL;
    stack_loop_find(f->facts, &f->tails, nodes, count, &turn, &loop);
    for (size_t i = 0; i < count; i++)
        stack_kept_set(&f->kept, nodes[i]->function, loop.results);
    return stack_sum(f->context, most, loop.turns);
}

/* The @count functions of one cycle of calls. */
static void find_cycle(struct finder *f, struct storage_node *const *nodes, size_t count)
{
    f->cycle = nodes[0];
    f->has_nested_cycle = false;
    for (size_t i = 0; i < count; i++)
        find_need(f, nodes[i]->function, need_new(f, nodes[i]->function));
    const struct ir_expr *most = largest_turn(f, nodes, count);
    bool is_bound = most && (ir_expr_is_int(most, 0) || !f->has_nested_cycle);

    if (f->options.keeps) { /* the stack of the thread would go on, too */
        most = add_turns(f, nodes, count, most);
        is_bound = most != NULL;
    }
    for (size_t i = 0; i < count; i++) {
        struct stack_need *need = need_new(f, nodes[i]->function);

        if (is_bound)
            need->bytes = most;
        else
            refuse_cycle(f, nodes[i]->function, need);
    }
    f->cycle = NULL;
}

static void find_function(struct finder *f, struct ir_function *function)
{
    if (f->options.keeps)
        stack_kept_find(&f->kept, function);
    find_need(f, function, need_new(f, function));
}

/* @need of @function, and what its run keeps. */
static void add_kept(struct finder *f, const struct ir_function *function, struct stack_need *need)
{
    const struct stack_kept *kept = stack_kept_of(&f->kept, function);

    if (!need->bytes)
        return;
    if (kept && kept->outside)
        need->bytes = stack_sum(f->context, need->bytes, kept->outside);
    else
        *need = (struct stack_need){.why = kept ? kept->why : "it calls itself",
                                    .where = kept ? kept->where : function->loc};
}

void stack_needs_find(struct stack_needs *needs, struct ir_module *module,
                      const struct stack_options *options)
{
    struct storage_module facts;
    struct finder f = {.needs = needs,
                       .module = module,
                       .context = module->context,
                       .facts = &facts,
                       .options = options ? *options : (struct stack_options){0}};

    *needs = (struct stack_needs){0};
    storage_module_init(&facts, module);
    tail_calls_find(&f.tails, module);
    f.kept = (struct stack_kept_search){.context = f.context, .tails = &f.tails};
    for (size_t i = 0, end; i < facts.node_count; i = end) {
        struct storage_node *const *nodes = facts.order + i;

        for (end = i + 1;
             end < facts.node_count && facts.order[end]->component == nodes[0]->component; end++)
            continue;
        if (nodes[0]->is_recursive)
            find_cycle(&f, nodes, end - i);
        else
            find_function(&f, nodes[0]->function);
    }
    for (size_t i = 0; f.options.keeps && i < facts.node_count; i++)
        add_kept(&f, facts.order[i]->function, need_new(&f, facts.order[i]->function));
    stack_kept_finish(&f.kept);
    storage_module_finish(&facts);
    tail_calls_finish(&f.tails);
    map_finish(&f.kernels);
}

void stack_needs_finish(struct stack_needs *needs)
{
    map_finish(&needs->needs);
    arena_finish(&needs->arena);
}

const struct stack_need *stack_needs_of(const struct stack_needs *needs,
                                        const struct ir_function *function)
{
    return map_get(&needs->needs, function);
}

bool stack_need(struct ir_module *module, const struct ir_function *function,
                const struct stack_options *options, struct stack_need *out)
{
    struct stack_needs needs;

    stack_needs_find(&needs, module, options);
    const struct stack_need *found = stack_needs_of(&needs, function);

    *out = found ? *found
                 : (struct stack_need){.why = "it is not a function of the module",
                                       .where = function->loc};
    stack_needs_finish(&needs);
    return out->bytes != NULL;
}
