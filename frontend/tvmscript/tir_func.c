/*
 * Kernels: decorator, signature, and what surrounds the body.
 *
 * Parameters that are handles become buffers when T.match_buffer names them.  The body gets a root
 * block where TVM's reader makes one; blocks that do not say what they read and write are completed at
 * the end, inner ones first.
 */
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* --- dialect --- */

/* True once @a or what is below decides; names of blocks are what the dialects differ in. */
static bool find_dialect(const struct ast *a, enum dialect *out_dialect)
{
    if (!a)
        return false;
    if (a->kind == AST_ATTRIBUTE && a->items[0]->kind == AST_NAME) {
        bool is_new = strncmp(a->name, "sblock", 6) == 0;
        bool is_old = strcmp(a->name, "block") == 0 || strcmp(a->name, "block_attr") == 0;
        if (is_new || is_old)
            *out_dialect = is_new ? DIALECT_NEW : DIALECT_OLD;
        return is_new || is_old;
    }
    for (unsigned i = 0; i < a->item_count; i++)
        if (find_dialect(a->items[i], out_dialect))
            return true;
    for (unsigned i = 0; i < a->body_count; i++)
        if (find_dialect(a->body[i], out_dialect))
            return true;
    for (unsigned i = 0; i < a->orelse_count; i++)
        if (find_dialect(a->orelse[i], out_dialect))
            return true;
    return false;
}

static enum dialect dialect_of(struct frontend *f, const struct ast *def)
{
    enum dialect dialect = f->imports_old_tir ? DIALECT_OLD : DIALECT_NEW;

    (void)find_dialect(def, &dialect);
    return dialect;
}

/* --- decorator --- */

static bool read_flag(struct frontend *f, const struct ast *keyword, bool *out)
{
    const struct ast *value = keyword->items[0];

    if (value->kind != AST_TRUE && value->kind != AST_FALSE) {
        help_flag(
            diag_report(f->diag, value->loc, SYNTAX_EXPECTED, "True or False", describe_ast(value)),
            value);
        return false;
    }
    *out = value->kind == AST_TRUE;
    return true;
}

static bool read_flags(struct frontend *f, struct tir_func *func, const struct ast *call)
{
    bool done = true, skips = true, persists = false;

    for (unsigned k = 1; call->kind == AST_CALL && k < call->item_count; k++) {
        const struct ast *keyword = call->items[k];
        if (strcmp(keyword->name, "private") == 0)
            done = read_flag(f, keyword, &func->is_private) && done;
        else if (strcmp(keyword->name, "s_tir") == 0)
            done = read_flag(f, keyword, &func->is_s_tir) && done;
        else if (strcmp(keyword->name, "check_well_formed") == 0)
            done = read_flag(f, keyword, &skips) && done;
        else
            done = read_flag(f, keyword, &persists) && done;
    }
    func->skip_well_formed = !skips;
    if (persists)
        func->decorator = ir_attr_dict_with(f->context, func->decorator, "persistent",
                                            ir_attr_bool(f->context, true));
    return done;
}

static bool read_decorator(struct frontend *f, const struct ast *def)
{
    static const char *const flags[] = {"private", "s_tir", "check_well_formed", "persistent",
                                        NULL};
    struct tir_func *func = f->tir->func;
    bool done = true;

    func->is_s_tir = f->tir->dialect == DIALECT_OLD;
    for (unsigned i = 0; i < def->decorator_count; i++)
        done = decorator_check(f, def->decorators[i], flags) &&
               read_flags(f, func, def->decorators[i]) && done;
    return done;
}

/* --- parameters --- */

static const struct ast *find_declaration(const struct ast *target, const struct ast *value,
                                          const char *text)
{
    if (target->kind == AST_NAME)
        return target->name == text ? value : NULL;
    if ((target->kind != AST_TUPLE && target->kind != AST_LIST) ||
        (value->kind != AST_TUPLE && value->kind != AST_LIST))
        return NULL;
    for (unsigned i = 0; i < target->item_count && i < value->item_count; i++)
        if (target->items[i]->kind == AST_NAME && target->items[i]->name == text)
            return value->items[i];
    return NULL;
}

bool tir_declares(struct frontend *f, const struct ast *def, const char *name)
{
    struct ir_dtype dtype;

    for (unsigned i = 0; i < def->item_count; i++)
        if (def->items[i]->name == name)
            return true;
    for (unsigned i = 0; i < def->body_count; i++) {
        const struct ast *stmt = def->body[i];
        const struct ast *value = stmt->kind == AST_ASSIGN
                                      ? find_declaration(stmt->items[0], stmt->items[1], name)
                                      : NULL;
        if (value && value->kind == AST_CALL && dtype_of_name(callee_name(f, value), &dtype))
            return !ir_dtype_equal(dtype, IR_I64);
    }
    return false;
}

struct ir_dtype symbol_dtype(struct frontend *f, const char *text)
{
    const struct ast *def = f->tir->def;
    struct ir_dtype dtype;

    for (unsigned i = 0; i < def->item_count; i++) {
        const struct ast *param = def->items[i];
        if (param->name == text && param->items[0] &&
            dtype_of_name(dotted_name(f, param->items[0]), &dtype))
            return dtype;
    }
    for (unsigned i = 0; i < def->body_count; i++) {
        const struct ast *stmt = def->body[i];
        const struct ast *value = stmt->kind == AST_ASSIGN
                                      ? find_declaration(stmt->items[0], stmt->items[1], text)
                                      : NULL;
        if (value && value->kind == AST_CALL && dtype_of_name(callee_name(f, value), &dtype))
            return dtype;
    }
    return IR_I32;
}

static void bind_typevar(struct frontend *f, const char *text, struct location loc)
{
    struct ir_var *var = ir_symbol_new(f->context, text, IR_I64);

    var->loc = loc;
    scope_bind(f, NAME_VAR, text, loc)->var = var;
}

static bool scalar_param(struct frontend *f, const struct ast *param, struct ir_dtype dtype)
{
    const struct ast *type = param->items[0];
    const struct name *known = scope_use(f, param);
    const struct ir_var *var = NULL;

    /* a quoted dimension of an earlier parameter may have made the symbol */
    if (known && known->kind == NAME_VAR && known->var->is_symbol &&
        ir_dtype_equal(known->var->dtype, dtype))
        var = known->var;
    if (!var) {
        struct ir_var *fresh = ir_symbol_new(f->context, param->name, dtype);
        fresh->loc = param->name_loc;
        fresh->is_symbol = false;
        pointer_describe(fresh, type);
        scope_bind(f, NAME_VAR, param->name, param->name_loc)->var = fresh;
        var = fresh;
    }
    tir_func_add_var(f->tir->func, var);
    return true;
}

static bool buffer_param(struct frontend *f, const struct ast *param, const struct ast *call)
{
    struct ir_buffer *buffer = buffer_translate(f, call, param->name, BUFFER_ANNOTATION);

    if (!buffer) {
        scope_bind(f, NAME_ERROR, param->name, param->name_loc);
        return false;
    }
    buffer->loc = param->name_loc;
    tir_func_add_buffer(f->tir->func, buffer);
    scope_bind(f, NAME_BUFFER, param->name, param->name_loc)->buffer = buffer;
    return true;
}

static bool read_param(struct frontend *f, const struct ast *param)
{
    const struct ast *type = param->items[0];
    struct ir_dtype dtype;

    if (!type) {
        struct diag_message *m =
            diag_report(f->diag, param->name_loc, KERNEL_PARAM_MISSING, param->name);
        diag_help(m, "write `%s: T.Buffer((..), \"float32\")`", param->name);
        scope_bind(f, NAME_ERROR, param->name, param->name_loc);
        return false;
    }
    const char *dotted = dotted_name(f, type->kind == AST_CALL ? type->items[0] : type);
    if (type->kind == AST_CALL && dotted &&
        (strcmp(dotted, "T.Buffer") == 0 || strcmp(dotted, "T.buffer") == 0))
        return buffer_param(f, param, type);
    if (dtype_of_name(dotted, &dtype) &&
        (type->kind != AST_CALL || dtype.code == IR_HANDLE || type->item_count == 1))
        return scalar_param(f, param, dtype);
    struct diag_message *m = diag_report(f->diag, type->loc, KERNEL_PARAM, param->name);
    if (help_buffer_type(f, m, type))
        ;
    else if (dotted && strcmp(dotted, "T.Buffer") == 0)
        diag_help(m, "give the shape: `T.Buffer((..), \"float32\")`");
    else if (dotted && type->kind == AST_CALL)
        help_nearest(m, type->items[0]->loc, dotted, (const char *const[]){"T.Buffer", NULL}, "");
    const char *python = type->kind == AST_NAME ? type->name : "";
    const char *scalar = strcmp(python, "int") == 0     ? "T.int64"
                         : strcmp(python, "float") == 0 ? "T.float32"
                         : strcmp(python, "bool") == 0  ? "T.bool"
                                                        : NULL;
    if (scalar) {
        diag_help(m, "write `%s`", scalar);
        diag_help_edit(m, type->loc, "%s", scalar);
    }
    scope_bind(f, NAME_ERROR, param->name, param->name_loc);
    return false;
}

static bool is_repeated(struct frontend *f, const struct ast *def, unsigned i)
{
    for (unsigned k = 0; k < i; k++) {
        if (def->items[k]->name != def->items[i]->name)
            continue;
        struct diag_message *m =
            diag_report(f->diag, def->items[i]->name_loc, KERNEL_PARAM_TWICE, def->items[i]->name);
        diag_label(m, def->items[k]->name_loc, "first here");
        return true;
    }
    return false;
}

static bool read_signature(struct frontend *f, const struct ast *def)
{
    struct tir_func *func = f->tir->func;
    bool done = true;

    for (unsigned i = 0; i < def->type_param_count; i++)
        bind_typevar(f, def->type_params[i]->name, def->type_params[i]->loc);
    f->is_signature = true;
    for (unsigned i = 0; i < def->item_count; i++)
        done = !is_repeated(f, def, i) && read_param(f, def->items[i]) && done;
    f->is_signature = false;
    if (!def->returns || def->returns->kind == AST_NONE)
        return done;
    func->has_result_annotation = true;
    return dtype_translate(f, def->returns, &func->result) && done;
}

/* --- T.match_buffer of parameters --- */

static struct tir_param *find_param(struct tir_func *func, const struct ir_var *var)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].var == var && var && var->dtype.code == IR_HANDLE)
            return &func->params[i];
    return NULL;
}

bool match_param_translate(struct frontend *f, const struct ast *target, const struct ast *call)
{
    const struct ast *source = call_arg(call, 0, "param");
    const struct name *name = source && source->kind == AST_NAME ? scope_use(f, source) : NULL;
    struct ir_buffer *buffer = NULL;

    if (source && source->kind != AST_NAME)
        diag_report(f->diag, source->loc, KERNEL_MATCH, "it takes a handle parameter, or a region");
    else {
        f->cast = call->loc;
        buffer = buffer_translate(f, call, target->name, BUFFER_MATCH);
        f->cast = (struct location){0};
    }
    if (!buffer || !name || name->kind == NAME_ERROR) {
        if (source && source->kind == AST_NAME && !name)
            report_undefined_name(f, source);
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    buffer->loc = target->loc;
    struct tir_param *param = find_param(f->tir->func, name->var);
    if (!param) {
        diag_report(f->diag, source->loc, KERNEL_MATCH,
                    "it takes a handle parameter that is not matched yet, or a region");
        scope_bind(f, NAME_ERROR, target->name, target->loc);
        return false;
    }
    *param = (struct tir_param){.buffer = buffer};
    scope_bind(f, NAME_BUFFER, target->name, target->loc)->buffer = buffer;
    return true;
}

/* --- the root block and missing regions --- */

static bool is_no_block(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_BLOCK;
}

static bool holds_block(struct tir_stmt *stmt)
{
    return !tir_stmt_walk(stmt, is_no_block, NULL);
}

static struct tir_stmt *add_root(struct frontend *f, struct tir_stmt *body)
{
    struct tir_state *t = f->tir;
    bool is_block = body->kind == TIR_BLOCK;
    bool is_needed =
        t->root_allocs.count > 0 || (is_block ? body->block.axis_count > 0 : holds_block(body));

    if (!t->func->is_s_tir)
        return body;
    if (!is_needed) {
        if (is_block) { /* the outermost block stands for the root */
            body->block.is_root = true;
            body->block.has_reads = body->block.has_writes = true;
        }
        return body;
    }
    struct tir_stmt *root = tir_stmt_new(f->module, TIR_BLOCK, body->loc);
    root->block.name = atom_intern_text(&f->context->atoms, "root");
    root->block.is_root = root->block.has_reads = root->block.has_writes = true;
    root->block.alloc_count = (unsigned)t->root_allocs.count;
    root->block.allocs =
        arena_array(&f->module->arena, struct ir_buffer *, t->root_allocs.count + 1);
    for (size_t i = 0; i < t->root_allocs.count; i++)
        root->block.allocs[i] = t->root_allocs.items[i];
    root->block.body = body;
    return root;
}

static bool is_no_address(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_var || a->dtype.code != IR_HANDLE;
}

static bool find_address_in(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, is_no_address, NULL);
}

/* Blocks inside count by what they say. */
static bool uses_address(struct tir_stmt *stmt, bool is_outermost)
{
    struct tir_stmt *child;

    if (stmt->kind == TIR_BLOCK && !is_outermost)
        return false;
    if (!tir_stmt_walk_exprs(stmt, find_address_in, NULL))
        return true;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        if (uses_address(child, false))
            return true;
    return false;
}

/* Infers the regions that blocks in @stmt do not say, inner ones first. */
static bool infer_regions(struct frontend *f, struct tir_stmt *stmt)
{
    struct tir_stmt *child;

    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        if (!infer_regions(f, child))
            return false;
    if (stmt->kind != TIR_BLOCK || (stmt->block.has_reads && stmt->block.has_writes))
        return true;
    if (uses_address(stmt, true)) {
        struct diag_message *m =
            diag_report(f->diag, stmt->loc, KERNEL_REGION_UNKNOWN, stmt->block.name);
        diag_note(m, "it uses the address of a buffer, so its accesses cannot be seen");
        diag_help(m, "say them with T.reads(..) and T.writes(..)");
        return false;
    }
    tir_block_infer_regions(f->module, stmt);
    return true;
}

/* --- all of it --- */

static bool translate_func(struct frontend *f, const struct ast *def)
{
    struct tir_state *t = f->tir;
    bool done = read_decorator(f, def);

    done = read_signature(f, def) && done;
    t->suite_names = scope_push(f);
    tir_suite(f, def->body, def->body_count);
    struct tir_stmt *body = tir_suite_end(f, 0, 0);
    if (!done || t->has_failed)
        return false;
    t->func->is_s_tir = t->func->is_s_tir || t->has_block;
    t->func->body = add_root(f, body);
    return !t->func->is_s_tir || infer_regions(f, t->func->body);
}

struct tir_func *tir_translate(struct frontend *f, const struct ast *def)
{
    struct tir_state state = {.func = tir_func_new(f->module, def->name), .def = def};
    struct tir_state *outer = f->tir;
    const struct ast *outer_function = f->function;
    size_t mark = scope_push(f);

    f->tir = &state;
    f->function = def;
    state.dialect = dialect_of(f, def);
    state.func->loc = def->name_loc;
    bool done = translate_func(f, def);
    f->tir = outer;
    f->function = outer_function;
    scope_pop(f, mark);
    array_finish(&state.stmts);
    array_finish(&state.frames);
    array_finish(&state.loops);
    array_finish(&state.threads);
    array_finish(&state.root_allocs);
    return done ? state.func : NULL;
}
