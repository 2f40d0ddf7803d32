/* Calls as arrays of Python have them, x.mean(), and words for arguments that other libraries have: what they are here. */
#include "frontend/tvmscript/internal.h"

#include <string.h>

struct pair {
    const char *word, *meant;
};

static const struct pair operators[] = {
#define OPERATOR(word, operator) {word, operator},
#include "frontend/tvmscript/words.def"
};

static const struct pair conversions[] = {
#define CONVERSION(word, dtype) {word, dtype},
#include "frontend/tvmscript/words.def"
};

static const struct pair different[] = {
#define DIFFERENT(word, how) {word, how},
#include "frontend/tvmscript/words.def"
};

static const struct pair arguments[] = {
#define ARGUMENT(word, argument) {word, argument},
#include "frontend/tvmscript/words.def"
};

static const char *find_pair(const struct pair *pairs, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pairs[i].word, word) == 0)
            return pairs[i].meant;
    return NULL;
}

/* The only one of @names that begins with @word, which has three letters or more; or NULL. */
static const char *only_beginning(const char *word, const char *const *names)
{
    size_t length = strlen(word);
    const char *found = NULL;

    for (unsigned i = 0; length >= 3 && names[i]; i++) {
        if (strncmp(names[i], word, length) != 0)
            continue;
        if (found)
            return NULL;
        found = names[i];
    }
    return found;
}

const char *argument_of_word(const char *word, const char *const *names)
{
    for (size_t i = 0; i < ARRAY_SIZE(arguments); i++)
        for (unsigned k = 0; strcmp(arguments[i].word, word) == 0 && names[k]; k++)
            if (strcmp(names[k], arguments[i].meant) == 0)
                return names[k];
    return only_beginning(word, names);
}

const char *operator_of_word(struct frontend *f, const char *word)
{
    const char *meant = find_pair(operators, ARRAY_SIZE(operators), word);

    if (meant)
        return meant;
    if (ir_find_op(f->context, word))
        return word;
    const char *in_nn = arena_printf(&f->arena, "nn.%s", word);
    if (ir_find_op(f->context, in_nn))
        return in_nn;
    char *lower = arena_copy_text(&f->arena, word, strlen(word)); /* ReLU */
    for (char *c = lower; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c | 0x20);
    return strcmp(lower, word) != 0 ? operator_of_word(f, lower) : NULL;
}

static const char *text_between(struct frontend *f, uint32_t begin, uint32_t end)
{
    return arena_printf(&f->arena, "%.*s", begin < end ? (int)(end - begin) : 0,
                        f->source->text + begin);
}

struct location callee_place(const struct ast *call)
{
    bool is_called_again = call->loc.source->text[call->loc.end] == '(';

    if (!is_called_again)
        return call->items[0]->loc;
    return call->item_count == 1 ? call->loc : (struct location){0};
}

/* Are the arguments of @call the items of one list here: x.reshape(2, 4)? */
static bool are_items(const struct ir_op_info *info, const struct ast *call)
{
    unsigned count = call_positional_count(call), lists = 0;
    int64_t number;

    for (unsigned i = 0; i < info->param_count; i++)
        lists += info->params[i].kind == IR_PARAM_SHAPE || info->params[i].kind == IR_PARAM_INTS;
    return lists > 0 && count > 0 && count + 1 == call->item_count &&
           (count > 1 || ast_int_literal(call->items[1], &number)) &&
           info->params[0].kind == IR_PARAM_EXPR && info->param_count > 1 &&
           (info->params[1].kind == IR_PARAM_SHAPE || info->params[1].kind == IR_PARAM_INTS) &&
           (count > 1 || info->params[1].kind == IR_PARAM_SHAPE);
}

/* What the operator of the name @word does that theirs does not, or NULL. */
static const char *different_way(const char *word, const struct ast *call)
{
    /* two axes that change places, or the order of all */
    if (strcmp(word, "transpose") == 0 && call && call_positional_count(call) > 1)
        return "it takes the order of all axes";
    return find_pair(different, ARRAY_SIZE(different), word);
}

bool help_different(struct diag_message *m, const char *word, const char *function,
                    const struct ast *call)
{
    const char *how = different_way(word, call);

    if (how)
        diag_help(m, "`R.%s` is near to it: %s", function, how);
    return how != NULL;
}

/* What stands between the brackets of @call. */
static const char *arguments_text(struct frontend *f, const struct ast *call)
{
    const struct ast *first = call->items[1];
    uint32_t begin = first->kind == AST_KEYWORD ? first->name_loc.begin : first->loc.begin;

    return text_between(f, begin, call->loc.end - 1);
}

/* The call of an operator that @attribute of @receiver means; NULL: there is none, or it means something else. */
static const char *method_text(struct frontend *f, const struct ast *attribute,
                               const struct ast *call, const char *receiver)
{
    const char *function = operator_of_word(f, attribute->name);
    const char *dtype = find_pair(conversions, ARRAY_SIZE(conversions), attribute->name);
    const struct ir_op_info *info = function ? ir_find_op(f->context, function) : NULL;

    if (dtype && call && call->item_count == 1)
        return arena_printf(&f->arena, "R.astype(%s, \"%s\")", receiver, dtype);
    if (!info || different_way(attribute->name, call))
        return NULL;
    bool has_list = call && are_items(info, call);
    bool has_arguments = call && call->item_count > 1;
    return arena_printf(&f->arena, "R.%s(%s%s%s%s%s)", function, receiver,
                        has_arguments ? ", " : "", has_list ? "(" : "",
                        has_arguments ? arguments_text(f, call) : "",
                        !has_list                          ? ""
                        : call_positional_count(call) == 1 ? ",)"
                                                           : ")");
}

/* `x.abs().max()`, from @innermost of it out to @chain, a call or an attribute; NULL: it is none, or one of them has no operator. */
static const char *chain_text(struct frontend *f, const struct ast *chain,
                              const struct ast *innermost)
{
    const struct ast *call = chain->kind == AST_CALL ? chain : NULL;
    const struct ast *attribute = call ? call->items[0] : chain;

    if (attribute->kind != AST_ATTRIBUTE)
        return NULL;
    const struct ast *value = attribute->items[0];
    const char *receiver = attribute == innermost
                               ? text_between(f, value->loc.begin, value->loc.end)
                               : chain_text(f, value, innermost);
    return receiver ? method_text(f, attribute, call, receiver) : NULL;
}

bool help_near(struct diag_message *m, const char *word)
{
    static const struct {
        const char *word, *operator_name, *how;
    } near[] = {
#define NEAR(word, operator, how) {word, operator, how },
#include "frontend/tvmscript/words.def"
    };

    for (size_t i = 0; i < ARRAY_SIZE(near); i++)
        if (strcmp(near[i].word, word) == 0) {
            diag_help(m, "`R.%s` is near to it: %s", near[i].operator_name, near[i].how);
            return true;
        }
    return false;
}

void help_method(struct frontend *f, struct diag_message *m, const struct ast *attribute,
                 const struct ast *call, const struct ast *chain)
{
    const char *function = operator_of_word(f, attribute->name);
    const char *dtype = find_pair(conversions, ARRAY_SIZE(conversions), attribute->name);
    const struct ast *whole = call ? call : attribute;

    if (dtype && call && call->item_count == 1)
        diag_help(m, "operators are functions: `R.astype(.., \"%s\")`", dtype);
    else if (!function || !ir_find_op(f->context, function) || whole->loc.source != f->source) {
        diag_help(m, "operators are functions: R.exp(x)");
        return;
    } else if (help_different(m, attribute->name, function, call))
        return;
    else
        diag_help(m, "operators are functions: `R.%s`", function);
    const char *text = chain ? chain_text(f, chain, attribute) : NULL;
    if (text)
        diag_help_edit(m, chain->loc, "%s", text);
    else if ((text = chain_text(f, whole, attribute)))
        diag_help_edit(m, whole->loc, "%s", text);
}
