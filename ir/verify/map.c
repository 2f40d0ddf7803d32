/* The map of an in-place call: one entry an output, in range, each argument once, at least one. */
#include "ir/verify/internal.h"

#include <limits.h>
#include <string.h>

static unsigned output_count(const struct ir_type *declared)
{
    return declared->kind == IR_TYPE_TUPLE ? declared->field_count : 1;
}

/* The edit that leaves `, inplace_indices=[-1]` and `_inplace` out of @op. */
static void help_plain_call(struct diag_message *m, const struct ir_op *op, struct location map)
{
    static const char keyword[] = ", inplace_indices=";
    const char *text = map.source ? map.source->text : NULL;
    struct location name = location_text_behind(op->loc, "_inplace");

    if (!text || name.begin == op->loc.begin || map.end + 1 != op->loc.end ||
        map.begin < op->loc.begin + sizeof(keyword) ||
        memcmp(text + map.begin - sizeof(keyword) + 1, keyword, sizeof(keyword) - 1) != 0)
        return;
    struct location between = {map.source, name.end, map.begin - (uint32_t)sizeof(keyword) + 1};
    name.end = map.end;
    diag_help(m, "leave `inplace_indices` out");
    diag_help_edit(m, name, "%.*s", LOCATION_TEXT(between));
}

static void report_nothing_inplace(struct verify *v, struct ir_op *op, bool is_packed)
{
    struct location map = location_argument(op->loc, UINT_MAX, "inplace_indices");
    struct diag_message *m =
        diag_report(v->diag, map, INPLACE_INDEX, op->info->name,
                    is_packed ? "no output is in place; R.call_pure_packed says that"
                              : "no output is in place; R.call_tir says that");

    if (!is_packed && !verify_help_written(v, m, op))
        help_plain_call(m, op, map);
    v->is_fine = false;
}

static void report_index(struct verify *v, struct ir_op *op, const char *what)
{
    diag_report(v->diag, location_argument(op->loc, UINT_MAX, "inplace_indices"), INPLACE_INDEX,
                op->info->name, what);
    v->is_fine = false;
}

/* An argument is missing, and so the entries name those that are not there. */
static bool note_missing(struct diag_message *m, const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    unsigned buffers = 0, given = 0;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return false;
    for (unsigned i = 0; i < callee->kernel->param_count; i++)
        buffers += callee->kernel->params[i].buffer != NULL;
    for (unsigned i = 0; i < map->count; i++)
        buffers -= map->items[i]->kind == IR_ATTR_INT && map->items[i]->integer == -1;
    for (unsigned i = 0; i < op->operand_count; i++)
        given += ir_type_is_tensor(op->operands[i].value->type);
    if (given >= buffers)
        return false;
    diag_note(m, "`%s` takes %u tensors, and the call gives %u: an argument may be missing",
              callee->name, buffers, given);
    return true;
}

static void report_entry(struct verify *v, struct ir_op *op, unsigned entry, const char *what)
{
    struct diag_message *m =
        diag_report(v->diag, ir_inplace_entry(op, entry), INPLACE_INDEX, op->info->name, what);

    if (ir_op_is(op, IR_CORE_call_tir_inplace) && !note_missing(m, op))
        ir_inplace_help(m, op, entry);
    v->is_fine = false;
}

/* The one argument that no entry names and that is of the type of output @i; -1: none, or several. */
static int64_t argument_left(const struct ir_op *op, unsigned i)
{
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    const struct ir_type *all = op->declared, *type = all;
    int64_t found = -1;

    if (all && all->kind == IR_TYPE_TUPLE)
        type = i < all->field_count ? all->fields[i] : NULL;
    for (unsigned k = 0; type && k < op->operand_count; k++) {
        bool is_named = false;
        for (unsigned n = 0; n < map->count; n++)
            is_named |= map->items[n]->kind == IR_ATTR_INT && map->items[n]->integer == k;
        if (is_named || op->operands[k].value->type != type)
            continue;
        if (found >= 0)
            return -1;
        found = k;
    }
    return found;
}

/* Outputs @first and @second name one argument. */
static void report_twice(struct verify *v, struct ir_op *op, unsigned first, unsigned second)
{
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    struct location place = ir_inplace_entry(op, second), other = ir_inplace_entry(op, first);
    struct diag_message *m =
        diag_report(v->diag, place, INPLACE_INDEX, op->info->name,
                    arena_printf(&v->context->arena, "outputs %u and %u both want argument %lld",
                                 first, second, (long long)map->items[second]->integer));

    v->is_fine = false;
    if (other.begin < place.begin)
        diag_label(m, other, "the first one");
    if (!ir_op_is(op, IR_CORE_call_tir_inplace) || note_missing(m, op) ||
        ir_inplace_help(m, op, second))
        return;
    int64_t left = argument_left(op, second);
    if (left < 0 || other.begin >= place.begin)
        return;
    diag_help(m, "argument %lld is left, and of the type of output %u", (long long)left, second);
    diag_help_edit(m, place, "%lld", (long long)left);
    diag_help_unsure(m);
}

/* The kernel has as many buffers more than it is given as the call has fresh outputs: entries of -1 are missing. */
static bool help_fresh(struct diag_message *m, const struct ir_op *op, unsigned missing)
{
    const struct ir_global *callee = ir_op_callee(op);
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    unsigned spare = 0;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return false;
    for (unsigned i = 0; i < callee->kernel->param_count; i++)
        spare += callee->kernel->params[i].buffer != NULL;
    for (unsigned i = 0; i < op->operand_count; i++)
        spare -= ir_type_is_tensor(op->operands[i].value->type);
    for (unsigned i = 0; i < map->count; i++)
        spare -= map->items[i]->kind == IR_ATTR_INT && map->items[i]->integer == -1;
    if (spare != missing || map->count == 0)
        return false;
    struct location place = ir_inplace_entry(op, map->count - 1);
    diag_help(m, "a fresh output has the entry -1");
    place.begin = place.end;
    if (missing == 1 && place.begin > op->loc.begin)
        diag_help_edit(m, place, ", -1");
    return true;
}

static void report_count(struct verify *v, struct ir_op *op, unsigned entries, unsigned outputs)
{
    struct location place = location_argument(op->loc, UINT_MAX, "inplace_indices");
    struct location types = verify_map_fits(v, op) ? verify_results_place(op) : place;
    struct diag_message *m = diag_report(
        v->diag, types.source ? types : place, INPLACE_INDEX, op->info->name,
        arena_printf(&v->context->arena, "inplace_indices has %u entr%s for %u output%s", entries,
                     entries == 1 ? "y" : "ies", outputs, outputs == 1 ? "" : "s"));

    if (entries > outputs || !help_fresh(m, op, outputs - entries))
        verify_help_map(v, m, op);
    v->is_fine = false;
}

/* Rules of the map itself: one entry an output, in range, each argument once, at least one. */
static void check_map(struct verify *v, struct ir_op *op)
{
    struct arena *arena = &v->context->arena;
    bool is_packed = ir_op_is(op, IR_CORE_call_inplace_packed);
    bool has_inplace = false;
    int64_t given = op->operand_count; /* arguments */

    if (!is_packed && !ir_op_is(op, IR_CORE_call_tir_inplace))
        return;
    if (is_packed && ir_op_attr(op, "func")->kind != IR_ATTR_STRING)
        given--; /* the first one is the function */
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    if (map->kind != IR_ATTR_LIST) {
        report_index(v, op, "inplace_indices is no list of numbers");
        return;
    }
    if (op->declared && map->count != output_count(op->declared)) {
        report_count(v, op, map->count, output_count(op->declared));
        has_inplace = map->count == 0; /* one message for a list that is empty */
    }
    for (unsigned i = 0; i < map->count; i++) {
        if (map->items[i]->kind != IR_ATTR_INT) {
            report_index(v, op, arena_printf(arena, "entry %u is no number", i));
            return;
        }
        int64_t index = map->items[i]->integer;
        has_inplace |= index != -1;
        if (index < -1 || index >= given) {
            report_entry(v, op, i,
                         arena_printf(arena, "entry %u is %lld, and arguments are 0 to %lld", i,
                                      (long long)index, (long long)given - 1));
            continue;
        }
        for (unsigned j = 0; j < i && index >= 0; j++) {
            if (map->items[j]->integer == index)
                report_twice(v, op, j, i);
        }
        if (index >= 0 && op->operands[index].value->type->kind != IR_TYPE_TENSOR && !is_packed)
            report_entry(v, op, i,
                         arena_printf(arena, "argument %lld is no tensor", (long long)index));
    }
    if (!has_inplace)
        report_nothing_inplace(v, op, is_packed);
}

bool verify_inplace_map(struct verify *v, struct ir_op *op)
{
    bool was_fine = v->is_fine;

    v->is_fine = true;
    check_map(v, op);
    bool result = v->is_fine;
    v->is_fine &= was_fine;
    return result;
}
