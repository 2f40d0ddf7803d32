/*
 * A name that is not known where it is used, though the function binds it: below, in a suite that has ended, or in the
 * very statement.  And one that it does not bind, beside a value that nothing reads: one of the two is misspelt.
 */
#include "base/text.h"
#include "frontend/tvmscript/internal.h"
#include "frontend/tvmscript/tir.h"

#include <string.h>

/* What is sought in the function: where @name is bound that is used at @use. */
struct search {
    const char *name;
    struct location use;
    const struct ast *ended;  /* the name of the last binding in front, in a suite that has ended */
    const struct ast *opener; /* the statement that has this suite, and what follows it */
    const struct ast *follower;
    unsigned last_line; /* of this suite */
    const struct ast *below, *same;
};

static bool holds(const struct ast *a, struct location use)
{
    return a->loc.begin <= use.begin && use.end <= a->loc.end;
}

/* The last statement in @a, which may be @a. */
static const struct ast *last_of(const struct ast *a)
{
    while (a->body_count || a->orelse_count)
        a = a->orelse_count ? a->orelse[a->orelse_count - 1] : a->body[a->body_count - 1];
    return a;
}

static bool holds_inside(const struct ast *a, struct location use)
{
    return a->loc.begin <= use.begin && use.end <= last_of(a)->loc.end;
}

/* The name @name in the target @a of an assignment; NULL: it is not bound there. */
static const struct ast *target_named(const struct ast *a, const char *name)
{
    const struct ast *found = NULL;

    if (a && a->kind == AST_NAME && a->name == name)
        return a;
    if (!a || (a->kind != AST_TUPLE && a->kind != AST_LIST))
        return NULL;
    for (unsigned i = 0; i < a->item_count && !found; i++)
        found = target_named(a->items[i], name);
    return found;
}

static bool is_assignment(const struct ast *a)
{
    return a->kind == AST_ASSIGN || a->kind == AST_ANN_ASSIGN;
}

/* What @a binds to the rest of its own suite, which the use is in (@is_open) or not. */
static void search_assignment(struct search *s, const struct ast *a, bool is_open,
                              const struct search *suite)
{
    const struct ast *target = is_assignment(a) ? target_named(a->items[0], s->name) : NULL;

    if (!target)
        return;
    if (holds(a, s->use)) {
        s->same = target;
    } else if (a->loc.begin > s->use.begin) {
        if (!s->below)
            s->below = target;
    } else if (!is_open) {
        s->ended = target;
        s->opener = suite->opener;
        s->follower = suite->follower;
        s->last_line = suite->last_line;
    }
}

/* What @a, a loop or a `with`, binds to its suite, which has ended. */
static void search_opener(struct search *s, const struct ast *a, const struct ast *follower)
{
    const struct ast *target = NULL, *last = last_of(a);

    if (a->kind == AST_FOR)
        target = target_named(a->items[0], s->name);
    if (a->kind == AST_WITH && a->item_count > 1)
        target = target_named(a->items[1], s->name);
    if (!target || last->loc.end > s->use.begin)
        return;
    s->ended = target;
    s->opener = a;
    s->follower = follower;
    s->last_line = location_line(location_behind(last->loc));
}

static void search_suite(struct search *s, const struct ast *opener, struct ast *const *body,
                         unsigned count, const struct ast *follower)
{
    struct search suite = {.opener = opener, .follower = follower};
    bool is_open = !opener;

    for (unsigned i = 0; i < count && !is_open; i++)
        is_open = holds_inside(body[i], s->use);
    if (count)
        suite.last_line = location_line(location_behind(last_of(body[count - 1])->loc));
    for (unsigned i = 0; i < count; i++) {
        const struct ast *a = body[i], *next = i + 1 < count ? body[i + 1] : NULL;
        search_assignment(s, a, is_open, &suite);
        search_opener(s, a, next);
        if (a->kind == AST_DEF)
            continue;
        search_suite(s, a, a->body, a->body_count, a->orelse_count ? NULL : next);
        search_suite(s, a, a->orelse, a->orelse_count, next);
    }
}

static const char *suite_word(const struct ast *opener)
{
    if (opener->kind == AST_FOR || opener->kind == AST_WHILE)
        return "loop";
    return opener->kind == AST_WITH ? "block" : "branch";
}

/*
 * The statement right behind the suite uses a name of it, so that it may have lost its indentation; where it is one line,
 * the edit is made, for people to judge.
 */
static void help_indent(struct search *s, struct diag_message *m)
{
    const struct ast *follower = s->follower;
    struct location first, line = location_whole_line(s->use);

    if (!follower || !holds(follower, s->use) || follower->body_count ||
        location_whole_line(follower->loc).begin != line.begin || !s->opener->body_count ||
        memchr(follower->loc.source->text + follower->loc.begin, '\n',
               follower->loc.end - follower->loc.begin))
        return;
    first = indentation_of(s->opener->body[0]->loc);
    if (location_whole_line(s->opener->loc).begin == first.begin)
        return;
    diag_help(m, "indent the statement, if it belongs to this %s", suite_word(s->opener));
    diag_help_edit(m, indentation_of(s->use), "%.*s", LOCATION_TEXT(first));
    diag_help_unsure(m);
}

static bool help_declare_above(struct frontend *f, struct diag_message *m, const struct search *s);

bool help_bound_elsewhere(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    struct search s = {.name = a->name, .use = a->loc};

    if (!f->function || a->loc.source != f->function->loc.source)
        return false;
    search_suite(&s, NULL, f->function->body, f->function->body_count, NULL);
    if (s.same) {
        diag_help(m, "`%s` is computed of itself here: give it a first value in front", a->name);
    } else if (s.ended) {
        diag_label(m, s.ended->loc, "bound in the %s that ends on line %u", suite_word(s.opener),
                   s.last_line);
        if (!help_declare_above(f, m, &s)) {
            diag_help(m, "a name is known to the end of the suite that binds it");
            help_indent(&s, m);
        }
    }
    return s.same || s.ended;
}

/* --- bound below --- */

/* Where two statements of a suite stand: the one that reads a name, and the one behind it that binds it. */
struct pair {
    struct ast *const *suite;
    unsigned user, binder;
};

static bool find_pair(struct ast *const *body, unsigned count, struct location use,
                      struct location binding, struct pair *out)
{
    unsigned user = count, binder = count;

    for (unsigned i = 0; i < count; i++) {
        if (body[i]->loc.begin <= use.begin && use.end <= last_of(body[i])->loc.end)
            user = i;
        if (holds(body[i], binding))
            binder = i;
    }
    for (unsigned i = 0; i < count && binder == count; i++)
        if (find_pair(body[i]->body, body[i]->body_count, use, binding, out) ||
            find_pair(body[i]->orelse, body[i]->orelse_count, use, binding, out))
            return true;
    *out = (struct pair){body, user, binder};
    return user < binder && binder < count;
}

/* Is all that @a reads known, where its first line would stand? */
static bool is_known(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_NAME) {
        const struct name *name = scope_find(f, a->name);
        return (name && name->kind != NAME_ERROR) || map_has(&f->constants, a->name);
    }
    if (a->kind == AST_ATTRIBUTE && dotted_name(f, a))
        return true;
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items[i] && !is_known(f, a->items[i]))
            return false;
    return true;
}

/* Is a name that @target binds read or bound in @a? */
static bool touches(const struct ast *a, const struct ast *target)
{
    bool is_touched = a->kind == AST_NAME && target_named(target, a->name);

    for (unsigned i = 0; !is_touched && i < a->item_count; i++)
        is_touched = a->items[i] && touches(a->items[i], target);
    for (unsigned i = 0; !is_touched && i < a->body_count; i++)
        is_touched = touches(a->body[i], target);
    for (unsigned i = 0; !is_touched && i < a->orelse_count; i++)
        is_touched = touches(a->orelse[i], target);
    return is_touched;
}

/* Binds a statement from the reader on, in front of the binder, what the binder reads? */
static bool is_free(const struct pair *pair)
{
    const struct ast *binder = pair->suite[pair->binder];
    const struct ast *value = binder->items[binder->item_count - 1];

    for (unsigned i = pair->user; i < pair->binder; i++)
        if (is_assignment(pair->suite[i]) && (touches(value, pair->suite[i]->items[0]) ||
                                              touches(pair->suite[i]->items[0], binder->items[0])))
            return false;
    return true;
}

/* The lines of @a, alone in them, with their end. */
static bool find_lines(const struct ast *a, struct location *out)
{
    struct location first = location_whole_line(a->loc);
    uint32_t end = location_whole_line(location_behind(a->loc)).end;

    *out = (struct location){a->loc.source, first.begin, end};
    return a->loc.begin == indentation_of(a->loc).end && end > a->loc.end &&
           a->loc.source->text[end - 1] == '\n';
}

/* The edit that moves what binds the name in front of what reads it, where nothing else has to be changed for that. */
static void help_move(struct frontend *f, struct diag_message *m, const struct ast *a,
                      const struct ast *target)
{
    struct location reader, binder;
    struct pair pair;

    if (f->tir ||
        !find_pair(f->function->body, f->function->body_count, a->loc, target->loc, &pair))
        return;
    const struct ast *bound = pair.suite[pair.binder];
    if (!is_assignment(bound) || !is_known(f, bound->items[bound->item_count - 1]) ||
        !is_free(&pair) || !find_lines(pair.suite[pair.user], &reader) ||
        !find_lines(bound, &binder))
        return;
    struct location between = {reader.source, reader.begin, binder.begin};
    diag_help(m, "move line %u in front of it", location_line(bound->loc));
    diag_help_edit(m, location_join(reader, binder), "%.*s%.*s", LOCATION_TEXT(binder),
                   LOCATION_TEXT(between));
}

/* --- scalars of kernels --- */

/* The value that the function gives the name @target where it first binds it; NULL: not in an assignment. */
static const struct ast *value_given(struct ast *const *body, unsigned count,
                                     const struct ast *target)
{
    const struct ast *found = NULL;

    for (unsigned i = 0; i < count && !found; i++) {
        if (body[i]->kind == AST_ASSIGN && body[i]->items[0] == target)
            return body[i]->items[1];
        found = value_given(body[i]->body, body[i]->body_count, target);
        if (!found)
            found = value_given(body[i]->orelse, body[i]->orelse_count, target);
    }
    return found;
}

/* The type of @value, as far as it is seen before it is translated; void: it is not. */
static struct ir_dtype dtype_seen(struct frontend *f, const struct ast *value)
{
    const struct ast *base = value->kind == AST_SUBSCRIPT ? value->items[0] : value;
    const struct name *name = base->kind == AST_NAME ? scope_find(f, base->name) : NULL;

    if (value->kind == AST_INT)
        return IR_I32;
    if (value->kind == AST_FLOAT)
        return IR_F32;
    if (name && name->kind == NAME_VAR && base == value)
        return name->var->dtype;
    return name && name->kind == NAME_BUFFER ? name->buffer->dtype : IR_VOID;
}

/* The outermost loop around @use that has no block around it; NULL: there is none. */
static const struct ast *outer_loop(struct ast *const *body, unsigned count, struct location use)
{
    for (unsigned i = 0; i < count; i++) {
        if (!holds_inside(body[i], use))
            continue;
        if (body[i]->kind == AST_FOR || body[i]->kind == AST_WHILE)
            return body[i];
        return outer_loop(body[i]->body, body[i]->body_count, use);
    }
    return NULL;
}

/* The statement that @binding is in, of the innermost suite that @use is in, too; NULL: there is none. */
static const struct ast *common_statement(struct ast *const *body, unsigned count,
                                          struct location use, struct location binding)
{
    for (unsigned i = 0; i < count; i++) {
        if (!holds_inside(body[i], binding))
            continue;
        if (!holds_inside(body[i], use))
            return body[i];
        const struct ast *inner =
            common_statement(body[i]->body, body[i]->body_count, use, binding);
        return inner ? inner
                     : common_statement(body[i]->orelse, body[i]->orelse_count, use, binding);
    }
    return NULL;
}

/* Is @name the variable of a loop around @place that counts to a literal or a constant, so that it is an int32? */
static bool is_counter(struct frontend *f, const struct ast *a, const char *name,
                       struct location place)
{
    const struct ast *range = a->kind == AST_FOR ? a->items[1] : NULL;
    bool is_found = range && range->kind == AST_CALL && target_named(a->items[0], name);

    for (unsigned i = 1; is_found && i < range->item_count; i++) {
        const struct ast *end = range->items[i];
        is_found =
            end->kind == AST_INT || (end->kind == AST_NAME && map_has(&f->constants, end->name));
    }
    for (unsigned i = 0; i < a->body_count && !is_found; i++)
        is_found = holds_inside(a->body[i], place) && is_counter(f, a->body[i], name, place);
    for (unsigned i = 0; i < a->orelse_count && !is_found; i++)
        is_found = holds_inside(a->orelse[i], place) && is_counter(f, a->orelse[i], name, place);
    return is_found;
}

/* A scalar that a branch or a loop of a kernel sets, and that is read behind it: it is declared in front of that. */
static bool help_declare_above(struct frontend *f, struct diag_message *m, const struct search *s)
{
    const struct ast *def = f->function, *value, *outer;
    struct ir_dtype dtype = IR_VOID;

    if (!f->tir || s->opener->kind == AST_WITH)
        return false;
    value = value_given(def->body, def->body_count, s->ended);
    outer = common_statement(def->body, def->body_count, s->use, s->ended->loc);
    if (!value || !outer || outer->kind == AST_WITH)
        return false;
    dtype = dtype_seen(f, value);
    if (value->kind == AST_NAME && is_counter(f, def, value->name, s->ended->loc))
        dtype = IR_I32;
    if (ir_dtype_equal(dtype, IR_VOID))
        return false;
    struct location indent = indentation_of(outer->loc);
    diag_help(m, "declare it in front of the %s, with its first value", suite_word(outer));
    diag_help_edit(m, location_before(indent), "%.*s%s: T.%s = 0\n", LOCATION_TEXT(indent), s->name,
                   dtype_text(f, dtype));
    diag_help_unsure(m);
    return true;
}

/* A loop keeps a value from turn to turn, which a kernel declares in front of it; the first one is for people to say. */
static bool help_declare(struct frontend *f, struct diag_message *m, const struct ast *a,
                         const struct ast *target)
{
    const struct ast *def = f->function;
    const struct ast *loop = f->tir ? outer_loop(def->body, def->body_count, a->loc) : NULL;
    const struct ast *value = loop ? value_given(def->body, def->body_count, target) : NULL;
    struct ir_dtype dtype = value ? dtype_seen(f, value) : IR_VOID;

    if (!loop || !holds_inside(loop, target->loc) || ir_dtype_equal(dtype, IR_VOID))
        return false;
    struct location indent = indentation_of(loop->loc), place = indent;
    place.end = place.begin;
    diag_help(m, "declare it in front of the loop, with its first value");
    diag_help_edit(m, place, "%.*s%s: T.%s = 0\n", LOCATION_TEXT(indent), a->name,
                   dtype_text(f, dtype));
    diag_help_unsure(m);
    return true;
}

bool report_bound_below(struct frontend *f, const struct ast *a)
{
    struct search s = {.name = a->name, .use = a->loc};

    bool is_other = f->is_signature || f->cast.source || map_has(&f->constants, a->name);
    if (!f->function || a->loc.source != f->function->loc.source || is_other)
        return false;
    search_suite(&s, NULL, f->function->body, f->function->body_count, NULL);
    if (s.same || s.ended || !s.below)
        return false;
    struct diag_message *m = diag_report(f->diag, a->loc, NAME_EARLY, a->name);
    diag_label(m, s.below->loc, "bound below, on line %u", location_line(s.below->loc));
    if (help_declare(f, m, a, s.below))
        return true;
    diag_help(m, "a name is known behind the statement that binds it");
    help_move(f, m, a, s.below);
    return true;
}

/* --- a value that nothing reads --- */

/* How often each name stands in @a: atoms -> numbers. */
static void count_names(struct map *counts, const struct ast *a)
{
    if (a->kind == AST_NAME)
        map_set(counts, a->name, (void *)((uintptr_t)map_get(counts, a->name) + 1)); // NOLINT
    for (unsigned i = 0; i < a->item_count; i++)
        if (a->items && a->items[i])
            count_names(counts, a->items[i]);
    for (unsigned i = 0; i < a->body_count; i++)
        count_names(counts, a->body[i]);
    for (unsigned i = 0; i < a->orelse_count; i++)
        count_names(counts, a->orelse[i]);
}

static bool is_once(const struct map *counts, const char *name)
{
    return (uintptr_t)map_get(counts, name) == 1;
}

struct unread {
    struct frontend *f;
    const struct ast *use, *found;
    unsigned distance; /* of @found */
    bool is_shared;    /* another one is as near */
    struct map counts;
};

/* Letters of the longer name that are other ones. */
static unsigned distance_of(const char *a, const char *b)
{
    return text_distance(a, strlen(a), b, strlen(b));
}

static void offer_unread(struct unread *u, const struct ast *target)
{
    const struct name *known = scope_find(u->f, target->name);
    unsigned distance = distance_of(target->name, u->use->name);
    bool is_value = known && (known->kind == NAME_VALUE || known->kind == NAME_BUFFER ||
                              known->kind == NAME_VAR);

    if (*target->name == '_' || !is_value || known->loc.begin != target->loc.begin ||
        !is_once(&u->counts, target->name))
        return;
    u->is_shared = u->found && distance == u->distance;
    if (u->found && distance >= u->distance)
        return;
    u->found = target;
    u->distance = distance;
}

/* The names that are bound in front of the use, and known there. */
static void offer_suite(struct unread *u, struct ast *const *body, unsigned count)
{
    for (unsigned i = 0; i < count && body[i]->loc.begin < u->use->loc.begin; i++) {
        const struct ast *a = body[i];
        if (is_assignment(a) && a->items[0]->kind == AST_NAME && !holds(a, u->use->loc))
            offer_unread(u, a->items[0]);
        if (a->kind == AST_DEF)
            continue;
        offer_suite(u, a->body, a->body_count);
        offer_suite(u, a->orelse, a->orelse_count);
    }
}

static void report_unread(const struct unread *u, struct diag_message *m)
{
    const char *name = u->found->name;

    diag_label(m, u->found->loc, "nothing reads `%s`", name);
    diag_help(m, "there is `%s`, which nothing reads", name);
    if (is_once(&u->counts, u->use->name))
        diag_help_edit(m, u->use->loc, "%s", name);
    else /* one edit for all of its uses */
        diag_help_edit(m, u->found->loc, "%s", u->use->name);
    if (u->distance > 1 || strlen(name) + strlen(u->use->name) == 2)
        diag_help_unsure(m);
}

/* `man` among the parameters, where `mean` is read, and nothing reads `man`: it is misspelt where it is declared. */
static bool help_parameter(struct unread *u, struct diag_message *m)
{
    const struct ast *def = u->f->function, *found = NULL;

    for (unsigned i = 0; i < def->item_count; i++) {
        const struct ast *param = def->items[i];
        if (param->kind != AST_PARAM || map_has(&u->counts, param->name) ||
            strlen(param->name) < 3 || distance_of(param->name, u->use->name) != 1)
            continue;
        if (found)
            return false;
        found = param;
    }
    if (!found)
        return false;
    struct location place = found->name_loc.source ? found->name_loc : found->loc;
    place.end = place.begin + (uint32_t)strlen(found->name);
    diag_label(m, place, "nothing reads `%s`", found->name);
    diag_help(m, "the parameter may be meant: `%s`", u->use->name);
    diag_help_edit(m, place, "%s", u->use->name);
    return true;
}

bool help_unread_parameter(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    struct unread u = {.f = f, .use = a};

    if (!f->function || a->loc.source != f->function->loc.source)
        return false;
    count_names(&u.counts, f->function);
    bool is_found = help_parameter(&u, m);
    map_finish(&u.counts);
    return is_found;
}

bool help_unread(struct frontend *f, struct diag_message *m, const struct ast *a)
{
    struct unread u = {.f = f, .use = a};

    if (!f->function || a->loc.source != f->function->loc.source)
        return false;
    count_names(&u.counts, f->function);
    offer_suite(&u, f->function->body, f->function->body_count);
    bool is_found = u.found && !u.is_shared;
    if (is_found)
        report_unread(&u, m);
    map_finish(&u.counts);
    return is_found;
}

/* --- a block that was left --- */

/* The statement of a suite in @body that begins at @place, and the one in front of it. */
static bool find_neighbour(struct ast *const *body, unsigned count, struct location place,
                           const struct ast **out_before)
{
    for (unsigned i = 0; i < count; i++) {
        if (body[i]->loc.begin > place.begin || !holds_inside(body[i], place))
            continue;
        if (find_neighbour(body[i]->body, body[i]->body_count, place, out_before) ||
            find_neighbour(body[i]->orelse, body[i]->orelse_count, place, out_before))
            return true;
        *out_before = i ? body[i - 1] : NULL;
        return true;
    }
    return false;
}

void label_left_block(struct frontend *f, struct diag_message *m, struct location place)
{
    const struct ast *before = NULL;

    if (!f->function || !find_neighbour(f->function->body, f->function->body_count, place, &before))
        return;
    if (!before || before->kind != AST_WITH || !before->body_count)
        return;
    struct location last = last_of(before)->loc;
    diag_label(m, before->items[0]->loc, "this block ends on line %u",
               location_line(location_behind(last)));
    diag_help(m, "indent it, if it belongs to this block");
}
