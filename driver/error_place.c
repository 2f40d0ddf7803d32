/* See error_place.h. */
#include "driver/error_place.h"

#include <stdio.h>
#include <string.h>

enum { NAME = 128 };

/* The bracket that closes @open, which is one; the end of @in if none does. */
static uint32_t closing(struct location in, uint32_t open)
{
    const char *text = in.source->text;
    unsigned depth = 0;

    for (uint32_t at = open; at < in.end; at++) {
        depth += text[at] && strchr("([{", text[at]);
        depth -= text[at] && strchr(")]}", text[at]);
        if (depth == 0)
            return at + 1;
    }
    return in.end;
}

/* ---- an index ---- */

/* A number alone is what it is: it is the others that vary. */
static bool is_within(struct location index, long long extent)
{
    size_t length = index.end - index.begin;
    const char *text = index.source->text + index.begin;
    long long value;

    return strspn(text, "0123456789") == length && sscanf(text, "%lld", &value) == 1 &&
           value < extent;
}

/* `name[..]` at or behind @from in @statement; nowhere if there is none. */
static struct location next_access(struct location statement, uint32_t from, const char *name)
{
    const char *text = statement.source->text;
    size_t length = strlen(name);

    for (uint32_t at = from; at + length < statement.end; at++) {
        bool is_begin = at == 0 || (text[at - 1] != '.' && text[at - 1] != '_');
        char before = at ? text[at - 1] : ' ';
        is_begin = is_begin && !(before >= '0' && before <= '9') &&
                   !(before >= 'A' && before <= 'Z') && !(before >= 'a' && before <= 'z');
        if (is_begin && memcmp(text + at, name, length) == 0 && text[at + length] == '[')
            return (struct location){statement.source, at,
                                     closing(statement, at + (uint32_t)length)};
    }
    return (struct location){0};
}

static struct location place_of_index(struct location statement, const char *name, long long axis,
                                      long long extent)
{
    struct location found = {0}, access = next_access(statement, statement.begin, name);

    for (; access.source; access = next_access(statement, access.begin + 1, name)) {
        struct location list = {access.source, access.begin + (uint32_t)strlen(name), access.end};
        struct location index = location_argument(list, (unsigned)axis, NULL);
        if (index.begin == list.begin || is_within(index, extent))
            continue;
        bool is_same = found.source && found.end - found.begin == index.end - index.begin &&
                       memcmp(found.source->text + found.begin, index.source->text + index.begin,
                              found.end - found.begin) == 0;
        if (found.source && !is_same)
            return statement;
        found = found.source ? found : index;
    }
    return found.source ? found : statement;
}

/* ---- an argument ---- */

/* The call of `head(..)` in @statement, which is the only one; nowhere if it is not. */
static struct location call_of(struct location statement, const char *head)
{
    struct location found = {0};
    const char *text = statement.source->text;
    size_t length = strlen(head);

    for (uint32_t at = statement.begin; at + length < statement.end; at++) {
        if (memcmp(text + at, head, length) != 0 || text[at + length] != '(')
            continue;
        if (found.source)
            return (struct location){0};
        found = (struct location){statement.source, at, closing(statement, at + (uint32_t)length)};
    }
    return found;
}

/* Which tensor the buffer @name of @kernel is; -1: there is no such kernel or buffer. */
static int tensor_of(const struct ir_module *module, const char *kernel, const char *name)
{
    const struct ir_global *global = ir_module_find(module, kernel);
    int tensor = 0;

    for (unsigned i = 0;
         global && global->kind == IR_GLOBAL_KERNEL && i < global->kernel->param_count; i++) {
        const struct ir_buffer *buffer = global->kernel->params[i].buffer;
        if (buffer && strcmp(buffer->name, name) == 0)
            return tensor;
        tensor += buffer != NULL;
    }
    return -1;
}

/* The tensor for the buffer @name of @kernel in the call; scalars among the arguments are no tensors, so they are not told apart. */
static struct location place_of_buffer(const struct ir_module *module, struct location statement,
                                       const char *kernel, const char *name)
{
    const struct ir_global *global = ir_module_find(module, kernel);
    int tensor = tensor_of(module, kernel, name);
    struct location call = call_of(statement, "R.call_tir");

    if (!call.source)
        call = call_of(statement, "R.call_tir_inplace");
    if (tensor < 0 || !call.source)
        return statement;
    for (unsigned i = 0; i < global->kernel->param_count; i++)
        if (!global->kernel->params[i].buffer)
            return call;
    struct location args = location_argument(call, 1, "args");
    bool is_list = args.begin > call.begin && strchr("([", args.source->text[args.begin]);
    struct location place = is_list ? location_argument(args, (unsigned)tensor, NULL) : args;
    if (!is_list || place.begin != args.begin)
        return place.begin == call.begin ? call : place;
    place = location_argument(call, 2, "out_ty"); /* an output, behind the arguments */
    return place.begin == call.begin ? call : place;
}

/* "`R.take`: `indices` must be ..": that argument of the call, or the call. */
static struct location place_of_operand(const struct ir_module *module, struct location statement,
                                        const char *head, const char *message)
{
    struct location call = call_of(statement, head);
    const struct ir_op_info *info = ir_find_op(module->context, head + 2);
    char name[NAME];

    if (!call.source)
        return statement;
    if (!info || sscanf(message, "`%*[^`]`: `%127[^`]`", name) != 1)
        return call;
    for (unsigned i = 0; i < info->param_count; i++)
        if (strcmp(info->params[i].name, name) == 0)
            return location_argument(call, i, name);
    return call;
}

struct location error_place(const struct ir_module *module, struct location statement,
                            const char *message)
{
    char name[NAME], kernel[NAME];
    long long number, axis, extent;

    if (!statement.source)
        return statement;
    if (sscanf(message, "index %lld is out of range for axis %lld of `%127[^`]` (extent %lld)",
               &number, &axis, name, &extent) == 4)
        return place_of_index(statement, name, axis, extent);
    if (sscanf(message, "dimension %lld of `%127[^`]` of `%127[^`]` is", &number, name, kernel) ==
            3 ||
        sscanf(message, "buffer `%127[^`]` of kernel `%127[^`]` is", name, kernel) == 2)
        return place_of_buffer(module, statement, kernel, name);
    if (sscanf(message, "`%127[^`]`:", name) == 1 && strncmp(name, "R.", 2) == 0)
        return place_of_operand(module, statement, name, message);
    return statement;
}
