/* Remarks as messages: one for what stands at one place of the script. */
#include "base/diag.h"
#include "driver/remarks.h"

#include <string.h>

/* Items next to each other, of one function and one place. */
struct group {
    const struct remark_item *items;
    size_t count;
};

struct groups {
    struct group *items;
    size_t count, capacity; /* an array() */
};

static bool is_missed(const struct remark_item *item)
{
    for (unsigned i = 0; i < item->part_count; i++)
        if (remark_table[item->parts[i].remark.id].verdict == REMARK_MISSED)
            return true;
    return false;
}

static bool group_is_missed(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++)
        if (is_missed(&group->items[i]))
            return true;
    return false;
}

static bool same_place(const struct remark_item *a, const struct remark_item *b)
{
    return a->topic == REMARK_LP && a->topic == b->topic && a->function == b->function &&
           a->loc.source == b->loc.source && a->loc.begin == b->loc.begin;
}

static void gather(const struct remark_items *items, struct groups *out)
{
    for (size_t i = 0; i < items->count; i++) {
        struct group *last = out->count ? &array_last(out) : NULL;

        if (last && same_place(last->items, &items->items[i]))
            last->count++;
        else
            array_push(out, (struct group){&items->items[i], 1});
    }
}

/* ---- words ---- */

static void put_part(struct ir_context *context, const struct remark_part *part, struct text *out)
{
    text_printf(out, "%s ", remark_code(context, part->remark.id));
    if (part->role)
        text_printf(out, "no %s: ", part->role);
    remark_put(&part->remark, out);
}

static bool has_label(const struct group *group, struct location loc)
{
    return loc.source &&
           (loc.source != group->items->loc.source || loc.begin != group->items->loc.begin);
}

/* The same place is told of once. */
struct labels {
    const struct group *group;
    struct diag_message *message;
    struct location seen[8];
    unsigned count;
};

static void add_label(struct labels *labels, const struct remark_place *place)
{
    if (!place->text || !has_label(labels->group, place->loc) ||
        labels->count == ARRAY_SIZE(labels->seen))
        return;
    for (unsigned i = 0; i < labels->count; i++)
        if (labels->seen[i].begin == place->loc.begin)
            return;
    labels->seen[labels->count++] = place->loc;
    diag_label(labels->message, place->loc, "%s", place->text);
}

static void add_labels(const struct group *group, struct diag_message *message)
{
    struct labels labels = {.group = group, .message = message};

    for (size_t i = 0; i < group->count; i++)
        for (unsigned k = 0; k < group->items[i].part_count; k++) {
            add_label(&labels, &group->items[i].parts[k].remark.first);
            add_label(&labels, &group->items[i].parts[k].remark.second);
        }
}

static bool same_remark(const struct remark *a, const struct remark *b)
{
    return a->id == b->id && a->name == b->name && a->a == b->a && a->b == b->b;
}

/* Did an item before @i of the group say the same of the nest? */
static bool is_said(const struct group *group, size_t i, const struct remark *remark)
{
    if (!remark_is_of_nest(remark->id))
        return false;
    for (size_t k = 0; k < i; k++)
        for (unsigned n = 0; n < group->items[k].part_count; n++)
            if (same_remark(&group->items[k].parts[n].remark, remark))
                return true;
    return false;
}

/* Of one item: each part; of several: each item, with all of its parts. */
static void add_notes(struct ir_context *context, const struct group *group,
                      struct diag_message *message)
{
    for (size_t i = 0; i < group->count; i++) {
        const struct remark_item *item = &group->items[i];
        struct text text = {0};

        if (group->count > 1)
            text_printf(&text, "%*s`%s`: ", (int)(2 * (item->depth - group->items->depth)), "",
                        item->subject);
        for (unsigned k = group->count == 1; k < item->part_count; k++) { /* the first is said */
            if (is_said(group, i, &item->parts[k].remark))
                continue;
            if (text.length && k > 0)
                text_puts(&text, "; ");
            put_part(context, &item->parts[k], &text);
            if (group->count == 1) {
                diag_note(message, "%s", text_string(&text));
                text_clear(&text);
            }
        }
        if (group->count > 1)
            diag_note(message, "%s", text_string(&text));
        text_finish(&text);
    }
}

static struct diag_message *report(struct diag *diag, const struct group *group)
{
    const struct remark_item *item = group->items;
    bool is_name = strncmp(item->subject, "the ", 4) != 0;
    struct text text = {0}, subject = {0};
    struct diag_message *message;

    text_printf(&subject, is_name ? "`%s`" : "%s", item->subject);
    if (group->count == 1)
        remark_put(&item->parts[0].remark, &text);
    if (group->count > 1)
        message = diag_report(diag, item->loc, WHY_LOOPS, (unsigned)group->count, item->function);
    else if (item->topic == REMARK_LP)
        message = diag_report(diag, item->loc, WHY_LOOP, text_string(&subject), item->function,
                              text_string(&text));
    else if (item->topic == REMARK_FU)
        message = diag_report(diag, item->loc, WHY_FUSION, text_string(&subject), item->function,
                              text_string(&text));
    else
        message = diag_report(diag, item->loc, WHY_MEMORY, text_string(&subject), item->function,
                              text_string(&text));
    text_finish(&text);
    text_finish(&subject);
    return message;
}

/* A message of its own: an engine would sort them by place. */
static void put_group(struct ir_context *context, const struct group *group, bool has_color,
                      struct text *out)
{
    struct diag *diag = diag_create();
    struct diag_message *message = report(diag, group);

    add_labels(group, message);
    add_notes(context, group, message);
    diag_print(diag, DIAG_FORMAT_TEXT, has_color, out);
    diag_destroy(diag);
}

void remarks_put(struct ir_context *context, const struct remark_items *items,
                 const struct remark_choice *choice, struct text *out)
{
    struct groups groups = {0};
    size_t shown = 0, missed = 0;

    gather(items, &groups);
    size_t limit = choice->limit && choice->limit < groups.count ? choice->limit : groups.count;
    for (size_t i = 0; i < groups.count; i++)
        missed += group_is_missed(&groups.items[i]);
    size_t others = missed < limit ? limit - missed : 0; /* of those that miss nothing */
    for (size_t i = 0; i < groups.count && shown < limit; i++) {
        bool is_shown = group_is_missed(&groups.items[i]) || others > 0;

        others -= is_shown && !group_is_missed(&groups.items[i]);
        shown += is_shown;
        if (is_shown)
            put_group(context, &groups.items[i], choice->has_color, out);
    }
    if (shown < groups.count)
        text_printf(out, "%zu more remark%s: `--all` shows every one\n", groups.count - shown,
                    groups.count - shown == 1 ? "" : "s");
    array_finish(&groups);
}
