/*
 * Asks for what an iteration reads while the one in front of it works:
 *
 *     for og in T.parallel(64, annotations={"prefetch": 16384}):        vectors load 16384 elements in an iteration
 *         for it in range(4):
 *             for k in T.serial(512, annotations={"prefetch_bytes": 32}):   each of these asks for 32 more bytes of the next
 *
 * It is a hint to the processor, and reads nothing: where it leads out of the buffer, nothing happens.  Hardware sees the next
 * iteration only when it has begun, and then all wait for it.
 */
#include "codegen/llvm/kernel.h"

#include <string.h>

enum {
    LINE = 64,         /* bytes of a line of the cache */
    BYTES_MOST = 4096, /* of a step */
    TO_L2 = 2,         /* the locality of LLVM's reference: what is worked on may stay in L1 */
    DATA = 1,
};

/* What is looked for in a loop. */
struct search {
    struct ir_context *context;
    struct ir_bindings inner; /* variables of loops inside -> 0 */
    const struct ir_var *lane;
    const struct ir_expr *found; /* what vectors load, or NULL */
};

static bool is_vector_load(void *state, const struct ir_expr *e)
{
    struct search *search = state;
    unsigned axes = e->operand_count;

    if (e->kind == IR_EXPR_load && axes > 0 &&
        ir_expr_uses_var(e->operands[axes - 1], search->lane) &&
        !(e->buffer->scope && strcmp(e->buffer->scope, "local") == 0))
        search->found = e;
    return !search->found;
}

static bool look_at_exprs(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, is_vector_load, state);
}

static bool look_at(void *state, struct tir_stmt *stmt)
{
    struct search *search = state;

    if (stmt->kind == TIR_FOR) {
        struct ir_binding zero = {stmt->loop.var,
                                  ir_expr_int(search->context, stmt->loop.var->dtype, 0)};
        array_push(&search->inner, zero);
        search->lane = stmt->loop.kind == TIR_VECTORIZED ? stmt->loop.var : NULL;
    }
    return !search->lane || tir_stmt_walk_exprs(stmt, look_at_exprs, search);
}

/* Of @loop's annotation @name; 0: it has none. */
static int64_t number_of(const struct tir_stmt *loop, const char *name)
{
    const struct ir_attr *all = loop->loop.annotations;
    const struct ir_attr *number = all ? ir_attr_dict_get(all, name) : NULL;

    return number && number->kind == IR_ATTR_INT && number->integer > 0 &&
                   number->integer <= INT32_MAX
               ? number->integer
               : 0;
}

/* Sets the place of what comes next: @ahead elements behind the first that vectors load in @loop's body. */
static bool begin(struct cg_body *body, const struct tir_stmt *loop, int64_t ahead)
{
    struct cg *cg = body->cg;
    struct search search = {.context = cg->ir};
    bool is_fine = true;

    (void)tir_stmt_walk(loop->loop.body, look_at, &search);
    if (search.found) {
        const struct ir_expr *e = search.found;
        int64_t bytes = ahead * (int64_t)ir_dtype_bytes(e->buffer->dtype);
        LLVMValueRef offset = cg_i64(cg, bytes), first;
        e = ir_expr_substitute(search.context, e, &search.inner);
        if ((is_fine = (first = cg_address(body, e->buffer, e->operands, e->operand_count)))) {
            body->prefetched = cg_alloca(cg, cg->ptr, 8);
            cg_store(cg, LLVMBuildGEP2(cg->builder, cg->i8, first, &offset, 1, ""),
                     body->prefetched);
        }
    }
    array_finish(&search.inner);
    return is_fine;
}

/* A line that is asked for again costs a place among the loads, and no more. */
static void ask(struct cg_body *body, int64_t bytes)
{
    struct cg *cg = body->cg;
    LLVMValueRef place = cg_load(cg, cg->ptr, body->prefetched);

    for (int64_t at = 0; at < bytes; at += LINE) {
        LLVMValueRef offset = cg_i64(cg, at);
        LLVMValueRef line = LLVMBuildGEP2(cg->builder, cg->i8, place, &offset, 1, "");
        LLVMValueRef args[] = {line, cg_i32(cg, 0), cg_i32(cg, TO_L2), cg_i32(cg, DATA)};
        (void)cg_call_intrinsic(cg, "llvm.prefetch", &cg->ptr, 1, args, ARRAY_SIZE(args));
    }
    LLVMValueRef step = cg_i64(cg, bytes);
    cg_store(cg, LLVMBuildGEP2(cg->builder, cg->i8, place, &step, 1, ""), body->prefetched);
}

bool cg_prefetch(struct cg_body *body, const struct tir_stmt *loop)
{
    int64_t ahead = number_of(loop, TIR_PREFETCH), bytes = number_of(loop, TIR_PREFETCH_BYTES);

    if (body->vector || body->cg->codegen->options.opt_level == 0)
        return true;
    if (bytes && bytes <= BYTES_MOST && body->prefetched)
        ask(body, bytes);
    return !ahead || begin(body, loop, ahead);
}
