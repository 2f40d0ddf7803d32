/* The accesses through two parameters against each other, in the order in which they run. */
#include "analysis/access/share.h"

#include "analysis/access/loop.h"

enum {
    PAIR_LIMIT = 4096,   /* of a write and a read; beyond, nothing is known */
    QUESTION_LIMIT = 500 /* to integer sets */
};

struct sharing {
    const struct access_list *list;
    struct access_relation *relation;
    int written, read;
    array(const struct access *) writes, reads; /* through the one and the other */
    struct access_share result;
    /* The loop that reads after writes are carried by. */
    const struct tir_stmt *carrier;
    bool is_hopeless; /* there is no one serial loop that carries them all */
};

static bool has_order(const struct tir_stmt *loop)
{
    return loop->kind == TIR_WHILE || loop->loop.kind == TIR_SERIAL ||
           loop->loop.kind == TIR_UNROLLED;
}

/*
 * In which iterations of loop number @level, seen from a write, a read comes too late.  Lanes of
 * a vector do one statement after the other, or else run one after the other: a read in front of
 * the write in the text is in time in the same lane and in earlier ones, if no loop inside mixes
 * the two.
 */
static enum access_order too_late(const struct access *write, const struct access *read,
                                  const struct tir_stmt *loop, unsigned level)
{
    bool is_in_time = loop->kind == TIR_FOR && loop->loop.kind == TIR_VECTORIZED && read < write &&
                      access_common_loops(write, read) == level + 1;

    return has_order(loop) || is_in_time ? ACCESS_LATER : ACCESS_OTHER_TIME;
}

static const struct tir_stmt *loop_at(const struct access *a, unsigned level)
{
    return access_loop_at(a->frame, level)->stmt;
}

/* @answer to whether @read is too late: lanes that do statements together may be in time where
 * others, one by one, are not, so that only what is too late for both is certain. */
static enum access_answer asked_of_lanes(struct sharing *s, const struct access *write,
                                         const struct access *read, const struct tir_stmt *loop,
                                         unsigned level, enum access_answer answer)
{
    if (answer != ACCESS_SOMETIMES || loop->kind != TIR_FOR || loop->loop.kind != TIR_VECTORIZED)
        return answer;
    return access_may_meet(s->relation, write, read, level, ACCESS_LATER) == ACCESS_SOMETIMES
               ? ACCESS_SOMETIMES
               : ACCESS_UNKNOWN;
}

static bool is_deeper(const struct access *a, unsigned level)
{
    return a->frame && a->frame->depth > level;
}

/* ---- reads after writes ---- */

static void note_hazard(struct sharing *s, const struct access *write, const struct access *read,
                        const struct tir_stmt *loop, enum access_answer answer)
{
    bool is_first = !s->result.write;
    bool is_worse = answer == ACCESS_SOMETIMES && s->result.kind != ACCESS_SHARE_NONE;

    s->is_hopeless |= !loop || !has_order(loop) || (!is_first && loop != s->carrier);
    s->carrier = loop;
    if (!is_first && !is_worse)
        return;
    s->result = (struct access_share){
        .kind = answer == ACCESS_SOMETIMES ? ACCESS_SHARE_NONE : ACCESS_SHARE_UNKNOWN,
        .is_certain = answer == ACCESS_SOMETIMES,
        .loop = loop,
        .write = write,
        .read = read,
    };
}

/* Notes where @read follows @write of its element. */
static void look_for_hazards(struct sharing *s, const struct access *write,
                             const struct access *read)
{
    unsigned common = access_common_loops(write, read);

    if (s->is_hopeless && s->result.is_certain)
        return; /* it does not get worse */
    for (unsigned level = 0; level < common; level++) {
        const struct tir_stmt *loop = loop_at(read, level);
        enum access_answer answer =
            access_may_meet(s->relation, write, read, level, too_late(write, read, loop, level));

        answer = asked_of_lanes(s, write, read, loop, level, answer);
        if (answer != ACCESS_NEVER)
            note_hazard(s, write, read, loop, answer);
    }
    if (write > read)
        return;
    enum access_answer answer = access_may_meet(s->relation, write, read, common, ACCESS_ANY_TIME);
    if (answer != ACCESS_NEVER)
        note_hazard(s, write, read, NULL, answer);
}

/* ---- reads before writes ---- */

static void note_class(struct sharing *s, enum access_share_kind kind, const struct tir_stmt *loop,
                       const struct access *write, const struct access *read)
{
    if (s->result.kind < kind || !s->result.write)
        s->result = (struct access_share){.kind = kind, .loop = loop, .write = write, .read = read};
}

/* Notes how @write and @read, which is never after it, meet. */
static void classify(struct sharing *s, const struct access *write, const struct access *read)
{
    unsigned common = access_common_loops(write, read);

    for (unsigned level = 0; level < common; level++)
        if (too_late(write, read, loop_at(read, level), level) == ACCESS_LATER &&
            access_may_meet(s->relation, write, read, level, ACCESS_EARLIER) != ACCESS_NEVER)
            note_class(s, ACCESS_SHARE_MONOTONE, loop_at(read, level), write, read);
    if (access_may_meet(s->relation, write, read, common, ACCESS_ANY_TIME) == ACCESS_NEVER)
        return;
    bool is_row = is_deeper(write, common) || is_deeper(read, common);
    note_class(s, is_row ? ACCESS_SHARE_ROW_LOCAL : ACCESS_SHARE_SAME_ELEMENT,
               is_row && common > 0 ? loop_at(read, common - 1) : NULL, write, read);
}

/* ---- all pairs ---- */

typedef void pair_fn(struct sharing *s, const struct access *write, const struct access *read);

static void for_each_pair(struct sharing *s, pair_fn *visit)
{
    for (size_t i = 0; i < s->writes.count; i++)
        for (size_t k = 0; k < s->reads.count; k++)
            visit(s, s->writes.items[i], s->reads.items[k]);
}

/* Does the kernel do with the two only what accesses say, and through `read` nothing but read? */
static bool is_plain(struct sharing *s)
{
    for (size_t i = 0; i < s->list->count; i++) {
        const struct access *access = &s->list->items[i];
        bool is_written = access->param == s->written, is_own = access->param == s->read;

        if (access->effect == ACCESS_STRANGE ||
            (access->kind == ACCESS_EXPOSE && (is_written || is_own)) ||
            (access->kind == ACCESS_WRITE && is_own)) {
            s->result.read = access;
            return false;
        }
        if (access->kind == ACCESS_WRITE && is_written)
            array_push(&s->writes, access);
        if (access->kind == ACCESS_READ && is_own)
            array_push(&s->reads, access);
    }
    return s->writes.count * s->reads.count <= PAIR_LIMIT;
}

/* Would the kernel be right if the carrier ran backwards, and may it? */
static bool is_right_backwards(struct sharing *s)
{
    if (s->is_hopeless || !s->carrier || s->carrier->kind != TIR_FOR ||
        !loop_is_independent(s->list->func, s->carrier, NULL))
        return false;
    for (size_t i = 0; i < s->writes.count; i++)
        for (size_t k = 0; k < s->reads.count; k++) {
            const struct access *write = s->writes.items[i], *read = s->reads.items[k];
            unsigned common = access_common_loops(write, read);

            for (unsigned level = 0; level < common; level++)
                if (loop_at(read, level) == s->carrier &&
                    access_may_meet(s->relation, write, read, level, ACCESS_EARLIER) !=
                        ACCESS_NEVER)
                    return false;
        }
    return true;
}

static void judge(struct sharing *s)
{
    for_each_pair(s, look_for_hazards);
    if (!s->result.write) {
        s->result.kind = ACCESS_SHARE_SAME_ELEMENT;
        for_each_pair(s, classify);
    } else if (is_right_backwards(s)) {
        s->result.kind = ACCESS_SHARE_MONOTONE;
        s->result.loop = s->carrier;
        s->result.is_backward = true;
    }
}

struct access_share access_may_share_shifted(struct access_cache *cache,
                                             const struct tir_func *func, unsigned written,
                                             unsigned read, int64_t shift)
{
    struct sharing s = {
        .list = access_of(cache, func),
        .written = (int)written,
        .read = (int)read,
        .result = {.kind = ACCESS_SHARE_UNKNOWN},
    };

    if (written == read) {
        s.result.kind = ACCESS_SHARE_UPDATE;
    } else if (is_plain(&s)) {
        s.relation = access_relation_new(cache, s.list, s.list, NULL);
        access_relation_shift(s.relation, written, read, shift);
        access_relation_limit(s.relation, QUESTION_LIMIT);
        if (s.writes.count * s.reads.count == 0)
            s.result.kind = ACCESS_SHARE_UPDATE;
        else
            judge(&s);
        access_relation_free(s.relation);
    }
    array_finish(&s.writes);
    array_finish(&s.reads);
    return s.result;
}

struct access_share access_may_share(struct access_cache *cache, const struct tir_func *func,
                                     unsigned written, unsigned read)
{
    return access_may_share_shifted(cache, func, written, read, 0);
}

bool access_share_is_legal(const struct access_share *share)
{
    return share->kind != ACCESS_SHARE_NONE && share->kind != ACCESS_SHARE_UNKNOWN &&
           !share->is_backward;
}
