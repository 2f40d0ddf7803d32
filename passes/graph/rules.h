/*
 * Rewrite rules: rules.def says what they are, rules.c matches and applies them, rules_when.c, rules_permute.c and
 * rules_matmul.c have their conditions and attributes.
 */
#pragma once

#include "ir/build.h"
#include "passes/pass.h"

enum rule_kind { RULE_EXACT, RULE_MOVES, RULE_ROUNDS };

enum { RULE_OP_LIMIT = 8, RULE_LEAF_LIMIT = 8 };

struct match {
    struct ir_module *module;
    struct ir_context *context;
    const struct compile_time *compile_time;
    struct ir_op
        *ops[RULE_OP_LIMIT]; /* of the pattern, in the order of its text: ops[0] is replaced */
    unsigned op_count;
    char letters[RULE_LEAF_LIMIT];
    struct ir_value *leaves[RULE_LEAF_LIMIT];
    unsigned leaf_count;
};

struct ir_value *match_leaf(const struct match *match, char letter);
/* For conditions: gives the replacement another value (inline ones that nobody uses yet, too). */
void match_bind(struct match *match, char letter, struct ir_value *value);

/* For attributes: that of @info which is called @name, if it has one. */
void rule_set_attr(const struct ir_op_info *info, const struct ir_attr **attrs, const char *name,
                   const struct ir_attr *value);
enum { RULE_AXES_LIMIT = 64 };
/* The axes of permute_dims @op, which has a tensor of known rank @ndim; false if there are too many. */
bool rule_read_axes(const struct ir_op *op, int ndim, int64_t *axes);

struct rule {
    const char *name;
    enum rule_kind kind;
    const char *pattern;
    bool (*when)(struct match *match);
    const char *replacement;
    /* Attributes of an op @info of the replacement, in @attrs, which holds NULL for all defaults. */
    void (*attrs)(const struct match *match, const struct ir_op_info *info,
                  const struct ir_attr **attrs);
    const char *doc;
};

extern const struct rule rule_table[];
extern const size_t rule_table_count;

#define RULE(name, kind, pattern, condition, replacement, attributes, doc)            \
    bool when_##condition(struct match *match);                                       \
    void attrs_##attributes(const struct match *match, const struct ir_op_info *info, \
                            const struct ir_attr **attrs);
#include "passes/graph/rules.def"

/* Applies the rules of @names (commas between); all exact ones if it is "". */
enum pass_result rules_run(struct pass_run *run, const char *names);
