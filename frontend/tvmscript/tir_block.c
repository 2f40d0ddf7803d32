/* Blocks: with T.sblock("name"): and what describes one (axes, regions, predicate, init, matches). */
#include "base/assert.h"
#include "base/text.h"
#include "frontend/tvmscript/tir.h"
#include "ir/arith.h"

#include <string.h>

/* "T.reads" stands in a block, before its statements and once; @seen is where it was before. */
static bool check_place(struct frontend *f, const struct ast *call, const char *name,
                        struct location *seen)
{
    struct tir_block *block = f->tir->block;

    if (!block) {
        /* one line mends all of it, or its block may be lost */
        if (f->tir->lost_block || call->loc.begin > f->syntax_error)
            return false;
        struct diag_message *m = diag_report(f->diag, call->loc, KERNEL_BLOCK_OUTSIDE, name);
        if (!help_block_missing(f, m, call->loc))
            label_left_block(f, m, call->loc);
        return false;
    }
    if (seen && seen->source) {
        struct diag_message *m = diag_report(f->diag, call->loc, KERNEL_BLOCK_TWICE, name);
        diag_label(m, *seen, "first here");
        return false;
    }
    if (block->has_body) {
        diag_report(f->diag, call->loc, KERNEL_BLOCK_ORDER, name);
        return false;
    }
    if (seen)
        *seen = call->loc;
    return true;
}

/* --- axes --- */

static const struct {
    const char *name;
    enum tir_axis_kind kind;
} axis_kinds[] = {
    {"T.axis.spatial", TIR_SPATIAL}, {"T.axis.S", TIR_SPATIAL}, {"T.axis.reduce", TIR_REDUCE},
    {"T.axis.R", TIR_REDUCE},        {"T.axis.scan", TIR_SCAN}, {"T.axis.opaque", TIR_OPAQUE},
};

static void help_axis_function(struct diag_message *m, const struct ast *callee, const char *name)
{
    static const size_t length = sizeof("T.axis.") - 1; /* what all have in common does not count */
    struct text_nearest nearest = text_nearest_to(name + length);

    text_nearest_offer(&nearest, "remap");
    for (size_t i = 0; i < ARRAY_SIZE(axis_kinds); i++)
        if (strlen(axis_kinds[i].name) > length + 1)
            text_nearest_offer(&nearest, axis_kinds[i].name + length);
    if (!nearest.found && name[length] == 's' && name[length + 1] == 'p')
        nearest.found = "spatial"; /* space */
    if (!nearest.found && strncmp(name + length, "reduc", 5) == 0)
        nearest.found = "reduce"; /* reduction */
    diag_help_nearest(m, callee->name_loc, "T.axis.", &nearest);
}

bool is_axis_call(struct frontend *f, const struct ast *a)
{
    const char *name = callee_name(f, a);

    return name && (strncmp(name, "T.axis.", 7) == 0 || strcmp(name, "T.axis") == 0);
}

static bool add_axis(struct frontend *f, const struct ast *target, struct tir_axis axis)
{
    struct tir_block *block = f->tir->block;
    struct ir_dtype dtype = IR_I32;

    for (size_t i = 0; i < block->axes.count; i++) {
        if (block->axes.items[i].var->name != target->name)
            continue;
        struct diag_message *m = diag_report(f->diag, target->loc, KERNEL_AXIS_TWICE, target->name);
        diag_label(m, block->axes.items[i].var->loc, "first here");
        return false;
    }
    if (axis.min->dtype.bits > dtype.bits)
        dtype.bits = axis.min->dtype.bits;
    if (axis.extent->dtype.bits > dtype.bits)
        dtype.bits = axis.extent->dtype.bits;
    struct ir_var *var = ir_symbol_new(f->context, target->name, dtype);
    var->is_symbol = false;
    var->loc = target->loc;
    axis.var = var;
    array_push(&block->axes, axis);
    scope_bind(f, NAME_VAR, target->name, target->loc)->var = var;
    return true;
}

/* An extent, or (min, max). */
static bool read_domain(struct frontend *f, const struct ast *a, struct tir_axis *axis)
{
    bool is_range = callee_name(f, a) && strcmp(callee_name(f, a), "T.Range") == 0;
    bool is_pair = a->kind == AST_TUPLE || a->kind == AST_LIST;
    const struct ir_expr *upper;

    if (!is_pair && !is_range) {
        axis->extent = index_translate(f, a);
        axis->min = axis->extent ? ir_expr_int(f->context, axis->extent->dtype, 0) : NULL;
        return axis->extent != NULL;
    }
    if (a->item_count != (is_range ? 3 : 2)) {
        diag_report(f->diag, a->loc, KERNEL_ARGUMENT, "the domain of an axis",
                    "an extent or (min, max)");
        return false;
    }
    const struct ast *lower_ast = a->items[is_range], *upper_ast = a->items[1 + is_range];
    if (!operands_translate(f, lower_ast, upper_ast, &axis->min, &upper) ||
        !tir_match(f, a->loc, &axis->min, &upper))
        return false;
    if (!ir_dtype_is_int(upper->dtype)) {
        diag_report(f->diag, a->loc, KERNEL_INDEX_TYPE, "the domain of an axis",
                    dtype_text(f, upper->dtype));
        return false;
    }
    axis->extent =
        ir_simplify(f->context, ir_expr_binary(f->context, IR_EXPR_sub, upper, axis->min));
    return true;
}

/* `T.axis.spatial(i)`: the extent of the loop is missing. */
static void help_domain(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const struct name *name = a && a->kind == AST_NAME ? scope_find(f, a->name) : NULL;
    const struct tir_loop *loop = NULL;

    for (size_t i = 0; name && name->kind == NAME_VAR && i < f->tir->loops.count; i++)
        if (f->tir->loops.items[i].var == name->var)
            loop = &f->tir->loops.items[i];
    diag_help(m, "an axis has an extent and a value: `T.axis.spatial(extent, i)`");
    if (loop && loop->extent->kind == IR_EXPR_int)
        diag_help_edit(m, location_before(a->loc), "%lld, ", (long long)loop->extent->int_value);
    else if (loop && loop->extent->kind == IR_EXPR_var)
        diag_help_edit(m, location_before(a->loc), "%s, ", loop->extent->var->name);
}

static bool single_axis(struct frontend *f, const struct ast *target, const struct ast *call,
                        enum tir_axis_kind kind)
{
    static const char *const names[] = {"dom", "binding", "dtype", NULL};
    const struct ast *domain = call_arg(call, 0, "dom"), *binding = call_arg(call, 1, "binding");
    struct tir_axis axis = {.kind = kind};

    if (!call_check_args(f, call, 3, names))
        return false;
    if (!domain || !binding) {
        struct diag_message *m =
            diag_report(f->diag, call->loc, ARG_MISSING, domain ? "binding" : "dom");
        if (!domain || !help_axis_value(f, m, target, domain))
            help_domain(f, m, domain);
        return false;
    }
    if (target->kind != AST_NAME) {
        unsigned count = target->kind == AST_TUPLE ? target->item_count : 0;
        diag_report(f->diag, target->loc, KERNEL_UNPACK, count, PLURAL(count), 1, "");
        return false;
    }
    if (!read_domain(f, domain, &axis) || !(axis.value = index_translate(f, binding)))
        return false;
    return add_axis(f, target, axis);
}

static const struct tir_loop *find_loop(struct frontend *f, const struct ir_expr *value)
{
    for (size_t i = f->tir->loops.count; i-- > 0 && value->kind == IR_EXPR_var;)
        if (f->tir->loops.items[i].var == value->var)
            return &f->tir->loops.items[i];
    struct diag_message *m = diag_report(f->diag, value->loc, KERNEL_AXIS_BINDING);
    diag_help(m, "write `T.axis.spatial(extent, value)`");
    return NULL;
}

/* The @i-th axis, @target, of those that are named by @all. */
static bool remap_axis(struct frontend *f, const struct ast *all, const struct ast *target,
                       const struct ast *kinds, unsigned i, const struct ir_expr *binding)
{
    char kind = kinds->string[i];

    if (kind != 'S' && kind != 'R') {
        bool is_plain = kinds->loc.end - kinds->loc.begin == kinds->length + 2;
        uint32_t begin = kinds->loc.begin + 1 + i;
        struct location letter = {kinds->loc.source, begin, begin + 1};
        struct diag_message *m =
            diag_report(f->diag, is_plain ? letter : kinds->loc, KERNEL_AXIS_KIND, kind);
        char text[2] = {(char)(kind & ~0x20), '\0'};
        if (text[0] != 'S' && text[0] != 'R')
            help_axis_count(f, m, all, kinds);
        else {
            diag_help(m, "write `%s`", text);
            if (is_plain)
                diag_help_edit(m, letter, "%s", text);
        }
        return false;
    }
    const struct tir_loop *loop = find_loop(f, binding);
    if (!loop)
        return false;
    struct tir_axis axis = {
        .kind = kind == 'S' ? TIR_SPATIAL : TIR_REDUCE, .min = loop->min, .extent = loop->extent};
    axis.value = binding;
    return add_axis(f, target, axis);
}

/* `T.axis.remap("SS", i, j)`: the loops stand in no list; true after a report. */
static bool is_spread(struct frontend *f, const struct ast *call)
{
    unsigned count = call_positional_count(call);

    for (unsigned i = 2; i <= count; i++)
        if (call->items[i]->kind != AST_NAME)
            return false;
    if (count < 3)
        return false;
    struct location all = location_join(call->items[2]->loc, call->items[count]->loc);
    struct diag_message *m = diag_report(f->diag, all, KERNEL_ARGUMENT, "T.axis.remap",
                                         "given a string of kinds and a list of loop variables");
    diag_help(m, "put them in brackets");
    diag_help_wrap(m, all, "[", "]");
    return true;
}

/* `remap([i, k])`: what the block sets tells the kinds. */
static void help_kinds_missing(struct frontend *f, struct diag_message *m, const struct ast *target,
                               const struct ast *values)
{
    const char *letters = "";

    for (unsigned i = 0; i < target->item_count; i++) {
        const struct ast *one = target->items[i];
        char kind = one->kind == AST_NAME ? axis_letter(f, f->tir->block->ast, one->name) : '\0';
        if (!kind)
            return;
        letters = arena_printf(&f->arena, "%s%c", letters, kind);
    }
    diag_help(m, "the kinds come first: `\"%s\"`", letters);
    diag_help_edit(m, location_before(values->loc), "\"%s\", ", letters);
}

/* `remap(SR, [i, k])` and `remap([i, k], "SR")` */
static void help_kinds(struct frontend *f, struct diag_message *m, const struct ast *target,
                       const struct ast *kinds, const struct ast *values)
{
    if (kinds && !values && kinds->kind == AST_LIST && target->kind == AST_TUPLE) {
        help_kinds_missing(f, m, target, kinds);
        return;
    }
    if (!kinds || !values)
        return;
    if (kinds->kind == AST_NAME && kinds->name[strspn(kinds->name, "SR")] == '\0') {
        diag_help(m, "the kinds are a string");
        diag_help_wrap(m, kinds->loc, "\"", "\"");
    } else if (values->kind == AST_STRING && kinds->loc.begin < values->loc.begin) {
        diag_help(m, "the kinds come first");
        diag_help_swap(m, kinds->loc, values->loc);
    }
}

/* Of targets, kinds and values two are as many: it is the third that is marked. */
static void report_axis_count(struct frontend *f, const struct ast *target, const struct ast *kinds,
                              const struct ast *values, unsigned value_count)
{
    bool is_list = target->kind == AST_TUPLE || target->kind == AST_LIST;
    unsigned count = is_list ? target->item_count : 1;
    struct location place = value_count == count           ? kinds->loc
                            : kinds->length == count       ? values->loc
                            : kinds->length == value_count ? target->loc
                                                           : kinds->loc;
    struct diag_message *m = diag_report(f->diag, place, KERNEL_AXIS_COUNT, count, PLURAL(count),
                                         (unsigned)kinds->length, PLURAL(kinds->length),
                                         value_count, PLURAL(value_count));

    if (value_count == count && is_list)
        help_axis_count(f, m, target, kinds);
    else if (kinds->length == count)
        help_remap_values(f, m, target, values);
    else if (kinds->length == value_count)
        help_remap_targets(f, m, target, values);
}

static bool check_axis_name(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_NAME)
        return true;
    bool is_wrapped = (a->kind == AST_TUPLE || a->kind == AST_LIST) && a->item_count == 1;
    struct diag_message *m =
        diag_report(f->diag, a->loc, SYNTAX_EXPECTED, "the name of an axis", describe_ast(a));
    if (is_wrapped && a->items[0]->kind == AST_NAME) {
        diag_help(m, "it stands alone");
        diag_help_edit(m, a->loc, "%s", a->items[0]->name);
    }
    return false;
}

/* v_i, v_j = T.axis.remap("SR", [i, j]) */
static bool remap(struct frontend *f, const struct ast *target, const struct ast *call)
{
    static const char *const names[] = {"kinds", "bindings", "dtype", NULL};
    const struct ast *kinds = call_arg(call, 0, "kinds"), *values = call_arg(call, 1, "bindings");
    bool is_list = target->kind == AST_TUPLE || target->kind == AST_LIST;
    unsigned count = is_list ? target->item_count : 1, binding_count;
    const struct ir_expr *const *bindings;

    if (is_spread(f, call))
        return false;
    if (!call_check_args(f, call, 3, names))
        return false;
    if (!kinds || kinds->kind != AST_STRING || !values) {
        help_kinds(f,
                   diag_report(f->diag, kinds ? kinds->loc : call->loc, KERNEL_ARGUMENT,
                               "T.axis.remap",
                               "given a string of kinds and a list of loop variables"),
                   target, kinds, values);
        return false;
    }
    if (!scalars_translate(f, values, IR_VOID, &bindings, &binding_count))
        return false;
    if (kinds->length != count || binding_count != count) {
        report_axis_count(f, target, kinds, values, binding_count);
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct ast *one = is_list ? target->items[i] : target;
        if (!check_axis_name(f, one) || !remap_axis(f, target, one, kinds, i, bindings[i]))
            return false;
    }
    return true;
}

bool axis_translate(struct frontend *f, const struct ast *target, const struct ast *call)
{
    const char *name = callee_name(f, call);
    bool done = false;

    if (!check_place(f, call, name, NULL)) {
        bind_lost(f, target);
        return false;
    }
    if (strcmp(name, "T.axis.remap") == 0) {
        done = remap(f, target, call);
    } else {
        size_t i = 0;
        while (i < ARRAY_SIZE(axis_kinds) && strcmp(name, axis_kinds[i].name) != 0)
            i++;
        if (strcmp(name, "T.axis") == 0)
            help_axis_kind(f, diag_report(f->diag, call->items[0]->loc, KERNEL_FUNCTION, name),
                           target, call->items[0]);
        else if (i == ARRAY_SIZE(axis_kinds))
            help_axis_function(diag_report(f->diag, call->items[0]->loc, KERNEL_FUNCTION, name),
                               call->items[0], name);
        else
            done = single_axis(f, target, call, axis_kinds[i].kind);
    }
    if (!done)
        bind_lost(f, target);
    return done;
}

/* --- regions, predicate, attributes --- */

static bool read_regions(struct frontend *f, const struct ast *call, struct tir_region **out_items,
                         unsigned *out_count)
{
    struct ast *const *items = call->items + 1;
    unsigned count = call->item_count - 1;

    if (count == 1 && (items[0]->kind == AST_LIST || items[0]->kind == AST_TUPLE)) {
        count = items[0]->item_count;
        items = items[0]->items;
    }
    *out_items = arena_array(&f->module->arena, struct tir_region, count + 1);
    *out_count = count;
    for (unsigned i = 0; i < count; i++)
        if (!region_translate(f, items[i], &(*out_items)[i]))
            return false;
    return true;
}

/* A block may get its attributes in parts; dicts under one key are joined. */
static bool add_block_attr(struct frontend *f, const struct ast *place, const char *key,
                           const struct ir_attr *value, struct tir_stmt *stmt)
{
    const struct ir_attr *all = stmt->block.annotations;
    const struct ir_attr *old = all ? ir_attr_dict_get(all, key) : NULL;

    if (old && old->kind == IR_ATTR_DICT && value->kind == IR_ATTR_DICT) {
        for (unsigned i = 0; i < value->count; i++)
            old = ir_attr_dict_with(f->context, old, value->keys[i], value->items[i]);
        value = old;
    } else if (old && !ir_attr_equal(old, value)) {
        diag_report(f->diag, place->loc, GRAPH_ATTR_TWICE, key);
        return false;
    }
    stmt->block.annotations = ir_attr_dict_with(f->context, all, key, value);
    return true;
}

static bool read_block_attr(struct frontend *f, const struct ast *call, struct tir_stmt *stmt)
{
    const struct ast *dict = call_arg(call, 0, "attrs");

    if (!dict || dict->kind != AST_DICT) {
        diag_report(f->diag, call->loc, KERNEL_ARGUMENT, "the attributes of a block", "a dict");
        return false;
    }
    const struct ir_attr *attrs = attr_translate(f, dict);
    for (unsigned i = 0; attrs && i < attrs->count; i++)
        if (!add_block_attr(f, dict->items[2 * i], attrs->keys[i], attrs->items[i], stmt))
            return false;
    if (attrs && !stmt->block.annotations)
        stmt->block.annotations = attrs;
    return attrs != NULL;
}

static const char *const signatures[] = {"T.reads", "T.writes", "T.where", "T.sblock_attr",
                                         "T.block_attr"};

bool is_block_signature(struct frontend *f, const struct ast *call)
{
    const char *name = callee_name(f, call);

    for (size_t i = 0; name && i < ARRAY_SIZE(signatures); i++)
        if (strcmp(name, signatures[i]) == 0)
            return true;
    return false;
}

bool block_signature_translate(struct frontend *f, const struct ast *call)
{
    struct tir_block *block = f->tir->block;
    const char *name = callee_name(f, call);
    bool is_reads = strcmp(name, "T.reads") == 0, is_writes = strcmp(name, "T.writes") == 0;
    bool is_where = strcmp(name, "T.where") == 0;
    struct location *seen = !block      ? NULL
                            : is_reads  ? &block->reads
                            : is_writes ? &block->writes
                            : is_where  ? &block->where
                                        : NULL;

    if (block && !is_reads && !is_writes && !is_where)
        return read_block_attr(f, call, block->stmt);
    if (!check_place(f, call, name, seen))
        return false;
    assert(block);
    if (is_reads) {
        block->stmt->block.has_reads = true;
        return read_regions(f, call, &block->stmt->block.reads, &block->stmt->block.read_count);
    }
    if (is_writes) {
        block->stmt->block.has_writes = true;
        return read_regions(f, call, &block->stmt->block.writes, &block->stmt->block.write_count);
    }
    const struct ast *predicate = call_arg(call, 0, "predicate");
    if (!predicate) {
        diag_report(f->diag, call->loc, ARG_MISSING, "predicate");
        return false;
    }
    block->stmt->block.predicate = scalar_only(f, predicate, condition_translate(f, predicate));
    return block->stmt->block.predicate != NULL;
}

/* --- T.match_buffer of a region --- */

static bool check_match(struct frontend *f, const struct ast *call, const struct ir_buffer *buffer,
                        const struct tir_region *region)
{
    unsigned outer = region->buffer->ndim, inner = buffer->ndim;

    if (inner > outer) {
        diag_report(f->diag, call->loc, KERNEL_MATCH,
                    "the buffer has more dimensions than the region");
        return false;
    }
    for (unsigned i = 0; i < inner; i++) {
        if (!ir_prove_different(f->context, buffer->shape[i], region->extent[outer - inner + i]))
            continue;
        struct diag_message *m =
            diag_report(f->diag, call->loc, KERNEL_MATCH, "the shape is not that of the region");
        diag_note(m, "dimension %u of the buffer differs", i);
        return false;
    }
    return true;
}

bool block_match_translate(struct frontend *f, const struct ast *target, const struct ast *call)
{
    struct tir_block *block = f->tir->block;
    struct tir_match match = {0};
    const struct ast *shape = call_arg(call, 1, "shape");

    if (!block) {
        diag_report(f->diag, call->loc, KERNEL_BLOCK_OUTSIDE, "T.match_buffer");
        return false;
    }
    if (!region_translate(f, call_arg(call, 0, "param"), &match.source))
        return false;
    if (!shape) {
        match.buffer = tir_buffer_new(f->module, target->name, match.source.buffer->dtype,
                                      match.source.extent, match.source.buffer->ndim);
        match.buffer->scope = match.source.buffer->scope;
    } else {
        match.buffer = buffer_translate(f, call, target->name, BUFFER_MATCH);
    }
    if (!match.buffer || !check_match(f, call, match.buffer, &match.source))
        return false;
    match.buffer->loc = target->loc;
    array_push(&block->matches, match);
    scope_bind(f, NAME_BUFFER, target->name, target->loc)->buffer = match.buffer;
    return true;
}

/* --- the block --- */

bool init_translate(struct frontend *f, const struct ast *a)
{
    struct tir_block *block = f->tir->block;

    if (!check_place(f, a->items[0], "T.init", block ? &block->init : NULL))
        return false;
    if (!tir_enter(f, a->loc))
        return false;
    block->stmt->block.init = tir_scope(f, a->body, a->body_count);
    f->tir->depth--;
    return true;
}

static bool read_name(struct frontend *f, const struct ast *call, struct tir_stmt *stmt)
{
    static const char *const names[] = {"name", NULL};
    const struct ast *name = call_arg(call, 0, "name");

    stmt->block.name = atom_intern_text(&f->context->atoms, "");
    if (!call_check_args(f, call, 1, names))
        return false;
    if (name && name->kind != AST_STRING) {
        struct diag_message *m =
            diag_report(f->diag, name->loc, KERNEL_ARGUMENT, "the name of a block", "a string");
        if (name->kind == AST_NAME) {
            diag_help(m, "put it in quotes");
            diag_help_wrap(m, name->loc, "\"", "\"");
        }
        return false;
    }
    if (name)
        stmt->block.name = name->string;
    return true;
}

/* Moves what was collected into the module's memory. */
static void finish_block(struct frontend *f, struct tir_block *block)
{
    struct arena *arena = &f->module->arena;
    struct tir_stmt *stmt = block->stmt;

    stmt->block.axis_count = (unsigned)block->axes.count;
    stmt->block.axes = arena_array(arena, struct tir_axis, block->axes.count + 1);
    for (size_t i = 0; i < block->axes.count; i++)
        stmt->block.axes[i] = block->axes.items[i];
    stmt->block.alloc_count = (unsigned)block->allocs.count;
    stmt->block.allocs = arena_array(arena, struct ir_buffer *, block->allocs.count + 1);
    for (size_t i = 0; i < block->allocs.count; i++)
        stmt->block.allocs[i] = block->allocs.items[i];
    stmt->block.match_count = (unsigned)block->matches.count;
    stmt->block.matches = arena_array(arena, struct tir_match, block->matches.count + 1);
    for (size_t i = 0; i < block->matches.count; i++)
        stmt->block.matches[i] = block->matches.items[i];
    array_finish(&block->axes);
    array_finish(&block->allocs);
    array_finish(&block->matches);
}

bool block_translate(struct frontend *f, const struct ast *a)
{
    struct tir_state *t = f->tir;
    struct tir_block block = {.outer = t->block, .stmt = stmt_new(f, TIR_BLOCK, a), .ast = a};
    bool done = read_name(f, a->items[0], block.stmt);

    if (!tir_enter(f, a->loc))
        return false;
    t->block = &block;
    block.stmt->block.body = tir_scope(f, a->body, a->body_count);
    t->block = block.outer;
    t->depth--;
    t->has_block = true;
    finish_block(f, &block);
    stmt_push(f, block.stmt);
    return done;
}
