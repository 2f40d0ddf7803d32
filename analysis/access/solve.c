/*
 * Solutions of formulas: each way through the `or`s is a system of linear constraints, and whether
 * that has a solution in integers is isl's to say.
 */
#include "analysis/access/presburger_internal.h"
#include "base/memory.h"
#include "ir/memo.h"

#include <isl/mat.h>
#include <isl/options.h>
#include <isl/space.h>
#include <isl/val.h>

enum {
    OPERATION_LIMIT = 20000, /* of isl, for one system */
    SYSTEM_LIMIT = 200,      /* systems, for one formula */
    CONTEXT_BYTES = 1 << 14, /* more than a context of isl takes */
};

void presburger_free(struct isl_ctx *isl)
{
    if (isl)
        isl_ctx_free(isl);
}

isl_ctx *presburger_context(const struct presburger *p)
{
    struct access_cache *cache = p->relation->cache;

    if (!cache->isl) {
        /* it follows a null pointer when memory is short, so the memory is asked for before */
        memory_free(memory_new(CONTEXT_BYTES, 1));
        cache->isl = isl_ctx_alloc();
        if (cache->isl) {
            isl_options_set_on_error(cache->isl, ISL_ON_ERROR_CONTINUE);
            isl_ctx_set_max_operations(cache->isl, OPERATION_LIMIT);
        }
    }
    return cache->isl;
}

/* ---- systems ---- */

struct numbers {
    int64_t *items;
    size_t count, capacity;
};

struct search {
    struct presburger *p;
    isl_ctx *isl;
    array(const struct formula *) rows;
    array(const struct formula *) open; /* what is still to be satisfied */
    unsigned system_count;
    struct numbers question;
    bool collects;
    isl_set *all; /* solutions, where they are collected */
};

static isl_mat *set_element(isl_mat *matrix, isl_ctx *isl, unsigned row, unsigned column,
                            int64_t value)
{
    return isl_mat_set_element_val(matrix, (int)row, (int)column, isl_val_int_from_si(isl, value));
}

static isl_mat *matrix_of(const struct search *s, enum formula_kind kind)
{
    unsigned count = 0, columns = (unsigned)s->p->vars.count + 1, row = 0;

    for (size_t i = 0; i < s->rows.count; i++)
        count += s->rows.items[i]->kind == kind;
    isl_mat *matrix = isl_mat_alloc(s->isl, count, columns);
    for (size_t i = 0; i < s->rows.count; i++) {
        const struct linear *value = &s->rows.items[i]->value;
        unsigned next = 0;

        if (s->rows.items[i]->kind != kind)
            continue;
        for (unsigned k = 0; k + 1 < columns; k++) {
            bool is_term = next < value->count && value->terms[next].var == k;

            matrix = set_element(matrix, s->isl, row, k, is_term ? value->terms[next++].factor : 0);
        }
        matrix = set_element(matrix, s->isl, row++, columns - 1, value->constant);
    }
    return matrix;
}

static isl_basic_set *system_of(const struct search *s)
{
    isl_space *space = isl_space_set_alloc(s->isl, 0, (unsigned)s->p->vars.count);

    return isl_basic_set_from_constraint_matrices(space, matrix_of(s, FORMULA_ZERO),
                                                  matrix_of(s, FORMULA_AT_LEAST_ZERO), isl_dim_set,
                                                  isl_dim_div, isl_dim_param, isl_dim_cst);
}

/* The system as numbers. */
static void put_system(const struct search *s, struct numbers *out)
{
    array_push(out, IR_MEMO_SYSTEM);
    array_push(out, (int64_t)s->p->vars.count);
    for (size_t i = 0; i < s->rows.count; i++) {
        const struct linear *value = &s->rows.items[i]->value;

        array_push(out, s->rows.items[i]->kind);
        array_push(out, value->constant);
        array_push(out, value->count);
        for (unsigned k = 0; k < value->count; k++) {
            array_push(out, value->terms[k].var);
            array_push(out, value->terms[k].factor);
        }
    }
}

static enum presburger_result ask_isl(struct search *s)
{
    isl_ctx_reset_operations(s->isl);
    isl_ctx_reset_error(s->isl);
    isl_basic_set *set = system_of(s);
    isl_bool is_empty = isl_basic_set_is_empty(set);
    isl_basic_set_free(set);
    if (is_empty == isl_bool_error)
        return PRESBURGER_UNKNOWN;
    return is_empty ? PRESBURGER_EMPTY : PRESBURGER_SOLUTION;
}

/* Layers that are alike ask alike, and so does one pass after the other. */
static enum presburger_result solve_system(struct search *s)
{
    struct ir_context *context = s->p->relation->context;
    struct numbers *question = &s->question;
    int answer;

    if (++s->system_count > SYSTEM_LIMIT)
        return PRESBURGER_UNKNOWN;
    question->count = 0;
    put_system(s, question);
    size_t size = question->count * sizeof(*question->items);
    if (!ir_memo_find(context, question->items, size, &answer)) {
        answer = ask_isl(s);
        ir_memo_add(context, question->items, size, answer);
    }
    return (enum presburger_result)answer;
}

/* ---- ways through the formula ---- */

static enum presburger_result search(struct search *s);

/* Tries each part of @choice with the rest of what is open. */
static enum presburger_result search_choice(struct search *s, const struct formula *choice)
{
    size_t rows = s->rows.count, open = s->open.count;
    enum presburger_result result = PRESBURGER_EMPTY;
    const struct formula **rest = arena_array(&s->p->arena, const struct formula *, open + 1);

    for (size_t i = 0; i < open; i++)
        rest[i] = s->open.items[i];
    for (unsigned i = 0; i < choice->count && result == PRESBURGER_EMPTY; i++) {
        s->rows.count = rows;
        s->open.count = 0;
        for (size_t k = 0; k < open; k++)
            array_push(&s->open, rest[k]);
        array_push(&s->open, choice->parts[i]);
        result = search(s);
    }
    return result;
}

/* Takes all that is no choice from what is open. */
static void take_rows(struct search *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->open.count; i++) {
        const struct formula *formula = s->open.items[i];

        if (formula->kind == FORMULA_AND) {
            for (unsigned k = 0; k < formula->count; k++)
                array_push(&s->open, formula->parts[k]);
        } else if (formula->kind == FORMULA_OR) {
            s->open.items[kept++] = formula;
        } else {
            array_push(&s->rows, formula);
        }
    }
    s->open.count = kept;
}

/* A solution ends the search; where all are collected, it goes on as if there was none. */
static enum presburger_result search(struct search *s)
{
    take_rows(s);
    enum presburger_result result = solve_system(s);
    if (result == PRESBURGER_EMPTY)
        return result;
    if (s->open.count > 0)
        return search_choice(s, array_pop(&s->open));
    if (result == PRESBURGER_SOLUTION && s->collects) {
        s->all = isl_set_union(s->all, isl_set_from_basic_set(system_of(s)));
        return PRESBURGER_EMPTY;
    }
    return result;
}

static enum presburger_result run(struct search *s, const struct formula *more)
{
    enum presburger_result result = PRESBURGER_UNKNOWN;

    for (size_t i = 0; i < s->p->known.count; i++)
        array_push(&s->open, s->p->known.items[i]);
    if (more)
        array_push(&s->open, more);
    if (s->isl)
        result = search(s);
    array_finish(&s->question);
    array_finish(&s->rows);
    array_finish(&s->open);
    return result;
}

enum presburger_result presburger_solve(struct presburger *p, const struct formula *more)
{
    struct search s = {.p = p, .isl = presburger_context(p)};

    return run(&s, more);
}

isl_set *presburger_all(struct presburger *p)
{
    struct search s = {.p = p, .isl = presburger_context(p), .collects = true};

    if (!s.isl)
        return NULL;
    s.all = isl_set_empty(isl_space_set_alloc(s.isl, 0, (unsigned)p->vars.count));
    if (run(&s, NULL) == PRESBURGER_EMPTY)
        return s.all;
    isl_set_free(s.all);
    return NULL;
}
