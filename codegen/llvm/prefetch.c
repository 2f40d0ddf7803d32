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

/* What is looked for in a loop: what vectors load in the steps that ask. */
struct search {
    struct ir_context *context;
    struct ir_bindings inner;     /* variables of loops inside, as they begin */
    struct map own;               /* variables and buffers that only have a value inside */
    const struct tir_stmt *steps; /* the first loop that asks */
    const struct ir_var *lane;
    const struct ir_expr *found;
};

static bool is_vector_load(void *state, const struct ir_expr *e)
{
    struct search *search = state;
    unsigned axes = e->operand_count;

    if (e->kind == IR_EXPR_load && axes == e->buffer->ndim && axes > 0 &&
        ir_expr_uses_var(e->operands[axes - 1], search->lane) &&
        !(e->buffer->scope && strcmp(e->buffer->scope, "local") == 0))
        search->found = e;
    return !search->found;
}

static bool look_at_exprs(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, is_vector_load, state);
}

static void note_own(struct search *search, const struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_LET)
        map_set(&search->own, stmt->let.var, search);
    if (stmt->kind == TIR_ALLOC || stmt->kind == TIR_DECL)
        map_set(&search->own, stmt->alloc.buffer, search);
    if (stmt->kind != TIR_BLOCK)
        return;
    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        map_set(&search->own, stmt->block.axes[i].var, search);
    for (unsigned i = 0; i < stmt->block.alloc_count; i++)
        map_set(&search->own, stmt->block.allocs[i], search);
    for (unsigned i = 0; i < stmt->block.match_count; i++)
        map_set(&search->own, stmt->block.matches[i].buffer, search);
}

/* Notes loops, up to the one that asks, and all that are in that. */
static bool look_at(void *state, struct tir_stmt *stmt)
{
    struct search *search = state;

    note_own(search, stmt);
    if (stmt->kind == TIR_FOR) {
        struct ir_binding begin = {stmt->loop.var, stmt->loop.min};
        array_push(&search->inner, begin);
        if (!search->steps && number_of(stmt, TIR_PREFETCH_BYTES))
            search->steps = stmt;
        else if (search->steps)
            search->lane = stmt->loop.kind == TIR_VECTORIZED ? stmt->loop.var : NULL;
    }
    return !search->lane || tir_stmt_walk_exprs(stmt, look_at_exprs, search);
}

struct place {
    struct cg_body *body;
    struct search *search;
};

/*
 * Can @e be computed here, whatever the loop goes on to do: sums and products of numbers, and of variables that have
 * a value?  Else nothing is asked for.
 */
static bool is_known(void *state, const struct ir_expr *e)
{
    const struct place *place = state;
    bool is_division = e->kind == IR_EXPR_floordiv || e->kind == IR_EXPR_floormod;

    if (is_division)
        return e->operands[1]->kind == IR_EXPR_int && e->operands[1]->int_value > 0;
    if (e->kind == IR_EXPR_var)
        return !map_has(&place->search->own, e->var) && cg_var(place->body, e->var);
    return e->kind == IR_EXPR_int || e->kind == IR_EXPR_add || e->kind == IR_EXPR_sub ||
           e->kind == IR_EXPR_mul || e->kind == IR_EXPR_cast;
}

/* The address of @load, which nothing is read at, so that it is not checked; NULL: not known. */
static LLVMValueRef address_of(struct cg_body *body, struct search *search,
                               const struct ir_expr *load)
{
    struct cg *cg = body->cg;
    bool is_own = map_has(&search->own, load->buffer);
    struct cg_buffer *view = is_own ? NULL : cg_captured_buffer(body, load->buffer);
    struct place place = {body, search};
    LLVMValueRef *indices = arena_array(&cg->arena, LLVMValueRef, load->operand_count), offset;

    if (!view)
        return NULL;
    for (unsigned i = 0; i < load->operand_count; i++)
        if (!ir_dtype_is_int(load->operands[i]->dtype) ||
            !ir_expr_walk(load->operands[i], is_known, &place) ||
            !(indices[i] = cg_index(body, load->operands[i])))
            return NULL;
    offset = cg_offset(cg, view, indices, false);
    LLVMTypeRef type = cg_memory_type(cg, load->buffer->dtype);
    return LLVMBuildGEP2(cg->builder, type, view->data, &offset, 1, "");
}

/* Sets the place of what comes next: @ahead elements behind the first that vectors load in @loop's body. */
static void begin(struct cg_body *body, const struct tir_stmt *loop, int64_t ahead)
{
    struct cg *cg = body->cg;
    struct search search = {.context = cg->ir};
    LLVMValueRef first = NULL;

    body->prefetched = NULL;
    (void)tir_stmt_walk(loop->loop.body, look_at, &search);
    if (search.found)
        first = address_of(body, &search,
                           ir_expr_substitute(search.context, search.found, &search.inner));
    if (first) {
        int64_t bytes = ahead * (int64_t)ir_dtype_bytes(search.found->buffer->dtype);
        LLVMValueRef offset = cg_i64(cg, bytes);
        body->prefetched = cg_alloca(cg, cg->ptr, 8);
        cg_store(cg, LLVMBuildGEP2(cg->builder, cg->i8, first, &offset, 1, ""), body->prefetched);
    }
    array_finish(&search.inner);
    map_finish(&search.own);
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

void cg_prefetch(struct cg_body *body, const struct tir_stmt *loop)
{
    int64_t ahead = number_of(loop, TIR_PREFETCH), bytes = number_of(loop, TIR_PREFETCH_BYTES);

    if (body->vector || body->cg->codegen->options.opt_level == 0)
        return;
    if (bytes && bytes <= BYTES_MOST && body->prefetched)
        ask(body, bytes);
    if (ahead)
        begin(body, loop, ahead);
}
