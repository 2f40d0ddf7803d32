/*
 * Allocations: X = T.alloc_buffer(..) and its relatives.
 *
 * Where the storage belongs is what they differ in: to the block (T.sblock_alloc_buffer, and
 * T.alloc_buffer up to TVM 0.23), to the rest of the statements, or to another buffer.
 */
#include "frontend/tvmscript/tir.h"

#include <string.h>

enum place {
    PLACE_BLOCK,
    PLACE_STATEMENT,
    PLACE_DIALECT,
    PLACE_DECLARE,
    PLACE_POINTER,
    PLACE_SCALAR
};

static const struct allocation {
    const char *name;
    enum place place;
    const char *scope; /* NULL: as given */
} allocations[] = {
    {"T.alloc_buffer", PLACE_DIALECT, NULL},     {"T.sblock_alloc_buffer", PLACE_BLOCK, NULL},
    {"T.decl_buffer", PLACE_DECLARE, NULL},      {"T.Buffer", PLACE_DECLARE, NULL},
    {"T.buffer", PLACE_DECLARE, NULL},           {"T.buffer_decl", PLACE_DECLARE, NULL},
    {"T.allocate", PLACE_POINTER, NULL},         {"T.alloc_shared", PLACE_STATEMENT, "shared"},
    {"T.alloc_local", PLACE_STATEMENT, "local"}, {"T.smem", PLACE_STATEMENT, "shared"},
    {"T.alloc_scalar", PLACE_SCALAR, "local"},   {"T.local_scalar", PLACE_SCALAR, "local"},
    {"T.shared_scalar", PLACE_SCALAR, "shared"},
};

static const struct allocation *find_allocation(struct frontend *f, const struct ast *call)
{
    const char *name = callee_name(f, call);

    for (size_t i = 0; name && i < ARRAY_SIZE(allocations); i++)
        if (strcmp(name, allocations[i].name) == 0)
            return &allocations[i];
    return NULL;
}

bool is_allocation(struct frontend *f, const struct ast *call)
{
    return find_allocation(f, call) != NULL;
}

static void bind(struct frontend *f, const struct ast *target, struct ir_buffer *buffer)
{
    buffer->loc = target->loc;
    scope_bind(f, NAME_BUFFER, target->name, target->loc)->buffer = buffer;
}

/* Two allocations of one name in one suite: the first would be out of reach. */
static bool is_repeated(struct frontend *f, const struct ast *target)
{
    const struct name *known = scope_use(f, target);

    if (!known || known->kind != NAME_BUFFER ||
        (size_t)(known - f->scope.names.items) < f->tir->suite_names)
        return false;
    struct diag_message *m = diag_report(f->diag, target->loc, KERNEL_BUFFER_TWICE, target->name);
    diag_label(m, known->loc, "first here");
    return true;
}

static bool allocate_in_block(struct frontend *f, const struct ast *target,
                              struct ir_buffer *buffer)
{
    if (f->tir->block)
        array_push(&f->tir->block->allocs, buffer);
    else
        array_push(&f->tir->root_allocs, buffer);
    bind(f, target, buffer);
    return true;
}

static bool push_alloc(struct frontend *f, const struct ast *a, const struct ast *target,
                       const struct ast *call, struct ir_buffer *buffer)
{
    bool is_view = buffer->data != NULL;
    struct tir_stmt *stmt = stmt_new(f, is_view ? TIR_DECL : TIR_ALLOC, a);
    const struct ast *annotations = call_arg(call, UINT16_MAX, "annotations");

    stmt->alloc.buffer = buffer;
    if (annotations && annotations->kind != AST_NONE &&
        !(stmt->alloc.annotations = attr_translate(f, annotations)))
        return false;
    stmt_push(f, stmt);
    bind(f, target, buffer);
    return true;
}

/* X = T.allocate([128], "float32", "global"): X is the pointer to the storage. */
static bool allocate_pointer(struct frontend *f, const struct ast *a, const struct ast *target,
                             const struct ast *call)
{
    const struct ast *extents = call_arg(call, 0, "extents"), *type = call_arg(call, 1, "dtype");
    const struct ast *scope = call_arg(call, 2, "scope");
    const struct ir_expr *const *dims;
    struct ir_dtype dtype;
    unsigned count;

    if (!extents || !type) {
        diag_report(f->diag, call->loc, ARG_MISSING, extents ? "dtype" : "extents");
        return false;
    }
    if (!scalars_translate(f, extents, IR_VOID, &dims, &count) || !dtype_translate(f, type, &dtype))
        return false;
    struct ir_buffer *buffer = tir_buffer_new(f->module, target->name, dtype, dims, count);
    buffer->scope = scope && scope->kind == AST_STRING
                        ? scope->string
                        : atom_intern_text(&f->context->atoms, "global");
    if (!push_alloc(f, a, target, call, buffer))
        return false;
    struct name *name = scope_bind(f, NAME_VAR, target->name, target->loc);
    name->buffer = buffer;
    name->var = buffer_data_var(f, buffer);
    return true;
}

static bool allocate_scalar(struct frontend *f, const struct ast *a, const struct ast *target,
                            const struct ast *call, const char *scope)
{
    const struct ast *type = call_arg(call, 0, "dtype");
    const struct ir_expr *one = ir_expr_int(f->context, IR_I32, 1);
    struct ir_dtype dtype = IR_F32;

    if (type && !dtype_translate(f, type, &dtype))
        return false;
    struct ir_buffer *buffer = tir_buffer_new(f->module, target->name, dtype, &one, 1);
    buffer->scope = atom_intern_text(&f->context->atoms, scope);
    buffer->is_scalar = true;
    struct tir_stmt *stmt = stmt_new(f, TIR_ALLOC, a);
    stmt->alloc.buffer = buffer;
    stmt_push(f, stmt);
    bind(f, target, buffer);
    return true;
}

bool allocation_translate(struct frontend *f, const struct ast *a, const struct ast *target,
                          const struct ast *call)
{
    const struct allocation *allocation = find_allocation(f, call);
    enum place place = allocation->place;
    struct ir_buffer *buffer;

    if (!call_check_form(f, call))
        return false;
    if (place == PLACE_POINTER)
        return allocate_pointer(f, a, target, call);
    if (place == PLACE_SCALAR)
        return allocate_scalar(f, a, target, call, allocation->scope);
    buffer = buffer_translate(f, call, target->name,
                              place == PLACE_DECLARE ? BUFFER_DECL : BUFFER_ALLOC);
    if (!buffer) {
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    if (allocation->scope)
        buffer->scope = atom_intern_text(&f->context->atoms, allocation->scope);
    if (place == PLACE_DIALECT)
        place = f->tir->dialect == DIALECT_OLD ? PLACE_BLOCK : PLACE_STATEMENT;
    if (place != PLACE_DECLARE && is_repeated(f, target))
        return false;
    if (place == PLACE_BLOCK)
        return allocate_in_block(f, target, buffer);
    return push_alloc(f, a, target, call, buffer);
}
