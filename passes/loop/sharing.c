/* Kernels that run on shared storage: what calls share, and whether another body allows it, too. */
#include "analysis/storage/storage.h"
#include "analysis/verify_storage/verify_storage.h"
#include "passes/loop/loop.h"

/* Parameters of a kernel that some call gives one storage. */
struct loop_shared_pair {
    struct loop_shared_pair *next;
    unsigned written, read;
    int64_t shift; /* @read begins so many bytes behind @written */
};

void loop_sharing_finish(struct loop_sharing *sharing)
{
    map_finish(&sharing->pairs);
    arena_finish(&sharing->arena);
}

/* ---- what calls share ---- */

struct sharing_walk {
    struct loop_sharing *sharing;
    struct storage_module facts;
    struct storage storage;      /* of the function in work */
    array(struct ir_op *) calls; /* that write an operand and read another one */
};

static const struct tir_func *kernel_of(const struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);

    return callee && callee->kind == IR_GLOBAL_KERNEL ? callee->kernel : NULL;
}

/* The number of the parameter that operand @operand is given to, or -1. */
static int param_at(const struct tir_func *kernel, const struct ir_op *call, unsigned operand)
{
    const struct tir_param *param = kernel_param_of(kernel, call, operand);

    return param ? (int)(param - kernel->params) : -1;
}

static bool is_written(struct sharing_walk *walk, const struct ir_op *call, unsigned operand)
{
    const struct tir_func *kernel = kernel_of(call);
    int param = param_at(kernel, call, operand);

    return param >= 0 && storage_kernel(&walk->facts, kernel)->params[param].writes;
}

static bool note_call(void *state, struct ir_op *op)
{
    struct sharing_walk *walk = state;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, note_call, walk);
    if (!kernel_of(op) || ir_op_is(op, IR_CORE_call_tir) || op->operand_count < 2)
        return true;
    for (unsigned i = 0; i < op->operand_count; i++)
        if (is_written(walk, op, i)) {
            array_push(&walk->calls, op);
            break;
        }
    return true;
}

static void note_pair(struct loop_sharing *sharing, const struct tir_func *kernel, int written,
                      int read, int64_t shift)
{
    struct loop_shared_pair *first = map_get(&sharing->pairs, kernel);
    struct loop_shared_pair *pair = first;

    while (pair && (pair->written != (unsigned)written || pair->read != (unsigned)read ||
                    pair->shift != shift))
        pair = pair->next;
    if (pair || written < 0 || read < 0)
        return;
    pair = arena_new(&sharing->arena, struct loop_shared_pair);
    *pair = (struct loop_shared_pair){first, (unsigned)written, (unsigned)read, shift};
    map_set(&sharing->pairs, kernel, pair);
}

/* How far operand @k begins behind operand @i; where that is not known, the call is not in
 * place. */
static int64_t shift_of(struct sharing_walk *walk, const struct ir_op *call, unsigned i, unsigned k)
{
    struct storage_sets sets = {0};
    int64_t shift = 0;

    storage_sets_of(&walk->storage, call->operands[i].value, &sets);
    storage_sets_of(&walk->storage, call->operands[k].value, &sets);
    if (sets.count == 2)
        (void)storage_sets_shift(&walk->storage, sets.items[0], sets.items[1], &shift);
    array_finish(&sets);
    return shift;
}

static void note_operands(struct sharing_walk *walk, const struct ir_op *call)
{
    const struct tir_func *kernel = kernel_of(call);

    for (unsigned i = 0; i < call->operand_count; i++)
        for (unsigned k = 0; is_written(walk, call, i) && k < call->operand_count; k++)
            if (i != k && storage_values_meet(&walk->storage, call->operands[i].value,
                                              call->operands[k].value))
                note_pair(walk->sharing, kernel, param_at(kernel, call, i),
                          param_at(kernel, call, k), shift_of(walk, call, i, k));
}

static void look_at_function(struct sharing_walk *walk, struct ir_function *function)
{
    walk->calls.count = 0;
    ir_region_walk(function->body, note_call, walk);
    if (walk->calls.count == 0)
        return;
    storage_init(&walk->storage, &walk->facts, function, NULL);
    for (size_t i = 0; i < walk->calls.count; i++)
        note_operands(walk, walk->calls.items[i]);
    storage_finish(&walk->storage);
}

static void find_pairs(struct loop_sharing *sharing)
{
    struct sharing_walk walk = {.sharing = sharing};
    struct ir_module *module = sharing->module;

    sharing->is_known = true;
    storage_module_init(&walk.facts, module);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            look_at_function(&walk, module->globals[i]->function);
    array_finish(&walk.calls);
    storage_module_finish(&walk.facts);
}

/* ---- another body ---- */

/* As who decided has asked: both the analysis and the checker of storage. */
static bool allows(struct tir_func *func, const struct loop_shared_pair *pair)
{
    struct access_cache cache = {0};
    struct access_share share =
        access_may_share_shifted(&cache, func, pair->written, pair->read, pair->shift);

    access_cache_finish(&cache);
    return access_share_is_legal(&share) &&
           verify_storage_may_share(func->module, func, pair->written, pair->read, pair->shift);
}

bool loop_keeps_sharing(struct loop_sharing *sharing, const struct tir_func *kernel,
                        struct tir_stmt *body)
{
    struct tir_func before = *kernel, after = *kernel;

    after.body = body;
    if (!sharing->is_known)
        find_pairs(sharing);
    const struct loop_shared_pair *pair = map_get(&sharing->pairs, kernel);

    for (; pair; pair = pair->next)
        if (!allows(&after, pair) && allows(&before, pair))
            return false;
    return true;
}

enum pass_result loop_rewrite_kernels(struct pass_run *run, loop_rewrite_fn *rewrite, void *state)
{
    struct loop_sharing sharing = {.module = run->module};
    bool is_changed = false;

    for (size_t i = 0; i < run->module->global_count; i++) {
        struct ir_global *global = run->module->globals[i];

        if (global->kind != IR_GLOBAL_KERNEL)
            continue;
        struct tir_stmt *body = rewrite(state, global->kernel);
        if (body == global->kernel->body || !loop_keeps_sharing(&sharing, global->kernel, body))
            continue;
        global->kernel->body = body;
        is_changed = true;
    }
    loop_sharing_finish(&sharing);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
