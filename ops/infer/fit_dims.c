/* Dims that belong together, as the rows DIMS of ops/fits.def write them. */
#include "base/assert.h"
#include "ops/fits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 12 };

enum state { NOT_SEEN, SEEN, ABSENT };

/* What a word stands for, by the first operand that has it. */
struct binding {
    const char *word;
    size_t length;
    enum state state;
    const struct ir_expr *dim; /* NULL: not known */
    const char *operand;
    unsigned axis;
};

struct dims {
    const struct infer *in;
    struct binding bindings[WORDS];
    unsigned count;
    /* `*` */
    bool has_rest;
    unsigned rest_count, rest_axis;
    const struct ir_expr *const *rest; /* NULL: not known */
    const char *rest_operand;
};

/* One operand's dims: the words up to `;`. */
struct pattern {
    const char *name; /* of the operand */
    struct binding *words[WORDS];
    bool is_rest[WORDS], is_any[WORDS], is_optional[WORDS];
    int64_t numbers[WORDS]; /* 0: none is given */
    unsigned count;
};

static struct binding *binding_of(struct dims *d, const char *word, size_t length)
{
    for (unsigned i = 0; i < d->count; i++)
        if (d->bindings[i].length == length && memcmp(d->bindings[i].word, word, length) == 0)
            return &d->bindings[i];
    assert(d->count < WORDS);
    d->bindings[d->count] = (struct binding){.word = word, .length = length};
    return &d->bindings[d->count++];
}

/* Reads "name: word word? *" up to `;` or the end, from where it goes on; NULL at the end. */
static const char *read_pattern(struct dims *d, const char *at, struct pattern *out)
{
    size_t name = strcspn(at, ":");

    *out = (struct pattern){.name = arena_copy_text(&d->in->context->arena, at, name)};
    at += name + 1;
    for (at += strspn(at, " "); *at != '\0' && *at != ';'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ;");
        size_t word = strcspn(at, " ;?=");
        assert(out->count < WORDS);
        out->is_rest[out->count] = *at == '*';
        out->is_any[out->count] = *at == '.';
        if (*at != '*' && *at != '.')
            out->words[out->count] = binding_of(d, at, word);
        out->is_optional[out->count] = at[word] == '?';
        if (at[word] == '=')
            out->numbers[out->count] = strtoll(at + word + 1, NULL, 10);
        out->count++;
        at += length;
    }
    return *at == ';' ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* How many dims the pattern has at least, and at most. */
static void rank_of(const struct dims *d, const struct pattern *p, unsigned *out_low,
                    unsigned *out_high)
{
    *out_low = *out_high = 0;
    for (unsigned i = 0; i < p->count; i++) {
        bool is_known = p->is_rest[i] && d->has_rest;
        if (p->is_rest[i] || p->is_any[i]) {
            *out_low += is_known ? d->rest_count : 0;
            *out_high += is_known ? d->rest_count : IR_RANK_LIMIT;
        } else if (p->words[i]->state != ABSENT) {
            bool is_open = p->is_optional[i] && p->words[i]->state == NOT_SEEN;
            *out_low += !is_open;
            *out_high += 1;
        }
    }
}

/* "rank 2: batch, classes" */
static const char *rank_text(const struct dims *d, const struct pattern *p, unsigned low,
                             unsigned high)
{
    struct arena *arena = &d->in->context->arena;
    const char *text = high >= IR_RANK_LIMIT ? arena_printf(arena, "rank %u or more", low)
                       : low == high         ? arena_printf(arena, "rank %u", low)
                                             : arena_printf(arena, "rank %u or %u", low, high);
    const char *between = ": ";

    for (unsigned i = 0; i < p->count; i++) {
        bool is_word = !p->is_rest[i] && !p->is_any[i];
        if (is_word ? p->words[i]->state == ABSENT
                    : p->is_rest[i] && d->has_rest && d->rest_count == 0)
            continue;
        text = !is_word ? arena_printf(arena, "%s%s..", text, between)
                        : arena_printf(arena, "%s%s%.*s", text, between, (int)p->words[i]->length,
                                       p->words[i]->word);
        between = ", ";
    }
    return text;
}

static const char *dim_name(const struct dims *d, const char *operand, unsigned axis)
{
    return arena_printf(&d->in->context->arena, "dimension %u of `%s`", axis, operand);
}

/* Is dim @axis of operand @name what @first says, @wanted?  False after a report. */
static bool check_dim(const struct dims *d, const char *first, const struct ir_expr *wanted,
                      const char *name, unsigned axis, const struct ir_expr *dim)
{
    return !wanted || !dim ||
           op_check_same(d->in, wanted, first, dim, dim_name(d, name, axis), name);
}

/* Dim @axis of the operand is what word @i says; false after a report. */
static bool match_word(struct dims *d, const struct pattern *p, unsigned i, unsigned axis,
                       const struct ir_expr *dim)
{
    struct binding *word = p->words[i];

    if (p->numbers[i] &&
        !check_dim(d, arena_printf(&d->in->context->arena, "what dimension %u must be", axis),
                   op_int(d->in, p->numbers[i]), p->name, axis, dim))
        return false;
    if (word->state != SEEN || !word->dim) {
        word->state = SEEN;
        word->dim = dim;
        word->operand = p->name;
        word->axis = axis;
        return true;
    }
    return check_dim(d, dim_name(d, word->operand, word->axis), word->dim, p->name, axis, dim);
}

static bool match_rest(struct dims *d, const struct pattern *p, const struct ir_type *type,
                       unsigned axis, unsigned count)
{
    const struct ir_expr *const *dims = type->dims ? type->dims + axis : NULL;

    for (unsigned k = 0; d->has_rest && d->rest && dims && k < count; k++)
        if (!check_dim(d, dim_name(d, d->rest_operand, d->rest_axis + k), d->rest[k], p->name,
                       axis + k, dims[k]))
            return false;
    if (!d->has_rest || !d->rest) {
        d->has_rest = true;
        d->rest_count = count;
        d->rest_axis = axis;
        d->rest = dims;
        d->rest_operand = p->name;
    }
    return true;
}

static bool match_operand(struct dims *d, const struct pattern *p)
{
    const struct ir_type *type = fit_tensor(d->in, fit_operand(d->in->op->info, p->name));
    unsigned low, high, axis = 0;

    if (!type || type->ndim == IR_NDIM_UNKNOWN)
        return true;
    rank_of(d, p, &low, &high);
    unsigned rank = (unsigned)type->ndim;
    if (rank < low || rank > high) {
        diag_report(d->in->diag, op_argument_place(d->in, p->name), OP_RANK, d->in->op->info->name,
                    p->name, rank_text(d, p, low, high), op_shape_text(d->in, type));
        return false;
    }
    unsigned spare = rank - low;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->is_any[i]) {
            axis += spare;
            spare = 0;
            continue;
        }
        if (p->is_rest[i]) {
            unsigned count = d->has_rest ? d->rest_count : spare;
            if (!match_rest(d, p, type, axis, count))
                return false;
            axis += count;
            continue;
        }
        if (p->is_optional[i] && p->words[i]->state == NOT_SEEN && spare == 0)
            p->words[i]->state = ABSENT;
        else if (p->is_optional[i] && p->words[i]->state == NOT_SEEN)
            spare--;
        if (p->words[i]->state == ABSENT)
            continue;
        if (!match_word(d, p, i, axis, type->dims ? type->dims[axis] : NULL))
            return false;
        axis++;
    }
    return true;
}

bool fit_dims(const struct infer *in, const char *text)
{
    struct dims d = {.in = in};
    struct pattern p;

    while (text) {
        text = read_pattern(&d, text, &p);
        if (!match_operand(&d, &p))
            return false;
    }
    return true;
}
