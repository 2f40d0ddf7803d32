/*
 * Branches that write.  Each is walked from what held in front of the `if`.  What they wrote to storage
 * from outside, and is read behind the `if`, becomes a further result of it; where the value of the `if` is
 * that storage, it is what is written already.
 */
#include "analysis/leaves.h"
#include "passes/memory/functionalize.h"

/* Takes back what was done since the trail was @mark long; *@out: roots, and what they held. */
static void take_back(struct walk *w, size_t mark, struct change_list *out)
{
    w->last_mark++;
    while (w->trail.count > mark) {
        struct change change = array_pop(&w->trail);

        if (w->marks[change.root] != w->last_mark)
            array_push(out, (struct change){change.root, w->contents[change.root]});
        w->marks[change.root] = w->last_mark;
        w->contents[change.root] = change.old;
    }
}

/* What @root was made with, as a value at @b. */
static struct ir_value *made_with(struct walk *w, struct ir_builder *b, unsigned root)
{
    const struct storage_origin *first = effects_first(&w->effects, root);
    union {
        const struct ir_value *in;
        struct ir_value *out;
    } same = {first->value};
    struct ir_value *value = make_operand(b, same.out);

    return value && value->type->kind == IR_TYPE_TUPLE ? ir_build_tuple_get(b, value, first->leaf)
                                                       : value;
}

/* An `if` whose branches write. */
struct join {
    struct ir_op *op;
    struct change_list ends[2];
    array(unsigned) roots; /* that are results of it, too */
};

/* Is what a branch wrote to @root read behind the `if`?  Then the root was there in front of it. */
static bool is_needed(struct walk *w, const struct join *join, unsigned root)
{
    return storage_place_read_after(w->effects.storage, w->effects.roots[root].first, join->op) !=
           NULL;
}

static void find_roots(struct walk *w, struct join *join)
{
    w->last_mark++;
    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < join->ends[i].count; k++) {
            unsigned root = join->ends[i].items[k].root;

            if (w->marks[root] != w->last_mark &&
                root != effects_root(&w->effects, &join->op->result) && is_needed(w, join, root))
                array_push(&join->roots, root);
            w->marks[root] = w->last_mark;
        }
}

/* What @root holds at the end of branch @branch. */
static struct ir_value *value_at_end(struct walk *w, const struct join *join, unsigned branch,
                                     struct ir_builder *b, unsigned root)
{
    const struct storage_origin *first = effects_first(&w->effects, root);
    struct ir_value *value = w->contents[root].value;

    for (size_t i = 0; i < join->ends[branch].count; i++)
        if (join->ends[branch].items[i].root == root)
            value = join->ends[branch].items[i].old.value;
    if (!value)
        value = made_with(w, b, root);
    return contents_shaped(w, b, value, leaf_type(first->value->type, first->leaf));
}

/* Lets branch @branch yield the roots beside its value. */
static void extend_branch(struct walk *w, const struct join *join, unsigned branch)
{
    struct ir_op *yield = join->op->regions[branch]->last->last;
    struct ir_builder b = contents_builder(w, yield);
    size_t count = join->roots.count + 1;
    struct ir_value **fields = arena_array(&w->run->scratch, struct ir_value *, count);

    fields[0] = ir_inline_copy(b.module, yield->operands[0].value);
    for (size_t i = 1; i < count; i++) {
        fields[i] = value_at_end(w, join, branch, &b, join->roots.items[i - 1]);
        w->is_fine &= fields[i] != NULL;
    }
    struct ir_op *tuple = w->is_fine ? ir_build(&b, ir_core_op(b.module->context, IR_CORE_tuple),
                                                fields, (unsigned)count, NULL)
                                     : NULL;

    w->is_fine &= tuple != NULL;
    if (!tuple)
        return;
    ir_op_set_operand(yield, 0, &tuple->result);
    w->is_fine &= ir_op_infer(b.module, b.diag, yield);
}

/* All that used the value of the `if` uses the first of its values. */
static void extend_result(struct walk *w, const struct join *join)
{
    struct ir_op *op = join->op;
    struct ir_builder b = contents_builder(w, op);
    array(struct ir_use *) uses = {0};
    unsigned root = effects_root(&w->effects, &op->result);

    b.before = op->next;
    ir_for_each_use (use, &op->result)
        array_push(&uses, use);
    w->is_fine &= ir_op_infer(b.module, b.diag, op);
    struct ir_value *first = w->is_fine ? ir_build_tuple_get(&b, &op->result, 0) : NULL;

    for (size_t i = 0; first && i < uses.count; i++)
        ir_op_set_operand(uses.items[i]->user,
                          (unsigned)(uses.items[i] - uses.items[i]->user->operands), first);
    array_finish(&uses);
    w->is_fine &= first != NULL;
    if (!first)
        return;
    first->name = op->result.name;
    op->result.name = NULL;
    contents_note_new(w, first, root);
    for (size_t i = 0; i < join->roots.count && w->is_fine; i++) {
        struct ir_value *value = ir_build_tuple_get(&b, &op->result, (unsigned)i + 1);

        w->is_fine &= value != NULL;
        if (value)
            contents_take(w, join->roots.items[i], value);
    }
}

/* What branches wrote that is not read behind the `if` is out of date, whatever it is. */
static void end_join(struct walk *w, struct join *join)
{
    unsigned root = effects_root(&w->effects, &join->op->result);
    bool is_written = false;

    for (unsigned i = 0; i < 2; i++)
        for (size_t k = 0; k < join->ends[i].count; k++)
            is_written |= join->ends[i].items[k].root == root;
    find_roots(w, join);
    w->now++;
    if (is_written) {
        contents_note(w, &join->op->result);
        contents_set(w, root, &join->op->result);
    }
    if (join->roots.count > 0) {
        extend_branch(w, join, 0);
        extend_branch(w, join, 1);
        extend_result(w, join);
    }
}

void functionalize_if(struct walk *w, struct ir_op *op)
{
    struct join join = {.op = op};

    for (unsigned i = 0; i < 2 && w->is_fine; i++) {
        size_t mark = w->trail.count;

        functionalize_region(w, op->regions[i]);
        take_back(w, mark, &join.ends[i]);
    }
    if (w->is_fine)
        end_join(w, &join);
    array_finish(&join.ends[0]);
    array_finish(&join.ends[1]);
    array_finish(&join.roots);
}
