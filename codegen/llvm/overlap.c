/*
 * How the arguments of a kernel lie to each other: what may be in one storage, and at which
 * distance.
 *
 * Arguments of other roots are apart, and one pointer is one place.  What is left (views of one
 * storage, an operand whose bytes are also in the result's) is asked of the analysis of storage.
 */
#include "analysis/kernel.h"
#include "analysis/storage/storage.h"
#include "codegen/llvm/graph.h"

struct cg_overlaps {
    struct storage_module facts;
    struct storage storage; /* of the function that is emitted */
};

static struct storage *storage_of(struct cg_graph *g)
{
    if (!g->overlaps) {
        g->overlaps = arena_new(&g->cg->arena, struct cg_overlaps);
        storage_module_init(&g->overlaps->facts, g->cg->module);
        storage_init(&g->overlaps->storage, &g->overlaps->facts, g->function, NULL);
    }
    return &g->overlaps->storage;
}

void cg_overlaps_finish(struct cg_graph *g)
{
    if (!g->overlaps)
        return;
    storage_finish(&g->overlaps->storage);
    storage_module_finish(&g->overlaps->facts);
}

/* The operand of @op that parameter @param of the kernel gets; NULL: none that is a tensor. */
static const struct ir_value *operand_of(const struct ir_op *op, unsigned param)
{
    const struct tir_func *kernel = ir_op_callee(op)->kernel;

    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_type_is_tensor(op->operands[i].value->type) &&
            kernel_param_of(kernel, op, i) == &kernel->params[param])
            return op->operands[i].value;
    return NULL;
}

static struct access_overlap ask(struct storage *storage, const struct ir_value *a,
                                 const struct ir_value *b)
{
    struct access_overlap overlap = {.kind = ACCESS_ANYWHERE};
    struct storage_sets sets = {0};

    storage_sets_of(storage, a, &sets);
    storage_sets_of(storage, b, &sets);
    if (storage_sets_shift(storage, sets.items[0], sets.items[1], &overlap.shift))
        overlap.kind = ACCESS_SHIFTED;
    else if (!storage_sets_meet(storage, sets.items[0], sets.items[1]))
        overlap.kind = ACCESS_APART;
    array_finish(&sets);
    return overlap;
}

struct access_overlap cg_overlap_of(struct cg_graph *g, const struct ir_op *op,
                                    struct cg_value *const *args, unsigned i, unsigned j)
{
    const struct cg_value *a = args[i], *b = args[j];

    if (cg_roots_are_apart(a->root, b->root))
        return (struct access_overlap){.kind = ACCESS_APART};
    if (a->data == b->data)
        return (struct access_overlap){.kind = ACCESS_SHIFTED};
    const struct ir_value *x = operand_of(op, i), *y = operand_of(op, j);

    if (!x || !y || g->function->parent)
        return (struct access_overlap){.kind = ACCESS_ANYWHERE};
    return ask(storage_of(g), x, y);
}

void cg_add_overlap(struct access_overlap *to, struct access_overlap overlap)
{
    if (to->kind == ACCESS_APART)
        *to = overlap;
    else if (overlap.kind == ACCESS_ANYWHERE ||
             (overlap.kind == ACCESS_SHIFTED && overlap.shift != to->shift))
        to->kind = ACCESS_ANYWHERE;
}
