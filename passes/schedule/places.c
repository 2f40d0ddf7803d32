/*
 * Places in the script for what schedules make: messages, remarks and debuggers lead there.
 *
 * A statement without one has that of the first thing in it that has one; what only prepares (a panel, an accumulator)
 * that of what follows it, or of what it follows, or stands in.  The places of products are given while they are built.
 */
#include "passes/schedule/schedule.h"

struct location sch_place(const struct schedule *s, struct location own)
{
    return own.source ? own : s->place;
}

/* From inside out. */
static void take_from_children(struct tir_stmt *stmt)
{
    struct tir_stmt *child;

    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++) {
        take_from_children(child);
        if (!stmt->loc.source)
            stmt->loc = child->loc;
    }
}

/* The place of the first of the children of @stmt from @i on that has one, or none; *@out_end: what is behind that. */
static struct location next_place(const struct tir_stmt *stmt, unsigned i, unsigned *out_end)
{
    const struct tir_stmt *child;

    for (; (child = tir_stmt_child(stmt, i)); i++)
        if (child->loc.source)
            break;
    *out_end = i + 1;
    return child ? child->loc : (struct location){0};
}

/* From outside in; @place is for what has none. */
static void give_to_children(struct tir_stmt *stmt, struct location place)
{
    struct tir_stmt *child;
    struct location next = {0};
    unsigned end = 0; /* of the children that `next` is for: each is looked at once */

    if (!stmt->loc.source)
        stmt->loc = place;
    place = stmt->loc;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++) {
        if (i >= end)
            next = next_place(stmt, i, &end);
        if (!child->loc.source)
            child->loc = next.source ? next : place;
        give_to_children(child, place);
        place = child->loc;
    }
}

void schedule_places(struct schedule *s, struct tir_stmt *body)
{
    take_from_children(body);
    give_to_children(body, s->func->loc);
}
