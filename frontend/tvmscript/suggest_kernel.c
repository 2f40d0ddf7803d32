/* Words and brackets of kernels that are put otherwise: T.Buffer[..], T.Tensor(..), T.float32[0], b[[i, j]], axis.remap. */
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* --- types of parameters --- */

static bool is_storage_word(const char *word)
{
    static const char *const words[] = {"Tensor", "tensor", "Buffer", "buffer", "Array", "handle"};

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

bool help_buffer_type(struct frontend *f, struct diag_message *m, const struct ast *type)
{
    bool is_subscript = type->kind == AST_SUBSCRIPT;
    const struct ast *callee = is_subscript || type->kind == AST_CALL ? type->items[0] : NULL;

    if (!callee || (callee->kind != AST_NAME && callee->kind != AST_ATTRIBUTE) ||
        !is_storage_word(callee->name))
        return false;
    if (!is_subscript) {
        diag_help(m, "what a kernel gets is a `T.Buffer`");
        diag_help_edit(m, callee->loc, "T.Buffer");
        return true;
    }
    struct location inside = {type->loc.source, callee->loc.end + 1, type->loc.end - 1};
    diag_help(m, "its shape and dtype stand in round brackets");
    if (inside.source == f->source && inside.source->text[callee->loc.end] == '[')
        diag_help_edit(m, type->loc, "T.Buffer(%.*s)", LOCATION_TEXT(inside));
    return true;
}

/* --- numbers --- */

bool help_number_brackets(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const char *dotted = dotted_name(f, a->items[0]);
    struct location inside = {a->loc.source, a->items[0]->loc.end + 1, a->loc.end - 1};
    struct ir_dtype dtype;

    if (a->item_count != 2 || !dotted || !dtype_of_name(dotted, &dtype) ||
        a->loc.source->text[a->items[0]->loc.end] != '[')
        return false;
    diag_help(m, "a number of a type is written as a call");
    diag_help_edit(m, a->loc, "%.*s(%.*s)", LOCATION_TEXT(a->items[0]->loc), LOCATION_TEXT(inside));
    return true;
}

/* --- indices --- */

static const char *text_of(struct frontend *f, const struct ast *a)
{
    return arena_printf(&f->arena, "%.*s", LOCATION_TEXT(a->loc));
}

/* `b[[i, j]]` and `b[i.j]`, of names that are bound */
static bool help_index_form(struct frontend *f, struct diag_message *m, const struct ast *a,
                            const struct ir_buffer *buffer)
{
    const struct ast *only = a->item_count == 2 ? a->items[1] : NULL;

    if (only && only->kind == AST_LIST && only->item_count == buffer->ndim) {
        struct location inside = {only->loc.source, only->loc.begin + 1, only->loc.end - 1};
        diag_help(m, "indices stand in one pair of brackets");
        diag_help_edit(m, only->loc, "%.*s", LOCATION_TEXT(inside));
        return true;
    }
    if (only && buffer->ndim == 2 && only->kind == AST_ATTRIBUTE &&
        only->name_loc.begin == only->items[0]->loc.end + 1 && /* else it is `i. j` */
        only->items[0]->kind == AST_NAME && scope_find(f, only->items[0]->name) &&
        scope_find(f, only->name)) {
        diag_help(m, "separate them with `,`");
        diag_help_edit(m, only->loc, "%s, %s", only->items[0]->name, only->name);
        return true;
    }
    return false;
}

void help_indices(struct frontend *f, struct diag_message *m, const struct ast *a,
                  const struct ir_buffer *buffer)
{
    const char *meant = indices_meant(f, buffer);
    unsigned at = 1;

    if (help_index_form(f, m, a, buffer) || !meant || a->item_count - 1 >= buffer->ndim)
        return;
    /* what is there stands in what is meant, in that order */
    for (const char *word = meant; *word;) {
        size_t length = strcspn(word, ",");
        const char *given = at < a->item_count ? text_of(f, a->items[at]) : "";
        at += strlen(given) == length && strncmp(word, given, length) == 0;
        word += length;
        word += strspn(word, ", ");
    }
    if (at < a->item_count)
        return;
    diag_help(m, "by the axes of the block it is `%s[%s]`", buffer->name, meant);
    diag_help_edit(m, a->loc, "%.*s[%s]", LOCATION_TEXT(a->items[0]->loc), meant);
}

/* --- functions --- */

bool help_known_function(struct frontend *f, struct diag_message *m, const struct ast *call)
{
    const struct ast *callee = call->items[0];
    const char *word = callee->kind == AST_ATTRIBUTE ? callee->name : "";
    bool is_axis = callee->kind == AST_ATTRIBUTE && callee->items[0]->kind == AST_NAME &&
                   strcmp(callee->items[0]->name, "axis") == 0;

    const struct ir_buffer *buffer = buffer_of(f, callee);
    if (buffer && call_positional_count(call) == buffer->ndim &&
        call->item_count == buffer->ndim + 1 && callee->kind == AST_NAME) {
        struct location inside = {call->loc.source, callee->loc.end + 1, call->loc.end - 1};
        diag_help(m, "an element is `%s[..]`", buffer->name);
        diag_help_edit(m, (struct location){call->loc.source, callee->loc.end, call->loc.end},
                       "[%.*s]", LOCATION_TEXT(inside));
        return true;
    }
    if (is_axis && !scope_find(f, callee->items[0]->name)) {
        diag_help(m, "there is `T.axis.%s`", word);
        diag_help_edit(m, callee->loc, "T.axis.%s", word);
        return true;
    }
    if (is_dotted(f, call, "T.init")) {
        struct location line = indentation_of(call->loc);
        line.begin = line.end;
        line.end = call->loc.begin;
        diag_help(m, "a block is opened by `with`");
        if (line.end == line.begin + 3 && memcmp(line.source->text + line.begin, "if ", 3) == 0)
            diag_help_edit(m, line, "with ");
        return true;
    }
    static const char *const dtypes[][2] = {
#define DTYPE(name, dtype) {name, dtype},
#include "frontend/tvmscript/words.def"
    };
    bool is_kernel = callee->kind == AST_ATTRIBUTE && callee->items[0]->kind == AST_NAME &&
                     strcmp(callee->items[0]->name, "T") == 0;
    for (size_t i = 0; is_kernel && i < ARRAY_SIZE(dtypes); i++)
        if (strcmp(dtypes[i][0], word) == 0) {
            diag_help(m, "there is `T.%s`", dtypes[i][1]);
            diag_help_edit(m, callee->name_loc, "%s", dtypes[i][1]);
            return true;
        }
    return false;
}
