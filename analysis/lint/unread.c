/* Values that nothing reads. */
#include "analysis/lint/lint.h"
#include "ir/verify.h"

#include <string.h>

/* Is there a use that is more than leaving the block? */
static bool is_read(const struct ir_value *value)
{
    for (const struct ir_use *use = value->uses; use; use = use->next)
        if (!ir_op_is(use->user, IR_CORE_output))
            return true;
    return false;
}

/* The edit, where the name stands in the text. */
static void help_rename(struct diag_message *m, struct location loc, const char *name)
{
    size_t length = strlen(name);

    if (loc.source && loc.end - loc.begin == length &&
        memcmp(loc.source->text + loc.begin, name, length) == 0)
        diag_help_edit(m, location_before(loc), "_");
}

/* The edit that takes `name = value` away, where that is all of its lines. */
static void help_remove(struct diag_message *m, const struct ir_op *op)
{
    struct location first = location_whole_line(op->result.loc),
                    last = location_whole_line(op->loc);

    if (!op->result.loc.source || op->result.loc.source != op->loc.source)
        return;
    last.begin = op->loc.end;
    last.end = last.begin + (uint32_t)strcspn(last.source->text + last.begin, "\n");
    size_t blanks = strspn(first.source->text + first.begin, " ");
    bool is_alone = first.begin + blanks == op->result.loc.begin && last.begin == last.end;
    if (is_alone && last.source->text[last.end])
        diag_help_edit(m, (struct location){first.source, first.begin, last.end + 1}, "%s", "");
}

enum { USES_SEEN = 64 }; /* of a value, each of which is sought in the text */

/* Is what @op binds known at @user: in its own suite, or in one that stands in that? */
static bool is_known_at(const struct ir_op *op, const struct ir_op *user)
{
    const struct ir_region *own = op->block ? op->block->region : NULL;
    const struct ir_region *region = user->block ? user->block->region : NULL;

    while (region && region != own && region->owner && region->owner->block)
        region = region->owner->block->region;
    return own && region == own;
}

/* The first place behind @op where @old is read, and what @op binds is known; nowhere: there is none. */
static struct location read_behind(const struct ir_op *op, const struct ir_value *old)
{
    struct location found = {0};
    unsigned seen = 0;

    for (struct ir_use *use = old->uses; use && seen < USES_SEEN; use = use->next, seen++) {
        const struct ir_op *user = ir_use_root(use);
        struct location word = location_word(user->loc, old->name);
        bool is_behind = user != op && word.source && word.source == op->loc.source &&
                         word.begin >= op->loc.end && is_known_at(op, user);
        if (is_behind && (!found.source || word.begin < found.begin))
            found = word;
    }
    return found;
}

/* The argument whose place result @i of @call has; NULL: that is new, or it is no call in place. */
static const struct ir_value *updated_by(const struct ir_op *call, int64_t i)
{
    const struct ir_attr *map = call && ir_op_is(call, IR_CORE_call_tir_inplace)
                                    ? ir_op_attr(call, "inplace_indices")
                                    : NULL;
    const struct ir_attr *entry =
        map && map->kind == IR_ATTR_LIST && i >= 0 && i < map->count ? map->items[i] : NULL;
    int64_t index = entry && entry->kind == IR_ATTR_INT ? entry->integer : -1;

    return index < 0 || index >= call->operand_count ? NULL : call->operands[index].value;
}

/* What @op is a new form of: the argument that it updates, or an operand of its type, as of a sum; NULL: nothing. */
static const struct ir_value *old_value(const struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_tuple_get))
        return updated_by(op->operands[0].value->def, ir_op_attr(op, "index")->integer);
    if (ir_op_is(op, IR_CORE_call_tir_inplace)) {
        const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
        return map->kind == IR_ATTR_LIST && map->count == 1 ? updated_by(op, 0) : NULL;
    }
    bool is_step = op->info->core == IR_CORE_none && op->operand_count > 1;

    for (unsigned i = 0; is_step && i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;
        if (value->name && value->type == op->result.type && read_behind(op, value).source)
            return value;
    }
    return NULL;
}

/* Is the tuple's part @op the update of an argument that is read behind it as it was before? */
static bool is_lost_update(const struct ir_op *op)
{
    const struct ir_value *old = old_value(op);

    return old && old->name && read_behind(op, old).source;
}

/*
 * A part of a tuple may be left lying, unless it is the new form of what is read as it was before; an effect is there without a
 * reader, and `_x` says that it is meant.  Scalars and shapes are read by expressions and types, which are no uses.
 */
static bool is_meant(const struct ir_op *op)
{
    const char *name = op->result.name;
    return !name || *name == '_' || !ir_op_is_pure(op) ||
           (ir_op_is(op, IR_CORE_tuple_get) && !is_lost_update(op)) ||
           ir_op_is(op, IR_CORE_match_cast) || ir_op_is(op, IR_CORE_function) ||
           op->result.type->kind == IR_TYPE_PRIM || op->result.type->kind == IR_TYPE_SHAPE ||
           ir_type_is_void(op->result.type);
}

/* `filled` = an update of `states`, which is read behind it as it was before: the new value may be meant. */
static void help_updated(struct diag_message *m, const struct ir_op *op)
{
    const struct ir_value *old = old_value(op);
    struct location word = old && old->name ? read_behind(op, old) : (struct location){0};

    if (!word.source)
        return;
    diag_label(m, word,
               op->info->core != IR_CORE_none ? "`%s` of before the update is read here"
                                              : "`%s`, which it is made of, is read here",
               old->name);
    diag_help(m, "if the new numbers are meant there, read `%s`", op->result.name);
    diag_help_edit(m, word, "%s", op->result.name);
}

struct check {
    const struct ir_function *function;
    struct diag *diag;
};

static bool check_op(void *state, struct ir_op *op)
{
    const struct check *check = state;

    if (ir_op_is(op, IR_CORE_function))
        lint_check_unread(ir_op_attr(op, "function")->function, check->diag);
    if (is_meant(op) || is_read(&op->result))
        return true;
    struct diag_message *m =
        diag_report(check->diag, op->result.loc.source ? op->result.loc : op->loc, GRAPH_UNREAD,
                    op->result.name);
    if (check->function->result && ir_type_is_void(check->function->result)) {
        diag_help(m, "`%s` returns nothing: `return %s`, if that is meant", check->function->name,
                  op->result.name);
        return true;
    }
    if (op->result.uses) { /* R.output has the name, too */
        diag_help(m, "remove it, or call it `_%s` if that is meant", op->result.name);
        return true;
    }
    help_updated(m, op);
    if (ir_op_is(op, IR_CORE_tuple_get)) {
        diag_help_unsure(m);
        return true;
    }
    diag_help(m, "remove it, if it is not needed");
    help_remove(m, op);
    diag_help(m, "call it `_%s`, if that is meant", op->result.name);
    help_rename(m, op->result.loc, op->result.name);
    return true;
}

void lint_check_unread(struct ir_function *function, struct diag *diag)
{
    ir_region_walk(function->body, check_op, &(struct check){function, diag});
}
