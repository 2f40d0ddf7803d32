/* Reads before the first write: the words, and where a sum lacks its first value, the statement; see unset_reads.h. */
#include "analysis/unset_reads.h"

#include "analysis/access/unset.h"
#include "analysis/axis_kinds.h"
#include "ir/print.h"

#include <string.h>

/* ---- the first value ---- */

/* buffer[..] = buffer[..] op x: what op leaves as it is, as text; false: there is nothing. */
static bool put_neutral(const struct tir_stmt *store, const struct ir_expr *read, struct text *out)
{
    const struct ir_expr *value = store->store.value;
    char name[32];
    const char *dtype = ir_dtype_name(read->dtype, name);
    bool is_left = value->operand_count == 2 && value->operands[0] == read;
    bool is_operand = is_left || (value->operand_count == 2 && value->operands[1] == read);

    if (!is_operand || read->dtype.lanes != 1 || ir_dtype_is_bool(read->dtype))
        return false;
    if (value->kind == IR_EXPR_add || (value->kind == IR_EXPR_sub && is_left))
        text_printf(out, "T.%s(0)", dtype);
    else if (value->kind == IR_EXPR_mul)
        text_printf(out, "T.%s(1)", dtype);
    else if (value->kind == IR_EXPR_max)
        text_printf(out, "T.min_value(\"%s\")", dtype);
    else if (value->kind == IR_EXPR_min)
        text_printf(out, "T.max_value(\"%s\")", dtype);
    else
        return false;
    return true;
}

/* Is the element that is read the one that is stored? */
static bool is_updated(const struct tir_stmt *store, const struct ir_expr *read)
{
    bool is_same = store->kind == TIR_STORE && !store->store.predicate && read &&
                   read->buffer == store->store.buffer &&
                   read->operand_count == store->store.index_count;

    for (unsigned i = 0; is_same && i < read->operand_count; i++)
        is_same = ir_expr_equal(read->operands[i], store->store.indices[i]);
    return is_same;
}

/* The innermost block around @wanted, below @stmt; false: it is not there. */
static bool find_block(const struct tir_stmt *stmt, const struct tir_stmt *wanted,
                       const struct tir_stmt **block)
{
    const struct tir_stmt *around = *block;
    struct tir_stmt *child;

    if (stmt == wanted)
        return true;
    if (stmt->kind == TIR_BLOCK && !stmt->block.is_root)
        around = stmt;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++) {
        *block = around;
        if (find_block(child, wanted, block))
            return true;
    }
    return false;
}

/* Would T.init stand well in front of @store?  It is what the block begins with, and the block reduces. */
static bool can_have_init(const struct tir_stmt *block, const struct tir_stmt *store)
{
    const struct tir_stmt *body = block->block.body;
    bool reduces = false;

    for (unsigned i = 0; i < block->block.axis_count; i++)
        reduces |= block->block.axes[i].kind == TIR_REDUCE;
    return reduces && !block->block.init &&
           (body == store || (body->kind == TIR_SEQ && body->seq.items[0] == store));
}

static bool is_index(const struct tir_stmt *store, const struct ir_var *var)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (ir_expr_uses_var(store->store.indices[i], var))
            return true;
    return false;
}

/* "k == 0 and l == 0" for the loops that go over what is added; false: there are none, or a condition is around. */
static bool put_first(const struct access *read, struct text *out)
{
    for (const struct access_frame *f = read->frame; f; f = f->parent) {
        if (f->kind != ACCESS_LOOP || !f->extent)
            return false;
        if (is_index(read->stmt, f->var))
            continue;
        text_printf(out, "%s%s == ", out->length ? " and " : "", f->var->name);
        tir_expr_print(f->min, out);
    }
    return out->length > 0;
}

/* The columns in front of @loc; -1: other text is there. */
static int indent_of(struct location loc)
{
    uint32_t begin = loc.begin;

    while (loc.source && begin > 0 && loc.source->text[begin - 1] == ' ')
        begin--;
    return loc.source && (begin == 0 || loc.source->text[begin - 1] == '\n')
               ? (int)(loc.begin - begin)
               : -1;
}

/* What is put in front of the store, as one statement with a body; false: not seen. */
static bool put_opening(const struct tir_func *kernel, const struct access *read, struct text *out)
{
    const struct tir_stmt *block = NULL;
    struct text first = {0};
    bool is_found = find_block(kernel->body, read->stmt, &block);

    if (is_found && block) {
        is_found = can_have_init(block, read->stmt);
        text_puts(out, "with T.init():");
    } else if (is_found) {
        is_found = put_first(read, &first);
        text_printf(out, "if %s:", text_string(&first));
    }
    text_finish(&first);
    return is_found;
}

static bool help_first_value(struct diag_message *m, const struct tir_func *kernel,
                             const struct access *read)
{
    const struct tir_stmt *store = read->stmt;
    struct text value = {0}, opening = {0}, target = {0};
    int indent = indent_of(store->loc);
    bool is_seen = is_updated(store, read->load) && indent >= 0 &&
                   put_neutral(store, read->load, &value) && put_opening(kernel, read, &opening);

    if (is_seen) {
        tir_expr_print(read->load, &target);
        diag_help(m, "say what `%s` begins with", read->buffer->name);
        diag_help_edit(m, location_before(store->loc), "%s\n%*s    %s = %s\n%*s",
                       text_string(&opening), indent, "", text_string(&target), text_string(&value),
                       indent, "");
    }
    text_finish(&value);
    text_finish(&opening);
    text_finish(&target);
    return is_seen;
}

/* ---- words ---- */

static void put_value(struct text *out, const char *name, int64_t value)
{
    text_printf(out, "%s%s is %lld", out->length ? ", " : "where ", name, (long long)value);
}

/* "where n is 1, i is 0"; lanes of a vector have no name. */
static void put_iteration(const struct access_unset *unset, struct text *out)
{
    for (unsigned i = 0; i < unset->size_count; i++) {
        struct text name = {0};

        tir_expr_print(unset->sizes[i].expr, &name);
        put_value(out, text_string(&name), unset->sizes[i].value);
        text_finish(&name);
    }
    for (unsigned i = 0; i < unset->var_count; i++)
        put_value(out, unset->vars[i]->name, unset->values[i]);
}

static void report(const struct tir_func *kernel, const struct ir_op *call,
                   const struct access_unset *unset, bool is_alone, struct diag *diag)
{
    const struct access *read = unset->read;
    const struct tir_stmt *block = NULL;

    if (find_block(kernel->body, read->stmt, &block) && block && !is_alone &&
        axis_kinds_are_spatial(block))
        return;
    struct diag_message *m = diag_report(diag, read->loc.source ? read->loc : read->stmt->loc,
                                         KERNEL_UNSET_READ, read->buffer->name);
    struct text where = {0};

    put_iteration(unset, &where);
    if (unset->is_always)
        diag_primary(m, "the first time that it runs");
    else if (where.length)
        diag_primary(m, "%s", text_string(&where));
    diag_label(m, read->root->loc, "`%s` holds any number when %s", read->root->name,
               call ? "the kernel begins" : "it is allocated");
    if (call)
        diag_label(m, call->loc, "the output of this call is new storage");
    if (!(block && axis_kinds_help(m, block)) && !help_first_value(m, kernel, read))
        diag_help(m, call ? "store to it first, or update a tensor that holds the first values: "
                            "R.call_tir_inplace(.., inplace_indices=[..])"
                          : "store to it first");
    text_finish(&where);
}

/* ---- the check ---- */

void unset_reads_check(struct access_cache *cache, const struct tir_func *kernel,
                       const struct ir_buffer *buffer, const struct ir_op *call, bool is_alone,
                       struct diag *diag)
{
    struct access_unset unset = access_find_unset(cache, kernel, buffer);

    if (unset.read)
        report(kernel, call, &unset, is_alone, diag);
}

void unset_reads_check_allocated(struct access_cache *cache, const struct tir_func *kernel,
                                 bool is_alone, struct diag *diag)
{
    const struct access_list *list = access_of(cache, kernel);
    struct map seen = {0};

    for (size_t i = 0; i < list->count; i++) {
        const struct access *access = &list->items[i];

        if (access->kind != ACCESS_READ || !access->root || access->param >= 0 ||
            map_has(&seen, access->root))
            continue;
        map_set(&seen, access->root, access->root);
        unset_reads_check(cache, kernel, access->root, NULL, is_alone, diag);
    }
    map_finish(&seen);
}
