/* What names mean: hover, definitions, uses, an outline. */
#include "lsp/answers.h"

#include "base/diag_pages.h"
#include "ir/arith.h"
#include "ir/intrinsics.h"
#include "ir/print.h"

#include <string.h>

static const struct frontend_use *use_at(const struct question *question)
{
    return frontend_names_at(&question->look->names, question_offset(question));
}

/* The name that the user points at; NULL: none, or one of a library. */
static const struct frontend_name *name_at(const struct question *question)
{
    const struct frontend_use *use = use_at(question);

    return use && !use->path ? &question->look->names.names.items[use->name] : NULL;
}

/* --- hover --- */

static void put_dtype(struct text *out, struct ir_dtype dtype)
{
    char buffer[32];

    text_puts(out, ir_dtype_name(dtype, buffer));
}

static void put_dim(struct text *out, const struct question *question, const struct ir_expr *dim)
{
    int64_t number;

    if (ir_expr_constant(question->look->driver->context, dim, &number))
        text_printf(out, "%lld", (long long)number);
    else
        ir_expr_print(dim, out);
}

static void put_buffer(struct text *out, const struct question *question,
                       const struct ir_buffer *buffer)
{
    if (buffer->is_scalar) {
        text_puts(out, "T.");
        put_dtype(out, buffer->dtype);
        return;
    }
    text_puts(out, "T.Buffer((");
    for (unsigned i = 0; i < buffer->ndim; i++) {
        text_puts(out, i ? ", " : "");
        put_dim(out, question, buffer->shape[i]);
    }
    text_puts(out, buffer->ndim == 1 ? ",), \"" : "), \"");
    put_dtype(out, buffer->dtype);
    text_putc(out, '"');
    if (buffer->scope && strcmp(buffer->scope, "global") != 0)
        text_printf(out, ", scope=\"%s\"", buffer->scope);
    text_putc(out, ')');
}

static void put_type(struct text *out, const struct question *question, const struct ir_type *type)
{
    if (type)
        text_puts(out, ir_type_text(question->look->driver->context, type));
}

/* The text of a definition, without the indentation of its further lines. */
static void put_source(struct text *out, struct location loc)
{
    const char *text = loc.source->text + loc.begin, *end = loc.source->text + loc.end;
    unsigned column;

    source_line(loc.source, loc.begin, &column);
    while (text < end) {
        text_putc(out, *text);
        unsigned indent = *text++ == '\n' ? column - 1 : 0;
        while (indent-- && text < end && *text == ' ')
            text++;
    }
}

static void put_function(struct text *out, const struct question *question,
                         const struct frontend_name *name)
{
    put_source(out, name->head);
    if (name->type && name->type->kind == IR_TYPE_FUNC && name->type->result) {
        text_puts(out, "\n# returns ");
        put_type(out, question, name->type->result);
    }
}

/* In Python's words: what is known of @name. */
static void put_name(struct text *out, const struct question *question,
                     const struct frontend_name *name)
{
    switch (name->kind) {
    case FRONTEND_VALUE:
    case FRONTEND_EXTERN:
        text_printf(out, "%s: ", name->text);
        put_type(out, question, name->type);
        break;
    case FRONTEND_SCALAR:
        text_printf(out, "%s: T.", name->text);
        put_dtype(out, name->dtype);
        break;
    case FRONTEND_TERM:
        text_printf(out, "%s = ", name->text);
        tir_expr_print(name->term, out);
        break;
    case FRONTEND_BUFFER:
        text_printf(out, "%s: ", name->text);
        put_buffer(out, question, name->buffer);
        break;
    case FRONTEND_CONSTANT:
        text_printf(out, "%s = %.*s", name->text, LOCATION_TEXT(name->value));
        break;
    case FRONTEND_FUNCTION:
    case FRONTEND_KERNEL:
        put_function(out, question, name);
        break;
    case FRONTEND_MODULE:
        text_printf(out, name->head.source ? "class %s" : "%s  # the module", name->text);
        break;
    case FRONTEND_WRONG:
        text_printf(out, "%s  # its definition has a mistake", name->text);
        break;
    case FRONTEND_OTHER:
        text_puts(out, name->text);
        break;
    }
}

/* "2 arguments", "1 to 3 arguments". */
static void put_intrinsic(struct text *out, const struct ir_intrinsic *intrinsic)
{
    static const char *const results[] = {
        [IR_RESULT_FIRST] = "of the dtype of the first argument",
        [IR_RESULT_SECOND] = "of the dtype of the second argument",
        [IR_RESULT_MATCH] = "of the dtype that the arguments are brought to",
        [IR_RESULT_GIVEN] = "of the dtype that the text says",
        [IR_RESULT_BOOL] = "bool",
        [IR_RESULT_INT32] = "int32",
        [IR_RESULT_UINT32] = "uint32",
        [IR_RESULT_VOID] = "nothing: it is called for its effect",
        [IR_RESULT_HANDLE] = "a handle",
    };

    text_printf(out, "```python\nT.%s(..)\n```\n%s ", intrinsic->name, intrinsic->doc);
    text_puts(out, "Arguments: ");
    ir_intrinsic_put_arguments(out, intrinsic);
    text_printf(out, ". Result: %s.", results[intrinsic->result]);
}

/* What the tables say of R.add, T.exp. */
static void put_library(struct text *out, const struct question *question, const char *path)
{
    const struct ir_context *context = question->look->driver->context;
    bool is_op = strncmp(path, "R.", 2) == 0; /* `R` alone is the module */
    bool is_intrinsic = strncmp(path, "T.", 2) == 0;
    const struct ir_op_info *info =
        is_op ? ir_find_op(context, path + (strncmp(path, "R.op.", 5) == 0 ? 5 : 2)) : NULL;
    const struct ir_intrinsic *intrinsic = is_intrinsic ? ir_intrinsic_find(path + 2) : NULL;

    if (info) {
        text_printf(out, "```python\nR.%s(%s)\n```\n%s", info->name, info->signature, info->doc);
        if (info->absent)
            text_printf(out, "\n\nIt cannot be compiled: %s.", info->absent);
    } else if (intrinsic)
        put_intrinsic(out, intrinsic);
    else
        text_printf(out, "```python\n%s\n```", path);
}

/* The page of a message, up to its examples. */
static void put_page(struct text *out, const struct diag_view *view)
{
    const char *page = diag_page(view->id);
    const char *end = page ? strstr(page, "\nFails") : NULL;

    if (!page)
        return;
    text_puts(out, out->length ? "\n\n---\n\n" : "");
    text_puts(out, "#");
    text_append(out, page, end ? (size_t)(end - page) : strlen(page));
    text_printf(out, "\n`inlay explain E%04u` has examples.", (unsigned)view->id);
}

static void put_pages(struct text *out, const struct question *question)
{
    const struct look *look = question->look;
    uint32_t offset = question_offset(question);

    for (size_t i = 0, shown = 0; i < look->view_count && !shown; i++) {
        const struct diag_view *view = &look->views[i];
        if (view->location.source == look->source && offset >= view->location.begin &&
            offset <= view->location.end) {
            put_page(out, view);
            shown++;
        }
    }
}

/* What the passes decided of the call on this line. */
static void put_decisions(struct text *out, const struct question *question,
                          const struct frontend_name *name)
{
    const struct document *document = question->document;
    struct location line = location_whole_line(name->loc);

    for (size_t i = 0; document->has_hints && i < document->hints.count; i++) {
        const struct hint *hint = &document->hints.items[i];
        if (!hint->is_gone && hint->at >= name->loc.end && hint->at <= line.end)
            text_printf(out, "\n\n**%s**: %s", hint->label, hint->tip);
    }
}

/* @page without what only looks good when it is rendered: fences, signs of headings, stars. */
static void put_plain(struct text *out, const char *page)
{
    for (const char *next; *page; page = next) {
        const char *end = page + strcspn(page, "\n");

        next = *end ? end + 1 : end;
        if (strncmp(page, "```", 3) == 0)
            continue;
        page += *page == '#' ? strspn(page, "# ") : 0;
        for (; page < end; page++)
            if (strncmp(page, "**", 2) == 0)
                page++;
            else
                text_putc(out, *page);
        text_puts(out, *next ? "\n" : "");
    }
}

static void put_contents(const struct question *question, const struct text *page, struct text *out)
{
    struct text plain = {0};

    if (question->is_plain)
        put_plain(&plain, text_string(page));
    const struct text *shown = question->is_plain ? &plain : page;
    text_printf(out, "{\"contents\":{\"kind\":\"%s\",\"value\":",
                question->is_plain ? "plaintext" : "markdown");
    text_put_json(out, text_string(shown), shown->length);
    text_putc(out, '}');
    text_finish(&plain);
}

void answer_hover(const struct question *question, struct text *out)
{
    const struct frontend_use *use = use_at(question);
    const struct frontend_name *name = name_at(question);
    struct text page = {0};

    if (name) {
        text_puts(&page, "```python\n");
        put_name(&page, question, name);
        text_puts(&page, "\n```");
        if (name->kind == FRONTEND_VALUE)
            put_decisions(&page, question, name);
    } else if (use)
        put_library(&page, question, use->path);
    put_pages(&page, question);
    if (!page.length) {
        text_puts(out, "null");
        return;
    }
    put_contents(question, &page, out);
    if (use) {
        text_puts(out, ",\"range\":");
        put_range(out, use->loc);
    }
    text_putc(out, '}');
    text_finish(&page);
}

/* --- places --- */

void answer_definition(const struct question *question, struct text *out)
{
    const struct frontend_name *name = name_at(question);

    if (name)
        put_location(out, question->document, name->loc);
    else
        text_puts(out, "null");
}

/* Calls for each use of the name at the place: with @head in front of its range. */
static void put_uses(const struct question *question, bool with_definition, bool has_uri,
                     struct text *out)
{
    const struct frontend_names *names = &question->look->names;
    const struct frontend_use *use = use_at(question);
    const char *between = "";

    text_putc(out, '[');
    for (size_t i = 0; use && i < names->uses.count; i++) {
        const struct frontend_use *other = &names->uses.items[i];
        bool is_same =
            use->path ? other->path == use->path : !other->path && other->name == use->name;
        bool is_definition =
            !other->path && names->names.items[other->name].loc.begin == other->loc.begin;
        if (!is_same || (is_definition && !with_definition))
            continue;
        text_puts(out, between);
        between = ",";
        if (has_uri) {
            put_location(out, question->document, other->loc);
            continue;
        }
        text_puts(out, "{\"range\":");
        put_range(out, other->loc);
        text_printf(out, ",\"kind\":%d}", is_definition ? 3 : 2);
    }
    text_putc(out, ']');
}

void answer_references(const struct question *question, struct text *out)
{
    const cJSON *context = cJSON_GetObjectItemCaseSensitive(question->params, "context");
    const cJSON *declared = cJSON_GetObjectItemCaseSensitive(context, "includeDeclaration");

    put_uses(question, !cJSON_IsFalse(declared), true, out);
}

void answer_highlight(const struct question *question, struct text *out)
{
    put_uses(question, true, false, out);
}

/* --- outline --- */

static bool is_within(const struct frontend_name *inner, const struct frontend_name *outer)
{
    return inner->loc.begin >= outer->whole.begin && inner->loc.begin < outer->whole.end;
}

static void open_symbol(struct text *out, const struct frontend_name *name, int kind,
                        const char **between)
{
    struct location whole = name->whole.source ? name->whole : name->loc;

    text_printf(out, "%s{\"name\":", *between);
    *between = ",";
    put_string(out, name->text);
    text_printf(out, ",\"kind\":%d,\"range\":", kind);
    put_range(out, whole);
    text_puts(out, ",\"selectionRange\":");
    put_range(out, name->loc);
}

static int symbol_kind(const struct frontend_name *name)
{
    enum { MODULE = 2, METHOD = 6, INTERFACE = 11, FUNCTION = 12, CONSTANT = 14 };

    switch (name->kind) {
    case FRONTEND_MODULE:
        return name->whole.source ? MODULE : 0;
    case FRONTEND_FUNCTION:
        return FUNCTION;
    case FRONTEND_KERNEL:
        return METHOD;
    case FRONTEND_EXTERN:
        return INTERFACE;
    case FRONTEND_CONSTANT:
        return CONSTANT;
    default:
        return 0;
    }
}

/* Those in @module; those outside of any where that is NULL. */
static void put_symbols(struct text *out, const struct frontend_names *names,
                        const struct frontend_name *module, const struct frontend_name *outer)
{
    const char *between = "";

    text_putc(out, '[');
    for (size_t i = 0; i < names->names.count; i++) {
        const struct frontend_name *name = &names->names.items[i];
        int kind = symbol_kind(name);
        bool is_here = name != module && (!module || is_within(name, module)) == (outer == module);
        if (!kind || (name->kind == FRONTEND_MODULE ? outer != NULL : !is_here))
            continue;
        open_symbol(out, name, kind, &between);
        if (name->kind == FRONTEND_MODULE) {
            text_puts(out, ",\"children\":");
            put_symbols(out, names, module, module);
        }
        text_putc(out, '}');
    }
    text_putc(out, ']');
}

void answer_symbols(const struct question *question, struct text *out)
{
    const struct frontend_names *names = &question->look->names;
    const struct frontend_name *module = NULL;

    for (size_t i = 0; i < names->names.count && !module; i++)
        if (symbol_kind(&names->names.items[i]) && names->names.items[i].kind == FRONTEND_MODULE)
            module = &names->names.items[i];
    put_symbols(out, names, module, NULL);
}
