/* Sums of variables with factors. */
#include "analysis/access/presburger_internal.h"

#include <limits.h>

struct linear linear_constant(int64_t value)
{
    return (struct linear){.constant = value};
}

/* Appends factor * var; zeros are left out. */
static void append(struct linear *out, unsigned var, int64_t factor)
{
    if (factor != 0)
        out->terms[out->count++] = (struct linear_term){var, factor};
}

bool linear_add(struct arena *arena, const struct linear *a, const struct linear *b, int64_t factor,
                struct linear *out)
{
    struct linear sum = {.terms = arena_array(arena, struct linear_term, a->count + b->count + 1)};
    unsigned i = 0, k = 0;
    int64_t scaled;

    if (__builtin_mul_overflow(b->constant, factor, &scaled) ||
        __builtin_add_overflow(a->constant, scaled, &sum.constant))
        return false;
    while (i < a->count || k < b->count) {
        unsigned left = i < a->count ? a->terms[i].var : UINT_MAX;
        unsigned right = k < b->count ? b->terms[k].var : UINT_MAX;
        int64_t total = left <= right ? a->terms[i++].factor : 0;

        if (right <= left && (__builtin_mul_overflow(b->terms[k++].factor, factor, &scaled) ||
                              __builtin_add_overflow(total, scaled, &total)))
            return false;
        append(&sum, left < right ? left : right, total);
    }
    *out = sum;
    return true;
}

bool linear_scale(struct arena *arena, const struct linear *a, int64_t factor, struct linear *out)
{
    struct linear zero = {0};

    return linear_add(arena, &zero, a, factor, out);
}
