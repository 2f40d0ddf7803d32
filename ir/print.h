/*
 * The printer: a module as TVMScript, in the dialect of TVM 0.26/0.27, or that of 0.23.  What it prints parses back to
 * the same module, and prints to the same text again.
 */
#pragma once

#include "base/text.h"
#include "ir/module.h"

enum ir_dialect {
    IR_DIALECT_NEW, /* TVM 0.26 and 0.27 */
    IR_DIALECT_OLD, /* TVM 0.16 to 0.23 */
};

struct ir_print_options {
    enum ir_dialect dialect;
    bool show_metadata;  /* constants as the JSON block at the end, so that the text stands alone */
    size_t refers_above; /* data of more bytes are named and not shown (ir/data.h); 0: show all */
    bool show_all_types; /* default true in ir_print_defaults: annotate every binding */
};

extern const struct ir_print_options ir_print_defaults; /* metadata and all types shown */

void ir_module_print(const struct ir_module *module, const struct ir_print_options *options,
                     struct text *out);
void ir_function_print(const struct ir_function *function, struct text *out);
void tir_func_print(const struct tir_func *func, struct text *out);

/* One op as a statement on one line, for messages and the decision records. */
void ir_op_print(const struct ir_op *op, struct text *out);
/* A scalar expression as in a Relax shape (int64 literals bare) or as in a kernel (T.int64(1)). */
void ir_expr_print(const struct ir_expr *expr, struct text *out);
void tir_expr_print(const struct ir_expr *expr, struct text *out);
/* The text of a value as an operand: its name, or the leaf. */
void ir_value_print(const struct ir_value *value, struct text *out);

/* Has @name a meaning of its own in a script, so that nothing can be called that? */
bool ir_is_reserved(const char *name);
