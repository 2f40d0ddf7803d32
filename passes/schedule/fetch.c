/* Annotations of loops that ask for the next panel. */
#include "passes/schedule/fetch.h"

enum { PASSES_MOST = 32 }; /* over a panel, among which the time of waiting for it can be seen */

struct fetch fetch_plan(int64_t panel, unsigned element_bytes, int64_t steps, int64_t passes)
{
    int64_t bytes, count;

    if (panel < 1 || panel > INT32_MAX || steps < 1 || passes < 1 || passes > PASSES_MOST ||
        __builtin_mul_overflow(panel, (int64_t)element_bytes, &bytes) ||
        __builtin_mul_overflow(steps, passes, &count))
        return (struct fetch){0};
    return (struct fetch){panel, (bytes + count - 1) / count};
}

static struct tir_stmt *annotate(struct schedule *s, struct tir_stmt *loop, const char *name,
                                 int64_t value)
{
    if (loop->kind == TIR_FOR && value)
        loop->loop.annotations = ir_attr_dict_with(s->context, loop->loop.annotations, name,
                                                   ir_attr_int(s->context, value));
    return loop;
}

struct tir_stmt *fetch_panels(struct schedule *s, const struct fetch *fetch, struct tir_stmt *loop)
{
    return annotate(s, loop, TIR_PREFETCH, fetch->panel);
}

struct tir_stmt *fetch_steps(struct schedule *s, const struct fetch *fetch, struct tir_stmt *loop)
{
    return annotate(s, loop, TIR_PREFETCH_BYTES, fetch->bytes);
}
