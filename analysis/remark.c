/* See remark.h. */
#include "analysis/remark.h"

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"

#include <inttypes.h>
#include <string.h>

const struct remark_info remark_table[REMARK_COUNT] = {
#define REMARK(topic, number, id, verdict, text, help) \
    [REMARK_##topic##_##id] = {REMARK_##topic, number, REMARK_##verdict, text, help},
#include "analysis/remark.def"
};

const char *const remark_topics[] = {[REMARK_LP] = "LP", [REMARK_FU] = "FU", [REMARK_ME] = "ME"};
const char *const remark_options[] = {
    [REMARK_LP] = "loops", [REMARK_FU] = "fusion", [REMARK_ME] = "memory"};

/* ---- records ---- */

void remarks_finish(struct remarks *remarks)
{
    map_finish(&remarks->loops);
    map_finish(&remarks->by_text);
    map_finish(&remarks->kernels);
    array_finish(&remarks->items);
    arena_finish(&remarks->arena);
}

void remarks_looked(struct remarks *remarks, const char *pass)
{
    if (remarks)
        remarks->looker = pass;
}

void remark_add_part(struct remark_item *item, const char *role, const char *pass,
                     struct remark remark)
{
    assert(item->part_count < REMARK_PARTS);
    item->parts[item->part_count++] = (struct remark_part){role, pass, remark};
}

/* Copies of a loop keep its name and its place. */
static const void *key_of(const struct tir_stmt *loop)
{
    uint64_t hash = hash_mix(1, (uint64_t)(uintptr_t)loop->loop.var->name);

    hash = hash_mix(hash, (uint64_t)(uintptr_t)loop->loc.source);
    return hash_key(hash_mix(hash, loop->loc.begin));
}

struct remark_loop *remarks_of_loop(struct remarks *remarks, const struct tir_stmt *loop)
{
    if (!remarks)
        return NULL;
    struct remark_loop *record = map_get(&remarks->loops, loop->loop.var);
    if (record)
        return record;
    record = arena_new(&remarks->arena, struct remark_loop);
    /* a copy, of which the same holds until somebody says otherwise */
    const struct remark_loop *original = map_get(&remarks->by_text, key_of(loop));
    if (original)
        *record = (struct remark_loop){
            .pass = original->pass, .lanes = original->lanes, .threads = original->threads};
    else
        record->pass = remarks->looker;
    map_set(&remarks->loops, loop->loop.var, record);
    map_set(&remarks->by_text, key_of(loop), record);
    return record;
}

const struct remark_loop *remarks_find_loop(const struct remarks *remarks,
                                            const struct tir_stmt *loop)
{
    const struct remark_loop *record = map_get(&remarks->loops, loop->loop.var);

    return record ? record : map_get(&remarks->by_text, key_of(loop));
}

void remarks_of_kernel(struct remarks *remarks, const struct tir_func *kernel, struct remark remark)
{
    if (!remarks)
        return;
    struct remark *record = arena_new(&remarks->arena, struct remark);
    *record = remark;
    map_set(&remarks->kernels, kernel, record);
}

const struct remark *remarks_find_kernel(const struct remarks *remarks,
                                         const struct tir_func *kernel)
{
    return map_get(&remarks->kernels, kernel);
}

/* ---- what stands against another order ---- */

static struct remark_place place_of(const struct loop_access *access, bool is_other)
{
    static const char *const texts[2][2] = {{"read here", "read here in another iteration"},
                                            {"written here", "written here in another iteration"}};

    return (struct remark_place){access->loc, texts[access->is_write][is_other]};
}

/* s[i] = s[i] + e: both accesses are of one store, at one place. */
static bool is_reduction(const struct loop_obstacle *o)
{
    const struct tir_stmt *stmt = o->first.stmt;

    return stmt == o->second.stmt && stmt->kind == TIR_STORE && o->first.text == o->second.text &&
           o->first.is_write != o->second.is_write;
}

struct remark remark_of_obstacle(const struct loop_obstacle *o)
{
    struct remark remark = {.name = o->first.text, .first = place_of(&o->first, false)};

    switch (o->kind) {
    case LOOP_APART:
        return (struct remark){0};
    case LOOP_EFFECT:
        remark.first.text = "here";
        remark.id = REMARK_LP_EFFECT;
        return remark;
    case LOOP_ACCESSES:
        return (struct remark){.id = REMARK_LP_MANY_ACCESSES};
    case LOOP_BOUNDS:
        return (struct remark){.id = REMARK_LP_BOUNDS};
    case LOOP_MEETS:
    case LOOP_MAY_MEET:
        break;
    }
    remark.second = place_of(&o->second, true);
    remark.touches[0] = o->first.text;
    remark.touches[1] = o->second.text;
    remark.name = o->first.buffer->name;
    remark.other = o->second.buffer->name;
    if (o->first.buffer != o->second.buffer)
        remark.id = REMARK_LP_ONE_STORAGE;
    else if (is_reduction(o))
        remark.id = REMARK_LP_REDUCTION;
    else
        remark.id = o->kind == LOOP_MEETS ? REMARK_LP_DEPENDENCE : REMARK_LP_NOT_APART;
    return remark;
}

void remark_warn(struct diag *diag, const struct tir_stmt *loop, struct remark why)
{
    struct text text = {0};
    struct diag_message *message;
    const char *name = loop->loop.var->name;

    remark_put(&why, &text);
    if (loop->loop.kind == TIR_VECTORIZED)
        message = diag_report(diag, loop->loc, LOOP_VECTORIZED, name, text_string(&text));
    else
        message = diag_report(diag, loop->loc, LOOP_PARALLEL, name, text_string(&text));
    text_finish(&text);
    if (why.first.text && why.first.loc.source && why.first.loc.begin != loop->loc.begin)
        diag_label(message, why.first.loc, "%s", why.first.text);
    if (why.second.text && why.second.loc.source && why.second.loc.begin != why.first.loc.begin)
        diag_label(message, why.second.loc, "%s", why.second.text);
    if (why.touches[0])
        diag_note(message, "`%s` and, in another iteration, `%s`", why.touches[0], why.touches[1]);
    if (*remark_table[why.id].help)
        diag_help(message, "%s", remark_table[why.id].help);
}

const char *remark_statement(const struct tir_stmt *stmt)
{
    static const char *const names[] = {
        [TIR_SEQ] = "a sequence",        [TIR_FOR] = "a loop",
        [TIR_BLOCK] = "a block",         [TIR_STORE] = "a store",
        [TIR_LET] = "a T.let",           [TIR_ALLOC] = "an allocation",
        [TIR_DECL] = "a T.decl_buffer",  [TIR_IF] = "an `if`",
        [TIR_WHILE] = "a `while`",       [TIR_EVALUATE] = "a call",
        [TIR_ASSERT] = "an assertion",   [TIR_ATTR] = "a T.attr",
        [TIR_RETURN] = "a `return`",     [TIR_BREAK] = "a `break`",
        [TIR_CONTINUE] = "a `continue`", [TIR_LAUNCH_THREAD] = "a T.launch_thread",
    };

    return names[stmt->kind];
}

bool remark_is_of_nest(enum remark_id id)
{
    return id == REMARK_LP_SMALL || id == REMARK_LP_OUTER_TASKS;
}

/* ---- words ---- */

const char *remark_code(struct ir_context *context, enum remark_id id)
{
    return atom_printf(&context->atoms, "%s%03u", remark_topics[remark_table[id].topic],
                       remark_table[id].number);
}

static void put_slot(const struct remark *remark, const char *slot, size_t length, struct text *out)
{
    if (length == 1)
        text_printf(out, "%" PRId64, *slot == 'a' ? remark->a : remark->b);
    else
        text_puts(out, length == strlen("name") ? remark->name : remark->other);
}

void remark_put(const struct remark *remark, struct text *out)
{
    const char *at = remark_table[remark->id].text;

    for (const char *open; (open = strchr(at, '{')); at = strchr(open, '}') + 1) {
        text_append(out, at, (size_t)(open - at));
        put_slot(remark, open + 1, (size_t)(strchr(open, '}') - open - 1), out);
    }
    text_puts(out, at);
}
