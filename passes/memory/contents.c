/* Names that are out of date become what their storage holds. */
#include "ops/ids.h"
#include "passes/memory/functionalize.h"

/* ---- values and when they were made ---- */

void contents_note(struct walk *w, const struct ir_value *value)
{
    map_set(&w->made, value, (void *)(uintptr_t)w->now); /* NOLINT(performance-no-int-to-ptr) */
}

static unsigned made_at(const struct walk *w, const struct ir_value *value)
{
    return (unsigned)(uintptr_t)map_get(&w->made, value);
}

/* The only root that @value lives in. */
unsigned contents_root(const struct walk *w, const struct ir_value *value)
{
    unsigned known = (unsigned)(uintptr_t)map_get(&w->roots, value);

    return known ? known - 1 : effects_root(&w->effects, value);
}

/* @value is new, and lives in @root. */
void contents_note_new(struct walk *w, struct ir_value *value, unsigned root)
{
    map_set(&w->roots, value,
            (void *)(uintptr_t)(root + 1)); /* NOLINT(performance-no-int-to-ptr) */
    contents_note(w, value);
}

void contents_set(struct walk *w, unsigned root, struct ir_value *value)
{
    array_push(&w->trail, (struct change){root, w->contents[root]});
    w->contents[root] = (struct content){value, w->now};
}

static bool is_old(const struct walk *w, const struct ir_value *value, unsigned root)
{
    return root != STORAGE_ROOT_NONE && w->contents[root].value &&
           made_at(w, value) < w->contents[root].since;
}

struct ir_builder contents_builder(struct walk *w, struct ir_op *op)
{
    return (struct ir_builder){.module = w->run->module,
                               .diag = w->run->diag,
                               .block = op->block,
                               .before = op,
                               .loc = op->loc};
}

/* @value in the shape of @type. */
struct ir_value *contents_shaped(struct walk *w, struct ir_builder *b, struct ir_value *value,
                                 const struct ir_type *type)
{
    if (!value || value->type == type)
        return value;
    struct ir_value *operands[] = {value,
                                   ir_inline_shape(b->module, type->dims, (unsigned)type->ndim)};
    struct ir_value *view = ir_build_op(b, OP_reshape, operands, ARRAY_SIZE(operands));

    w->is_fine &= view != NULL;
    return view;
}

/* What @root holds now, as a value of @type. */
static struct ir_value *content_as(struct walk *w, struct ir_builder *b, unsigned root,
                                   const struct ir_type *type)
{
    struct ir_value *value = contents_shaped(w, b, w->contents[root].value, type);

    if (value)
        contents_note_new(w, value, root);
    return value;
}

/* ---- operands that are out of date ---- */

/* A tuple with the fields that are out of date made anew; NULL: none is. */
static struct ir_value *tuple_now(struct walk *w, struct ir_builder *b, struct ir_value *tuple)
{
    unsigned count = tuple->type->field_count;
    struct ir_value **fields = arena_array(&w->run->scratch, struct ir_value *, count + 1);
    bool is_any = false;

    for (unsigned i = 0; i < count; i++)
        is_any |= is_old(w, tuple, effects_field_root(&w->effects, tuple, i));
    for (unsigned i = 0; is_any && i < count; i++) {
        unsigned root = effects_field_root(&w->effects, tuple, i);

        fields[i] = is_old(w, tuple, root) ? content_as(w, b, root, tuple->type->fields[i])
                                           : ir_build_tuple_get(b, tuple, i);
        if (!fields[i])
            return NULL;
    }
    struct ir_op *made =
        is_any ? ir_build(b, ir_core_op(b->module->context, IR_CORE_tuple), fields, count, NULL)
               : NULL;

    return made ? &made->result : NULL;
}

/* A tuple of tuples is of storage that is left alone. */
static bool is_flat(const struct ir_type *type)
{
    for (unsigned i = 0; i < type->field_count; i++)
        if (type->fields[i]->kind == IR_TYPE_TUPLE)
            return false;
    return true;
}

static struct ir_value *value_now(struct walk *w, struct ir_builder *b, struct ir_value *value)
{
    if (value->type->kind == IR_TYPE_TUPLE)
        return is_flat(value->type) ? tuple_now(w, b, value) : NULL;
    unsigned root = contents_root(w, value);

    return is_old(w, value, root) ? content_as(w, b, root, value->type) : NULL;
}

static void update_use(void *state, struct ir_use *use)
{
    struct walk *w = state;

    if (ir_value_is_inline(use->value))
        return;
    struct ir_builder b = contents_builder(w, ir_use_root(use));
    struct ir_value *now = value_now(w, &b, use->value);

    if (!now)
        return;
    ir_op_set_operand(use->user, (unsigned)(use - use->user->operands), now);
    w->is_changed = true;
}

void contents_update(struct walk *w, struct ir_op *op)
{
    /* (what is listed as visible behind a block is what was made in it) */
    if (!ir_op_is(op, IR_CORE_output))
        ir_op_walk_operands(op, update_use, w);
}

/* @value is what @root holds from here on. */
void contents_take(struct walk *w, unsigned root, struct ir_value *value)
{
    const char *name = effects_first(&w->effects, root)->value->name;

    if (name)
        value->name =
            atom_printf(&w->run->module->context->atoms, "%s_%u", name, ++w->numbers[root]);
    contents_note_new(w, value, root);
    contents_set(w, root, value);
}
