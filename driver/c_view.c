/* See c_view.h. */
#include "driver/c_view.h"

#include "analysis/leaves.h"
#include "analysis/storage/storage.h"

#include <ctype.h>
#include <string.h>

struct maker {
    struct c_view *view;
    struct c_function *out;
    struct ir_function *function;
    const struct storage_summary *summary;
    const struct ir_var **symbols;
    size_t symbol_count, symbol_capacity;
    bool is_good;
};

/* --- names --- */

static const char *const c_words[] = {
    "auto",    "break",     "case",     "char",          "const",        "continue", "default",
    "do",      "double",    "else",     "enum",          "extern",       "float",    "for",
    "goto",    "if",        "inline",   "int",           "long",         "register", "restrict",
    "return",  "short",     "signed",   "sizeof",        "static",       "struct",   "switch",
    "typedef", "union",     "unsigned", "void",          "volatile",     "while",    "bool",
    "true",    "false",     "NULL",     "errno",         "asm",          "typeof",   "alignas",
    "alignof", "constexpr", "nullptr",  "static_assert", "thread_local",
};
static const char *const cpp_words[] = {
    "and",       "and_eq",       "bitand",    "bitor",     "catch",      "char8_t",
    "char16_t",  "char32_t",     "class",     "co_await",  "co_return",  "co_yield",
    "compl",     "concept",      "consteval", "constinit", "const_cast", "decltype",
    "delete",    "dynamic_cast", "explicit",  "export",    "friend",     "mutable",
    "namespace", "new",          "noexcept",  "not",       "not_eq",     "operator",
    "or",        "or_eq",        "private",   "protected", "public",     "reinterpret_cast",
    "requires",  "static_cast",  "template",  "this",      "throw",      "try",
    "typeid",    "typename",     "using",     "virtual",   "wchar_t",    "xor",
    "xor_eq",
};

const char *c_view_reserver(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(c_words); i++)
        if (strcmp(c_words[i], name) == 0)
            return "C";
    for (size_t i = 0; i < ARRAY_SIZE(cpp_words); i++)
        if (strcmp(cpp_words[i], name) == 0)
            return "C++";
    return NULL;
}

const char *c_view_name(struct arena *arena, const char *text)
{
    char *name = arena_printf(arena, "%s%s", isdigit((unsigned char)*text) ? "_" : "", text);

    for (char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return name;
}

static bool is_taken(const struct c_function *function, const char *name)
{
    for (size_t i = 0; i < function->params.count; i++)
        if (strcmp(function->params.items[i].name, name) == 0)
            return true;
    return false;
}

/* @name, or @name with a number that no parameter has. */
static const char *free_name(struct maker *maker, const char *name)
{
    struct arena *arena = &maker->view->arena;
    const char *result = c_view_name(arena, name);

    for (unsigned i = 1; is_taken(maker->out, result) || c_view_reserver(result); i++)
        result = arena_printf(arena, "%s_%u", c_view_name(arena, name), i);
    return result;
}

/* --- types --- */

const char *c_view_element(struct ir_dtype dtype)
{
    static const char *const ints[] = {"int8_t", "int16_t", "int32_t", "int64_t"};
    static const char *const uints[] = {"uint8_t", "uint16_t", "uint32_t", "uint64_t"};
    unsigned place = dtype.bits == 8 ? 0 : dtype.bits == 16 ? 1 : dtype.bits == 32 ? 2 : 3;
    bool is_whole = dtype.bits == 8 || dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;

    if (dtype.lanes != 1 || !ir_dtype_can_compute(dtype) || (!is_whole && !ir_dtype_is_bool(dtype)))
        return NULL;
    if (ir_dtype_is_bool(dtype))
        return "bool";
    if (ir_dtype_is_float(dtype))
        return dtype.bits == 64 ? "double" : dtype.bits == 32 ? "float" : "uint16_t";
    return dtype.code == IR_INT ? ints[place] : uints[place];
}

static bool refuse(struct maker *maker, struct location loc, const char *what,
                   const struct ir_type *type, const char *why)
{
    diag_report(maker->view->diag, loc, ARTIFACT_TYPE, what, maker->function->name,
                ir_type_text(maker->view->context, type), why);
    maker->is_good = false;
    return false;
}

/* --- symbols --- */

static bool note_symbol(void *state, const struct ir_expr *e)
{
    struct maker *maker = state;

    if (e->kind != IR_EXPR_var)
        return true;
    for (unsigned i = 0; i < maker->function->param_count; i++)
        if (maker->function->params[i]->var == e->var)
            return true;
    for (size_t i = 0; i < maker->symbol_count; i++)
        if (maker->symbols[i] == e->var)
            return true;
    if (maker->symbol_count == maker->symbol_capacity) {
        const struct ir_var **more =
            arena_array(&maker->view->arena, const struct ir_var *, maker->symbol_capacity * 2 + 4);
        for (size_t i = 0; i < maker->symbol_count; i++)
            more[i] = maker->symbols[i];
        maker->symbols = more;
        maker->symbol_capacity = maker->symbol_capacity * 2 + 4;
    }
    maker->symbols[maker->symbol_count++] = e->var;
    return true;
}

static bool is_known(void *state, const struct ir_expr *e)
{
    const struct maker *maker = state;

    if (e->kind != IR_EXPR_var)
        return true;
    for (unsigned i = 0; i < maker->function->param_count; i++)
        if (maker->function->params[i]->var == e->var)
            return true;
    for (size_t i = 0; i < maker->symbol_count; i++)
        if (maker->symbols[i] == e->var)
            return true;
    return false;
}

/* --- parameters --- */

static void push(struct maker *maker, struct c_param param, const char *name)
{
    param.name = free_name(maker, name);
    array_push(&maker->out->params, param);
}

/* Are the first bytes of @part all that a value of @type takes? */
static bool is_begin(struct maker *maker, const struct storage_part *part,
                     const struct ir_type *type, const struct ir_type *result)
{
    const struct ir_expr *bytes = ir_type_bytes(maker->view->context, result);
    const struct storage_region *region = &part->region;

    if (!region->offset || !ir_expr_is_int(region->offset, 0) || region->is_around)
        return false;
    return type == result || (bytes && region->bytes && ir_expr_equal(bytes, region->bytes));
}

/* The leaf of the result that lies in parameter @param's leaf @leaf whatever happens; -1: none. */
static int held_result(struct maker *maker, unsigned param, unsigned leaf)
{
    const struct ir_type *type = leaf_type(maker->function->params[param]->type, leaf);

    for (unsigned i = 0; maker->summary && i < maker->summary->result_count; i++) {
        const struct storage_result *result = &maker->summary->results[i];
        const struct storage_part *part = result->part_count == 1 ? result->parts : NULL;
        if (part && !result->is_opaque && !result->is_constant && part->is_parameter &&
            part->parameter == param && part->leaf == leaf &&
            ir_function_donates(maker->function, param) &&
            leaf_type(maker->summary->type, i)->kind == IR_TYPE_TENSOR &&
            ir_dtype_equal(leaf_type(maker->summary->type, i)->dtype, type->dtype) &&
            is_begin(maker, part, type, leaf_type(maker->summary->type, i)))
            return (int)i;
    }
    return -1;
}

static void add_tensor(struct maker *maker, unsigned param, unsigned leaf, struct c_param c)
{
    struct arena *arena = &maker->view->arena;
    const struct ir_value *value = maker->function->params[param];
    const struct ir_type *type = c.base.type;
    const char *element = c_view_element(type->dtype);

    c.is_inplace = ir_function_donates(maker->function, param);
    c.result = c.is_inplace ? held_result(maker, param, leaf) : -1;
    if (ir_dtype_is_void(type->dtype) || type->ndim < 0)
        refuse(maker, value->loc, arena_printf(arena, "parameter `%s`", c.of), type,
               type->ndim < 0 ? "its rank is not known" : "its dtype is not known");
    if (!element)
        element = "void";
    c.type = arena_printf(arena, "%s%s *", c.is_inplace ? "" : "const ", element);
    push(maker, c, c.of);
    if (type->ndim > 0 && !type->dims) {
        c.base.kind = CODEGEN_SHAPE;
        c.type = "const int64_t *";
        push(maker, c, arena_printf(arena, "%s_shape", c.of));
    }
}

static void add_leaf(struct maker *maker, unsigned param, unsigned leaf, unsigned number)
{
    struct arena *arena = &maker->view->arena;
    const struct ir_value *value = maker->function->params[param];
    const struct ir_type *type = leaf_type(value->type, leaf);
    const char *name = value->name ? value->name : "x";
    struct c_param c = {.base = {.leaf = number, .type = type}, .result = -1, .of = name};

    if (type->kind == IR_TYPE_PRIM)
        c.base.symbol = value->var;

    if (value->type->kind == IR_TYPE_TUPLE) {
        c.of = arena_printf(arena, "%s[%u]", name, leaf);
    } else if (c_view_reserver(name)) {
        diag_report(maker->view->diag, value->loc, ARTIFACT_WORD, name, c_view_reserver(name));
        maker->is_good = false;
    }
    if (type->kind == IR_TYPE_TENSOR) {
        add_tensor(maker, param, leaf, c);
    } else if (type->kind == IR_TYPE_PRIM && c_view_element(type->dtype)) {
        c.base.kind = CODEGEN_NUMBER;
        c.type = arena_printf(arena, "%s ", c_view_element(type->dtype));
        push(maker, c, c.of);
    } else if (type->kind == IR_TYPE_SHAPE && type->ndim >= 0) {
        c.type = "const int64_t *";
        if (type->ndim > 0 && !type->dims)
            push(maker, c, c.of);
    } else {
        refuse(maker, value->loc, arena_printf(arena, "parameter `%s`", c.of), type,
               "it is no tensor, shape or number");
    }
}

static void add_params(struct maker *maker)
{
    unsigned number = 0;

    for (unsigned i = 0; i < maker->function->param_count; i++)
        for (unsigned k = 0; k < leaf_count(maker->function->params[i]->type); k++)
            add_leaf(maker, i, k, number++);
    for (unsigned i = 0; i < maker->function->param_count; i++)
        ir_type_walk_exprs(maker->function->params[i]->type, note_symbol, maker);
}

/* --- results --- */

static const struct ir_op *return_of(const struct ir_function *function)
{
    return function->body->last ? function->body->last->last : NULL;
}

/* What the script calls leaf @leaf of the result; NULL: nothing. */
static const char *result_name(const struct ir_function *function, unsigned leaf)
{
    const struct ir_op *op = return_of(function);
    const struct ir_value *value = op && op->operand_count ? op->operands[0].value : NULL;

    if (value && value->type->kind == IR_TYPE_TUPLE && value->def &&
        ir_op_is(value->def, IR_CORE_tuple) && value->def->operand_count == leaf_count(value->type))
        value = value->def->operands[leaf].value;
    return value && value->type->kind != IR_TYPE_TUPLE ? value->name : NULL;
}

static bool is_held(const struct maker *maker, unsigned leaf)
{
    for (size_t i = 0; i < maker->out->params.count; i++)
        if (maker->out->params.items[i].result == (int)leaf)
            return true;
    return false;
}

static void add_result(struct maker *maker, unsigned leaf)
{
    struct arena *arena = &maker->view->arena;
    const struct ir_type *type = leaf_type(maker->function->result, leaf);
    const char *what = arena_printf(arena, "result %u", leaf + 1);
    const char *name = result_name(maker->function, leaf);
    const char *element = type->kind == IR_TYPE_SHAPE ? "int64_t" : c_view_element(type->dtype);
    struct c_param c = {.base = {.kind = CODEGEN_RESULT, .leaf = leaf, .type = type}, .result = -1};

    if (is_held(maker, leaf))
        return;
    if (type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_SHAPE && type->kind != IR_TYPE_PRIM)
        refuse(maker, maker->function->loc, what, type, "it is no tensor, shape or number");
    else if (type->kind != IR_TYPE_PRIM && (type->ndim < 0 || (type->ndim > 0 && !type->dims)))
        refuse(maker, maker->function->loc, what, type, "only the run knows its shape");
    else if (type->kind == IR_TYPE_TENSOR && ir_dtype_is_void(type->dtype))
        refuse(maker, maker->function->loc, what, type, "its dtype is not known");
    else if (!ir_type_walk_exprs(type, is_known, maker))
        refuse(maker, maker->function->loc, what, type, "only the run knows its shape");
    c.of = name ? name : "result";
    c.type = arena_printf(arena, "%s *", element ? element : "void");
    push(maker, c, c.of);
}

static void add_rest(struct maker *maker)
{
    for (unsigned i = 0; i < leaf_count(maker->function->result); i++)
        add_result(maker, i);
    for (size_t i = 0; i < maker->symbol_count; i++) {
        struct c_param c = {.base = {.kind = CODEGEN_SYMBOL, .symbol = maker->symbols[i]},
                            .of = maker->symbols[i]->name,
                            .type = "int64_t ",
                            .result = -1};
        push(maker, c, c.of);
    }
    if (maker->view->has_weights)
        push(maker,
             (struct c_param){.base = {.kind = CODEGEN_WEIGHTS},
                              .type = "const struct inlay_weights *",
                              .result = -1},
             "weights");
    push(maker, (struct c_param){.base = {.kind = CODEGEN_ARENA}, .type = "void *", .result = -1},
         "arena");
}

/* --- functions --- */

struct search {
    const struct ir_var *var;
};

static bool is_other(void *state, const struct ir_expr *e)
{
    return e->kind != IR_EXPR_var || e->var != ((const struct search *)state)->var;
}

void c_view_set_need(struct c_function *function, const struct ir_expr *need)
{
    function->need = need;
    for (size_t i = 0; i < function->params.count; i++) {
        struct codegen_param *param = &function->params.items[i].base;
        struct search search = {param->symbol};
        param->is_size = param->symbol && !ir_expr_walk(need, is_other, &search);
    }
}

static bool add_need(struct maker *maker)
{
    const struct stack_need *need = stack_needs_of(&maker->view->needs, maker->function);

    maker->out->need = need->bytes;
    if (need->bytes && ir_expr_walk(need->bytes, is_known, maker)) {
        c_view_set_need(maker->out, need->bytes);
        return true;
    }
    const char *why = need->bytes ? "it takes storage whose size only the run knows" : need->why;
    struct diag_message *m =
        diag_report(maker->view->diag, need->bytes ? maker->function->loc : need->where,
                    ARTIFACT_NEED, maker->function->name, why);
    if (strstr(why, "calls itself"))
        diag_help(m, "loops have a bound: private functions whose last act is the call");
    else if (strstr(why, "turns may differ"))
        diag_help(m, "say how large sizes get: "
                     "R.func_attr({\"tir_var_upper_bound\": {\"n\": 4096}})");
    maker->is_good = false;
    return false;
}

static bool add_function(struct c_view *view, struct storage_module *facts,
                         struct ir_function *function)
{
    struct c_function c = {.function = function,
                           .stack_bytes = -1,
                           .name = arena_printf(&view->arena, "%s%s%s", view->prefix,
                                                *view->prefix ? "_" : "",
                                                c_view_name(&view->arena, function->name))};
    struct maker maker = {.view = view,
                          .out = &c,
                          .function = function,
                          .summary = storage_summary(facts, function),
                          .is_good = true};

    add_params(&maker);
    add_rest(&maker);
    if (maker.is_good)
        add_need(&maker);
    if (c_view_reserver(c.name)) {
        diag_report(view->diag, function->loc, ARTIFACT_WORD, c.name, c_view_reserver(c.name));
        maker.is_good = false;
    }
    array_push(&view->functions, c);
    return maker.is_good;
}

/* Does @other, or what stands beside it, have the name of @function or what stands beside it? */
static const char *clash(struct c_view *view, const struct c_function *a,
                         const struct c_function *b)
{
    static const char *const ends[] = {"", "_dl", "_arena_bytes"};

    for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
        for (size_t k = 0; k < ARRAY_SIZE(ends); k++) {
            const char *x = arena_printf(&view->arena, "%s%s", a->name, ends[i]);
            if (strcmp(x, arena_printf(&view->arena, "%s%s", b->name, ends[k])) == 0)
                return x;
        }
    return NULL;
}

/* What an artifact exports besides its entries; NULL: @name is none of it. */
static const char *own_function(struct c_view *view, const char *name)
{
    static const char *const choosers[] = {"use_cpu", "cpu"};
    static const char *const ends[] = {"_open", "_use", "_close"};

    if (strcmp(name, arena_printf(&view->arena, "%s%smessage", view->prefix,
                                  *view->prefix ? "_" : "")) == 0)
        return "the message function";
    for (size_t i = 0; view->has_weights && i < ARRAY_SIZE(ends); i++)
        if (strcmp(name, arena_printf(&view->arena, "%s%s", c_view_weights(view), ends[i])) == 0)
            return "a function for weights";
    for (size_t i = 0; view->has_levels && i < ARRAY_SIZE(choosers); i++)
        if (strcmp(name, arena_printf(&view->arena, "%s%s%s", view->prefix,
                                      *view->prefix ? "_" : "", choosers[i])) == 0)
            return "what chooses a processor";
    return NULL;
}

static bool check_names(struct c_view *view)
{
    bool is_good = true;

    for (size_t i = 0; i < view->functions.count; i++) {
        const struct c_function *a = &view->functions.items[i];
        if (own_function(view, a->name)) {
            diag_report(view->diag, a->function->loc, ARTIFACT_NAME, a->function->name,
                        own_function(view, a->name), a->name);
            is_good = false;
        }
        for (size_t k = 0; k < i; k++) {
            const struct c_function *b = &view->functions.items[k];
            const char *name = clash(view, b, a);
            if (!name)
                continue;
            diag_report(view->diag, a->function->loc, ARTIFACT_NAME, b->function->name,
                        a->function->name, name);
            is_good = false;
        }
    }
    return is_good;
}

const char *c_view_weights(struct c_view *view)
{
    return arena_printf(&view->arena, "%s%sweights", view->prefix, *view->prefix ? "_" : "");
}

bool c_view_make(struct c_view *view, struct ir_module *module, const char *prefix,
                 unsigned threads, bool has_weights, bool has_levels, struct diag *diag)
{
    const struct stack_options arena = {.threads = threads, .keeps = true};
    struct storage_module facts;
    bool is_good = true;

    *view = (struct c_view){.prefix = prefix,
                            .context = module->context,
                            .has_weights = has_weights,
                            .has_levels = has_levels,
                            .diag = diag};
    stack_needs_find(&view->needs, module, &arena);
    storage_module_init(&facts, module);
    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_global *global = module->globals[i];
        if (global->kind == IR_GLOBAL_FUNCTION && !global->function->is_private)
            is_good &= add_function(view, &facts, global->function);
    }
    storage_module_finish(&facts);
    if (view->functions.count == 0) {
        diag_report(diag, (struct location){0}, ARTIFACT_EMPTY);
        is_good = false;
    }
    return check_names(view) && is_good;
}

void c_view_finish(struct c_view *view)
{
    for (size_t i = 0; i < view->functions.count; i++)
        array_finish(&view->functions.items[i].params);
    array_finish(&view->functions);
    stack_needs_finish(&view->needs);
    arena_finish(&view->arena);
}

/* --- expressions --- */

static const char *operator_of(enum ir_expr_kind kind)
{
    switch (kind) {
    case IR_EXPR_add:
        return " + ";
    case IR_EXPR_sub:
        return " - ";
    case IR_EXPR_mul:
        return " * ";
    case IR_EXPR_div:
    case IR_EXPR_floordiv:
        return " / ";
    case IR_EXPR_mod:
    case IR_EXPR_floormod:
        return " % ";
    default:
        return NULL;
    }
}

static const char *name_of(const struct c_function *function, const struct ir_var *var)
{
    for (size_t i = 0; i < function->params.count; i++)
        if (function->params.items[i].base.symbol == var)
            return function->params.items[i].name;
    return var->name;
}

static void put_operand(const struct c_function *function, const struct ir_expr *expr,
                        struct text *out)
{
    bool is_simple = expr->operand_count == 0;

    text_puts(out, is_simple ? "" : "(");
    c_view_put_expr(function, expr, out);
    text_puts(out, is_simple ? "" : ")");
}

void c_view_put_expr(const struct c_function *function, const struct ir_expr *expr,
                     struct text *out)
{
    const char *sign = operator_of(expr->kind);

    if (expr->kind == IR_EXPR_int) {
        text_printf(out, "%lld", (long long)expr->int_value);
    } else if (expr->kind == IR_EXPR_var) {
        text_puts(out, name_of(function, expr->var));
    } else if (expr->operand_count == 1) {
        c_view_put_expr(function, expr->operands[0], out);
    } else if (sign) {
        put_operand(function, expr->operands[0], out);
        text_puts(out, sign);
        put_operand(function, expr->operands[1], out);
    } else {
        put_operand(function, expr->operands[0], out);
        text_puts(out, expr->kind == IR_EXPR_max ? " > " : " < ");
        put_operand(function, expr->operands[1], out);
        text_puts(out, " ? ");
        put_operand(function, expr->operands[0], out);
        text_puts(out, " : ");
        put_operand(function, expr->operands[1], out);
    }
}
