/* See sample.h. */
#include "driver/sample.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT_PAIRS = 60 };

static int compare_values(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double *sorted(const double *values, size_t count)
{
    double *copy = memory_new(count + 1, sizeof(*copy));

    if (count > 0)
        memcpy(copy, values, count * sizeof(*copy));
    qsort(copy, count, sizeof(*copy), compare_values);
    return copy;
}

/* Between the values in whose middle it lies. */
static double quantile(const double *ascending, size_t count, double part)
{
    double place = (double)(count - 1) * part;
    size_t below = (size_t)place, above = below + 1 < count ? below + 1 : below;

    return ascending[below] + (place - (double)below) * (ascending[above] - ascending[below]);
}

/*
 * The place from 0 on of the order statistic that is below the median with a probability of 97.5 %.
 */
static size_t low_place(size_t count)
{
    double term = pow(0.5, (double)count), sum = 0;
    size_t place = 0;

    if (count >
        1000) /* the normal distribution is near enough, and the terms are not numbers any more */
        return (size_t)((double)count / 2 - 0.98 * sqrt((double)count));
    for (size_t k = 0; k < count; k++) {
        sum += term;
        if (sum > 0.025)
            break;
        place = k + 1;
        term *= (double)(count - k) / (double)(k + 1);
    }
    return place > 0 ? place - 1 : 0;
}

struct sample sample_of(const double *values, size_t count)
{
    struct sample out = {.count = count};

    if (count == 0)
        return out;
    double *ascending = sorted(values, count);
    size_t low = low_place(count);

    out.least = ascending[0];
    out.lower = quantile(ascending, count, 0.25);
    out.median = quantile(ascending, count, 0.5);
    out.upper = quantile(ascending, count, 0.75);
    out.most = ascending[count - 1];
    out.low = ascending[low];
    out.high = ascending[count - 1 - low];
    memory_free(ascending);
    return out;
}

/* ---- the signed-rank test ---- */

struct pair {
    double size;
    bool is_more;
    size_t rank; /* twice the rank, so that the mean of two ranks is a whole number */
};

static int compare_pairs(const void *a, const void *b)
{
    return compare_values(&((const struct pair *)a)->size, &((const struct pair *)b)->size);
}

/* Pairs that are equal say nothing. */
static size_t make_pairs(const double *a, const double *b, size_t count, struct pair *out)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++)
        if (a[i] != b[i])
            out[used++] = (struct pair){.size = fabs(a[i] - b[i]), .is_more = a[i] > b[i]};
    qsort(out, used, sizeof(*out), compare_pairs);
    for (size_t i = 0, end; i < used; i = end) {
        for (end = i + 1; end < used && out[end].size == out[i].size;)
            end++;
        for (size_t j = i; j < end; j++)
            out[j].rank = i + 1 + end; /* twice the mean of i + 1 to end */
    }
    return used;
}

/*
 * How many of the 2^count ways to choose signs make the sum of ranks at most @sum, as a part of
 * all.
 */
static double exact_part(const struct pair *pairs, size_t count, size_t sum)
{
    size_t most = 0, limit;

    for (size_t i = 0; i < count; i++)
        most += pairs[i].rank;
    limit = sum < most ? sum : most;
    double *ways = memory_new(limit + 1, sizeof(*ways)), part = 0;
    ways[0] = 1;
    for (size_t i = 0; i < count; i++)
        for (size_t s = limit + 1; s-- > 0;)
            ways[s] = (ways[s] + (s >= pairs[i].rank ? ways[s - pairs[i].rank] : 0)) / 2;
    for (size_t s = 0; s <= limit; s++)
        part += ways[s];
    memory_free(ways);
    return part;
}

/* The same of a normal distribution with the mean and the variance of these ranks. */
static double normal_part(const struct pair *pairs, size_t count, size_t sum)
{
    double mean = 0, variance = 0;

    for (size_t i = 0; i < count; i++) {
        mean += (double)pairs[i].rank / 2;
        variance += (double)pairs[i].rank * (double)pairs[i].rank / 4;
    }
    return 0.5 * erfc(-((double)sum + 1 - mean) / sqrt(2 * variance));
}

double sample_compare(const double *a, const double *b, size_t count)
{
    struct pair *pairs = memory_new(count + 1, sizeof(*pairs));
    size_t used = make_pairs(a, b, count, pairs), more = 0, less = 0;

    for (size_t i = 0; i < used; i++)
        *(pairs[i].is_more ? &more : &less) += pairs[i].rank;
    size_t sum = more < less ? more : less;
    double part = used == 0             ? 1
                  : used <= EXACT_PAIRS ? exact_part(pairs, used, sum)
                                        : normal_part(pairs, used, sum);
    memory_free(pairs);
    return fmin(1, 2 * part);
}

double sample_compare_times(const double *a, const double *b, size_t count)
{
    double *logs = memory_new(2 * count + 1, sizeof(*logs));

    for (size_t i = 0; i < count; i++) {
        logs[i] = log(fmax(a[i], 1e-9));
        logs[count + i] = log(fmax(b[i], 1e-9));
    }
    double probability = sample_compare(logs, logs + count, count);
    memory_free(logs);
    return probability;
}

void sample_correct(double *probabilities, size_t count)
{
    bool *is_done = memory_new(count + 1, sizeof(*is_done));
    double before = 0;

    for (size_t left = count; left > 0; left--) {
        size_t next = count;

        for (size_t i = 0; i < count; i++)
            if (!is_done[i] && (next == count || probabilities[i] < probabilities[next]))
                next = i;
        is_done[next] = true;
        before = fmax(before, fmin(1, probabilities[next] * (double)left));
        probabilities[next] = before;
    }
    memory_free(is_done);
}
