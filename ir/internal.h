/* What only ir/ sees: the tables of the context. */
#pragma once

#include "base/diag.h"

struct ir_context;
struct ir_data_table;
struct ir_op_table;
struct ir_type_table;

struct ir_op_table *ir_op_table_create(void);
void ir_op_table_destroy(struct ir_op_table *table);
struct ir_type_table *ir_type_table_create(void);
void ir_type_table_destroy(struct ir_type_table *table);
struct ir_memo *ir_memo_create(void);
void ir_memo_destroy(struct ir_memo *memo);
struct ir_data_table *ir_data_table_create(struct ir_context *context);
void ir_data_table_destroy(struct ir_data_table *table);

struct ir_op_info;
/* Fills in the parameters of @info, whose name and signature are set; a malformed one is a bug. */
void ir_signature_parse(struct ir_context *context, struct ir_op_info *info);

/* Adds the rows of core.def. */
void ir_context_add_core_ops(struct ir_context *context);

struct ir_module;
struct ir_op;
struct ir_type;
/* infer_call.c: do the operands of @op from @first on fit the parameters of @callee?  False after a report. */
bool ir_check_arguments(struct ir_module *module, struct diag *diag, const struct ir_op *op,
                        const struct ir_type *callee, unsigned first);

struct ir_value;
/* place.c: the type behind the name of a parameter, `name: type`; nowhere if it is not there. */
struct location ir_annotation_place(struct location name);
/*
 * If @value is a parameter of the caller, which may say its type wrong (it has the @name of the one that it is given for, or
 * its rank): an edit that lets it be @wanted, to be judged.
 */
void ir_help_parameter(struct diag_message *m, struct ir_context *context,
                       const struct ir_value *value, const char *name,
                       const struct ir_type *wanted);
