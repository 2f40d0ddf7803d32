/* The verifier's walk over regions, blocks and ops: structure, use lists, scopes, purity and types. */
#include "ir/build.h"
#include "ir/verify/internal.h"

#include <string.h>

static void count_use(struct verify *v, const struct ir_value *value)
{
    unsigned *count = map_get(&v->use_counts, value);

    if (!count) {
        count = arena_new(&v->arena, unsigned);
        map_set(&v->use_counts, value, count);
    }
    ++*count;
}

/* All uses of @value are operands that the walk has met: nothing stale, nothing missing. */
static void check_use_list(struct verify *v, const struct ir_value *value, struct location loc)
{
    const unsigned *found = map_get(&v->use_counts, value);
    unsigned count = found ? *found : 0;

    ir_for_each_use (use, value) {
        if (use->value != value) {
            verify_broken(v, loc, "a use of another value is in a use list");
            return;
        }
        if (count-- == 0) {
            verify_broken(v, loc, "a value has uses outside of its function");
            return;
        }
    }
    if (count != 0)
        verify_broken(v, loc, "a use is missing in the use list of its value");
}

static bool is_visible(const struct verify *v, const struct ir_value *value)
{
    const struct ir_region *region = map_get(&v->value_regions, value);

    return region && map_get(&v->active_regions, region);
}

/*
 * True if @op, or what it reads, is an operator that cannot be run yet.  The type rules of those may
 * know little even of operands that are known, so what the script says of their results is taken:
 * nothing is ever run with it.
 */
static bool is_unsupported(const struct verify *v, const struct ir_op *op)
{
    bool is_candidate =
        op->info->core == IR_CORE_none && !op->info->lower && !(op->info->traits & IR_VIEW);

    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;
        if (value && map_has(&v->unsupported, value))
            return true;
        is_candidate &=
            value && value->type && (ir_value_is_inline(value) || value->type->is_known);
    }
    return is_candidate;
}

static const char *name_of(const struct ir_value *value)
{
    return value->name ? value->name : "a value";
}

static void check_inline(struct verify *v, struct ir_op *user, struct ir_value *value);

static void check_operand(struct verify *v, struct ir_op *op, struct ir_use *use)
{
    struct ir_value *value = use->value;

    if (!value || use->user != op || !use->link || *use->link != use) {
        verify_broken(v, op->loc, "an operand of `%s` is not linked to its value", op->info->name);
        return;
    }
    count_use(v, value);
    if (ir_value_is_inline(value)) {
        check_inline(v, op, value);
        return;
    }
    if (!is_visible(v, value)) {
        verify_broken(v, op->loc, "`%s` reads `%s`, which is not defined there", op->info->name,
                      name_of(value));
        return;
    }
    struct ir_block *block = value->def ? value->def->block : NULL;
    if (block && block->is_dataflow && block != v->block && ir_value_is_dataflow(value) &&
        v->function == block->region->function)
        verify_broken(v, op->loc, "`%s` is read outside of its dataflow block", name_of(value));
}

/* What is common to ops in blocks and inline ones. */
static void check_op_form(struct verify *v, struct ir_op *op)
{
    const struct ir_op_info *info = op->info;
    bool is_variadic = false;

    for (unsigned i = 0; i < info->param_count; i++)
        is_variadic |= info->params[i].is_variadic;
    if (op->operand_count < info->operand_count ||
        (op->operand_count > info->operand_count && !is_variadic))
        verify_broken(v, op->loc, "`%s` has %u operands", info->name, op->operand_count);
    for (unsigned i = 0; i < info->attr_count; i++) {
        if (!op->attrs[i])
            verify_broken(v, op->loc, "`%s` has no attribute number %u", info->name, i);
    }
    for (unsigned i = 0; i < op->operand_count; i++)
        check_operand(v, op, &op->operands[i]);
}

static void check_inline(struct verify *v, struct ir_op *user, struct ir_value *value)
{
    struct ir_op *op = value->def;

    if (++v->depth > VERIFY_DEPTH_LIMIT) {
        verify_broken(v, user->loc, "operands are nested too deep");
    } else if (op->block || !value->uses || value->uses->next) {
        verify_broken(v, user->loc, "`%s` is inline and has not exactly one use", op->info->name);
    } else if (!value->type) {
        verify_broken(v, user->loc, "the type of `%s` is missing", op->info->name);
    } else {
        check_op_form(v, op);
        verify_op_symbols(v, op);
    }
    v->depth--;
}

/* Infers the type again; the message of a rule that fails is the report. */
static void check_type(struct verify *v, struct ir_op *op)
{
    const struct ir_type *type = op->result.type;

    if (!type) {
        verify_broken(v, op->loc, "the type of `%s` is missing", op->info->name);
        return;
    }
    for (unsigned i = 0; i < op->operand_count; i++) {
        if (!op->operands[i].value->type)
            return; /* said already */
    }
    if (!ir_op_infer(v->module, v->diag, op)) {
        op->result.type = type;
        v->is_fine = false;
        return;
    }
    const struct ir_type *inferred = op->result.type;
    op->result.type = type;
    if (type == inferred)
        return;
    enum ir_check check = ir_type_check(v->context, type, inferred);
    /* Nothing checks later what is not proved here: that is what match_cast is for. */
    if (check == IR_CHECK_PASS ||
        (check != IR_CHECK_FAIL_KIND && map_has(&v->unsupported, &op->result)))
        return;
    struct diag_message *m =
        diag_report(v->diag, op->result.loc.source ? op->result.loc : op->loc, TYPE_ANNOTATION,
                    ir_type_text(v->context, type), ir_type_text(v->context, inferred));
    diag_label(m, op->loc, "this is %s", ir_type_text(v->context, inferred));
    if (check != IR_CHECK_FAIL_KIND)
        diag_help(m, "check it when the program runs: `R.match_cast(.., %s)`",
                  ir_type_text(v->context, type));
    v->is_fine = false;
}

static const char *callee_text(const struct ir_op *op)
{
    return ir_op_callee(op) ? ir_op_callee(op)->name : op->info->name;
}

/* The edit of the decorator `@R.function` in the line above @name. */
static void help_impure(struct diag_message *m, struct location name)
{
    static const char plain[] = "@R.function\n";
    struct location line = location_whole_line(name);

    if (!name.source || line.begin < sizeof(plain) - 1)
        return;
    line.end = line.begin - 1;
    line.begin -= (uint32_t)sizeof(plain) - 1;
    if (memcmp(name.source->text + line.begin, plain, sizeof(plain) - 1) == 0)
        diag_help_edit(m, line, "@R.function(pure=False)");
}

static void check_purity(struct verify *v, struct ir_op *op)
{
    const struct ir_function *function = v->function;

    /* The ops in the branches of an `if` are judged one by one. */
    if (function->skip_well_formed || ir_op_is(op, IR_CORE_if) || ir_op_is_pure(op) ||
        verify_is_forced_pure(function))
        return;
    if (v->block->is_dataflow) {
        struct diag_message *m =
            diag_report(v->diag, op->loc, GRAPH_IMPURE_DATAFLOW, callee_text(op));
        if (v->block->loc.source)
            diag_label(m, v->block->loc, "the dataflow block");
        diag_help(m, "put the call in front of the block or behind it");
        v->is_fine = false;
    } else if (function->is_pure) {
        struct diag_message *m =
            diag_report(v->diag, op->loc, GRAPH_IMPURE_CALL, function->name, callee_text(op));
        diag_label(m, function->loc, "`%s` is pure unless it says otherwise", function->name);
        diag_help(m, "write `@R.function(pure=False)`%s",
                  ir_op_is(op, IR_CORE_call_packed)
                      ? ", or `R.call_pure_packed` if the function has no effect"
                      : "");
        help_impure(m, function->loc);
        v->is_fine = false;
    }
}

static void check_callee(struct verify *v, struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    if (callee && ir_module_find(v->module, callee->name) != callee)
        verify_broken(v, op->loc, "`%s` is called, but not in the module", callee->name);
    /* What is in place decides which buffers a kernel gets: a wrong map says all there is to say. */
    if (!verify_inplace_map(v, op))
        return;
    verify_contract_call(v, op);
    if (callee || ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_call_tir_inplace))
        verify_kernel_call(v, op);
}

static void check_nested_function(struct verify *v, struct ir_op *op)
{
    struct ir_function *nested = ir_op_attr(op, "function")->function;
    struct ir_function *function = v->function;
    struct ir_region *region = v->region;
    struct ir_block *block = v->block;

    if (nested->parent != function)
        verify_broken(v, op->loc, "nested function `%s` has another parent", nested->name);
    /* Visible in its own body: it may call itself. */
    map_set(&v->value_regions, &op->result, region);
    v->function = nested;
    verify_function_body(v, nested);
    v->function = function;
    v->region = region;
    v->block = block;
}

static void check_branches(struct verify *v, struct ir_op *op)
{
    struct ir_block *block = v->block;
    struct ir_region *region = v->region;

    if (block->is_dataflow) {
        diag_report(v->diag, op->loc, GRAPH_IF_IN_DATAFLOW);
        v->is_fine = false;
    }
    if (op->region_count != 2)
        verify_broken(v, op->loc, "`if` has %u branches", op->region_count);
    for (unsigned i = 0; i < op->region_count; i++) {
        if (op->regions[i]->owner != op || op->regions[i]->function != v->function)
            verify_broken(v, op->loc, "a branch has another owner");
        else
            verify_region(v, op->regions[i]);
    }
    v->block = block;
    v->region = region;
}

/* Terminators end what they belong to, and stand nowhere else. */
static void check_place(struct verify *v, struct ir_op *op)
{
    bool is_last_of_block = op == v->block->last;
    bool is_last = is_last_of_block && v->block == v->region->last;
    bool is_branch = v->region->owner != NULL;
    bool is_right = true;

    if (ir_op_is(op, IR_CORE_output))
        is_right = is_last_of_block && v->block->is_dataflow;
    else if (ir_op_is(op, IR_CORE_return))
        is_right = is_last && !is_branch && !v->block->is_dataflow;
    else if (ir_op_is(op, IR_CORE_yield))
        is_right = is_last && is_branch && !v->block->is_dataflow;
    if (!is_right)
        verify_broken(v, op->loc, "`%s` stands where it ends nothing", op->info->name);
}

static void check_op(struct verify *v, struct ir_op *op)
{
    if (op->block != v->block || (op->next && op->next->prev != op) ||
        (!op->next && v->block->last != op)) {
        verify_broken(v, op->loc, "`%s` is not linked into its block", op->info->name);
        return;
    }
    if (op->info->traits & IR_INLINE)
        verify_broken(v, op->loc, "leaf `%s` stands in a block", op->info->name);
    bool was_fine = v->is_fine;
    v->is_fine = true;
    check_op_form(v, op);
    check_place(v, op);
    bool is_sound = v->is_fine;
    if (op->region_count)
        check_branches(v, op);
    if (is_unsupported(v, op))
        map_set(&v->unsupported, &op->result, op);
    if (is_sound)
        check_type(v, op);
    if (is_sound && v->is_fine) {
        check_callee(v, op);
        check_purity(v, op);
    }
    verify_op_symbols(v, op);
    if (ir_op_is(op, IR_CORE_function))
        check_nested_function(v, op);
    if (map_has(&v->value_regions, &op->result) && !ir_op_is(op, IR_CORE_function))
        verify_broken(v, op->loc, "`%s` is defined twice", name_of(&op->result));
    map_set(&v->value_regions, &op->result, v->region);
    v->is_fine &= was_fine;
}

static void check_block(struct verify *v, struct ir_block *block)
{
    v->block = block;
    if (block->region != v->region || (block->next && block->next->prev != block) ||
        (!block->next && v->region->last != block))
        verify_broken(v, block->loc, "a block is not linked into its region");
    if (block->is_dataflow && (!block->last || !ir_op_is(block->last, IR_CORE_output)))
        verify_broken(v, block->loc, "a dataflow block has no `output`");
    ir_for_each_op (op, block)
        check_op(v, op);
}

void verify_region(struct verify *v, struct ir_region *region)
{
    enum ir_core end = region->owner ? IR_CORE_yield : IR_CORE_return;

    if (++v->depth > VERIFY_DEPTH_LIMIT) {
        verify_broken(v, v->function->loc, "branches are nested too deep");
        v->depth--;
        return;
    }
    map_set(&v->active_regions, region, region);
    v->region = region;
    if (!region->last || !region->last->last || !ir_op_is(region->last->last, end))
        verify_broken(v, v->function->loc, "a body has no end");
    ir_for_each_block(block, region)
    {
        v->region = region;
        check_block(v, block);
    }
    map_set(&v->active_regions, region, NULL);
    v->depth--;
}

static bool check_op_uses(void *state, struct ir_op *op)
{
    check_use_list(state, &op->result, op->loc);
    return true;
}

static void check_params(struct verify *v, struct ir_function *function)
{
    for (unsigned i = 0; i < function->param_count; i++) {
        struct ir_value *param = function->params[i];

        if (param->parameter_of != function || param->def)
            verify_broken(v, function->loc, "parameter %u belongs to another function", i);
        if (!param->type)
            verify_broken(v, function->loc, "parameter %u has no type", i);
        else
            verify_type_symbols(v, param->type, param->loc);
        map_set(&v->value_regions, param, function->body);
    }
}

/* What is returned is of the type that callers see. */
static void check_result(struct verify *v, struct ir_function *function)
{
    const struct ir_op *end =
        function->body->last && function->body->last->last ? function->body->last->last : NULL;

    if (!function->result) {
        verify_broken(v, function->loc, "the result type is missing");
        return;
    }
    if (!end || !ir_op_is(end, IR_CORE_return) || !end->operands[0].value->type)
        return; /* said already */
    const struct ir_type *given = end->operands[0].value->type;
    enum ir_check check = ir_type_check(v->context, function->result, given);
    if (check < IR_CHECK_FAIL_VALUE &&
        !(check == IR_CHECK_FAIL_KNOWN && map_has(&v->unsupported, &end->result)))
        verify_report_result(v, function, end);
    /* The symbols of the result are the parameters': nothing else is known to a caller. */
    map_set(&v->active_regions, function->body, function->body);
    verify_type_symbols(v, function->result, function->loc);
    map_set(&v->active_regions, function->body, NULL);
}

void verify_function_body(struct verify *v, struct ir_function *function)
{
    if (!function->body || function->body->owner || function->body->function != function) {
        verify_broken(v, function->loc, "the body belongs to another function");
        return;
    }
    map_set(&v->active_regions, function->body, function->body);
    v->region = function->body;
    verify_define_param_symbols(v, function);
    check_params(v, function);
    verify_region(v, function->body);
    check_result(v, function);
    /* Also what nested functions read was walked by now. */
    for (unsigned i = 0; i < function->param_count; i++)
        check_use_list(v, function->params[i], function->loc);
    ir_region_walk(function->body, check_op_uses, v);
}
