/* A buffer that is read or stored to without an index: the loops or axes whose extents its dimensions have. */
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"
#include "ir/arith.h"

/* The one variable that is looked for, of those seen. */
struct pick {
    const char *name;
    unsigned count;
};

static void offer(struct frontend *f, struct pick *pick, const struct ir_var *var,
                  const struct ir_expr *min, const struct ir_expr *extent,
                  const struct ir_expr *dim)
{
    if (!ir_expr_is_int(min, 0) || !ir_prove_equal(f->context, extent, dim))
        return;
    pick->name = var->name;
    pick->count++;
}

/* In a block the axes, elsewhere the loops, that go through all of @dim; NULL: none, or several. */
static const char *variable_of(struct frontend *f, const struct ir_expr *dim)
{
    struct pick pick = {0};
    const struct tir_block *block = f->tir->block;

    if (ir_expr_is_int(dim, 1))
        return "0";
    for (size_t i = 0; block && i < block->axes.count; i++)
        offer(f, &pick, block->axes.items[i].var, block->axes.items[i].min,
              block->axes.items[i].extent, dim);
    for (size_t i = 0; !block && i < f->tir->loops.count; i++)
        offer(f, &pick, f->tir->loops.items[i].var, f->tir->loops.items[i].min,
              f->tir->loops.items[i].extent, dim);
    return pick.count == 1 ? pick.name : NULL;
}

const char *indices_meant(struct frontend *f, const struct ir_buffer *buffer)
{
    const char *text = "";

    for (unsigned i = 0; i < buffer->ndim; i++) {
        const char *one = f->tir ? variable_of(f, buffer->shape[i]) : NULL;
        /* of two equal dimensions nobody knows which is which */
        for (unsigned k = 0; one && k < i; k++)
            if (!ir_expr_is_int(buffer->shape[i], 1) &&
                ir_prove_equal(f->context, buffer->shape[i], buffer->shape[k]))
                one = NULL;
        if (!one)
            return NULL;
        text = arena_printf(&f->arena, "%s%s%s", text, i ? ", " : "", one);
    }
    return buffer->ndim ? text : "()";
}
