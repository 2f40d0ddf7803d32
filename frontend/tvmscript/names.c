/* See names.h. */
#include "frontend/tvmscript/names.h"

#include <stdlib.h>
#include <string.h>

static const void *place_key(struct location loc)
{
    return (const void *)((uintptr_t)loc.begin + 1); /* NOLINT(performance-no-int-to-ptr): a key */
}

static size_t number_of(const struct map *map, const void *key)
{
    return (size_t)(uintptr_t)map_get(map, key);
}

static void set_number(struct map *map, const void *key, size_t number)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): maps hold integers this way */
    map_set(map, key, (void *)(uintptr_t)number);
}

static void add_use(struct frontend_names *names, struct location loc, size_t number)
{
    if (loc.source && number)
        array_push(&names->uses, (struct frontend_use){.loc = loc, .name = number - 1});
}

/* The number of the name at @loc: what is declared first and defined later is one. */
static size_t define(struct frontend *f, enum frontend_name_kind kind, const char *text,
                     struct location loc)
{
    struct frontend_names *names = f->names;
    size_t number = number_of(&names->by_place, place_key(loc));

    if (number && names->names.items[number - 1].text == text)
        return number;
    array_push(&names->names, (struct frontend_name){.kind = kind, .text = text, .loc = loc});
    set_number(&names->by_place, place_key(loc), names->names.count);
    add_use(names, loc, names->names.count);
    return names->names.count;
}

unsigned names_define(struct frontend *f, enum name_kind kind, const char *text,
                      struct location loc)
{
    if (!f->names || kind == NAME_NAMESPACE || kind == NAME_GLOBAL || !loc.source)
        return 0;
    return (unsigned)define(f, FRONTEND_WRONG, text, loc);
}

void names_use(struct frontend *f, const struct name *name, struct location loc)
{
    if (f->names && name->kind == NAME_GLOBAL)
        names_use_global(f, name->global, loc);
    else if (f->names)
        add_use(f->names, loc, name->number);
}

void names_use_path(struct frontend *f, const char *path, struct location loc)
{
    if (!f->names)
        return;
    const struct frontend_use *last = f->names->uses.count ? &array_last(&f->names->uses) : NULL;

    /* what translates an expression asks for its name more than once */
    if (!last || last->path != path || last->loc.begin != loc.begin)
        array_push(&f->names->uses, (struct frontend_use){.loc = loc, .path = path});
}

/* Buffers live in the module, which may go. */
static const struct ir_buffer *copy_buffer(struct frontend *f, const struct ir_buffer *buffer)
{
    struct arena *arena = &f->names->arena;
    struct ir_buffer *copy = arena_new(arena, struct ir_buffer);
    const struct ir_expr **shape = arena_array(arena, const struct ir_expr *, buffer->ndim + 1);

    for (unsigned i = 0; i < buffer->ndim; i++)
        shape[i] = buffer->shape[i];
    *copy = (struct ir_buffer){.name = buffer->name,
                               .dtype = buffer->dtype,
                               .ndim = buffer->ndim,
                               .shape = shape,
                               .scope = buffer->scope,
                               .is_scalar = buffer->is_scalar};
    return copy;
}

void names_close(struct frontend *f, const struct name *name)
{
    if (!f->names || !name->number)
        return;
    struct frontend_name *note = &f->names->names.items[name->number - 1];

    switch (name->kind) {
    case NAME_VALUE:
        note->kind = FRONTEND_VALUE;
        note->type = name->value ? name->value->type : NULL;
        break;
    case NAME_VAR:
        note->kind = FRONTEND_SCALAR;
        if (name->var)
            note->dtype = name->var->dtype;
        note->is_symbol = name->var && name->var->is_symbol;
        break;
    case NAME_BUFFER:
        note->kind = FRONTEND_BUFFER;
        note->buffer = name->buffer ? copy_buffer(f, name->buffer) : NULL;
        break;
    case NAME_EXPR:
        note->kind = FRONTEND_TERM;
        note->term = name->expr;
        break;
    case NAME_CLASS:
        note->kind = FRONTEND_MODULE;
        break;
    case NAME_REGION:
    case NAME_TUPLE:
        note->kind = FRONTEND_OTHER;
        break;
    default:
        break;
    }
}

/* --- functions --- */

void names_define_global(struct frontend *f, const struct ir_global *global,
                         enum frontend_name_kind kind, struct location loc)
{
    if (!f->names)
        return;
    size_t number = define(f, kind, global->name, loc);

    f->names->names.items[number - 1].kind = kind;
    set_number(&f->names->globals, global, number);
}

void names_use_global(struct frontend *f, const struct ir_global *global, struct location use)
{
    if (f->names && global)
        add_use(f->names, use, number_of(&f->names->globals, global));
}

static uint32_t end_of(const struct ast *a)
{
    while (a->body_count || a->orelse_count)
        a = a->orelse_count ? a->orelse[a->orelse_count - 1] : a->body[a->body_count - 1];
    return a->loc.end;
}

void names_set_span(struct frontend *f, const struct ast *def, enum frontend_name_kind kind)
{
    if (!f->names)
        return;
    size_t number = define(f, kind, def->name, def->name_loc);
    struct frontend_name *note = &f->names->names.items[number - 1];

    note->kind = kind;
    note->head = def->loc;
    note->whole = def->loc;
    note->whole.end = end_of(def);
    if (def->decorator_count)
        note->whole.begin = def->decorators[0]->loc.begin - 1; /* with its @ */
}

void names_close_globals(struct frontend *f)
{
    if (!f->names)
        return;
    for (size_t i = 0; i < f->module->global_count; i++) {
        const struct ir_global *global = f->module->globals[i];
        size_t number = number_of(&f->names->globals, global);

        if (number)
            f->names->names.items[number - 1].type = global->type;
    }
}

/* --- constants --- */

void names_define_constant(struct frontend *f, const struct ast *target, const struct ast *value)
{
    if (!f->names)
        return;
    size_t number = define(f, FRONTEND_CONSTANT, target->name, target->loc);

    f->names->names.items[number - 1].kind = FRONTEND_CONSTANT;
    f->names->names.items[number - 1].value = value->loc;
    set_number(&f->names->globals, target->name, number);
}

void names_use_constant(struct frontend *f, const char *text, struct location loc)
{
    if (f->names)
        add_use(f->names, loc, number_of(&f->names->globals, text));
}

/* --- the whole --- */

static int compare_uses(const void *a, const void *b)
{
    const struct frontend_use *x = a, *y = b;

    if (x->loc.begin != y->loc.begin)
        return x->loc.begin < y->loc.begin ? -1 : 1;
    if (x->loc.end != y->loc.end)
        return x->loc.end < y->loc.end ? -1 : 1;
    if (!x->path != !y->path)
        return x->path ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

/* Uses in the order of their places, but for those that begin at the same one: their places are counted. */
static void sort_roughly(struct frontend *f)
{
    struct frontend_names *names = f->names;
    uint32_t end = 0;

    for (size_t i = 0; i < names->uses.count; i++)
        if (names->uses.items[i].loc.begin > end)
            end = names->uses.items[i].loc.begin;
    uint32_t *from = arena_array(&f->arena, uint32_t, (size_t)end + 2);
    struct frontend_use *sorted = arena_array(&f->arena, struct frontend_use, names->uses.count);

    for (size_t i = 0; i < names->uses.count; i++)
        from[(size_t)names->uses.items[i].loc.begin + 1]++;
    for (size_t at = 0; at < end; at++)
        from[at + 1] += from[at];
    for (size_t i = 0; i < names->uses.count; i++)
        sorted[from[names->uses.items[i].loc.begin]++] = names->uses.items[i];
    memcpy(names->uses.items, sorted, names->uses.count * sizeof(*sorted));
}

/* There are as many as there are words in the text, with each keystroke; one or two begin at a place. */
static void sort_uses(struct frontend *f)
{
    struct frontend_use *uses = f->names->uses.items;
    size_t count = f->names->uses.count, end;

    sort_roughly(f);
    for (size_t begin = 0; begin < count; begin = end) {
        for (end = begin + 1; end < count && uses[end].loc.begin == uses[begin].loc.begin;)
            end++;
        if (end - begin > 1)
            qsort(uses + begin, end - begin, sizeof(uses[0]), compare_uses);
    }
}

void names_finish(struct frontend *f)
{
    struct frontend_names *names = f->names;
    size_t kept = 0;

    if (!names || !names->uses.count)
        return;
    sort_uses(f);
    for (size_t i = 0; i < names->uses.count; i++) {
        const struct frontend_use *last = kept ? &names->uses.items[kept - 1] : NULL;
        const struct frontend_use use = names->uses.items[i];

        /* what is looked up twice is one use; where a name is bound again, that is the definition */
        if (!last || last->loc.begin != use.loc.begin || last->loc.end != use.loc.end)
            names->uses.items[kept++] = use;
        else if (!use.path && names->names.items[use.name].loc.begin == use.loc.begin)
            names->uses.items[kept - 1] = use;
    }
    names->uses.count = kept;
}

void frontend_names_finish(struct frontend_names *names)
{
    array_finish(&names->names);
    array_finish(&names->uses);
    map_finish(&names->by_place);
    map_finish(&names->globals);
    arena_finish(&names->arena);
    *names = (struct frontend_names){0};
}

const struct frontend_use *frontend_names_at(const struct frontend_names *names, uint32_t offset)
{
    size_t low = 0, high = names->uses.count; /* the first that begins behind @offset */
    const struct frontend_use *found = NULL;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names->uses.items[middle].loc.begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    /* Names do not lie in each other, but for `A.shape` and `A`: a few steps back are enough. */
    for (size_t i = low, steps = 0; i > 0 && steps < 8; i--, steps++) {
        const struct frontend_use *use = &names->uses.items[i - 1];
        if (offset <= use->loc.end &&
            (!found || use->loc.end - use->loc.begin < found->loc.end - found->loc.begin))
            found = use;
    }
    return found;
}

/* --- what has no mistakes --- */

/* A function, and the text from it to the next one: what is lost of it by a mistake stands there, too. */
struct stretch {
    struct ir_global *global;
    size_t number;
    uint32_t begin, end;
    bool is_bad;
};

struct stretches {
    struct stretch *items;
    size_t count, capacity; /* an array() */
    bool *is_bad;           /* each name */
};

static void find_stretches(struct frontend *f, struct stretches *out)
{
    for (size_t i = 0; i < f->module->global_count; i++) {
        struct ir_global *global = f->module->globals[i];
        size_t number = number_of(&f->names->globals, global);

        if (!number || global->kind == IR_GLOBAL_EXTERN)
            continue;
        uint32_t begin = f->names->names.items[number - 1].whole.begin;
        if (out->count)
            out->items[out->count - 1].end = begin;
        array_push(out, (struct stretch){.global = global,
                                         .number = number,
                                         .begin = begin,
                                         .end = UINT32_MAX,
                                         .is_bad = global->kind == IR_GLOBAL_DECLARED});
    }
}

static bool has_error(struct frontend *f, const struct stretch *stretch,
                      const struct diag_view *views, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (views[i].severity == DIAG_ERROR && views[i].location.source == f->source &&
            views[i].location.begin >= stretch->begin && views[i].location.begin < stretch->end)
            return true;
    return false;
}

/* Does it speak of a function that is bad? */
static bool names_bad(struct frontend *f, const struct stretch *stretch, const bool *is_bad)
{
    const struct frontend_names *names = f->names;
    size_t low = 0, high = names->uses.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names->uses.items[middle].loc.begin < stretch->begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < names->uses.count && names->uses.items[low].loc.begin < stretch->end; low++)
        if (!names->uses.items[low].path && is_bad[names->uses.items[low].name])
            return true;
    return false;
}

/* One may be bad since another one is. */
static void spread(struct frontend *f, struct stretches *all)
{
    bool is_changed = true;

    while (is_changed) {
        is_changed = false;
        for (size_t i = 0; i < all->count; i++) {
            struct stretch *stretch = &all->items[i];
            if (!stretch->is_bad && names_bad(f, stretch, all->is_bad))
                stretch->is_bad = is_changed = true;
            all->is_bad[stretch->number - 1] = stretch->is_bad;
        }
    }
}

bool names_keep_whole(struct frontend *f)
{
    struct stretches all = {.is_bad = arena_array(&f->arena, bool, f->names->names.count + 1)};
    struct diag_view *views = diag_views(f->diag, &f->arena);
    size_t count = diag_message_count(f->diag), kept = 0;

    find_stretches(f, &all);
    for (size_t i = 0; i < all.count; i++) {
        struct stretch *stretch = &all.items[i];
        stretch->is_bad |= has_error(f, stretch, views, count);
        all.is_bad[stretch->number - 1] = stretch->is_bad;
    }
    spread(f, &all);
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].is_bad)
            ir_module_remove(f->module, all.items[i].global);
        else
            kept++;
    array_finish(&all);
    return kept > 0;
}
