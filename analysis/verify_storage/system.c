/* Linear inequalities; see system.h. */
#include "analysis/verify_storage/system.h"

#include <string.h>

enum { ROW_LIMIT = 400 };

static const int64_t NUMBER_LIMIT = INT64_C(1) << 40;

bool vs_row_add(struct vs_row *a, const struct vs_row *b, int64_t factor)
{
    int64_t product;
    bool is_fine = !__builtin_mul_overflow(b->constant, factor, &product) &&
                   !__builtin_add_overflow(a->constant, product, &a->constant);

    for (unsigned i = 0; i < VS_VAR_LIMIT && is_fine; i++)
        is_fine = !__builtin_mul_overflow(b->factors[i], factor, &product) &&
                  !__builtin_add_overflow(a->factors[i], product, &a->factors[i]) &&
                  a->factors[i] < NUMBER_LIMIT && a->factors[i] > -NUMBER_LIMIT;
    return is_fine;
}

bool vs_row_is_constant(const struct vs_row *row)
{
    for (unsigned i = 0; i < VS_VAR_LIMIT; i++)
        if (row->factors[i])
            return false;
    return true;
}

void vs_system_copy(struct vs_system *to, const struct vs_system *from)
{
    *to = (struct vs_system){.is_lost = from->is_lost};
    for (size_t i = 0; i < from->rows.count; i++)
        array_push(&to->rows, from->rows.items[i]);
    for (size_t i = 0; i < from->equals.count; i++)
        array_push(&to->equals, from->equals.items[i]);
}

void vs_system_finish(struct vs_system *system)
{
    array_finish(&system->rows);
    array_finish(&system->equals);
}

/* ---- one row ---- */

static int64_t common_factor(const struct vs_row *row)
{
    int64_t common = 0;

    for (unsigned i = 0; i < VS_VAR_LIMIT; i++) {
        int64_t a = row->factors[i] < 0 ? -row->factors[i] : row->factors[i];

        while (a) {
            int64_t rest = common % a;

            common = a;
            a = rest;
        }
    }
    return common;
}

static void divide_factors(struct vs_row *row, int64_t by)
{
    for (unsigned i = 0; i < VS_VAR_LIMIT; i++)
        row->factors[i] /= by;
}

/* The same for integers, with the least factors; false if it cannot hold. */
static bool tighten(struct vs_row *row)
{
    int64_t common = common_factor(row);

    if (common == 0)
        return row->constant >= 0;
    divide_factors(row, common);
    row->constant = row->constant / common - (row->constant % common < 0);
    return true;
}

/* ---- equations ---- */

/* A variable with factor 1 or -1; the limit if there is none. */
static unsigned unit_of(const struct vs_row *row)
{
    unsigned i = 0;

    while (i < VS_VAR_LIMIT && row->factors[i] != 1 && row->factors[i] != -1)
        i++;
    return i;
}

/* Takes @var out of @row, by @equal = 0, in which its factor is 1 or -1. */
static void replace(struct vs_system *s, struct vs_row *row, const struct vs_row *equal,
                    unsigned var)
{
    int64_t factor = row->factors[var];

    if (factor && !vs_row_add(row, equal, -factor * equal->factors[var]))
        s->is_lost = true;
}

static void push_both(struct vs_system *s, const struct vs_row *equal)
{
    struct vs_row negative = {.constant = 0};

    s->is_lost |= !vs_row_add(&negative, equal, -1);
    array_push(&s->rows, *equal);
    array_push(&s->rows, negative);
}

/* Uses up the equations; false if one cannot hold. */
static bool use_equations(struct vs_system *s)
{
    while (s->equals.count > 0 && !s->is_lost) {
        struct vs_row equal = array_pop(&s->equals);
        int64_t common = common_factor(&equal);

        if (common == 0 && equal.constant != 0)
            return false;
        if (common == 0)
            continue;
        if (equal.constant % common != 0)
            return false;
        divide_factors(&equal, common);
        equal.constant /= common;
        unsigned var = unit_of(&equal);

        if (var == VS_VAR_LIMIT) {
            push_both(s, &equal);
            continue;
        }
        for (size_t i = 0; i < s->equals.count; i++)
            replace(s, &s->equals.items[i], &equal, var);
        for (size_t i = 0; i < s->rows.count; i++)
            replace(s, &s->rows.items[i], &equal, var);
    }
    return true;
}

/* ---- inequalities ---- */

/* Tightens all and keeps one of those with the same factors; false if one cannot hold. */
static bool reduce(struct vs_system *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->rows.count; i++) {
        struct vs_row row = s->rows.items[i];
        size_t k = 0;

        if (!tighten(&row))
            return false;
        if (vs_row_is_constant(&row))
            continue;
        while (k < kept && memcmp(s->rows.items[k].factors, row.factors, sizeof(row.factors)) != 0)
            k++;
        if (k == kept)
            s->rows.items[kept++] = row;
        else if (row.constant < s->rows.items[k].constant)
            s->rows.items[k] = row;
    }
    s->rows.count = kept;
    return true;
}

/*
 * What it costs to eliminate @var: rows; and most of all where fractions between integers would count
 * as solutions, which they do not if on one side all factors are 1.  -1: nothing has it.
 */
static int64_t cost_of(const struct vs_system *s, unsigned var)
{
    int64_t above = 0, below = 0, largest_above = 0, largest_below = 0;

    for (size_t i = 0; i < s->rows.count; i++) {
        int64_t factor = s->rows.items[i].factors[var];

        above += factor > 0;
        below += factor < 0;
        largest_above = factor > largest_above ? factor : largest_above;
        largest_below = -factor > largest_below ? -factor : largest_below;
    }
    if (above + below == 0)
        return -1;
    return above * below + (largest_above > 1 && largest_below > 1 ? ROW_LIMIT * ROW_LIMIT : 0);
}

/* The variable that costs least; the limit if there is none left. */
static unsigned next_var(const struct vs_system *s)
{
    unsigned best = VS_VAR_LIMIT;
    int64_t least = INT64_MAX;

    for (unsigned var = 0; var < VS_VAR_LIMIT; var++) {
        int64_t cost = cost_of(s, var);

        if (cost >= 0 && cost < least) {
            least = cost;
            best = var;
        }
    }
    return best;
}

static void combine(struct vs_system *s, const struct vs_row *above, const struct vs_row *below,
                    unsigned var)
{
    struct vs_row row = {.constant = 0};

    if (vs_row_add(&row, above, -below->factors[var]) &&
        vs_row_add(&row, below, above->factors[var]))
        array_push(&s->rows, row);
    else
        s->is_lost = true;
}

static void eliminate(struct vs_system *s, unsigned var)
{
    struct vs_system old = *s;

    s->rows.items = NULL;
    s->rows.count = s->rows.capacity = 0;
    for (size_t i = 0; i < old.rows.count; i++)
        if (old.rows.items[i].factors[var] == 0)
            array_push(&s->rows, old.rows.items[i]);
    for (size_t i = 0; i < old.rows.count; i++)
        for (size_t k = 0; old.rows.items[i].factors[var] > 0 && k < old.rows.count; k++)
            if (old.rows.items[k].factors[var] < 0)
                combine(s, &old.rows.items[i], &old.rows.items[k], var);
    array_finish(&old.rows);
}

bool vs_system_is_empty(struct vs_system *s)
{
    if (!use_equations(s))
        return !s->is_lost;
    while (!s->is_lost && s->rows.count <= ROW_LIMIT) {
        if (!reduce(s))
            return true;
        unsigned var = next_var(s);

        if (var == VS_VAR_LIMIT)
            return false;
        eliminate(s, var);
    }
    return false;
}
