/* Random kernels, and all that happens when they run: what analyses of them are compared with. */
#pragma once

#include "analysis/access/access.h"
#include "tests/unit/kernels.h"

enum { EVENT_LIMIT = 3000, ACCESS_LIMIT = 64, DEPTH_LIMIT = 4 };

struct event {
    int64_t element, iteration[DEPTH_LIMIT];
    const struct event *next; /* of the same access */
    bool is_write;
    int param;
};

struct run {
    const struct access_list *list;
    struct {
        const struct ir_var *var;
        int64_t value;
    } vars[32];
    unsigned var_count;
    int64_t loops[DEPTH_LIMIT];
    const struct tir_stmt *turned; /* a loop that runs backwards, or NULL */
    unsigned depth;
    struct event *events;
    const struct event *first[ACCESS_LIMIT]; /* of each access */
    unsigned count;
};

static inline int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* What the machine computes; written apart from all that the compiler has. */
static inline int64_t evaluate(const struct run *run, const struct ir_expr *e)
{
    int64_t a = e->operand_count > 0 && e->kind != IR_EXPR_load ? evaluate(run, e->operands[0]) : 0;
    int64_t b = e->operand_count > 1 && e->kind != IR_EXPR_load ? evaluate(run, e->operands[1]) : 0;

    switch (e->kind) {
    case IR_EXPR_int:
        return e->int_value;
    case IR_EXPR_var:
        for (unsigned i = run->var_count; i-- > 0;)
            if (run->vars[i].var == e->var)
                return run->vars[i].value;
        break;
    case IR_EXPR_add:
        return a + b;
    case IR_EXPR_sub:
        return a - b;
    case IR_EXPR_mul:
        return a * b;
    case IR_EXPR_floordiv:
        return floor_divide(a, b);
    case IR_EXPR_floormod:
        return a - floor_divide(a, b) * b;
    case IR_EXPR_min:
        return a < b ? a : b;
    case IR_EXPR_max:
        return a > b ? a : b;
    case IR_EXPR_lt:
        return a < b;
    case IR_EXPR_ge:
        return a >= b;
    case IR_EXPR_eq:
        return a == b;
    case IR_EXPR_ne:
        return a != b;
    case IR_EXPR_and:
        return a && b;
    case IR_EXPR_or:
        return a || b;
    default:
        break;
    }
    fail_msg("an expression of kind %u", (unsigned)e->kind);
    return 0;
}

static inline bool record(struct run *run, const struct access *access,
                          const struct ir_expr *const *indices, unsigned count)
{
    int64_t element = 0;

    for (unsigned i = 0; i < count; i++) {
        int64_t extent = access->buffer->shape[i]->int_value;
        int64_t index = evaluate(run, indices[i]);

        if (index < 0 || index >= extent)
            return false; /* the run would end with an error */
        element = element * extent + index;
    }
    if (run->count == EVENT_LIMIT)
        return false;
    struct event *event = &run->events[run->count++];
    event->element = element;
    event->is_write = access->kind == ACCESS_WRITE;
    event->param = access->param;
    memcpy(event->iteration, run->loops, sizeof(run->loops));
    event->next = run->first[access - run->list->items];
    run->first[access - run->list->items] = event;
    return true;
}

struct loads {
    const struct ir_expr *items[8];
    unsigned count;
};

static inline bool note_load(void *state, const struct ir_expr *a)
{
    struct loads *loads = state;

    if (a->kind == IR_EXPR_load)
        loads->items[loads->count++] = a;
    return true;
}

static inline bool run_store(struct run *run, const struct tir_stmt *stmt)
{
    struct loads loads = {.count = 0};
    unsigned next = 0;

    ir_expr_walk(stmt->store.value, note_load, &loads);
    for (size_t i = 0; i < run->list->count; i++) {
        const struct access *access = &run->list->items[i];

        if (access->stmt != stmt)
            continue;
        bool is_fine = access->kind == ACCESS_WRITE
                           ? record(run, access, stmt->store.indices, stmt->store.index_count)
                           : record(run, access, loads.items[next]->operands,
                                    loads.items[next]->operand_count);
        next++;
        if (!is_fine)
            return false;
    }
    return true;
}

static inline bool run_stmt(struct run *run, const struct tir_stmt *stmt)
{
    struct tir_stmt *child;

    if (stmt->kind == TIR_FOR) {
        int64_t min = evaluate(run, stmt->loop.min), extent = evaluate(run, stmt->loop.extent);
        int64_t step = stmt->loop.step ? evaluate(run, stmt->loop.step) : 1;
        unsigned var = run->var_count++, depth = run->depth++;

        run->vars[var].var = stmt->loop.var;
        int64_t count = (extent + step - 1) / step;
        for (int64_t k = 0; k < count; k++) {
            int64_t i = (stmt == run->turned ? count - 1 - k : k) * step;

            run->vars[var].value = min + i;
            run->loops[depth] = i;
            if (!run_stmt(run, stmt->loop.body))
                return false;
        }
        run->loops[depth] = 0;
        run->depth--;
        run->var_count--;
        return true;
    }
    if (stmt->kind == TIR_IF) {
        const struct tir_stmt *taken =
            evaluate(run, stmt->branch.condition) ? stmt->branch.then_body : stmt->branch.else_body;
        return !taken || run_stmt(run, taken);
    }
    if (stmt->kind == TIR_STORE)
        return run_store(run, stmt);
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++)
        if (!run_stmt(run, child))
            return false;
    return true;
}

/* ---- random text ---- */

struct writer {
    struct text text;
    unsigned seed;
    const char *vars[DEPTH_LIMIT];
    int extents[DEPTH_LIMIT];
    unsigned depth, stmts;
    bool shares;    /* see write_element() */
    int extent;     /* of X; 0: 24 */
    bool is_affine; /* indices are sums and products, below 64 */
    bool has_kinds; /* some loops are T.parallel or T.vectorized */
    bool has_casts; /* Z is of another dtype than X */
};

static inline unsigned pick(struct writer *w, unsigned limit)
{
    w->seed = w->seed * 1103515245u + 12345u;
    return (w->seed >> 16) % limit;
}

static inline const char *any_var(struct writer *w)
{
    return w->depth > 0 ? w->vars[pick(w, w->depth)] : "3";
}

/* Something between 0 and @extent - 1. */
static inline void write_index(struct writer *w, int extent)
{
    int factor = 1 + (int)pick(w, 3), offset = (int)pick(w, 5) - 2;

    if (w->is_affine && pick(w, 3) == 0)
        text_printf(&w->text, "%s * %d + %s + %d", any_var(w), factor, any_var(w), offset + 2);
    else if (w->is_affine)
        text_printf(&w->text, pick(w, 3) ? "%s + %d" : "40 - %s + %d", any_var(w), offset + 2);
    if (w->is_affine)
        return;
    switch (pick(w, 9)) {
    case 0:
        text_printf(&w->text, "(%s * %d + %d) %% %d", any_var(w), factor, offset + 2, extent);
        break;
    case 1:
        text_printf(&w->text, "(%s + %s * %d) // %d %% %d", any_var(w), any_var(w), factor,
                    1 + (int)pick(w, 3), extent);
        break;
    case 2:
        text_printf(&w->text, "T.min(T.max(%s - %s + %d, 0), %d)", any_var(w), any_var(w), offset,
                    extent - 1);
        break;
    case 3:
        text_printf(&w->text, "T.max(%d - %s, 0) %% %d", extent - 1, any_var(w), extent);
        break;
    case 4:
        text_printf(&w->text, "T.min(%s * %d + %s %% %d, %d)", any_var(w), factor, any_var(w),
                    1 + (int)pick(w, 4), extent - 1);
        break;
    default:
        text_printf(&w->text, "T.min(%s + %d, %d)", any_var(w), offset + 2, extent - 1);
        break;
    }
}

static inline void write_element(struct writer *w, bool is_stored)
{
    if (w->shares) { /* X is written, Z is read */
        bool is_read = !is_stored && pick(w, 4) != 0, is_cast = is_read && w->has_casts;

        text_puts(&w->text, is_cast ? "T.Cast(\"float32\", Z[" : is_read ? "Z[" : "X[");
        write_index(w, 24);
        text_puts(&w->text, is_cast ? "])" : "]");
        return;
    } else if (pick(w, 2)) {
        text_puts(&w->text, "X[");
        write_index(w, w->extent ? w->extent : 24);
    } else {
        text_puts(&w->text, "Y[");
        write_index(w, 5);
        text_puts(&w->text, ", ");
        write_index(w, 5);
    }
    text_putc(&w->text, ']');
}

static inline void indent(struct writer *w, unsigned level)
{
    for (unsigned i = 0; i < level; i++)
        text_puts(&w->text, "    ");
}

static inline void write_condition(struct writer *w)
{
    static const char *const signs[] = {"<", ">=", "==", "!="};

    text_printf(&w->text, "%s %s %s + %u", any_var(w), signs[pick(w, 4)], any_var(w), pick(w, 3));
    if (pick(w, 3) == 0)
        text_printf(&w->text, " %s %s < %u", pick(w, 2) ? "and" : "or", any_var(w), pick(w, 5));
}

static inline void write_body(struct writer *w, unsigned level);

static inline void write_stmt(struct writer *w, unsigned level)
{
    unsigned choice = pick(w, 8);

    w->stmts++;
    indent(w, level);
    if (choice < 3 && w->depth < 3) {
        static const char *const names[] = {"a", "b", "c", "d"};
        int extent = 1 + (int)pick(w, 6), step = pick(w, 4) == 0 ? 2 : 1, from = (int)pick(w, 3);
        bool is_triangle = w->depth > 0 && pick(w, 4) == 0;

        if (w->has_kinds && pick(w, 3) == 0)
            text_printf(&w->text, "for %s in T.%s(%d, %d):\n", names[w->depth],
                        pick(w, 2) ? "parallel" : "vectorized", from, from + extent);
        else if (is_triangle)
            text_printf(&w->text, "for %s in range(%s + 1):\n", names[w->depth], any_var(w));
        else
            text_printf(&w->text, "for %s in range(%d, %d, step=%d):\n", names[w->depth], from,
                        from + extent, step);
        w->vars[w->depth] = names[w->depth];
        w->depth++;
        write_body(w, level + 1);
        w->depth--;
    } else if (choice == 3 && w->depth > 0) {
        text_puts(&w->text, "if ");
        write_condition(w);
        text_puts(&w->text, ":\n");
        write_body(w, level + 1);
    } else {
        write_element(w, true);
        text_puts(&w->text, " = ");
        write_element(w, false);
        if (pick(w, 3) == 0) {
            text_puts(&w->text, " + ");
            write_element(w, false);
        }
        text_putc(&w->text, '\n');
    }
}

static inline void write_body(struct writer *w, unsigned level)
{
    unsigned count = 1 + (w->stmts < 8 ? pick(w, 3) : 0);

    for (unsigned i = 0; i < count; i++)
        write_stmt(w, level);
}

/* ---- trials ---- */

/* A random kernel, and what happened when it ran. */
struct trial {
    struct kernels k;
    struct access_cache cache;
    struct run run;
    const char *text; /* of its body */
};

typedef void trial_fn(void *state, struct trial *trial);

/* Calls @check with a kernel of @params that @w writes, behind what it has written already; not with one
 * that is too large to be run here.  @events: room for EVENT_LIMIT. */
static inline void trial_of(struct writer *w, const char *params, struct event *events,
                            trial_fn *check, void *state)
{
    struct trial trial = {.run.events = events};

    write_body(w, 1);
    trial.text = text_string(&w->text);
    kernels_parse(&trial.k, params, trial.text);
    trial.run.list = access_of(&trial.cache, trial.k.func);
    if (trial.run.list->count <= ACCESS_LIMIT && run_stmt(&trial.run, trial.k.func->body))
        check(state, &trial);
    access_cache_finish(&trial.cache);
    kernels_finish(&trial.k);
    text_finish(&w->text);
}
