/* Names and the parts that they stand for: too few of them, too many, or several for what has no parts. */
#include "frontend/tvmscript/relax.h"
#include "ir/part_names.h"

#include <string.h>

enum { MOST = 8 }; /* names that are missing */

/* --- names that are read and that nothing binds --- */

struct unbound {
    struct relax *r;
    uint32_t from;
    const struct ast *items[MOST + 1];
    unsigned count;
    struct map bound; /* names that the function binds somewhere */
};

/* The names that @target binds. */
static void note_target(struct map *bound, const struct ast *target)
{
    if (!target)
        return;
    if (target->kind == AST_NAME)
        map_set(bound, target->name, target);
    for (unsigned i = 0; target->kind != AST_NAME && i < target->item_count; i++)
        note_target(bound, target->items[i]);
}

static void note_bound(struct map *bound, struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct ast *a = body[i];
        if (a->kind == AST_ASSIGN || a->kind == AST_ANN_ASSIGN)
            note_target(bound, a->items[0]);
        if (a->kind == AST_DEF)
            map_set(bound, a->name, a);
        note_bound(bound, a->body, a->body_count);
        note_bound(bound, a->orelse, a->orelse_count);
    }
}

static void note_name(struct unbound *u, const struct ast *a)
{
    struct frontend *f = u->r->f;

    if (a->loc.begin < u->from || map_has(&u->bound, a->name) || scope_find(f, a->name) ||
        map_has(&f->constants, a->name) || ir_module_find(f->module, a->name))
        return;
    for (unsigned i = 0; i < u->count; i++)
        if (u->items[i]->name == a->name)
            return;
    if (u->count <= MOST)
        u->items[u->count++] = a;
}

/* What is called, and what stands in front of a dot, is no value that a tuple could have had. */
static void note_names(struct unbound *u, const struct ast *a)
{
    unsigned first = a->kind == AST_CALL && a->items[0]->kind == AST_NAME;

    if (a->kind == AST_DEF || (a->kind == AST_ATTRIBUTE && a->items[0]->kind == AST_NAME))
        return;
    if (a->kind == AST_NAME)
        note_name(u, a);
    for (unsigned i = first; i < a->item_count; i++)
        if (a->items[i])
            note_names(u, a->items[i]);
    for (unsigned i = 0; i < a->body_count; i++)
        note_names(u, a->body[i]);
    for (unsigned i = 0; i < a->orelse_count; i++)
        note_names(u, a->orelse[i]);
}

static struct unbound find_unbound(struct relax *r, struct location behind)
{
    struct unbound u = {.r = r, .from = behind.end};
    const struct ast *def = r->f->function;

    note_bound(&u.bound, def->body, def->body_count);
    for (unsigned i = 0; i < def->body_count; i++)
        note_names(&u, def->body[i]);
    map_finish(&u.bound);
    return u;
}

const struct ast *relax_only_unbound(struct relax *r, struct location place)
{
    struct unbound u = find_unbound(r, place);

    /* behind an error of syntax what would bind it may be missing */
    return u.count == 1 && place.begin <= r->f->syntax_error ? u.items[0] : NULL;
}

/* --- E0260 --- */

/* Is @missing the name of part @at of @tuple, and are the names of @target those of the others in their order? */
static bool fits_at(const struct ast *target, const struct ir_value *tuple, const char *missing,
                    unsigned at)
{
    for (unsigned i = 0; i <= target->item_count; i++) {
        const char *name = i == at ? missing : target->items[i - (i > at)]->name;
        const char *part = ir_part_name(tuple, i);
        if (!part || !ir_names_part(name, part))
            return false;
    }
    return true;
}

/* The names that are read behind @target and bound nowhere are as many as are missing: they are meant. */
static bool help_missing_names(struct relax *r, struct diag_message *m, const struct ast *target,
                               const struct ir_value *tuple, unsigned missing)
{
    struct unbound u = find_unbound(r, target->loc);
    struct location place = location_behind(target->items[target->item_count - 1]->loc);
    unsigned at = target->item_count;
    const char *more = "";

    if (u.count != missing)
        return false;
    bool is_sure = missing == 1 && fits_at(target, tuple, u.items[0]->name, at);
    for (unsigned i = 0; missing == 1 && !is_sure && i < target->item_count; i++)
        if (fits_at(target, tuple, u.items[0]->name, i)) {
            is_sure = true;
            at = i;
        }
    is_sure |= missing == 1 && !ir_part_name(tuple, 0); /* the last one is what is forgotten */
    for (unsigned i = 0; i < missing; i++) {
        const char *name = u.items[i]->name;
        more =
            arena_printf(&r->f->arena, at < target->item_count ? "%s%s, " : "%s, %s", more, name);
        diag_label(m, u.items[i]->loc, "`%s` is read here, and nothing binds it", name);
        scope_bind(r->f, NAME_ERROR, name, u.items[i]->loc);
    }
    if (at < target->item_count)
        place = location_before(target->items[at]->loc);
    diag_help(m, missing == 1 ? "a name is missing" : "names are missing");
    diag_help_edit(m, place, "%s", more);
    if (!is_sure)
        diag_help_unsure(m);
    return true;
}

/* As many names as there are @parts: `_` for those behind, or without the last ones. */
static void help_names(struct diag_message *m, const struct ast *target, unsigned parts)
{
    unsigned names = target->item_count;

    if (parts == 0 || names == 0)
        return;
    struct location last = target->items[names - 1]->loc;
    struct text more = {0};
    for (unsigned i = names; i < parts; i++)
        text_puts(&more, ", _");
    diag_help(m, "there %s %u part%s", parts == 1 ? "is" : "are", parts, parts == 1 ? "" : "s");
    if (names > parts && parts > 1)
        last.begin = target->items[parts - 1]->loc.end;
    else
        last.begin = last.end;
    if (names < parts || parts > 1) {
        diag_help_edit(m, last, "%s", text_string(&more));
        diag_help_unsure(m);
    }
    text_finish(&more);
}

void relax_report_parts(struct relax *r, const struct ast *target, const struct ir_value *tuple,
                        unsigned parts)
{
    unsigned names = target->item_count;
    struct diag_message *m = diag_report(r->f->diag, target->loc, TYPE_UNPACK, names, PLURAL(names),
                                         parts, PLURAL(parts));

    if (tuple && names && parts > names && help_missing_names(r, m, target, tuple, parts - names))
        return;
    help_names(m, target, parts);
    if (parts == names + 1) /* the name that is missing may be used */
        r->f->short_targets = target->loc;
}

/* `a, b = pair[0]` where @expr is that, and the tuple has just those two. */
static bool help_whole_tuple(struct relax *r, struct diag_message *m, const struct ast *target,
                             const struct ast *expr)
{
    const struct ast *base = expr->kind == AST_SUBSCRIPT ? expr->items[0] : NULL;
    const struct name *name = base && base->kind == AST_NAME ? scope_find(r->f, base->name) : NULL;
    const struct ir_type *type = name && name->kind == NAME_VALUE ? name->value->type : NULL;

    if (!type || type->kind != IR_TYPE_TUPLE || type->field_count != target->item_count)
        return false;
    diag_help(m, "`%s` has %u parts", base->name, type->field_count);
    diag_help_edit(m, expr->loc, "%s", base->name);
    return true;
}

bool relax_report_single(struct relax *r, const struct ast *target, const struct ast *expr,
                         const struct ir_value *value)
{
    unsigned names = target->item_count;

    if (value->type->kind != IR_TYPE_TENSOR && value->type->kind != IR_TYPE_PRIM)
        return false;
    struct diag_message *m =
        diag_report(r->f->diag, target->loc, TYPE_UNPACK, names, PLURAL(names), 1U, "");
    diag_label(m, expr->loc, "one value, %s", ir_type_text(r->f->context, value->type));
    if (help_whole_tuple(r, m, target, expr))
        return true;
    if (names == 2 && help_both(m, value))
        return true;
    if (value->type->kind == IR_TYPE_TENSOR)
        diag_help(m, "a tensor has no parts: `R.split` makes several of it");
    return true;
}

/* --- one name for all --- */

/* Which part of @tuple is called @name; -1: none. */
static int part_called(const struct ir_value *tuple, const char *name)
{
    for (unsigned i = 0; i < tuple->type->field_count; i++) {
        const char *part = ir_part_name(tuple, i);
        if (part && strcmp(part, name) == 0)
            return (int)i;
    }
    return -1;
}

/* "loss, g" of a result that is named `g`, as the function that gives it names its parts; `_` for others. */
static const char *names_of_parts(struct relax *r, const struct name *bound, const char *missing)
{
    const char *all = "";

    for (unsigned i = 0; i < bound->value->type->field_count; i++) {
        const char *part = ir_part_name(bound->value, i);
        bool is_meant = part && (strcmp(part, missing) == 0 || strcmp(part, bound->text) == 0);
        all = arena_printf(&r->f->arena, "%s%s%s", all, i ? ", " : "", is_meant ? part : "_");
    }
    return all;
}

/* E0260 at @bound, which names all of a result, of whose parts @a is one that nothing binds; false: it is not so. */
static bool report_part(struct relax *r, const struct name *bound, const struct ast *a)
{
    const struct ir_value *value = bound && bound->kind == NAME_VALUE ? bound->value : NULL;

    if (!value || value->type->kind != IR_TYPE_TUPLE || value->name != bound->text ||
        !value->loc.source || value->loc.end > a->loc.begin || part_called(value, a->name) < 0 ||
        part_called(value, bound->text) < 0)
        return false;
    unsigned parts = value->type->field_count;
    struct diag_message *m =
        diag_report(r->f->diag, value->loc, TYPE_UNPACK, 1U, "", parts, PLURAL(parts));
    diag_label(m, a->loc, "`%s` is read here, and nothing binds it", a->name);
    diag_help(m, parts == 2 ? "name both parts" : "name the parts");
    diag_help_edit(m, value->loc, "%s", names_of_parts(r, bound, a->name));
    scope_bind(r->f, NAME_ERROR, a->name, a->loc);
    r->is_told = true;
    return true;
}

bool relax_report_whole(struct relax *r, const struct ast *a)
{
    for (size_t i = r->f->scope.names.count; i-- > 0;)
        if (report_part(r, &r->f->scope.names.items[i], a))
            return true;
    return false;
}

/* Is a part of @name taken in @a? */
static bool has_part_taken(const struct ast *a, const char *name)
{
    bool is_taken =
        a->kind == AST_SUBSCRIPT && a->items[0]->kind == AST_NAME && a->items[0]->name == name;

    for (unsigned i = 0; i < a->item_count && !is_taken; i++)
        is_taken = a->items[i] && has_part_taken(a->items[i], name);
    for (unsigned i = 0; i < a->body_count && !is_taken; i++)
        is_taken = has_part_taken(a->body[i], name);
    for (unsigned i = 0; i < a->orelse_count && !is_taken; i++)
        is_taken = has_part_taken(a->orelse[i], name);
    return is_taken;
}

/* `top = pair` of two parts, where `mixed` is read below: it may be the other one. */
static bool report_first_of_two(struct relax *r, const struct ast *target,
                                const struct ir_value *value)
{
    const struct ast *unbound = relax_only_unbound(r, target->loc);
    const struct ast *def = r->f->function;

    if (!value->def || !ir_op_is(value->def, IR_CORE_bind) || value->type->field_count != 2 ||
        !unbound || !def || strpbrk(unbound->name, "abcdefghijklmnopqrstuvwxyz") == NULL ||
        has_part_taken(def, target->name))
        return false;
    struct diag_message *m = diag_report(r->f->diag, target->loc, TYPE_UNPACK, 1U, "", 2U, "s");
    diag_label(m, unbound->loc, "`%s` is read here, and nothing binds it", unbound->name);
    diag_help(m, "name both parts");
    diag_help_edit(m, location_behind(target->loc), ", %s", unbound->name);
    diag_help_unsure(m);
    scope_bind(r->f, NAME_ERROR, unbound->name, unbound->loc);
    r->is_told = true;
    return true;
}

bool relax_report_one_name(struct relax *r, const struct ast *target)
{
    const struct name *name = scope_find(r->f, target->name);
    const struct ir_value *value = name && name->kind == NAME_VALUE ? name->value : NULL;

    /* behind an error of syntax a statement that would bind a part may be missing */
    if (!value || value->type->kind != IR_TYPE_TUPLE || target->loc.begin > r->f->syntax_error)
        return false;
    if (part_called(value, target->name) < 0)
        return report_first_of_two(r, target, value);
    struct unbound u = find_unbound(r, target->loc);
    for (unsigned i = 0; i < u.count; i++)
        if (report_part(r, name, u.items[i]))
            return true;
    return false;
}
