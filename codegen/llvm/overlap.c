/*
 * How the arguments of a kernel lie to each other: what may be in one storage, and at which
 * distance.
 *
 * Arguments of other roots are apart, and one pointer is one place.  What is left (views of one
 * storage, an operand whose bytes are also in the result's) is asked of the analysis of storage.
 *
 * What that says becomes noalias, lanes and threads.  The checker has not seen it: it follows calls
 * by what it finds itself.  So where a kernel writes, the addresses are compared in front of the
 * call; LLVM works the comparison out itself where they are constants in one allocation.
 */
#include "analysis/kernel.h"
#include "analysis/storage/storage.h"
#include "codegen/llvm/graph.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

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
                                    struct cg_value *const *args, unsigned i, unsigned j,
                                    bool *out_is_believed)
{
    const struct cg_value *a = args[i], *b = args[j];

    *out_is_believed = false;
    if (cg_roots_are_apart(a->root, b->root))
        return (struct access_overlap){.kind = ACCESS_APART};
    if (a->data == b->data)
        return (struct access_overlap){.kind = ACCESS_SHIFTED};
    const struct ir_value *x = operand_of(op, i), *y = operand_of(op, j);

    if (!x || !y || g->function->parent)
        return (struct access_overlap){.kind = ACCESS_ANYWHERE};
    struct access_overlap overlap = ask(storage_of(g), x, y);

    *out_is_believed = overlap.kind != ACCESS_ANYWHERE;
    return overlap;
}

/* --- addresses --- */

static LLVMValueRef bytes_of(struct cg *cg, const struct cg_value *value)
{
    LLVMValueRef bytes = cg_i64(cg, (int64_t)ir_dtype_bytes(value->dtype));

    for (unsigned i = 0; i < value->count; i++)
        bytes = BUILD(Mul, bytes, value->dims[i]);
    return bytes;
}

static LLVMValueRef is_behind(struct cg *cg, LLVMValueRef x, LLVMValueRef bytes, LLVMValueRef y)
{
    return cg_compare(cg, LLVMIntUGE, y, BUILD(Add, x, bytes));
}

static LLVMValueRef is_as_proved(struct cg *cg, const struct cg_value *a, const struct cg_value *b,
                                 struct access_overlap overlap)
{
    LLVMValueRef x = BUILD(PtrToInt, a->data, cg->i64), y = BUILD(PtrToInt, b->data, cg->i64);
    LLVMValueRef first = bytes_of(cg, a), second = bytes_of(cg, b);

    if (overlap.kind == ACCESS_SHIFTED)
        return cg_compare(cg, LLVMIntEQ, BUILD(Sub, y, x), cg_i64(cg, overlap.shift));
    LLVMValueRef is_apart = BUILD(Or, is_behind(cg, x, first, y), is_behind(cg, y, second, x));
    LLVMValueRef is_empty =
        cg_compare(cg, LLVMIntEQ, BUILD(Mul, first, second), cg_i64(cg, 0)); /* wraps only if not */

    return BUILD(Or, is_apart, is_empty);
}

void cg_check_overlap(struct cg_graph *g, const struct tir_func *func, struct cg_value *const *args,
                      unsigned i, unsigned j, struct access_overlap overlap)
{
    struct cg *cg = g->cg;
    LLVMValueRef names[] = {cg_string(cg, func->params[i].buffer->name),
                            cg_string(cg, func->params[j].buffer->name), cg_string(cg, func->name)};

    cg_check(cg, is_as_proved(cg, args[i], args[j], overlap), INLAY_ERROR_PLACE,
             "`%s` and `%s` of `%s` do not lie in memory as was proved: a bug in Inlay", names, 3);
}

void cg_add_overlap(struct access_overlap *to, struct access_overlap overlap)
{
    if (to->kind == ACCESS_APART)
        *to = overlap;
    else if (overlap.kind == ACCESS_ANYWHERE ||
             (overlap.kind == ACCESS_SHIFTED && overlap.shift != to->shift))
        to->kind = ACCESS_ANYWHERE;
}
