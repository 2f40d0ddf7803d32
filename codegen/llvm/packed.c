/*
 * Calls that take boxed values: packed functions, other graph functions, print and assert_op.
 */
#include "analysis/leaves.h"
#include "codegen/llvm/graph.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

/* Operands from the @first on as leaves; false after a report. */
static bool collect(struct cg_graph *g, const struct ir_op *op, unsigned first, bool takes_tuples,
                    struct cg_leaves *out)
{
    for (unsigned i = first; i < op->operand_count; i++) {
        struct cg_value *value = cg_operand(g, op->operands[i].value);
        if (!value)
            return false;
        if (value->kind == CG_TUPLE && !takes_tuples)
            return cg_op_refuse(g, op, "an argument is a tuple; pass its fields one by one");
        cg_flatten(value, out);
        if (!cg_can_leave(g, op, out))
            return false;
    }
    return true;
}

/* What is called may return, or keep, what it gets. */
static void share_all(const struct cg_leaves *leaves)
{
    for (size_t i = 0; i < leaves->count; i++)
        cg_share(leaves->items[i]);
}

/* The leaves in a row on the stack. */
static LLVMValueRef box_all(struct cg_graph *g, const struct cg_leaves *leaves, bool is_lasting)
{
    struct cg *cg = g->cg;
    LLVMValueRef row = cg_room_values(g, (unsigned)leaves->count);
    for (size_t i = 0; i < leaves->count; i++)
        cg_box(g, leaves->items[i], cg_element(cg, cg->value_type, row, cg_i64(cg, (int64_t)i)),
               is_lasting);
    return row;
}

/* What artifacts have no host for; false after a report. */
static bool has_host(struct cg_graph *g, const struct ir_op *op, const char *what)
{
    return !g->cg->codegen->artifact || cg_op_refuse(g, op, what);
}

static const char no_packed[] = "an artifact has nobody who finds packed functions";
static const char no_print[] = "an artifact does not print; drop it or return what it shows";

/* The symbol that a packed call calls, and where its arguments begin; NULL after a report. */
static const char *symbol_of(struct cg_graph *g, const struct ir_op *op, unsigned *out_first)
{
    *out_first = 0;
    if (op->info->core == IR_CORE_call)
        return ir_op_callee(op)->symbol;
    const struct ir_attr *func = ir_op_attr(op, "func");
    if (func->kind == IR_ATTR_STRING)
        return func->string;
    *out_first = 1;
    const struct ir_op *callee = op->operand_count ? op->operands[0].value->def : NULL;
    if (callee && ir_op_is(callee, IR_CORE_extern_func))
        return ir_op_attr(callee, "symbol")->string;
    if (callee && ir_op_is(callee, IR_CORE_global)) {
        const struct ir_global *global = ir_op_attr(callee, "callee")->global;
        if (global->kind == IR_GLOBAL_EXTERN)
            return global->symbol;
    }
    cg_op_refuse(g, op, "the function is a value, not a name");
    return NULL;
}

/* Does a result of @type point at what the call was given?  Then that must last. */
static bool may_keep_boxes(const struct ir_type *type)
{
    return !ir_type_is_void(type) && cg_kind_of_type(type) == CG_BOXED;
}

/* Calls @symbol; *out: what it returns, of @type, or NULL if that is void; false after a report. */
static bool emit_packed_call(struct cg_graph *g, const struct ir_op *op, const char *symbol,
                             const struct cg_leaves *leaves, const struct ir_type *type,
                             struct cg_value **out)
{
    struct cg *cg = g->cg;
    bool is_void = ir_type_is_void(type);
    *out = NULL;
    if (type->kind == IR_TYPE_TUPLE && !is_void)
        return cg_op_refuse(g, op, "a packed function returns one value, not a tuple");
    bool is_lasting = may_keep_boxes(type);
    share_all(leaves);
    LLVMValueRef row = box_all(g, leaves, is_lasting);
    LLVMValueRef result = LLVMConstNull(cg->ptr);
    if (is_lasting) {
        LLVMValueRef args[] = {cg->frame, cg_i64(cg, sizeof(struct inlay_value)), cg_line(cg)};
        result = cg_call_runtime(cg, CG_inlay_alloc, args, 3);
        cg_check_pointer(cg, result);
    } else if (!is_void) {
        result = cg_room_values(g, 1);
    }
    LLVMValueRef args[] = {cg->frame, cg_string(cg, symbol),
                           row,       cg_i32(cg, (int64_t)leaves->count),
                           result,    cg_line(cg)};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_call_packed, args, 6));
    if (is_void)
        return true;
    const char *what = arena_printf(&cg->arena, "the result of `%s`", symbol);
    *out = cg_unbox_checked(g, type, result, INLAY_ERROR_PACKED, what);
    return *out && cg_check_dims(g, *out, type, INLAY_ERROR_PACKED, what);
}

static bool finish_packed(struct cg_graph *g, const struct ir_op *op, const char *symbol,
                          const struct cg_leaves *leaves)
{
    const struct ir_type *type = op->declared ? op->declared : op->result.type;
    struct cg_value *value;
    if (!emit_packed_call(g, op, symbol, leaves, type, &value))
        return false;
    cg_set_result(g, op, value ? value : cg_value_new(g, CG_TUPLE, 0));
    return true;
}

/* The result in place of argument @index; NULL after a report. */
static struct cg_value *updated_argument(struct cg_graph *g, const struct ir_op *op,
                                         const struct cg_leaves *leaves, int64_t index)
{
    struct cg_value *value = index < (int64_t)leaves->count ? leaves->items[index] : NULL;
    if (value && value->kind == CG_TENSOR)
        return value;
    cg_op_refuse(g, op, "an argument in place is no tensor of known rank and dtype");
    return NULL;
}

/*
 * R.call_inplace_packed: results in place are the arguments, whatever the function returns; it returns the
 * one that is not.
 */
static bool finish_inplace(struct cg_graph *g, const struct ir_op *op, const char *symbol,
                           const struct cg_leaves *leaves)
{
    const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");
    const struct ir_type *type = op->declared ? op->declared : op->result.type;
    const struct ir_type *returned = ir_type_tuple(g->cg->ir, NULL, 0);
    bool is_tuple = type->kind == IR_TYPE_TUPLE;
    struct cg_value *tuple = cg_value_new(g, CG_TUPLE, indices->count), *value;
    unsigned fresh = 0;
    for (unsigned i = 0; i < indices->count; i++)
        if (indices->items[i]->integer < 0) {
            returned = is_tuple ? type->fields[i] : type;
            fresh++;
        }
    if (fresh > 1)
        return cg_op_refuse(g, op, "a packed function returns one value, not several");
    if (!emit_packed_call(g, op, symbol, leaves, returned, &value))
        return false;
    if (!value)
        value = cg_value_new(g, CG_TUPLE, 0);
    for (unsigned i = 0; i < indices->count; i++) {
        int64_t index = indices->items[i]->integer;
        tuple->fields[i] = index < 0 ? value : updated_argument(g, op, leaves, index);
        if (!tuple->fields[i])
            return false;
    }
    cg_set_result(g, op, is_tuple ? tuple : tuple->fields[0]);
    return true;
}

bool cg_emit_packed(struct cg_graph *g, const struct ir_op *op)
{
    unsigned first = 0;
    const char *symbol = has_host(g, op, no_packed) ? symbol_of(g, op, &first) : NULL;
    if (!symbol)
        return false;
    struct cg_leaves leaves = {0};
    cg_room_reset(g);
    bool is_fine =
        collect(g, op, first, false, &leaves) &&
        (ir_op_is(op, IR_CORE_call_inplace_packed) ? finish_inplace(g, op, symbol, &leaves)
                                                   : finish_packed(g, op, symbol, &leaves));
    array_finish(&leaves);
    return is_fine;
}

static bool emit_dps(struct cg_graph *g, const struct ir_op *op, const char *symbol,
                     struct cg_leaves *leaves)
{
    struct cg *cg = g->cg;
    const struct ir_type *type = op->declared ? op->declared : op->result.type;
    size_t first = leaves->count;
    for (unsigned i = 0; i < leaf_count(type); i++) {
        struct cg_value *value = cg_allocate(g, op, leaf_type(type, i));
        if (!value)
            return false;
        array_push(leaves, value);
    }
    share_all(leaves);
    LLVMValueRef row = box_all(g, leaves, false);
    LLVMValueRef args[] = {cg->frame,
                           cg_string(cg, symbol),
                           row,
                           cg_i32(cg, (int64_t)leaves->count),
                           LLVMConstNull(cg->ptr),
                           cg_line(cg)};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_call_packed, args, 6));
    /* The function may have kept what it was given. */
    for (size_t i = first; i < leaves->count; i++)
        leaves->items[i]->root->kind = CG_ROOT_UNKNOWN;
    cg_set_result(g, op, cg_unflatten(g, op->result.type, leaves->items, &first));
    return true;
}

bool cg_emit_dps_packed(struct cg_graph *g, const struct ir_op *op)
{
    unsigned first = 0;
    const char *symbol = has_host(g, op, no_packed) ? symbol_of(g, op, &first) : NULL;
    if (!symbol)
        return false;
    struct cg_leaves leaves = {0};
    cg_room_reset(g);
    bool is_fine = collect(g, op, first, false, &leaves) && emit_dps(g, op, symbol, &leaves);
    array_finish(&leaves);
    return is_fine;
}

/* --- graph functions --- */

/* Operands in the form of the parameters of @callee, as leaves; false after a report. */
static bool collect_arguments(struct cg_graph *g, const struct ir_op *op,
                              const struct ir_function *callee, struct cg_leaves *out)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct cg_value *value = cg_operand(g, op->operands[i].value);
        if (!value)
            return false;
        cg_flatten(cg_coerce(g, value, callee->params[i]->type), out);
    }
    return true;
}

/* What a call gives, by the types that the callee declares and the caller knows it by. */
struct given {
    const char *what;
    const struct ir_function *callee;
    const struct cg_leaves *args;
    LLVMValueRef slots;
    unsigned next;
    bool is_fine;
};

int cg_result_param(struct cg *cg, const struct ir_function *function, unsigned leaf)
{
    return function->is_private && !is_turn_of_loop(&cg->tails, function)
               ? result_param(&cg->result_params, function, leaf)
               : -1;
}

/* Result @leaf, if it is what was given for a parameter, which nobody needs to say then; or NULL. */
static struct cg_value *given_back(struct cg_graph *g, const struct given *given, unsigned leaf)
{
    const struct ir_function *callee = given->callee;
    int param = cg_result_param(g->cg, callee, leaf);
    unsigned arg = 0;
    for (int i = 0; i < param; i++)
        arg += leaf_count(callee->params[i]->type);
    if (param < 0)
        return NULL;
    struct cg_value *value = given->args->items[arg];
    if (value->kind != CG_TENSOR)
        return cg_unbox(g, callee->params[param]->type, value->data,
                        cg_root_new(g, CG_ROOT_UNKNOWN));
    struct cg_value *copy = arena_new(&g->cg->arena, struct cg_value);
    *copy = *value;
    copy->owner = NULL; /* may have been written */
    return copy;
}

static struct cg_value *unbox_given(struct cg_graph *g, struct given *given,
                                    const struct ir_type *declared, const struct ir_type *known)
{
    struct cg *cg = g->cg;
    if (declared->kind == IR_TYPE_TUPLE) {
        struct cg_value *tuple = cg_value_new(g, CG_TUPLE, declared->field_count);
        bool is_known = known->kind == IR_TYPE_TUPLE;
        for (unsigned i = 0; i < tuple->count; i++)
            tuple->fields[i] =
                unbox_given(g, given, declared->fields[i], is_known ? known->fields[i] : known);
        return tuple;
    }
    unsigned leaf = given->next++;
    LLVMValueRef slot = cg_element(cg, cg->value_type, given->slots, cg_i64(cg, leaf));
    const struct ir_type *type =
        cg_kind_of_type(known) == cg_kind_of_type(declared) ? known : declared;
    struct cg_value *value = given_back(g, given, leaf);
    if (!value)
        value = cg_unbox(g, type, slot, cg_root_new(g, CG_ROOT_UNKNOWN));
    given->is_fine &= cg_check_dims(g, value, known, INLAY_ERROR_SHAPE, given->what);
    return value;
}

static bool give_result(struct cg_graph *g, const struct ir_op *op,
                        const struct ir_function *callee, const struct cg_leaves *leaves,
                        LLVMValueRef results)
{
    struct given given = {
        .what = arena_printf(&g->cg->arena, "the result of `%s`", callee->name),
        .callee = callee,
        .args = leaves,
        .slots = results,
        .is_fine = true,
    };
    cg_set_result(g, op, unbox_given(g, &given, callee->result, op->result.type));
    return given.is_fine;
}

/* Leaves with word of what the caller is to call; what the text has behind that is never reached. */
static bool emit_tail_call(struct cg_graph *g, const struct ir_op *op,
                           const struct ir_function *callee, const struct cg_leaves *leaves)
{
    struct cg *cg = g->cg;
    LLVMValueRef args[] = {cg->frame, cg_entry_of(cg, callee), box_all(g, leaves, false),
                           cg_i32(cg, (int64_t)leaves->count), cg_line(cg)};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_tail, args, ARRAY_SIZE(args)));
    cg_watch_leave(g);
    cg_call_runtime(cg, CG_inlay_leave, &cg->frame, 1);
    LLVMBuildRet(cg->builder, cg_i32(cg, INLAY_TAIL));
    cg_at(cg, cg_block(cg, "left"));
    return give_result(g, op, callee, leaves, g->results);
}

/* The row for results of @callee.  If boxed ones are kept, it must last, and what they may point at. */
static LLVMValueRef make_row(struct cg_graph *g, const struct ir_function *callee, bool is_lasting)
{
    struct cg *cg = g->cg;
    unsigned count = leaf_count(callee->result);
    LLVMValueRef args[] = {cg->frame, cg_i64(cg, (int64_t)(count * sizeof(struct inlay_value))),
                           cg_line(cg)};
    if (!is_lasting)
        return cg_room_values(g, count);
    LLVMValueRef row = cg_call_runtime(cg, CG_inlay_alloc, args, 3);
    cg_check_pointer(cg, row);
    return row;
}

static bool emit_call(struct cg_graph *g, const struct ir_op *op, const struct ir_function *callee,
                      const struct cg_leaves *leaves)
{
    struct cg *cg = g->cg;
    unsigned count = leaf_count(callee->result);
    bool is_lasting = false;
    for (unsigned i = 0; i < count; i++)
        is_lasting |= may_keep_boxes(leaf_type(callee->result, i));
    LLVMValueRef row = box_all(g, leaves, is_lasting);
    LLVMValueRef results = make_row(g, callee, is_lasting);
    if (cg->codegen->artifact)
        cg_give_result_rooms(g, callee->result, results);
    LLVMValueRef function = cg_entry_of(cg, callee), status;
    LLVMValueRef args[] = {cg->frame,
                           function,
                           row,
                           cg_i32(cg, (int64_t)leaves->count),
                           results,
                           cg_i32(cg, count),
                           LLVMConstNull(cg->i64)};
    if (makes_tail_calls(&cg->tails, callee)) {
        args[6] =
            cg_i64(cg, stack_turn_room(cg->module, &cg->tails, loop_of_turn(&cg->tails, callee)));
        status = cg_call_runtime(cg, CG_inlay_call, args, ARRAY_SIZE(args));
    } else {
        args[1] = cg->frame;
        status = LLVMBuildCall2(cg->builder, LLVMGlobalGetValueType(function), function, args + 1,
                                ARRAY_SIZE(args) - 2, "");
    }
    cg_check_status(cg, status);
    return give_result(g, op, callee, leaves, results);
}

bool cg_emit_call(struct cg_graph *g, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    if (callee && callee->kind == IR_GLOBAL_EXTERN)
        return cg_emit_packed(g, op);
    if (callee && callee->kind == IR_GLOBAL_KERNEL)
        return cg_emit_call_tir(g, op);
    if (!callee || callee->kind != IR_GLOBAL_FUNCTION)
        return cg_op_refuse(g, op, "its callee is no function of the module");
    struct cg_leaves leaves = {0};
    cg_room_reset(g);
    bool is_fine = collect_arguments(g, op, callee->function, &leaves);
    share_all(&leaves);
    if (is_fine && is_tail_call(&g->cg->tails, op))
        is_fine = emit_tail_call(g, op, callee->function, &leaves);
    else if (is_fine)
        is_fine = emit_call(g, op, callee->function, &leaves);
    array_finish(&leaves);
    return is_fine;
}

/* --- print, assert_op --- */

static LLVMValueRef format_of(struct cg_graph *g, const struct ir_op *op)
{
    return cg_string(g->cg, ir_op_attr(op, "format")->string);
}

bool cg_emit_print(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct cg_leaves leaves = {0};
    cg_room_reset(g);
    bool is_fine = has_host(g, op, no_print) && collect(g, op, 0, true, &leaves);
    if (is_fine) {
        LLVMValueRef args[] = {cg->frame, format_of(g, op), box_all(g, &leaves, false),
                               cg_i32(cg, (int64_t)leaves.count)};
        cg_check_status(cg, cg_call_runtime(cg, CG_inlay_print, args, 4));
        cg_set_result(g, op, cg_value_new(g, CG_TUPLE, 0));
    }
    array_finish(&leaves);
    return is_fine;
}

bool cg_emit_assert_op(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct cg_leaves leaves = {0};
    cg_room_reset(g);
    LLVMValueRef condition = cg_condition(g, op->operands[0].value);
    bool is_fine = condition && collect(g, op, 1, true, &leaves);
    if (is_fine) {
        LLVMBasicBlockRef bad = cg_block(cg, "bad"), good = cg_block(cg, "");
        cg_branch(cg, condition, good, bad);
        cg_at(cg, bad);
        LLVMValueRef args[] = {cg->frame,
                               cg_i32(cg, 0),
                               format_of(g, op),
                               box_all(g, &leaves, false),
                               cg_i32(cg, (int64_t)leaves.count),
                               cg_line(cg)};
        cg_call_runtime(cg, CG_inlay_assert, args, 6);
        cg_goto(cg, cg_fail_block(cg));
        cg_at(cg, good);
        cg_set_result(g, op, cg_value_new(g, CG_TUPLE, 0));
    }
    array_finish(&leaves);
    return is_fine;
}
