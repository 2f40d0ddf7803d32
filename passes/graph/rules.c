/*
 * Applies rewrite rules (rules.def) to the graph.
 *
 * One sweep in program order; ops that a rule made are tried again at once, so that what one rule
 * leaves the next one finds.  A rule looks at the ops that its root reads, which stand in front of it and
 * are done already: the work is linear in the size of the module, for each rule.
 *
 * Checked here for all rules, so that no row need think of it:
 *
 *   - The replacement has exactly the type of what it replaces, else it is taken back.
 *   - What the pattern read early and the replacement reads late is nothing that may be written in
 *     between, and no value becomes another name of one that may be written (storage.h).
 *   - Values of other dataflow blocks become outputs of theirs.
 */
#include "passes/graph/rules.h"

#include "analysis/storage/storage.h"
#include "base/array.h"
#include "base/assert.h"
#include "ir/edit/rewrite.h"
#include "passes/graph/compile_time.h"

#include <ctype.h>
#include <string.h>

/* A pattern or replacement. */
struct node {
    const struct ir_op_info *info; /* NULL: a leaf */
    char letter;                   /* of a leaf; '_': anything */
    unsigned child_count;
    struct node *children[4];
};

struct active_rule {
    const struct rule *rule;
    struct node *pattern, *replacement;
    struct active_rule *next; /* of the same root, in the order of the table */
};

struct sweep {
    struct pass_run *run;
    struct active_rule **by_root; /* by id of the op */
    bool is_changed;
    struct storage storage;
    struct compile_time compile_time;
};

struct ir_value *match_leaf(const struct match *match, char letter)
{
    for (unsigned i = 0; i < match->leaf_count; i++)
        if (match->letters[i] == letter)
            return match->leaves[i];
    UNREACHABLE("a rule uses a letter that nothing binds");
}

void match_bind(struct match *match, char letter, struct ir_value *value)
{
    assert(match->leaf_count < RULE_LEAF_LIMIT);
    match->letters[match->leaf_count] = letter;
    match->leaves[match->leaf_count++] = value;
}

/* ---- reading the table ---- */

static struct node *read_node(struct pass_run *run, const char **p)
{
    struct node *node = arena_new(&run->scratch, struct node);
    size_t length = 0;

    while (isalnum((unsigned char)(*p)[length]) || (*p)[length] == '_' || (*p)[length] == '.')
        length++;
    if ((*p)[length] != '(') {
        node->letter = **p;
        *p += length;
        return node;
    }
    const char *name = arena_copy_text(&run->scratch, *p, length);
    node->info = strcmp(name, "tuple_get") == 0
                     ? ir_core_op(run->module->context, IR_CORE_tuple_get)
                     : ir_find_op(run->module->context, name);
    if (!node->info)
        FATAL("a row of rules.def names an operator that does not exist");
    for (*p += length; **p != ')';) {
        *p += strspn(*p + 1, " ") + 1; /* behind "(" or "," */
        assert(node->child_count < ARRAY_SIZE(node->children));
        node->children[node->child_count++] = read_node(run, p);
    }
    ++*p;
    return node;
}

static bool activate(struct sweep *sweep, const struct rule *rule)
{
    struct active_rule *active = arena_new(&sweep->run->scratch, struct active_rule);
    const char *pattern = rule->pattern, *replacement = rule->replacement;

    active->rule = rule;
    active->pattern = read_node(sweep->run, &pattern);
    active->replacement = read_node(sweep->run, &replacement);
    struct active_rule **end = &sweep->by_root[active->pattern->info->id];
    while (*end && (*end)->rule != rule)
        end = &(*end)->next;
    *end = active;
    return true;
}

static const struct rule *find_rule(const char *name, size_t length)
{
    for (size_t i = 0; i < rule_table_count; i++)
        if (strlen(rule_table[i].name) == length && strncmp(rule_table[i].name, name, length) == 0)
            return &rule_table[i];
    return NULL;
}

static bool report_unknown(struct pass_run *run, const char *name, size_t length)
{
    const char *nearest = NULL;
    unsigned distance = TEXT_FAR;

    for (size_t i = 0; i < rule_table_count; i++) {
        const char *other = rule_table[i].name;
        unsigned far = text_distance(name, length, other, strlen(other));

        if (far < distance) {
            distance = far;
            nearest = other;
        }
    }
    struct diag_message *message =
        diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE, "rules", run->pass->name,
                    arena_printf(&run->scratch, "names no rewrite rule `%.*s`", (int)length, name));
    if (nearest)
        diag_help(message, "there is `%s`; `inlay list rules` shows all", nearest);
    return false;
}

static bool activate_names(struct sweep *sweep, const char *names)
{
    bool is_fine = true;

    for (size_t i = 0; !*names && i < rule_table_count; i++)
        if (rule_table[i].kind == RULE_EXACT)
            is_fine &= activate(sweep, &rule_table[i]);
    for (const char *p = names; *p;) {
        p += strspn(p, ", ");
        size_t length = strcspn(p, ", ");
        const struct rule *rule = find_rule(p, length);

        if (length)
            is_fine &= rule ? activate(sweep, rule) : report_unknown(sweep->run, p, length);
        p += length;
    }
    return is_fine;
}

/* ---- matching ---- */

static bool is_same_value(const struct ir_value *a, const struct ir_value *b)
{
    return a == b ||
           (ir_value_is_inline(a) && ir_value_is_inline(b) && rewrite_same_op(a->def, b->def));
}

static bool match_leaf_node(struct match *match, char letter, struct ir_value *value)
{
    for (unsigned i = 0; letter != '_' && i < match->leaf_count; i++)
        if (match->letters[i] == letter)
            return is_same_value(match->leaves[i], value);
    if (letter != '_')
        match_bind(match, letter, value);
    return true;
}

static bool match_node(struct match *match, const struct node *node, struct ir_value *value);

static bool match_operands(struct match *match, const struct node *node, struct ir_op *op,
                           bool is_swapped)
{
    for (unsigned i = 0; i < node->child_count; i++) {
        unsigned operand = is_swapped && i < 2 ? 1 - i : i;

        if (operand >= op->operand_count ||
            !match_node(match, node->children[i], op->operands[operand].value))
            return false;
    }
    return true;
}

static bool match_op(struct match *match, const struct node *node, struct ir_op *op)
{
    if (op->info != node->info || !op->block)
        return false;
    assert(match->op_count < RULE_OP_LIMIT);
    match->ops[match->op_count++] = op;
    struct match before = *match;

    if (match_operands(match, node, op, false))
        return true;
    *match = before;
    return (op->info->traits & IR_COMMUTATIVE) && match_operands(match, node, op, true);
}

static bool match_node(struct match *match, const struct node *node, struct ir_value *value)
{
    if (!node->info)
        return match_leaf_node(match, node->letter, value);
    return value->def && match_op(match, node, value->def);
}

/* ---- what stands against a match ---- */

struct reads {
    struct sweep *sweep;
    const struct ir_value *root;
    bool is_alias; /* the replacement is another name of what it reads */
    bool is_fine;
};

/* May @value be read where the root stands? */
static void check_read(struct reads *reads, const struct ir_value *value)
{
    struct storage *storage = &reads->sweep->storage;

    if (ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_tuple)) {
        for (unsigned i = 0; i < value->def->operand_count; i++)
            check_read(reads, value->def->operands[i].value);
        return;
    }
    if (ir_value_is_inline(value) || !storage_is_in(value->type) ||
        storage_is_shared(storage, value, reads->root))
        return;
    reads->is_fine &= !storage_is_changed(storage, value) &&
                      !(reads->is_alias && storage_is_changed(storage, reads->root));
}

static void check_node(struct reads *reads, const struct match *match, const struct node *node)
{
    if (!node->info)
        check_read(reads, match_leaf(match, node->letter));
    for (unsigned i = 0; i < node->child_count; i++)
        check_node(reads, match, node->children[i]);
}

static bool is_safe(struct sweep *sweep, const struct match *match, const struct node *replacement)
{
    const struct ir_op_info *info = replacement->info;
    struct reads reads = {.sweep = sweep,
                          .root = &match->ops[0]->result,
                          .is_alias = !info || (info->traits & (IR_VIEW | IR_ALIAS)),
                          .is_fine = true};

    check_node(&reads, match, replacement);
    return reads.is_fine;
}

/* ---- replacing ---- */

struct maker {
    struct ir_builder builder;
    const struct match *match;
    const struct rule *rule;
};

static void make_visible(struct ir_module *module, const struct ir_op *root, struct ir_value *value)
{
    if (ir_value_is_inline(value)) {
        for (unsigned i = 0; i < value->def->operand_count; i++)
            make_visible(module, root, value->def->operands[i].value);
    } else if (value->def && value->def->block != root->block) {
        rewrite_make_visible(module, value);
    }
}

/* An operand for the replacement: inline values have one use each. */
static struct ir_value *take_leaf(struct maker *maker, char letter)
{
    struct ir_value *value = match_leaf(maker->match, letter);

    make_visible(maker->builder.module, maker->match->ops[0], value);
    return value->uses ? ir_inline_copy(maker->builder.module, value) : value;
}

static struct ir_value *make_node(struct maker *maker, const struct node *node)
{
    struct ir_value *operands[ARRAY_SIZE(node->children) + 4];
    const struct ir_attr **attrs;
    struct ir_context *context = maker->builder.module->context;
    unsigned count = node->child_count;

    if (!node->info)
        return take_leaf(maker, node->letter);
    attrs = arena_array(&context->arena, const struct ir_attr *, node->info->attr_count + 1);
    for (unsigned i = 0; i < count; i++) {
        operands[i] = make_node(maker, node->children[i]);
        if (!operands[i])
            return NULL;
    }
    for (; count < node->info->operand_count; count++) {
        const struct ir_op_info *null_value = ir_core_op(context, IR_CORE_null_value);

        assert(count < ARRAY_SIZE(operands));
        operands[count] = &ir_build(&maker->builder, null_value, NULL, 0, NULL)->result;
    }
    maker->rule->attrs(maker->match, node->info, attrs);
    struct ir_op *op = ir_build(&maker->builder, node->info, operands, count, attrs);
    if (!op)
        return NULL;
    op->result.index = maker->match->ops[0]->result.index; /* its place in the side tables */
    return &op->result;
}

/* Erases what was made between @before and @root. */
static void take_back(const struct ir_op *before, struct ir_op *root)
{
    while (root->prev != before)
        ir_op_erase(root->prev);
}

/* Ops of the pattern that nobody reads any more. */
static void erase_unused(const struct match *match)
{
    for (unsigned i = 1; i < match->op_count; i++)
        if (match->ops[i]->block && !match->ops[i]->result.uses)
            ir_op_erase(match->ops[i]);
}

static bool replace_by_leaf(struct sweep *sweep, const struct match *match, char letter)
{
    struct ir_op *root = match->ops[0];
    struct ir_value *value = match_leaf(match, letter);

    if (ir_value_is_inline(value) || value->type != root->result.type)
        return false;
    if (!value->name)
        value->name = root->result.name;
    rewrite_replace(sweep->run->module, root, value);
    return true;
}

/* Puts the replacement in; *@out_next: the op to go on with, of those that were made. */
static bool replace_by_ops(struct sweep *sweep, const struct match *match,
                           const struct active_rule *active, struct ir_op **out_next)
{
    struct ir_op *root = match->ops[0], *before = root->prev;
    struct ir_block *block = root->block;
    size_t messages = diag_message_count(sweep->run->diag);
    struct maker maker = {.match = match, .rule = active->rule};

    maker.builder = (struct ir_builder){.module = sweep->run->module,
                                        .diag = sweep->run->diag,
                                        .block = block,
                                        .before = root,
                                        .loc = root->loc};
    struct ir_value *value = make_node(&maker, active->replacement);
    if (!value || value->type != root->result.type) {
        diag_truncate(sweep->run->diag, messages);
        take_back(before, root);
        return false;
    }
    value->name = root->result.name;
    value->loc = root->result.loc;
    value->is_annotated = root->result.is_annotated;
    rewrite_replace(sweep->run->module, root, value);
    *out_next = before ? before->next : block->first;
    return true;
}

/* Tries @active on @op, with the first two operands swapped if @is_swapped. */
static bool apply_to(struct sweep *sweep, const struct active_rule *active, struct ir_op *op,
                     bool is_swapped, struct ir_op **out_next)
{
    struct match match = {.module = sweep->run->module,
                          .context = sweep->run->module->context,
                          .compile_time = &sweep->compile_time,
                          .ops = {op},
                          .op_count = 1};

    if (!match_operands(&match, active->pattern, op, is_swapped))
        return false;
    unsigned matched = match.leaf_count;
    bool is_good = active->rule->when(&match) && is_safe(sweep, &match, active->replacement);
    struct ir_op *next = op->next;

    if (is_good && active->replacement->info)
        is_good = replace_by_ops(sweep, &match, active, &next);
    else if (is_good)
        is_good = replace_by_leaf(sweep, &match, active->replacement->letter);
    for (unsigned i = matched; i < match.leaf_count; i++)
        if (ir_value_is_inline(match.leaves[i]) && !match.leaves[i]->uses)
            ir_op_erase(match.leaves[i]->def); /* bound by the condition, and not taken */
    if (!is_good)
        return false;
    erase_unused(&match);
    *out_next = next;
    return true;
}

static bool apply(struct sweep *sweep, const struct active_rule *active, struct ir_op *op,
                  struct ir_op **out_next)
{
    return apply_to(sweep, active, op, false, out_next) ||
           ((op->info->traits & IR_COMMUTATIVE) && apply_to(sweep, active, op, true, out_next));
}

/* ---- the sweep ---- */

static bool rewrite_op(struct sweep *sweep, struct ir_op *op, struct ir_op **out_next)
{
    struct active_rule *active = sweep->by_root[op->info->id];

    for (; active; active = active->next)
        if (apply(sweep, active, op, out_next))
            return true;
    return false;
}

static void sweep_region(struct sweep *sweep, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        for (struct ir_op *op = block->first, *next; op; op = next) {
            next = op->next;
            for (unsigned i = 0; i < op->region_count; i++)
                sweep_region(sweep, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                sweep_region(sweep, ir_op_attr(op, "function")->function->body);
            sweep->is_changed |= rewrite_op(sweep, op, &next);
        }
    }
}

enum pass_result rules_run(struct pass_run *run, const char *names)
{
    struct sweep sweep = {.run = run};
    struct storage_module facts;

    sweep.by_root =
        arena_array(&run->scratch, struct active_rule *, ir_op_count(run->module->context));
    if (!activate_names(&sweep, names))
        return PASS_FAILED;
    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count; i++) {
        struct ir_function *function = run->module->globals[i]->function;

        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        storage_init(&sweep.storage, &facts, function, NULL);
        sweep.compile_time = compile_time_of(function, &run->scratch);
        sweep_region(&sweep, function->body);
        storage_finish(&sweep.storage);
    }
    storage_module_finish(&facts);
    return sweep.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
