/*
 * How much of the stack of its thread a call of an artifact takes: the sum of the frames along the deepest path of
 * calls.  A function that is given a function (the body of a loop) calls it where it calls what it does not know;
 * what the C library takes is an allowance, as it cannot be seen.  Where a turn of a loop of the graph is called,
 * others of the loop are called in its place later: the deepest counts.
 */
#include "base/hash.h"
#include "codegen/llvm/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BESIDE = 64,    /* of each frame: the return address, and what its alignment may skip */
    LIBRARY = 1024, /* for all that the C library does */
    NO_HOLE = -1,
};

/* Of a call; what is not defined in the artifact is not there. */
static const size_t outside = SIZE_MAX;

struct call {
    bool is_unknown; /* what the function was given */
    size_t callee;   /* or outside */
    size_t given_from, given_count;
};

struct function {
    const char *name;
    size_t name_length;
    int64_t frame; /* bytes */
    int64_t deep;  /* bytes that a call takes */
    int64_t hole;  /* bytes in use where it calls what it was given; NO_HOLE: it does not */
    unsigned loop; /* that it is a turn of; 0: none */
    size_t next;   /* on the deepest path; its own index: it ends here */
    size_t call_from, call_count;
};

struct walk {
    array(struct function) functions;
    array(struct call) calls;
    array(size_t) given;
    struct map by_name; /* hash of a name that all modules know -> its index, plus 1 */
    bool has_sizes;
};

/* --- reading --- */

/* A line, in fields. */
struct line {
    const char *kind, *fields, *end;
};

static bool is_kind(const struct line *line, const char *kind)
{
    size_t length = strlen(kind);

    return (size_t)(line->fields - line->kind) == length + 1 &&
           memcmp(line->kind, kind, length) == 0;
}

static const char *next_line(const char *text, const char *end, struct line *out)
{
    const char *stop = memchr(text, '\n', (size_t)(end - text));

    if (!stop)
        return NULL;
    const char *tab = memchr(text, '\t', (size_t)(stop - text));
    *out = (struct line){text, tab ? tab + 1 : stop, stop};
    return stop + 1;
}

static const char *field_end(const char *field, const char *end)
{
    const char *tab = memchr(field, '\t', (size_t)(end - field));

    return tab ? tab : end;
}

bool cg_stack_is_good(const char *description, size_t size)
{
    const char *text = description, *end = description + size;
    struct line line;

    while (text != end) {
        text = next_line(text, end, &line);
        if (!text)
            return false;
        bool is_function = is_kind(&line, "function") || is_kind(&line, "local");
        bool has_name = field_end(line.fields, line.end) != line.end;
        bool is_known = is_kind(&line, "call") || is_kind(&line, "turn");
        if (is_function ? !has_name : !is_known)
            return false;
    }
    return true;
}

static const void *name_key(const char *name, size_t length)
{
    return hash_key(hash_bytes(name, length));
}

static void add_function(struct walk *w, const struct line *line)
{
    const char *name = field_end(line->fields, line->end) + 1;
    size_t index = w->functions.count, length = (size_t)(line->end - name);
    int64_t frame = strtoll(line->fields, NULL, 10);

    array_push(&w->functions, (struct function){.name = name,
                                                .name_length = length,
                                                .frame = frame,
                                                .hole = NO_HOLE,
                                                .next = index,
                                                .call_from = w->calls.count});
    if (is_kind(line, "function"))
        map_set(&w->by_name, name_key(name, length), (const void *)(uintptr_t)(index + 1));
    w->has_sizes |= frame > 0;
}

static size_t find(const struct walk *w, const char *name, size_t length)
{
    size_t index = (size_t)map_get(&w->by_name, name_key(name, length));

    return index > 0 && w->functions.items[index - 1].name_length == length &&
                   memcmp(w->functions.items[index - 1].name, name, length) == 0
               ? index - 1
               : outside;
}

/* The function of a field; those of this description begin at @first. */
static size_t function_of(const struct walk *w, const char *field, const char *end, size_t first)
{
    if (*field == '@')
        return find(w, field + 1, (size_t)(end - field) - 1);
    size_t number = *field == '#' ? strtoull(field + 1, NULL, 10) : w->functions.count;
    return number < w->functions.count - first ? first + number : outside;
}

static void add_call(struct walk *w, const struct line *line, size_t function, size_t first)
{
    const char *end = field_end(line->fields, line->end);
    struct call call = {.is_unknown = *line->fields == '?',
                        .callee = function_of(w, line->fields, end, first),
                        .given_from = w->given.count};

    for (const char *field = end; field != line->end; field = end) {
        end = field_end(++field, line->end);
        size_t given = function_of(w, field, end, first);
        if (given != outside)
            array_push(&w->given, given);
    }
    call.given_count = w->given.count - call.given_from;
    array_push(&w->calls, call);
    w->functions.items[function].call_count++;
}

/* All functions before all calls. */
static void read_functions(struct walk *w, const struct text *description)
{
    const char *text = text_string(description), *end = text + description->length;
    struct line line;

    while ((text = next_line(text, end, &line)) != NULL)
        if (is_kind(&line, "turn") && w->functions.count > 0)
            array_last(&w->functions).loop = (unsigned)strtoul(line.fields, NULL, 10);
        else if (is_kind(&line, "function") || is_kind(&line, "local"))
            add_function(w, &line);
}

/* @first: the number of its first function. */
static size_t read_calls(struct walk *w, const struct text *description, size_t first)
{
    const char *text = text_string(description), *end = text + description->length;
    size_t function = first;
    struct line line;

    while ((text = next_line(text, end, &line)) != NULL)
        if (is_kind(&line, "function") || is_kind(&line, "local"))
            w->functions.items[function++].call_from = w->calls.count;
        else if (is_kind(&line, "call") && function > first)
            add_call(w, &line, function - 1, first);
    return function;
}

/* --- paths --- */

/* What is called deepest where function @index is called. */
static size_t deepest(const struct walk *w, size_t index)
{
    unsigned loop = w->functions.items[index].loop;

    for (size_t i = 0; loop > 0 && i < w->functions.count; i++)
        if (w->functions.items[i].loop == loop &&
            w->functions.items[i].deep > w->functions.items[index].deep)
            index = i;
    return index;
}

/* A call at which @deep bytes more are taken, by function @next, and @hole where it calls what it was given. */
static bool note_call(struct function *f, int64_t deep, int64_t hole, size_t next)
{
    bool is_changed = false;
    int64_t own = f->frame + BESIDE;

    if (own + deep > f->deep) {
        f->deep = own + deep;
        f->next = next;
        is_changed = true;
    }
    if (hole != NO_HOLE && own + hole > f->hole) {
        f->hole = own + hole;
        is_changed = true;
    }
    return is_changed;
}

/* The functions among the arguments of @call are what @hole bytes deeper is called. */
static bool note_given(struct walk *w, struct function *f, const struct call *call, int64_t hole)
{
    bool is_changed = false, is_any = false;

    for (size_t i = 0; i < call->given_count; i++) {
        size_t index = deepest(w, w->given.items[call->given_from + i]);
        const struct function *given = &w->functions.items[index];
        if (f->loop > 0 && given->loop == f->loop) /* called when @f has left */
            continue;
        is_any = true;
        is_changed |= note_call(f, hole + given->deep,
                                given->hole == NO_HOLE ? NO_HOLE : hole + given->hole, index);
    }
    return is_any ? is_changed : note_call(f, hole, hole, (size_t)(f - w->functions.items));
}

static bool visit_call(struct walk *w, struct function *f, const struct call *call)
{
    if (call->is_unknown)
        return note_call(f, 0, 0, (size_t)(f - w->functions.items));
    if (call->callee == outside)
        return note_given(w, f, call, LIBRARY);
    size_t callee = deepest(w, call->callee);
    const struct function *known = &w->functions.items[callee];
    bool is_changed = note_call(f, known->deep, NO_HOLE, callee);
    return (known->hole != NO_HOLE && note_given(w, f, call, known->hole)) || is_changed;
}

static bool visit_function(struct walk *w, struct function *f)
{
    bool is_changed = note_call(f, 0, NO_HOLE, (size_t)(f - w->functions.items));

    for (size_t i = 0; i < f->call_count; i++)
        is_changed |= visit_call(w, f, &w->calls.items[f->call_from + i]);
    return is_changed;
}

/* False: some path has no end. */
static bool find_paths(struct walk *w)
{
    bool is_changed = true;

    for (size_t round = 0; is_changed && round <= w->functions.count + 1; round++) {
        is_changed = false;
        for (size_t i = w->functions.count; i-- > 0;)
            is_changed |= visit_function(w, &w->functions.items[i]);
    }
    return !is_changed;
}

/* What is deepest under @f, and the largest frame on the way. */
static void tell(const struct walk *w, const struct function *f, struct codegen_stack *out)
{
    const struct function *largest = f;

    if (out->bytes >= f->deep)
        return;
    out->bytes = f->deep;
    for (size_t i = 0; i < w->functions.count && f->next != (size_t)(f - w->functions.items); i++) {
        f = &w->functions.items[f->next];
        largest = f->frame > largest->frame ? f : largest;
    }
    (void)snprintf(out->largest, sizeof(out->largest), "%.*s", (int)largest->name_length,
                   largest->name);
    out->largest_bytes = largest->frame;
}

static void tell_door(const struct walk *w, const struct codegen_door *door, bool is_known,
                      struct codegen_stack *out)
{
    static const char *const ends[] = {"", "_dl"};
    struct arena arena = {0};

    *out = (struct codegen_stack){.bytes = -1};
    for (size_t i = 0; is_known && i < ARRAY_SIZE(ends); i++) {
        const char *name = arena_printf(&arena, "%s%s", door->name, ends[i]);
        size_t index = find(w, name, strlen(name));
        if (index != outside)
            tell(w, &w->functions.items[index], out);
    }
    arena_finish(&arena);
}

void cg_stack_tell(const struct text *descriptions, size_t count,
                   const struct codegen_artifact *artifact)
{
    struct walk w = {0};
    size_t first = 0;

    for (size_t i = 0; i < count; i++)
        read_functions(&w, &descriptions[i]);
    for (size_t i = 0; i < count; i++)
        first = read_calls(&w, &descriptions[i], first);
    bool is_known = w.has_sizes && find_paths(&w);
    for (size_t i = 0; i < artifact->door_count; i++)
        tell_door(&w, &artifact->doors[i], is_known, &artifact->stacks[i]);
    map_finish(&w.by_name);
    array_finish(&w.functions);
    array_finish(&w.calls);
    array_finish(&w.given);
}
