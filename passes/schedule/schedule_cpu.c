/*
 * ScheduleCPU: kernels as loops that run well on a processor with vectors, caches and some cores.
 *
 *     blocks  ==>  plain loops                                       (LowerBlocks)
 *             ==>  chains of products some rows at a time            (rows.c)
 *             ==>  products of matrices blocked and packed           (matmul.c, gemm.c, stream.c)
 *             ==>  convolutions too, task by task, or in blocks      (windows.c, blocks.c)
 *             ==>  .. over windows of 3 by 3 with fewer products     (winograd.c)
 *             ==>  small windows in registers                         (taps.c)
 *             ==>  neighbours joined, what lies between them shrunk  (FuseLoops,
 *                                                                     CompactBufferAllocation)
 *             ==>  sums of everything, column sums cut               (partition.c)
 *             ==>  scratch of rows in the rows of the result          (in_result.c)
 *             ==>  .. or of other scratch                             (one_scratch.c)
 *             ==>  sums over contiguous axes in several accumulators (reduce.c)
 *             ==>  transposes in tiles                               (transpose.c)
 *             ==>  T.vectorized inside, T.parallel outside           (marks.c)
 *
 * All of it is loops in the text, nothing a promise to code generation: the marks mean what serial
 * loops mean, and the order of additions is that of the text.  So a scheduled module is interpreted and
 * compiled to the same bits, with any number of threads.  Against the module before, sums of floats
 * differ by their rounding, for their order is another; everything else keeps its bits.
 *
 * Where a call gives two parameters one storage, and the kernel is known to be right on it as its loops
 * are but not as they would be, it keeps its old body.
 *
 * A kernel that was scheduled gets the attribute tirx.is_scheduled and is left alone from then on, as is
 * one that has it from its author.
 */
#include "analysis/access/loop.h"
#include "passes/schedule/epilogue.h"
#include "passes/schedule/kernel_uses.h"

#include <string.h>

enum { FUSE_LIMIT = 48 }; /* statements of a kernel's body */

static const char *const DONE = "tirx.is_scheduled";

static const char *done_key(struct schedule *s)
{
    return atom_intern_text(&s->context->atoms, DONE);
}

static bool is_for_cpu(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_LAUNCH_THREAD &&
           !(stmt->kind == TIR_FOR && stmt->loop.kind == TIR_THREAD_BINDING);
}

/*
 * Is each buffer a storage of its own?  Where one is declared on the storage of another, or its address is
 * taken, other names than the one that is looked at may change it.
 */
static bool has_own_storage(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_DECL && !(stmt->kind == TIR_BLOCK && stmt->block.match_count > 0);
}

static bool note_loop(void *state, struct tir_stmt *stmt)
{
    const struct schedule *s = state;

    if (stmt->kind == TIR_FOR) {
        struct remark_loop *record = remarks_of_loop(s->run->remarks, stmt);

        /* what was chosen is taken back; of a kernel that another pass scheduled it holds */
        bool is_first = s->kept.id != REMARK_LP_KEPT_MARKED;

        if (is_first || record->lanes.id == REMARK_NONE)
            record->lanes = s->kept;
        if (is_first || record->threads.id == REMARK_NONE)
            record->threads = s->kept;
    }
    return true;
}

/* The kernel keeps the loops that it has, for one reason. */
static void note_kept(struct schedule *s, enum remark_id why)
{
    s->kept = (struct remark){.id = why};
    if (s->run->remarks)
        (void)tir_stmt_walk(s->func->body, note_loop, s);
}

/* A fresh tree of plain loops for the body of the kernel; NULL: not possible. */
static struct tir_stmt *lower(struct schedule *s)
{
    if (!tir_stmt_walk(s->func->body, is_for_cpu, NULL)) {
        return NULL;
    }
    struct tir_func plain = *s->func;
    plain.body = loop_lower_blocks(&plain);
    if (!loop_is_plain(plain.body)) {
        note_kept(s, REMARK_LP_KEPT_BLOCKS);
        return NULL;
    }
    plain.body = loop_simplify(&plain); /* loops that run once would hide what is in them */
    return loop_copy_fresh(s->module, plain.body);
}

/* Joins neighbouring nests; what lies between them becomes as small as one iteration needs. */
static bool fuse(struct schedule *s)
{
    struct tir_stmt *body = s->func->body;

    /* Concatenations of hundreds have a nest for each: nothing to gain from comparing them all. */
    if (body->kind == TIR_SEQ && body->seq.count > FUSE_LIMIT)
        return false;
    s->func->body = loop_fuse(s->func, false);
    s->func->body = loop_compact_buffers(s->func);
    if (s->func->body == body)
        return false;
    s->func->body = loop_copy_fresh(s->module, s->func->body);
    return true;
}

/* ---- the pass ---- */

static bool schedule(struct schedule *s)
{
    struct tir_func *func = s->func;
    struct tir_stmt *old = func->body;
    struct tir_stmt *body = lower(s);
    bool is_changed = false;

    if (!body)
        return false;
    func->body = body;
    sch_note_names(s);
    bool is_apart =
        tir_stmt_walk(old, has_own_storage, NULL) && tir_stmt_walk(body, has_own_storage, NULL);
    if (is_apart)
        is_changed |= schedule_rows(s, &func->body) || schedule_matmuls(s, &func->body);
    if (is_apart)
        is_changed |= schedule_taps(s, &func->body);
    for (; s->dropped.count > 0; s->dropped.count--)
        epilogue_drop(s, array_last(&s->dropped));
    is_changed |= fuse(s);
    if (is_apart)
        is_changed |= schedule_partitions(s, &func->body);
    if (is_apart) {
        is_changed |= schedule_in_results(s, &func->body);
        is_changed |= schedule_one_scratch(s, &func->body);
    }
    if (is_apart)
        is_changed |= schedule_reductions(s, &func->body);
    if (is_apart)
        is_changed |= schedule_transposes(s, &func->body);
    schedule_places(s, func->body);
    is_changed |= schedule_marks(s, &func->body);
    if (is_changed)
        func->body = loop_simplify(func);
    body = func->body;
    func->body = old;
    if (!is_changed)
        return false;
    if (!loop_keeps_sharing(&s->sharing, func, body)) {
        note_kept(s, REMARK_LP_KEPT_SHARING);
        return false;
    }
    func->body = body;
    func->attrs =
        ir_attr_dict_with(s->context, func->attrs, done_key(s), ir_attr_bool(s->context, true));
    return true;
}

/* By parameter: do all calls give constants?  NULL: who calls is not known, or nothing is computed before a run. */
static const bool *constants_of(struct pass_run *run, const struct kernel_uses *uses,
                                const struct ir_global *global)
{
    const struct kernel_use *kernel = map_get(&uses->kernels, global);
    unsigned count = global->kernel->param_count;
    bool *is_constant = arena_array(&run->scratch, bool, count + 1);

    if (!kernel || !kernel->is_known || !run->host || !run->host->compute)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        is_constant[i] = kernel_use_is_constant(kernel, i);
    return is_constant;
}

/* A power of two from @least to @most, or 0 for @otherwise; false after a report. */
static bool read_bytes(struct pass_run *run, const char *name, int64_t least, int64_t most,
                       size_t otherwise, int64_t *out)
{
    int64_t bytes = pass_option_int(run, name);

    *out = bytes ? bytes : (int64_t)otherwise;
    if (bytes == 0 || (bytes >= least && bytes <= most && (bytes & (bytes - 1)) == 0))
        return true;
    diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE, name, run->pass->name,
                arena_printf(&run->scratch, "is neither 0 nor a power of two from %lld to %lld",
                             (long long)least, (long long)most));
    return false;
}

enum pass_result pass_schedule_cpu(struct pass_run *run)
{
    struct ir_module *module = run->module;
    struct schedule s = {
        .run = run, .module = module, .context = module->context, .sharing = {.module = module}};
    struct kernel_uses uses;
    bool is_changed = false;

    s.is_winograd = pass_option_bool(run, "winograd");
    if (!pass_option_fma(run, &s.has_fma) ||
        !read_bytes(run, "vector_bytes", 16, 64, run->target.vector_bytes, &s.vector_bytes) ||
        !read_bytes(run, "l2_bytes", 1 << 16, 1 << 28, run->target.l2_bytes, &s.l2_bytes))
        return PASS_FAILED;
    remarks_looked(run->remarks, run->pass->name);
    kernel_uses_find(&uses, module, &run->scratch);
    for (size_t i = 0; i < module->global_count; i++) {
        if (module->globals[i]->kind != IR_GLOBAL_KERNEL)
            continue;
        s.func = module->globals[i]->kernel;
        s.is_constant = constants_of(run, &uses, module->globals[i]);
        if (!ir_attr_dict_get(s.func->attrs, done_key(&s)))
            is_changed |= schedule(&s);
        else
            note_kept(&s, REMARK_LP_KEPT_MARKED);
    }
    loop_sharing_finish(&s.sharing);
    kernel_uses_finish(&uses);
    map_finish(&s.names);
    array_finish(&s.ranges);
    array_finish(&s.dropped);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
