/* Outputs of calls against what their kernels write; see unwritten.h. */
#include "analysis/unwritten.h"

#include "analysis/access/cover.h"
#include "analysis/kernel.h"
#include "analysis/kernel_call.h"
#include "analysis/unset_reads.h"
#include "analysis/unwritten_branch.h"
#include "base/map.h"
#include "ir/print.h"
#include "ir/verify.h"

struct check {
    struct ir_module *module;
    struct access_cache cache;
    struct map done;    /* outputs of which there is no more to say */
    struct map partial; /* .. that are not written for all sizes, but were in the calls so far */
    struct diag *diag;
    const struct map *told; /* kernels that are wrong, or NULL */
    bool is_alone;          /* no other rule is checked */
};

/* "[1, 3]" */
static void put_element(const struct ir_buffer *buffer, const int64_t *element, struct text *out)
{
    text_putc(out, '[');
    for (unsigned i = 0; i < buffer->ndim; i++)
        text_printf(out, "%s%lld", i ? ", " : "", (long long)element[i]);
    text_putc(out, ']');
}

/* "where n is 1, m is 2" */
static void put_sizes(const struct access_cover *cover, struct text *out)
{
    for (unsigned i = 0; i < cover->size_count; i++) {
        text_puts(out, i ? ", " : "where ");
        ir_expr_print(cover->sizes[i].expr, out);
        text_printf(out, " is %lld", (long long)cover->sizes[i].value);
    }
}

/* The stores of a kernel to @buffer. */
struct stores {
    const struct ir_buffer *buffer;
    const struct tir_stmt *store;
    unsigned count;
};

static bool note_store(void *state, struct tir_stmt *stmt)
{
    struct stores *stores = state;

    if (stmt->kind == TIR_STORE && stmt->store.buffer == stores->buffer) {
        stores->store = stmt;
        stores->count++;
    }
    return true;
}

/* The one store there is: its indices or its loops are what is short. */
static void label_store(struct diag_message *message, const struct tir_func *kernel,
                        const struct ir_buffer *buffer)
{
    struct stores stores = {.buffer = buffer};

    tir_stmt_walk(kernel->body, note_store, &stores);
    if (stores.count == 1 && stores.store->loc.source)
        diag_label(message, stores.store->loc, "the one statement that writes it");
}

static void report(struct check *check, const struct ir_op *call, const struct ir_buffer *buffer,
                   const struct access_cover *cover)
{
    struct text element = {0}, sizes = {0};

    put_element(buffer, cover->element, &element);
    put_sizes(cover, &sizes);
    struct diag_message *message =
        diag_report(check->diag, location_argument(call->loc, 0, "func"), KERNEL_UNWRITTEN,
                    ir_op_callee(call)->name, text_string(&element), buffer->name);
    diag_label(message, buffer->loc, "`%s`, of which no statement writes that element",
               buffer->name);
    label_store(message, ir_op_callee(call)->kernel, buffer);
    if (cover->size_count)
        diag_note(message, "%s", text_string(&sizes));
    diag_note(message, "what is not written holds any number, in each run another one");
    diag_help(message, "write all of it, or update a tensor that holds the rest: "
                       "R.call_tir_inplace(.., inplace_indices=[..])");
    text_finish(&element);
    text_finish(&sizes);
}

/* Is parameter @param given an operand of @call? */
static bool is_given(const struct tir_func *kernel, const struct ir_op *call, unsigned param)
{
    for (unsigned i = 0; i < call->operand_count; i++)
        if (kernel_param_of(kernel, call, i) == &kernel->params[param])
            return true;
    return false;
}

/* Outputs in place of arguments that the kernel has no use for: a store is missing, or another one was meant. */
static void check_inplace(struct check *check, struct ir_op *op, const struct ir_global *callee)
{
    const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");
    struct arena arena = {0};
    struct kernel_access access = kernel_access(&arena, callee->kernel);

    for (unsigned i = 0; i < indices->count; i++) {
        int64_t index = indices->items[i]->integer;
        const struct tir_param *param =
            index >= 0 ? kernel_param_of(callee->kernel, op, (unsigned)index) : NULL;

        if (!param || access.calls_out)
            continue;
        const struct kernel_param *use = &access.params[param - callee->kernel->params];
        if (use->reads || use->writes) /* what is only read may change roles with another one */
            continue;
        struct diag_message *m = diag_report(check->diag, ir_inplace_entry(op, i), KERNEL_UNTOUCHED,
                                             callee->name, param->buffer->name, i);
        diag_label(m, param->buffer->loc, "`%s` is not touched", param->buffer->name);
        diag_help(m, "store to it, or name the argument that the kernel updates");
    }
    arena_finish(&arena);
}

/*
 * Is output @param, which the kernel does not write for all sizes, written for those that @op gives?  Extents of which the
 * kernel knows nothing may be equal in all calls.
 */
static bool check_sizes(struct check *check, struct ir_op *op, unsigned param)
{
    const struct tir_func *kernel = ir_op_callee(op)->kernel;
    struct arena arena = {0};
    struct kernel_call call;
    bool is_read = kernel_call_read(check->module, &arena, op, &call);
    struct access_cover cover =
        access_cover(&check->cache, kernel, param, is_read ? &call.symbols : NULL);

    bool is_part = cover.coverage == ACCESS_COVERS_PART;

    if (is_part)
        report(check, op, kernel->params[param].buffer, &cover);
    kernel_call_finish(&call);
    arena_finish(&arena);
    return !is_part;
}

/* Outputs in storage of their own. */
static void check_new(struct check *check, struct ir_op *op, const struct tir_func *kernel)
{
    for (unsigned i = 0; i < kernel->param_count; i++) {
        const struct ir_buffer *buffer = kernel->params[i].buffer;

        if (!buffer || is_given(kernel, op, i))
            continue;
        if (!map_has(&check->done, buffer) && !map_has(&check->partial, buffer)) {
            bool is_part =
                access_cover(&check->cache, kernel, i, NULL).coverage == ACCESS_COVERS_PART;
            map_set(is_part ? &check->partial : &check->done, buffer, buffer);
            unset_reads_check(&check->cache, kernel, buffer, op, check->is_alone, check->diag);
            if (!is_part)
                unwritten_branch_check(&check->cache, kernel, i, op, check->diag);
        }
        if (!map_has(&check->done, buffer) && !check_sizes(check, op, i))
            map_set(&check->done, buffer, buffer);
    }
}

static bool check_op(void *state, struct ir_op *op)
{
    struct check *check = state;
    bool is_inplace = ir_op_is(op, IR_CORE_call_tir_inplace);
    const struct ir_global *callee =
        is_inplace || ir_op_is(op, IR_CORE_call_tir) ? ir_op_callee(op) : NULL;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, check_op, check);
    if (!callee || callee->kind != IR_GLOBAL_KERNEL ||
        (check->told && map_has(check->told, callee->kernel)))
        return true;
    if (is_inplace && !check->is_alone)
        check_inplace(check, op, callee);
    check_new(check, op, callee->kernel);
    return true;
}

static void check_calls(struct check *check, struct ir_module *module)
{
    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_global *global = module->globals[i];

        if (global->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(global->function->body, check_op, check);
        else if (global->kind == IR_GLOBAL_KERNEL)
            unset_reads_check_allocated(&check->cache, global->kernel, check->is_alone,
                                        check->diag);
    }
    map_finish(&check->done);
    map_finish(&check->partial);
    access_cache_finish(&check->cache);
}

void unwritten_check(struct ir_module *module, const struct map *told, struct diag *diag)
{
    struct check check = {.module = module, .told = told, .diag = diag};

    check_calls(&check, module);
}

void unwritten_check_numbers(struct ir_module *module, struct diag *diag)
{
    struct check check = {.module = module, .diag = diag, .is_alone = true};

    check_calls(&check, module);
}
