/*
 * What a run cost.
 *
 * arena_bytes is the most that the frame held at once, scratch of kernels included.  lower_bound_bytes is
 * the most that values needed at once, each by itself: no plan of the same order of operations and the same
 * updates in place could be below that.  unplanned_bytes is what all values take together.
 */
#include "driver/stats.h"

#include "ir/arith.h"
#include "ops/ids.h"

#include <inttypes.h>
#include <time.h>

double cost_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static bool count_view(void *state, struct ir_op *op)
{
    unsigned *views = state;
    *views += (op->info->traits & IR_VIEW) != 0 || op_is(op, OP_memory_view);
    return true;
}

void cost_count(struct run_cost *cost, struct ir_module *module,
                const struct inplace_decisions *decisions, const struct ir_bindings *dims)
{
    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];
        int64_t bytes;
        cost->inplace += decision->verdict == INPLACE_DONE;
        cost->fresh += decision->verdict == INPLACE_FRESH && !decision->is_found;
        cost->elided += decision->verdict == INPLACE_ELIDED;
        if (decision->verdict != INPLACE_COPY)
            continue;
        cost->copies++;
        const struct ir_expr *size =
            decision->bytes ? ir_expr_substitute(module->context, decision->bytes, dims) : NULL;
        if (size && ir_expr_constant(module->context, size, &bytes))
            cost->copied_bytes += bytes;
        else
            cost->is_open = true;
    }
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, count_view, &cost->views);
}

void cost_measure(struct run_cost *cost, const struct inlay_frame *frame)
{
    const struct inlay_stats *stats = inlay_frame_stats(frame);
    cost->arena_bytes = (int64_t)stats->peak_bytes;
    cost->lower_bound_bytes = (int64_t)stats->needed_peak_bytes;
    cost->unplanned_bytes = (int64_t)stats->value_bytes;
    cost->stack_bytes = (int64_t)stats->stack_peak_bytes;
    cost->allocations = (int64_t)stats->allocations;
}

void cost_put_json(const struct run_cost *cost, struct text *out)
{
    text_printf(out,
                "{\"inplace\": %u, \"copies\": %u, \"copied_bytes\": %" PRId64
                ", \"fresh\": %u, \"views\": %u, \"elided\": %u, \"arena_bytes\": %" PRId64
                ", \"lower_bound_bytes\": %" PRId64 ", \"unplanned_bytes\": %" PRId64
                ", \"stack_bytes\": %" PRId64 ", \"allocations\": %" PRId64
                ", \"threads\": %u, \"compile_ms\": %.3f, \"run_ms\": %.3f}\n",
                cost->inplace, cost->copies, cost->copied_bytes, cost->fresh, cost->views,
                cost->elided, cost->arena_bytes, cost->lower_bound_bytes, cost->unplanned_bytes,
                cost->stack_bytes, cost->allocations, cost->threads, cost->compile_ms,
                cost->run_ms);
}

void cost_put_text(const struct run_cost *cost, struct text *out)
{
    text_printf(out,
                "in place: %u, copies: %u (%s%" PRId64 " bytes), fresh: %u, views: %u\n"
                "memory: %" PRId64 " bytes at most, %" PRId64 " bytes in %" PRId64 " allocations\n"
                "time: compile %.3f ms, run %.3f ms, threads: %u\n",
                cost->inplace, cost->copies, cost->is_open ? "at least " : "", cost->copied_bytes,
                cost->fresh, cost->views, cost->arena_bytes, cost->unplanned_bytes,
                cost->allocations, cost->compile_ms, cost->run_ms, cost->threads);
}
