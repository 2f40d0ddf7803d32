/* What may stand behind `R.`, `T.` and the name of a module: operators, intrinsics, functions and kernels. */
#include "ir/intrinsics.h"
#include "lsp/answers.h"

#include <ctype.h>
#include <string.h>

/* CompletionItemKind */
enum { KIND_METHOD = 2, KIND_FUNCTION = 3 };

struct completing {
    const struct question *question;
    struct text *out;
    struct location typed; /* behind the first dot */
    const char *between;
};

/* The words with dots between that end at the cursor. */
static struct location typed_at(const struct question *question)
{
    const struct source *source = question->look->source;
    uint32_t end = question_offset(question), begin = end;

    while (begin > 0 && (isalnum((unsigned char)source->text[begin - 1]) ||
                         strchr("_.", source->text[begin - 1])))
        begin--;
    return (struct location){source, begin, end};
}

static bool fits(const struct completing *c, const char *name)
{
    size_t length = c->typed.end - c->typed.begin;

    return strncmp(name, c->typed.source->text + c->typed.begin, length) == 0;
}

/* An editor replaces all that stands behind the first dot. */
static void put_item(struct completing *c, int kind, const char *name, const char *detail,
                     const char *doc)
{
    struct text *out = c->out;

    text_printf(out, "%s{\"label\":", c->between);
    c->between = ",";
    put_string(out, name);
    text_printf(out, ",\"kind\":%d,\"detail\":", kind);
    put_string(out, detail);
    if (doc) {
        text_puts(out, ",\"documentation\":");
        put_string(out, doc);
    }
    text_puts(out, ",\"filterText\":");
    put_string(out, name);
    text_puts(out, ",\"textEdit\":{\"range\":");
    put_range(out, c->typed);
    text_puts(out, ",\"newText\":");
    put_string(out, name);
    text_puts(out, "}}");
}

static void put_operators(struct completing *c)
{
    const struct ir_context *context = c->question->look->driver->context;

    for (unsigned i = 0; i < ir_op_count(context); i++) {
        const struct ir_op_info *info = ir_op_at(context, i);

        if (!(info->traits & (IR_INLINE | IR_TERMINATOR)) && fits(c, info->name))
            put_item(c, KIND_FUNCTION, info->name,
                     arena_printf(c->question->arena, "(%s)", info->signature), info->doc);
    }
}

static void put_intrinsics(struct completing *c)
{
    const char *name;

    for (unsigned i = 0; (name = ir_intrinsic_name(i)); i++) {
        const struct ir_intrinsic *intrinsic = ir_intrinsic_find(name);
        struct text arguments = {0};

        if (!fits(c, name))
            continue;
        ir_intrinsic_put_arguments(&arguments, intrinsic);
        put_item(c, KIND_FUNCTION, name, text_string(&arguments), intrinsic->doc);
        text_finish(&arguments);
    }
}

/* Functions and kernels of the module that is called @module, also `cls`. */
static void put_members(struct completing *c, const char *module, size_t length)
{
    const struct frontend_names *names = &c->question->look->names;
    bool is_module = false;

    for (size_t i = 0; i < names->names.count; i++) {
        const struct frontend_name *name = &names->names.items[i];

        is_module |= name->kind == FRONTEND_MODULE && strlen(name->text) == length &&
                     strncmp(name->text, module, length) == 0;
    }
    for (size_t i = 0; is_module && i < names->names.count; i++) {
        const struct frontend_name *name = &names->names.items[i];

        if ((name->kind == FRONTEND_FUNCTION || name->kind == FRONTEND_KERNEL) &&
            fits(c, name->text))
            put_item(c, KIND_METHOD, name->text,
                     arena_printf(c->question->arena, "%.*s", LOCATION_TEXT(name->head)), NULL);
    }
}

void answer_completion(const struct question *question, struct text *out)
{
    struct completing c = {question, out, typed_at(question), ""};
    const char *text = c.typed.source->text + c.typed.begin;
    size_t length = c.typed.end - c.typed.begin;
    const char *dot = length ? memchr(text, '.', length) : NULL;

    text_putc(out, '[');
    if (dot) {
        c.typed.begin += (uint32_t)(dot + 1 - text);
        if (dot == text + 1 && *text == 'R')
            put_operators(&c);
        else if (dot == text + 1 && *text == 'T')
            put_intrinsics(&c);
        else
            put_members(&c, text, (size_t)(dot - text));
    }
    text_putc(out, ']');
}
