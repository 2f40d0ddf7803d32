/* A kernel stores to a name that nothing allocates: T.alloc_buffer with what the stores tell of its shape and dtype. */
#include "base/text.h"
#include "frontend/tvmscript/tir.h"

#include <stdlib.h>
#include <string.h>

enum { DIMS = 8, NAMES = 64 };

/* What is known of how far a name goes: loops and axes around. */
struct extent {
    const char *name, *text;
};

struct storage {
    struct frontend *f;
    const char *name;
    struct extent extents[NAMES];
    unsigned extent_count;
    unsigned ndim; /* 0: no access was seen */
    const char *dims[DIMS];
    int64_t literal[DIMS]; /* the largest index in numbers, where dims is NULL; -1: none */
    struct ir_dtype dtype;
    unsigned store_count, access_count;
    bool is_unknown;
};

static const char *text_of(struct storage *s, const struct ast *a)
{
    return arena_printf(&s->f->arena, "%.*s", LOCATION_TEXT(a->loc));
}

static const char *extent_of(const struct storage *s, const struct ast *a)
{
    for (unsigned i = s->extent_count; a->kind == AST_NAME && i-- > 0;)
        if (s->extents[i].name == a->name)
            return s->extents[i].text;
    return NULL;
}

static void know(struct storage *s, const struct ast *target, const char *text)
{
    if (target->kind == AST_NAME && text && s->extent_count < NAMES)
        s->extents[s->extent_count++] = (struct extent){target->name, text};
}

/* --- loops and axes --- */

/* Of `range(n)`, `T.parallel(0, n)`, ..: all that begin at 0 and go by one. */
static const struct ast *loop_extent(const struct ast *call)
{
    unsigned count = call_positional_count(call);
    int64_t begin;

    if (count == 1)
        return call->items[1];
    bool is_from_zero = count == 2 && ast_int_literal(call->items[1], &begin) && begin == 0;
    return is_from_zero ? call->items[2] : NULL;
}

static void know_loop(struct storage *s, const struct ast *loop)
{
    const struct ast *target = loop->items[0], *call = loop->items[1];

    if (call->kind != AST_CALL)
        return;
    bool is_grid = is_dotted(s->f, call, "T.grid");
    for (unsigned i = 0; is_grid && target->kind == AST_TUPLE && i < target->item_count; i++)
        if (i + 1 < call->item_count)
            know(s, target->items[i], text_of(s, call->items[i + 1]));
    const struct ast *extent = is_grid ? NULL : loop_extent(call);
    if (extent)
        know(s, target, text_of(s, extent));
}

/* vi, vk = T.axis.remap("SR", [i, k]);  vi = T.axis.spatial(8, i) */
static void know_axes(struct storage *s, const struct ast *a)
{
    const struct ast *target = a->items[0], *call = a->items[1];
    const char *name = call->kind == AST_CALL ? callee_name(s->f, call) : NULL;

    if (!name || strncmp(name, "T.axis.", 7) != 0)
        return;
    const struct ast *values = call_arg(call, 1, "bindings");
    if (strcmp(name, "T.axis.remap") != 0) {
        if (call_positional_count(call) == 2 && call->items[1]->kind != AST_TUPLE)
            know(s, target, text_of(s, call->items[1]));
    } else if (values && values->kind == AST_LIST && target->kind != AST_TUPLE) {
        know(s, target, values->item_count == 1 ? extent_of(s, values->items[0]) : NULL);
    } else if (values && values->kind == AST_LIST && values->item_count == target->item_count) {
        for (unsigned i = 0; i < values->item_count; i++)
            know(s, target->items[i], extent_of(s, values->items[i]));
    }
}

/* --- accesses --- */

static void note_index(struct storage *s, unsigned dim, const struct ast *index)
{
    const char *text = extent_of(s, index);
    int64_t number;

    if (ast_int_literal(index, &number) && number >= 0) {
        if (number > s->literal[dim])
            s->literal[dim] = number;
    } else if (!text || (s->dims[dim] && strcmp(s->dims[dim], text) != 0)) {
        s->is_unknown = true;
    } else {
        s->dims[dim] = text;
    }
}

static void note_access(struct storage *s, const struct ast *a)
{
    unsigned ndim = a->item_count - 1;

    if (ndim == 0 || ndim > DIMS || (s->ndim && s->ndim != ndim)) {
        s->is_unknown = true;
        return;
    }
    for (unsigned i = 0; !s->ndim && i < ndim; i++)
        s->literal[i] = -1;
    s->ndim = ndim;
    for (unsigned i = 0; i < ndim; i++)
        note_index(s, i, a->items[i + 1]);
}

static bool is_access(const struct storage *s, const struct ast *a)
{
    return a->kind == AST_SUBSCRIPT && a->items[0]->kind == AST_NAME &&
           a->items[0]->name == s->name;
}

static void note_accesses(struct storage *s, const struct ast *a)
{
    if (is_access(s, a)) {
        note_access(s, a);
        s->access_count++;
    }
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items && a->items[i])
            note_accesses(s, a->items[i]);
}

/* --- the dtype --- */

static void note_dtype(struct storage *s, struct ir_dtype dtype)
{
    if (ir_dtype_is_void(s->dtype))
        s->dtype = dtype;
    else if (!ir_dtype_equal(s->dtype, dtype))
        s->is_unknown = true;
}

/* T.float32(0), or an element of a buffer that is known; not what makes indices. */
static void note_dtypes(struct storage *s, const struct ast *a)
{
    const struct name *name = NULL;
    struct ir_dtype dtype;

    if (a->kind == AST_CALL && dtype_of_name(callee_name(s->f, a), &dtype)) {
        note_dtype(s, dtype);
        return;
    }
    if (a->kind == AST_SUBSCRIPT) {
        if (a->items[0]->kind == AST_NAME)
            name = scope_find(s->f, a->items[0]->name);
        if (name && name->kind == NAME_BUFFER)
            note_dtype(s, name->buffer->dtype);
        return;
    }
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items && a->items[i])
            note_dtypes(s, a->items[i]);
}

/* --- all of it --- */

static void note_suite(struct storage *s, struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ast *a = body[i];
        unsigned mark = s->extent_count;
        bool is_store = a->kind == AST_ASSIGN || a->kind == AST_AUG_ASSIGN;

        note_accesses(s, a);
        if (a->kind == AST_FOR)
            know_loop(s, a);
        if (is_store && is_access(s, a->items[0])) {
            s->store_count += a->kind == AST_ASSIGN;
            note_dtypes(s, a->items[1]);
        }
        note_suite(s, a->body, a->body_count);
        note_suite(s, a->orelse, a->orelse_count);
        s->extent_count = mark;
        if (a->kind == AST_ASSIGN)
            know_axes(s, a); /* to the end of its suite */
    }
}

/* `(8, 4)`; NULL: not known. */
static const char *shape_text(struct storage *s)
{
    const char *text = "(";

    for (unsigned i = 0; i < s->ndim; i++) {
        if (s->dims[i] && s->literal[i] > 0 && s->literal[i] >= atoll(s->dims[i]))
            return NULL; /* one and the other: nobody knows which goes further */
        const char *dim = s->dims[i]
                              ? s->dims[i]
                              : arena_printf(&s->f->arena, "%lld", (long long)s->literal[i] + 1);
        text = arena_printf(&s->f->arena, "%s%s%s", text, i ? ", " : "", dim);
    }
    return arena_printf(&s->f->arena, s->ndim == 1 ? "%s,)" : "%s)", text);
}

/* The statement of the function's suite that @a stands in. */
static const struct ast *outermost(const struct ast *function, const struct ast *a)
{
    const struct ast *found = NULL;

    for (unsigned i = 0; i < function->body_count; i++)
        if (function->body[i]->loc.begin <= a->loc.begin)
            found = function->body[i];
    return found;
}

/* What is stored and never read is rather a buffer that there is, by another name. */
static bool help_buffer(struct storage *s, struct diag_message *m, const struct ast *a)
{
    const char *found = NULL;

    for (size_t i = 0; i < s->f->scope.names.count; i++) {
        const struct name *name = &s->f->scope.names.items[i];
        if (name->kind != NAME_BUFFER || name->buffer->is_scalar || name->buffer->ndim != s->ndim ||
            text_distance(name->text, strlen(name->text), s->name, strlen(s->name)) != 1)
            continue;
        if (found)
            return false;
        found = name->text;
    }
    if (!found)
        return false;
    diag_help(m, "there is `%s`", found);
    diag_help_edit(m, a->loc, "%s", found);
    diag_help_unsure(m);
    return true;
}

bool help_storage(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    struct storage s = {.f = f, .name = a->name, .dtype = IR_VOID};
    char written[32];

    if (!f->tir || a->loc.source != f->function->loc.source)
        return false;
    note_suite(&s, f->function->body, f->function->body_count);
    if (!s.store_count)
        return false;
    if (s.access_count == s.store_count && help_buffer(&s, m, a))
        return true;
    const struct ast *first = outermost(f->function, a);
    const char *shape = s.ndim && !s.is_unknown ? shape_text(&s) : NULL;
    if (!shape || ir_dtype_is_void(s.dtype) || !first) {
        diag_help(m, "nothing allocates it: `%s = T.alloc_buffer(shape, dtype)` in front", a->name);
        return true;
    }
    struct location line = location_whole_line(first->loc);
    line.end = line.begin;
    diag_help(m, "nothing allocates it");
    diag_help_edit(m, line, "%.*s%s = T.alloc_buffer(%s, \"%s\")\n",
                   LOCATION_TEXT(indentation_of(first->loc)), a->name, shape,
                   ir_dtype_name(s.dtype, written));
    diag_help_unsure(m);
    return true;
}
