/* In-place decisions as remarks and as JSON; see explain.h. */
#include "driver/explain.h"

#include "base/map.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool explain_is_named(const char *name, const char *value)
{
    size_t length = strlen(value);
    return name && strncmp(name, value, length) == 0 && (name[length] == 0 || name[length] == '[');
}

bool explain_is_about(const struct inplace_decision *decision, const char *value)
{
    return !value || explain_is_named(decision->value, value) ||
           explain_is_named(decision->result, value);
}

/* ---- remarks ---- */

static struct diag_message *
report_verdict(struct diag *diag, const struct inplace_decision *decision, const char *reason)
{
    struct location loc = decision->call_loc;
    if (decision->is_found && decision->verdict == INPLACE_DONE)
        return diag_report(diag, loc, WHY_FOUND, decision->result, decision->value, reason);
    if (decision->is_view && decision->verdict == INPLACE_VIEW)
        return diag_report(diag, loc, WHY_VIEW, decision->result, decision->value, reason);
    if (decision->is_found && decision->verdict == INPLACE_FRESH)
        return diag_report(diag, loc, WHY_MISSED, decision->result, reason);
    if (decision->verdict == INPLACE_FRESH)
        return diag_report(diag, loc, WHY_FRESH, decision->value, reason);
    switch (decision->verdict) {
    case INPLACE_DONE:
        return diag_report(diag, loc, WHY_INPLACE, decision->value, reason);
    case INPLACE_COPY:
        return diag_report(diag, loc, WHY_COPY, decision->value, reason);
    default:
        return diag_report(diag, loc, WHY_OTHER, decision->value,
                           inplace_verdict_name(decision->verdict), reason);
    }
}

void explain_details(struct diag_message *m, const struct inplace_decision *decision)
{
    struct arena arena = {0};
    struct inplace_explanation words = inplace_explain(&arena, decision);

    if (decision->blocking_loc.source && decision->blocking_loc.begin != decision->call_loc.begin)
        diag_label(m, decision->blocking_loc, "%s", words.blocking_text);
    if (decision->written_loc.source)
        diag_label(m, decision->written_loc, "written here");
    for (unsigned i = 0; i < decision->places.count; i++)
        if (decision->places.items[i].begin != decision->call_loc.begin)
            diag_label(m, decision->places.items[i], "part of the same kernel");
    if (decision->alias_loc.source)
        diag_label(m, decision->alias_loc, "%s", words.alias_text);
    if (decision->is_view)
        diag_note(m, "IP%03d in `%s`: output %d of argument %u, %s bytes", (int)decision->code,
                  decision->function, decision->output, decision->argument, words.bytes);
    else if (decision->output >= 0)
        diag_note(m, "IP%03d in `%s`: output %d in argument %u, %s bytes", (int)decision->code,
                  decision->function, decision->output, decision->argument, words.bytes);
    else
        diag_note(m, "IP%03d in `%s`: argument %u is given away, %s bytes", (int)decision->code,
                  decision->function, decision->argument, words.bytes);
    if (decision->others)
        diag_note(m, "also tried: %s", decision->others);
    if (words.help)
        diag_help(m, "%s", words.help);
    arena_finish(&arena);
}

/* ---- which remarks, in which order ---- */

/* Decisions that are told of as one: the first of them, and the lines of the others. */
struct group {
    const struct inplace_decision *first;
    size_t order, count;
    struct byte_sum bytes;
    bool is_missed;
    int64_t rank;
    struct text lines;
};

struct groups {
    struct group *items;
    size_t count, capacity; /* an array() */
};

enum { LINES_SHOWN = 8 };

/* What decisions of one kind have in common. */
static const char *key_of(struct sizes *sizes, const struct inplace_decision *decision)
{
    return atom_printf(&sizes->context->atoms, "%s %s %d %u %d %d %d %d", decision->function,
                       decision->callee ? decision->callee : "?", decision->output,
                       decision->argument, (int)decision->verdict, (int)decision->code,
                       (int)decision->evidence, decision->is_found);
}

static void add_to_group(struct sizes *sizes, struct group *group,
                         const struct inplace_decision *decision)
{
    if (group->count > 0 && group->count <= LINES_SHOWN)
        text_printf(&group->lines, "%s%u", group->count > 1 ? ", " : "",
                    location_line(decision->call_loc));
    group->count++;
    byte_sum_add(sizes, &group->bytes, decision);
}

static void gather(struct sizes *sizes, const struct inplace_decisions *decisions,
                   const struct explain_choice *choice, struct groups *out)
{
    struct map known = {0}; /* key -> its place, counted from 1 */

    for (size_t i = 0; i < decisions->count; i++) {
        const struct inplace_decision *decision = &decisions->items[i];

        if (!explain_is_about(decision, choice->value))
            continue;
        const char *key = choice->limit ? key_of(sizes, decision) : NULL;
        size_t place = key ? (uintptr_t)map_get(&known, key) : 0;

        if (place == 0) {
            place = out->count + 1;
            array_push(out, (struct group){.first = decision,
                                           .order = place,
                                           .is_missed = totals_is_missed(decision)});
            if (key)
                map_set(&known, key, (void *)(uintptr_t)place);
        }
        add_to_group(sizes, &out->items[place - 1], decision);
    }
    map_finish(&known);
}

static int compare_groups(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    if (x->is_missed != y->is_missed)
        return x->is_missed ? -1 : 1;
    if (x->is_missed && x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void sort_groups(struct sizes *sizes, struct groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        groups->items[i].rank = byte_sum_rank(sizes, &groups->items[i].bytes);
    if (groups->count > 1)
        qsort(groups->items, groups->count, sizeof(*groups->items), compare_groups);
}

/* ---- text ---- */

static void note_others(struct sizes *sizes, struct diag_message *message,
                        const struct group *group)
{
    size_t others = group->count - 1;
    const char *callee = group->first->callee ? group->first->callee : "?";
    struct text bytes = {0};

    byte_sum_put(sizes, &group->bytes, &bytes);
    if (others > LINES_SHOWN)
        diag_note(message,
                  "the same of %zu other calls of `%s`, on lines %s and more: %s bytes in all",
                  others, callee, text_string(&group->lines), text_string(&bytes));
    else
        diag_note(message, "the same of %zu other call%s of `%s`, on line%s %s: %s bytes in all",
                  others, others == 1 ? "" : "s", callee, others == 1 ? "" : "s",
                  text_string(&group->lines), text_string(&bytes));
    text_finish(&bytes);
}

/* A message of its own: an engine would sort them by place. */
static void put_group(struct sizes *sizes, const struct group *group, bool has_color,
                      struct text *out)
{
    struct diag *diag = diag_create();
    struct arena arena = {0};
    struct diag_message *message =
        report_verdict(diag, group->first, inplace_explain(&arena, group->first).reason);

    explain_details(message, group->first);
    if (group->count > 1)
        note_others(sizes, message, group);
    diag_print(diag, DIAG_FORMAT_TEXT, has_color, out);
    arena_finish(&arena);
    diag_destroy(diag);
}

static void put_hidden(struct sizes *sizes, const struct groups *groups, size_t from,
                       struct text *out)
{
    struct byte_sum missed = {0};
    size_t count = 0;

    for (size_t i = from; i < groups->count; i++) {
        count += groups->items[i].count;
        if (groups->items[i].is_missed)
            byte_sum_add_sum(sizes, &missed, &groups->items[i].bytes);
    }
    if (count == 0)
        return;
    text_printf(out, "%zu more decision%s, which miss%s ", count, count == 1 ? "" : "s",
                count == 1 ? "es" : "");
    byte_sum_put(sizes, &missed, out);
    text_puts(out, " bytes: `--all` shows every one\n");
}

size_t explain_put(struct sizes *sizes, const struct inplace_decisions *decisions,
                   const struct explain_choice *choice, struct text *out)
{
    struct groups groups = {0};
    size_t count = 0, shown;

    gather(sizes, decisions, choice, &groups);
    sort_groups(sizes, &groups);
    shown = choice->limit && choice->limit < groups.count ? choice->limit : groups.count;
    for (size_t i = 0; i < shown; i++)
        put_group(sizes, &groups.items[i], choice->has_color, out);
    put_hidden(sizes, &groups, shown, out);
    for (size_t i = 0; i < groups.count; i++) {
        count += groups.items[i].count;
        text_finish(&groups.items[i].lines);
    }
    array_finish(&groups);
    return count;
}

/* ---- JSON ---- */

static void put_text(struct text *out, const char *key, const char *value)
{
    text_printf(out, "\"%s\": ", key);
    if (value)
        text_put_json(out, value, strlen(value));
    else
        text_puts(out, "null");
    text_puts(out, ", ");
}

static void put_line(struct text *out, const char *key, struct location loc)
{
    if (loc.source)
        text_printf(out, "\"%s\": %u, ", key, location_line(loc));
    else
        text_printf(out, "\"%s\": null, ", key);
}

/* The lines of the calls that one was made of. */
static void put_lines(struct text *out, struct ir_places places)
{
    text_puts(out, "\"lines\": [");
    for (unsigned i = 0; i < places.count; i++)
        text_printf(out, "%s%u", i ? ", " : "", location_line(places.items[i]));
    text_puts(out, "], ");
}

/* Key and value: null where the size is not known. */
static void put_bytes(struct text *out, struct sizes *sizes, const char *key,
                      const struct inplace_decision *decision, bool is_any)
{
    struct byte_sum sum = {0};

    if (is_any)
        byte_sum_add(sizes, &sum, decision);
    text_printf(out, "\"%s\": ", key);
    if (sum.unknown)
        text_puts(out, "null");
    else
        byte_sum_put_json(sizes, &sum, out);
    text_puts(out, ", ");
}

static void put_decision(struct text *out, struct sizes *sizes,
                         const struct inplace_decision *decision)
{
    struct arena arena = {0};
    struct inplace_explanation words = inplace_explain(&arena, decision);
    put_text(out, "function", decision->function);
    put_line(out, "line", decision->call_loc);
    put_text(out, "call", decision->call);
    text_printf(out, "\"output\": %d, \"argument\": %u, ", decision->output, decision->argument);
    put_text(out, "value", decision->value);
    put_text(out, "result", decision->result);
    put_text(out, "verdict", inplace_verdict_name(decision->verdict));
    put_text(out, "code", arena_printf(&arena, "IP%03d", (int)decision->code));
    put_text(out, "reason", words.reason);
    put_bytes(out, sizes, "bytes", decision, true);
    put_bytes(out, sizes, "saved_bytes", decision, totals_is_saved(decision));
    put_bytes(out, sizes, "missed_bytes", decision, totals_is_missed(decision));
    put_lines(out, decision->places);
    put_line(out, "blocking_line", decision->blocking_loc);
    put_line(out, "alias_line", decision->alias_loc);
    put_text(out, "help", words.help);
    put_text(out, "also_tried", decision->others);
    text_printf(out, "\"asked\": %s, \"strict\": %s}", decision->is_found ? "false" : "true",
                decision->is_strict ? "true" : "false");
    arena_finish(&arena);
}

size_t explain_put_json(struct sizes *sizes, const struct inplace_decisions *decisions,
                        const char *value, struct text *out)
{
    size_t count = 0;
    text_putc(out, '[');
    for (size_t i = 0; i < decisions->count; i++) {
        if (!explain_is_about(&decisions->items[i], value))
            continue;
        text_puts(out, count++ ? ",\n {" : "\n {");
        put_decision(out, sizes, &decisions->items[i]);
    }
    text_puts(out, count ? "\n]\n" : "]\n");
    return count;
}
