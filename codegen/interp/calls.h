/* Shared by the files that call something. */
#pragma once

#include "base/array.h"
#include "codegen/interp/internal.h"

/* Arguments of a call while they are gathered; of a kernel as many as it has parameters, outputs last. */
struct arguments {
    struct interp *run;
    array(const struct interp_value *) items;
};

/* Those of @op from operand @first on; @is_flat: a shape is its dims. */
bool interp_push_operands(struct arguments *args, struct interp_call *call, const struct ir_op *op,
                          unsigned first, bool is_flat);
/* A copy of argument @index that takes its place; NULL after the error is set. */
const struct interp_value *interp_copy_argument(struct arguments *args, unsigned index);
/* Puts the outputs in place: @indices NULL or -1 where fresh, else the argument that is updated. */
const struct interp_value **interp_make_outputs(struct interp_call *call, const struct ir_op *op,
                                                const struct ir_attr *indices,
                                                struct arguments *args, unsigned *out_count);
const struct interp_value *interp_pack_outputs(struct interp *run, const struct ir_op *op,
                                               const struct interp_value *const *outputs,
                                               unsigned count);

/* --- packed.c --- */
/*
 * Calls @symbol for @op on @args; @out (may be NULL) gets what it returns, checked against @type (may be
 * NULL): a copy, or, where the contract says so, another name of an argument.
 */
bool interp_call_symbol(struct interp_call *call, const struct ir_op *op, const char *symbol,
                        const struct ir_type *type, const struct arguments *args,
                        const struct interp_value **out);
const struct interp_value *interp_call_dps_packed(struct interp_call *call, const struct ir_op *op);
const struct interp_value *interp_call_packed(struct interp_call *call, const struct ir_op *op);

/* --- contract.c --- */
/* What a function may not write, as it was before a call. */
struct interp_contract {
    const struct ir_op *op;
    const char *symbol;
    const struct arguments *args;
    void **before; /* by argument, or NULL */
};

/* In front of a call of @op and behind it; false after the error is set. */
void interp_contract_begin(struct interp_contract *watch, const struct ir_op *op,
                           const char *symbol, const struct arguments *args);
bool interp_contract_end(struct interp_contract *watch);
/* The argument whose storage @returned is in, where the contract lets it; *@out NULL: it is in none.  False
 * after the error is set. */
bool interp_contract_find(struct interp_call *call, const struct interp_contract *watch,
                          const struct inlay_value *returned, const struct interp_value **out);
