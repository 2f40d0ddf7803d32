/* Sums over in-place decisions; see totals.h. */
#include "driver/totals.h"

#include "driver/explain.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_OF_SYMBOL = 1024 };

/* ---- sizes ---- */

void sizes_init(struct sizes *sizes, struct ir_context *context,
                const struct driver_options *options)
{
    *sizes = (struct sizes){.context = context, .options = options};
}

void sizes_finish(struct sizes *sizes)
{
    array_finish(&sizes->known);
    array_finish(&sizes->symbols);
}

/* What stands for @var: its number, or the first symbol of its name. */
static const struct ir_expr *stand_in(struct sizes *sizes, const struct ir_var *var)
{
    for (size_t i = 0; i < sizes->options->dims.count; i++)
        if (strcmp(sizes->options->dims.items[i].name, var->name) == 0)
            return ir_expr_int(sizes->context, var->dtype, sizes->options->dims.items[i].value);
    for (size_t i = 0; i < sizes->symbols.count; i++)
        if (sizes->symbols.items[i]->name == var->name &&
            ir_dtype_equal(sizes->symbols.items[i]->dtype, var->dtype))
            return ir_expr_var(sizes->context, sizes->symbols.items[i]);
    array_push(&sizes->symbols, var);
    return ir_expr_var(sizes->context, var);
}

static bool note_symbol(void *state, const struct ir_expr *a)
{
    struct sizes *sizes = state;

    if (a->kind == IR_EXPR_var && !ir_bindings_find(&sizes->known, a->var))
        array_push(&sizes->known,
                   (struct ir_binding){.var = a->var, .value = stand_in(sizes, a->var)});
    return true;
}

const struct ir_expr *sizes_apply(struct sizes *sizes, const struct ir_expr *expr)
{
    (void)ir_expr_walk(expr, note_symbol, sizes);
    const struct ir_expr *size = ir_expr_substitute(sizes->context, expr, &sizes->known);

    return size == expr ? size : ir_simplify(sizes->context, size);
}

/* NULL: not known. */
static const struct ir_expr *size_of(struct sizes *sizes, const struct inplace_decision *decision)
{
    return decision->bytes ? sizes_apply(sizes, decision->bytes) : NULL;
}

/* ---- sums ---- */

static int64_t add_saturating(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static const struct ir_expr *combine(struct sizes *sizes, enum ir_expr_kind kind,
                                     const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_simplify(sizes->context, ir_expr_binary(sizes->context, kind, a, b));
}

static void add_open(struct sizes *sizes, struct byte_sum *sum, const struct ir_expr *open)
{
    sum->open = sum->open ? combine(sizes, IR_EXPR_add, sum->open, open) : open;
}

void byte_sum_add(struct sizes *sizes, struct byte_sum *sum,
                  const struct inplace_decision *decision)
{
    const struct ir_expr *size = size_of(sizes, decision);
    int64_t number;

    if (!size)
        sum->unknown++;
    else if (ir_expr_constant(sizes->context, size, &number))
        sum->known = add_saturating(sum->known, number);
    else
        add_open(sizes, sum, size);
}

void byte_sum_add_sum(struct sizes *sizes, struct byte_sum *sum, const struct byte_sum *other)
{
    sum->known = add_saturating(sum->known, other->known);
    sum->unknown += other->unknown;
    if (other->open)
        add_open(sizes, sum, other->open);
}

struct byte_sum byte_sum_minus(struct sizes *sizes, const struct byte_sum *a,
                               const struct byte_sum *b)
{
    struct byte_sum out = {.known = a->known - b->known, .open = a->open};
    int64_t number;

    if (b->open) {
        const struct ir_expr *from =
            a->open ? a->open : ir_expr_int(sizes->context, b->open->dtype, 0);

        out.open = combine(sizes, IR_EXPR_sub, from, b->open);
    }
    if (out.open && ir_expr_constant(sizes->context, out.open, &number)) {
        out.known = add_saturating(out.known, number);
        out.open = NULL;
    }
    return out;
}

int64_t byte_sum_rank(struct sizes *sizes, const struct byte_sum *sum)
{
    struct ir_bindings large = {0};
    int64_t number = 0;

    for (size_t i = 0; sum->open && i < sizes->symbols.count; i++)
        array_push(&large, (struct ir_binding){.var = sizes->symbols.items[i],
                                               .value = ir_expr_int(sizes->context,
                                                                    sizes->symbols.items[i]->dtype,
                                                                    RANK_OF_SYMBOL)});
    if (sum->open &&
        !ir_expr_constant(sizes->context, ir_expr_substitute(sizes->context, sum->open, &large),
                          &number))
        number = 0;
    array_finish(&large);
    return add_saturating(sum->known, number);
}

void byte_sum_put(struct sizes *sizes, const struct byte_sum *sum, struct text *out)
{
    bool is_any = sum->open != NULL;

    if (sum->open)
        ir_expr_print(sum->known
                          ? combine(sizes, IR_EXPR_add, sum->open,
                                    ir_expr_int(sizes->context, sum->open->dtype, sum->known))
                          : sum->open,
                      out);
    else if (sum->known || !sum->unknown) {
        text_printf(out, "%" PRId64, sum->known);
        is_any = true;
    }
    if (sum->unknown)
        text_puts(out, is_any ? " + ?" : "?");
}

void byte_sum_put_json(struct sizes *sizes, const struct byte_sum *sum, struct text *out)
{
    struct text text = {0};

    byte_sum_put(sizes, sum, &text);
    if (sum->open || sum->unknown)
        text_put_json(out, text_string(&text), text.length);
    else
        text_puts(out, text_string(&text));
    text_finish(&text);
}

/* ---- totals ---- */

bool totals_is_saved(const struct inplace_decision *decision)
{
    switch (decision->verdict) {
    case INPLACE_DONE:
        return !decision->is_destination;
    case INPLACE_VIEW:
        return true;
    case INPLACE_ELIDED: /* (a call that is gone has no bytes to save) */
        return decision->evidence != EVIDENCE_FUSED && decision->evidence != EVIDENCE_REMOVED;
    default:
        return false;
    }
}

bool totals_is_missed(const struct inplace_decision *decision)
{
    return decision->verdict == INPLACE_COPY || decision->verdict == INPLACE_FRESH;
}

static struct totals_reason *reason_of(struct totals *totals, enum inplace_code code)
{
    for (size_t i = 0; i < totals->reasons.count; i++)
        if (totals->reasons.items[i].code == code)
            return &totals->reasons.items[i];
    array_push(&totals->reasons, (struct totals_reason){.code = code});
    return &array_last(&totals->reasons);
}

static void add(struct totals *totals, struct sizes *sizes, const struct inplace_decision *decision)
{
    totals->counts[decision->verdict]++;
    if (totals_is_saved(decision))
        byte_sum_add(sizes, &totals->saved, decision);
    if (decision->verdict == INPLACE_DONE) {
        totals->found += decision->is_found;
        totals->asked += !decision->is_found;
    }
    if (!totals_is_missed(decision))
        return;
    struct totals_reason *reason = reason_of(totals, decision->code);

    totals->missed++;
    byte_sum_add(sizes, decision->verdict == INPLACE_COPY ? &totals->copied : &totals->fresh,
                 decision);
    reason->count++;
    byte_sum_add(sizes, &reason->bytes, decision);
}

/* Most bytes first, else by code. */
static void sort_reasons(struct totals *totals, struct sizes *sizes)
{
    for (size_t i = 1; i < totals->reasons.count; i++)
        for (size_t k = i; k > 0; k--) { /* a handful */
            struct totals_reason *a = &totals->reasons.items[k - 1], *b = a + 1, kept = *a;
            int64_t x = byte_sum_rank(sizes, &a->bytes), y = byte_sum_rank(sizes, &b->bytes);

            if (x > y || (x == y && a->code <= b->code))
                break;
            *a = *b;
            *b = kept;
        }
}

void totals_make(struct totals *totals, struct sizes *sizes,
                 const struct inplace_decisions *decisions, const char *value)
{
    *totals = (struct totals){0};
    for (size_t i = 0; i < decisions->count; i++)
        if (explain_is_about(&decisions->items[i], value))
            add(totals, sizes, &decisions->items[i]);
    sort_reasons(totals, sizes);
}

void totals_finish(struct totals *totals)
{
    array_finish(&totals->reasons);
}

struct byte_sum totals_missed(const struct totals *totals, struct sizes *sizes)
{
    struct byte_sum sum = totals->copied;

    byte_sum_add_sum(sizes, &sum, &totals->fresh);
    return sum;
}

/* ---- text ---- */

static void put_counts(const struct totals *totals, struct text *out)
{
    bool is_any = false;

    for (unsigned i = 0; i < INPLACE_VERDICT_COUNT; i++) {
        if (totals->counts[i])
            text_printf(out, "%s%s: %u", is_any ? ", " : "",
                        inplace_verdict_name((enum inplace_verdict)i), totals->counts[i]);
        is_any |= totals->counts[i] != 0;
    }
    text_putc(out, '\n');
}

static void put_sum(struct sizes *sizes, const char *name, const struct byte_sum *sum,
                    struct text *out)
{
    text_puts(out, name);
    byte_sum_put(sizes, sum, out);
    text_puts(out, " bytes");
}

static bool totals_is_nothing(const struct totals *totals)
{
    for (unsigned i = 0; i < INPLACE_VERDICT_COUNT; i++)
        if (totals->counts[i])
            return false;
    return true;
}

void totals_put(const struct totals *totals, struct sizes *sizes, struct text *out)
{
    struct byte_sum missed = totals_missed(totals, sizes);

    if (totals_is_nothing(totals)) {
        text_puts(out,
                  "no call could run in place: none has an operand of the type of its result\n");
        return;
    }
    put_counts(totals, out);
    put_sum(sizes, "saved: ", &totals->saved, out);
    put_sum(sizes, ", missed: ", &missed, out);
    text_putc(out, '\n');
    for (size_t i = 0; i < totals->reasons.count; i++) {
        const struct totals_reason *reason = &totals->reasons.items[i];

        text_printf(out, "missed by IP%03d, %s: %u, ", (int)reason->code,
                    inplace_code_text(reason->code), reason->count);
        put_sum(sizes, "", &reason->bytes, out);
        text_putc(out, '\n');
    }
}

/* ---- JSON ---- */

static void put_key(struct sizes *sizes, const char *key, const struct byte_sum *sum,
                    struct text *out)
{
    text_printf(out, "\"%s\": ", key);
    byte_sum_put_json(sizes, sum, out);
    text_puts(out, ", ");
}

void totals_put_json(const struct totals *totals, struct sizes *sizes, struct text *out)
{
    struct byte_sum missed = totals_missed(totals, sizes);

    text_puts(out, "\"verdicts\": {");
    for (unsigned i = 0; i < INPLACE_VERDICT_COUNT; i++)
        text_printf(out, "%s\"%s\": %u", i ? ", " : "",
                    inplace_verdict_name((enum inplace_verdict)i), totals->counts[i]);
    text_printf(out, "}, \"asked\": %u, \"found\": %u, \"missed\": %u, ", totals->asked,
                totals->found, totals->missed);
    put_key(sizes, "saved_bytes", &totals->saved, out);
    put_key(sizes, "missed_bytes", &missed, out);
    put_key(sizes, "copied_bytes", &totals->copied, out);
    text_puts(out, "\"reasons\": [");
    for (size_t i = 0; i < totals->reasons.count; i++) {
        const struct totals_reason *reason = &totals->reasons.items[i];

        text_printf(out, "%s{\"code\": \"IP%03d\", \"count\": %u, \"bytes\": ", i ? ", " : "",
                    (int)reason->code, reason->count);
        byte_sum_put_json(sizes, &reason->bytes, out);
        text_putc(out, '}');
    }
    text_putc(out, ']');
}
