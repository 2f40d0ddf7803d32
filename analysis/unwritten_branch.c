/* What is written in one branch alone; see unwritten_branch.h. */
#include "analysis/unwritten_branch.h"

struct search {
    const struct access_list *list;
    const struct access *write; /* one of them: the first */
    const struct access_frame *guard;
    bool reads; /* elements, in the condition */
    bool is_known;
};

/* The outermost guard around @access that is an `if` of the text; NULL: none. */
static const struct access_frame *guard_of(const struct access *access)
{
    const struct access_frame *found = NULL;

    for (const struct access_frame *f = access->frame; f; f = f->parent)
        if (f->kind == ACCESS_GUARD && f->stmt->kind == TIR_IF)
            found = f;
    return found;
}

static bool note_read(void *state, const struct ir_expr *e)
{
    struct search *search = state;

    if (e->kind == IR_EXPR_call)
        search->is_known = false;
    if (e->kind != IR_EXPR_load)
        return true;
    const struct ir_buffer *root = access_root(search->list, e->buffer);
    search->reads = true;
    search->is_known &= !map_has(&search->list->written, root);
    return true;
}

/* Is each element met in one iteration only: do all loops around the guard number elements? */
static bool meets_once(const struct search *search)
{
    for (const struct access_frame *f = search->write->frame; f; f = f->parent) {
        bool is_index = false;
        if (f->kind == ACCESS_GUARD)
            continue;
        for (unsigned i = 0; f->kind == ACCESS_LOOP && i < search->write->root->ndim; i++)
            is_index |= ir_expr_uses_var(search->write->indices[i], f->var);
        if (!is_index)
            return false;
    }
    return true;
}

/* All writes are in the branch that the first one is in. */
static bool find_guard(struct search *search, int param)
{
    for (size_t i = 0; i < search->list->count; i++) {
        const struct access *access = &search->list->items[i];
        if (access->kind == ACCESS_EFFECT && access->effect != ACCESS_STOP)
            return false;
        if (access->param != param || access->kind == ACCESS_READ)
            continue;
        const struct access_frame *guard = guard_of(access);
        if (access->kind != ACCESS_WRITE || !access->indices || access->is_indirect || !guard)
            return false;
        if (search->guard &&
            (search->guard->stmt != guard->stmt || search->guard->is_negated != guard->is_negated))
            return false;
        search->write = search->write ? search->write : access;
        search->guard = guard;
    }
    return search->guard;
}

void unwritten_branch_check(struct access_cache *cache, const struct tir_func *kernel,
                            unsigned param, const struct ir_op *call, struct diag *diag)
{
    struct search search = {.list = access_of(cache, kernel), .is_known = true};
    const struct ir_buffer *buffer = kernel->params[param].buffer;

    if (search.list->has_jumps || !find_guard(&search, (int)param) || !meets_once(&search))
        return;
    ir_expr_walk(search.guard->condition, note_read, &search);
    if (!search.reads || !search.is_known)
        return;
    struct diag_message *m =
        diag_report(diag, location_argument(call->loc, 0, "func"), KERNEL_UNWRITTEN_BRANCH,
                    ir_op_callee(call)->name, buffer->name);
    diag_label(m, search.write->stmt->loc, "`%s` is written here alone, where the condition is %s",
               buffer->name, search.guard->is_negated ? "false" : "true");
    diag_note(m, "what is not written holds any number, in each run another one");
    diag_help(m, "write it in the other branch, too, or update a tensor that holds the rest: "
                 "R.call_tir_inplace(.., inplace_indices=[..])");
}
