/* Arguments in another form than the one that is wanted: "0" for 0, ((0, 0), (1, 1)) for [0, 0, 1, 1], [2] for 2. */
#include "frontend/tvmscript/internal.h"
#include "ops/ids.h"

#include <string.h>

static bool is_list(const struct ast *a)
{
    return a->kind == AST_LIST || a->kind == AST_TUPLE;
}

const struct ast *only_item(const struct ast *a)
{
    return is_list(a) && a->item_count == 1 ? a->items[0] : NULL;
}

void help_unquoted(struct diag_message *m, const struct ast *string)
{
    static const char *const words[] = {"True", "False", "None"};
    struct location text = {string->loc.source, string->loc.begin + 1, string->loc.end - 1};
    uint32_t length = (uint32_t)strspn(text.source->text + text.begin, "-0123456789.");
    const char *behind = text.source->text + text.begin + length;
    if (length > 0 && (*behind == 'e' || *behind == 'E'))
        length += 1 + (uint32_t)strspn(behind + 1, "-+0123456789");
    bool is_plain = length > 0 && text.begin + length == text.end;

    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        is_plain |= strcmp(string->string, words[i]) == 0;
    const char *quote = string->loc.source->text + string->loc.begin;
    if (!is_plain || (*quote != '"' && *quote != '\''))
        return;
    diag_help(m, "a number stands without quotes");
    diag_help_edit(m, string->loc, "%.*s", LOCATION_TEXT(text));
}

/* "0, 0, 1, 1" of ((0, 0), (1, 1)); NULL: there is something else in it. */
static const char *flat_items(struct frontend *f, const struct ast *a)
{
    const char *text = "";

    for (unsigned i = 0; i < a->item_count; i++) {
        const struct ast *item = a->items[i];
        if (is_list(item) && a->depth > 8)
            return NULL;
        const char *more = is_list(item)
                               ? flat_items(f, item)
                               : arena_printf(&f->arena, "%.*s", LOCATION_TEXT(item->loc));
        if (!more)
            return NULL;
        text = arena_printf(&f->arena, "%s%s%s", text, *text && *more ? ", " : "", more);
    }
    return text;
}

/* `EPS = 1e-5,` and `EPS = "1e-5"` in front of the module, used at @a: mended there.  False: @a is none such. */
static bool help_constant(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    const char *name = arena_printf(&f->arena, "%.*s", LOCATION_TEXT(a->loc));
    const char *atom = atom_intern(&f->context->atoms, name, strlen(name));
    const struct ast *constant = map_get(&f->constants, atom), *item = only_item(a);

    if (!constant || constant->kind != a->kind || (!item && a->kind != AST_STRING))
        return false;
    struct location loc = constant->loc;
    bool is_bare = item && loc.begin == item->loc.begin;
    if (is_bare) {
        struct location rest = {loc.source, item->loc.end, location_whole_line(loc).end};
        loc.end = location_text_behind(rest, ",").end;
        rest.end = loc.end;
        diag_label(m, loc, "`%s` is a tuple, by the `,` at its end", name);
        diag_help(m, "a number stands without `,`");
        diag_help_edit(m, rest, "%s", "");
    } else {
        diag_label(m, loc, "`%s` is %s", name, item ? "a list" : "a string");
        if (!item)
            help_unquoted(m, constant);
    }
    if (item && !is_bare) {
        diag_help(m, "it is one, without brackets");
        diag_help_edit(m, loc, "%.*s", LOCATION_TEXT(item->loc));
    }
    return true;
}

void help_argument(struct frontend *f, struct diag_message *m, const struct ast *a,
                   enum ir_param_kind kind)
{
    bool wants_list = kind == IR_PARAM_INTS || kind == IR_PARAM_FLOATS;
    const struct ast *item = only_item(a);

    if (!wants_list && help_constant(f, m, a))
        return;
    if (a->kind == AST_STRING) {
        help_unquoted(m, a);
    } else if (a->kind == AST_FLOAT && (kind == IR_PARAM_INT || wants_list)) {
        help_whole(f, m, a->loc);
    } else if (item && !wants_list && !is_list(item)) {
        diag_help(m, "it is one, without brackets");
        diag_help_edit(m, a->loc, "%.*s", LOCATION_TEXT(item->loc));
    } else if (wants_list && is_list(a) && a->depth > 1) {
        const char *items = flat_items(f, a);
        diag_help(m, "all of them stand in one list");
        if (items)
            diag_help_edit(m, a->loc, "[%s]", items);
    }
}

void help_renamed(struct frontend *f, struct diag_message *m, const struct ast *keyword,
                  const char *meant, const struct ir_op_info *info, const struct ast *const *given)
{
    const struct ast *value = keyword->items[0], *item = only_item(value);
    unsigned i = 0;

    while (i + 1 < info->param_count && strcmp(info->params[i].name, meant) != 0)
        i++;
    diag_help(m,
              given[i] ? "it is called `%s` here, and is given already" : "it is called `%s` here",
              meant);
    if (given[i])
        return;
    if (item && (info->params[i].kind == IR_PARAM_INT || info->params[i].kind == IR_PARAM_FLOAT))
        diag_help_edit(m, location_join(keyword->name_loc, value->loc), "%s=%.*s", meant,
                       LOCATION_TEXT(item->loc));
    else
        diag_help_edit(m, keyword->name_loc, "%s", meant);
}

/* The edit that makes @text the last argument of @call. */
static void help_last(struct diag_message *m, const struct ast *call, const char *text)
{
    struct location end = {call->loc.source, call->loc.end - 1, call->loc.end - 1};
    char before = end.source->text[end.begin - 1];

    if (before != ',' && before != ' ')
        diag_help_edit(m, end, ", %s", text);
}

/* `R.clip(x, 0)`: one bound alone has an operator of its own. */
static bool help_bound(struct diag_message *m, const struct ast *call,
                       const struct ir_op_info *info, const char *param)
{
    if (info->library_id != OP_clip || strcmp(param, "max") != 0 || call->item_count != 3 ||
        call_positional_count(call) != 2)
        return false;
    diag_help(m, "one bound alone is that of `R.maximum`");
    diag_help_edit(m, call->items[0]->loc, "R.maximum");
    return true;
}

/* The zero point that is none, behind the scale: of the dtype of the integers. */
static bool help_zero_point(struct frontend *f, struct diag_message *m, const struct ast *call,
                            const struct ir_op_info *info, const char *param)
{
    bool is_quantize = info->library_id == OP_quantize;
    const struct ast *said = call_arg(call, call->item_count, "out_dtype");
    const char *dtype = is_quantize ? "int8" : NULL;
    char known[32];

    if ((!is_quantize && info->library_id != OP_dequantize) || strcmp(param, "zero_point") != 0)
        return false;
    const struct ast *data = call_positional_count(call) > 0 ? call->items[1] : NULL;
    const struct name *name = data && data->kind == AST_NAME ? scope_find(f, data->name) : NULL;
    if (is_quantize && said)
        dtype = said->kind == AST_STRING ? said->string : NULL;
    else if (!is_quantize && name && name->kind == NAME_VALUE &&
             name->value->type->kind == IR_TYPE_TENSOR)
        dtype = ir_dtype_name(name->value->type->dtype, known);
    diag_help(m, "without one it is 0, of the dtype of the integers");
    if (dtype && call_positional_count(call) == 2)
        diag_help_edit(m, location_behind(call->items[2]->loc), ", R.const(0, \"%s\")", dtype);
    return true;
}

void help_missing(struct frontend *f, struct diag_message *m, const struct ast *call,
                  const struct ir_op_info *info, const char *param)
{
    static const struct {
        enum op_id op;
        const char *param, *text;
    } meant[] = {{OP_zeros, "dtype", "dtype=\"float32\""},
                 {OP_ones, "dtype", "dtype=\"float32\""},
                 {OP_one_hot, "on_value", "on_value=T.float32(1), off_value=T.float32(0)"},
                 {OP_one_hot, "off_value", "off_value=T.float32(0)"}};
    if (help_bound(m, call, info, param) || help_zero_point(f, m, call, info, param))
        return;
    if (info->library_id == OP_expand_dims && call->item_count == 2) {
        diag_help(m, "in front of the others");
        help_last(m, call, "axis=0");
        diag_help(m, "behind them");
        help_last(m, call, "axis=-1");
    }
    if (info->library_id == OP_astype)
        diag_help(m, "say it behind the tensor: `R.astype(.., \"float32\")`");
    for (size_t i = 0; i < ARRAY_SIZE(meant); i++) {
        if (meant[i].op != info->library_id || strcmp(meant[i].param, param) != 0)
            continue;
        diag_help(m, "write `%s`", meant[i].text);
        if (!call_arg(call, call->item_count, "off_value"))
            help_last(m, call, meant[i].text);
        return;
    }
}

/* A number, a symbol or a constant, or what is computed of them. */
static bool is_dim(const struct frontend *f, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_find(f, a->name) : NULL;

    if (a->kind == AST_BINARY || a->kind == AST_UNARY)
        return is_dim(f, a->items[0]) && is_dim(f, a->items[a->item_count - 1]);
    return a->kind == AST_INT || (a->kind == AST_NAME && (name ? name->kind == NAME_VAR
                                                               : map_has(&f->constants, a->name)));
}

/* `R.zeros(3, 4, dtype="float32")` */
void help_first_list(struct frontend *f, struct diag_message *m, const struct ir_op_info *info,
                     const struct ast *call)
{
    unsigned count = call_positional_count(call);
    bool is_list = count > 1 && info->params[0].kind == IR_PARAM_SHAPE;

    for (unsigned i = 1; is_list && i <= count; i++)
        is_list = is_dim(f, call->items[i]);
    if (!is_list)
        return;
    diag_help(m, "put the shape in brackets");
    diag_help_wrap(m, location_join(call->items[1]->loc, call->items[count]->loc), "(", ")");
}

void help_list(struct frontend *f, struct diag_message *m, const struct ir_op_info *info,
               const struct ast *call, unsigned count)
{
    bool takes_list = info->param_count > 1 && (info->params[1].kind == IR_PARAM_INTS ||
                                                info->params[1].kind == IR_PARAM_SHAPE);

    for (unsigned i = 2; i <= count; i++)
        takes_list = takes_list && is_dim(f, call->items[i]);
    if (!takes_list)
        return;
    diag_help(m, "put them in brackets");
    diag_help_wrap(m, location_join(call->items[2]->loc, call->items[count]->loc), "(", ")");
}

void help_default(struct frontend *f, struct diag_message *m, const struct ir_op_info *info,
                  const char *param)
{
    const char *all = arena_printf(&f->arena, " %s", info->signature);
    const char *own = strstr(all, arena_printf(&f->arena, " %s: ", param));
    const char *text = own ? strstr(own, " = ") : NULL;
    size_t length = text ? strcspn(text + 3, ",[") : 0;

    if (!text)
        return;
    if (text[3 + length] == '[')
        length = strcspn(text + 3, "]") + 1;
    diag_help(m, "leave it out for its default, `%.*s`", (int)length, text + 3);
}

const char *only_containing(const char *typed, const char *const *words)
{
    const char *found = NULL;

    for (; *words && strlen(typed) > 3; words++) {
        if (!strstr(*words, typed) && !strstr(typed, *words))
            continue;
        if (found)
            return NULL;
        found = *words;
    }
    return found;
}
