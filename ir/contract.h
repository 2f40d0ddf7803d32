/*
 * Contracts: what functions outside of the module do with the storage that they are given.
 *
 *     I.module_attrs({"relax.contracts": {
 *         "my.sort": {"reads": [0], "mutates": [1], "retains": [], "aliases": [[1]]}}})
 *
 *   reads     arguments whose elements it may read; left out: all
 *   mutates   arguments whose elements it may write
 *   retains   arguments that it may hold when it has returned
 *   aliases   for each leaf of what it returns, where that may lie: arguments, -1 for storage that is
 *             nobody else's, None for what cannot be said; left out: -1
 *
 * Arguments count as in the call; those of R.call_dps_packed are followed by its results.  A function
 * without a contract may do anything.  The verifier has checked what is read here.
 */
#pragma once

#include "ir/module.h"

/* The contract of the function that a call calls, in terms of the call. */
struct ir_contract {
    const struct ir_attr *attr; /* the dict; NULL: there is none */
    const char *symbol;         /* of the function; NULL: the op calls none */
    unsigned first;             /* operand that is argument 0 */
};

struct ir_contract ir_contract_of(const struct ir_op *op);
/* The dict of the function @symbol; NULL if there is none. */
const struct ir_attr *ir_module_contract(const struct ir_module *module, const char *symbol);

/* By argument. */
bool ir_contract_reads(const struct ir_contract *contract, unsigned argument);
bool ir_contract_mutates(const struct ir_contract *contract, unsigned argument);
bool ir_contract_retains(const struct ir_contract *contract, unsigned argument);
/* Has its storage a part in the call at all, or is only its type of interest? */
bool ir_contract_uses(const struct ir_contract *contract, unsigned argument);
bool ir_contract_mutates_any(const struct ir_contract *contract);
bool ir_contract_retains_any(const struct ir_contract *contract);

/* Where leaf @leaf of what is returned may lie: a list; none: new storage; NULL: not known. */
struct ir_contract_places {
    unsigned count;
    const struct ir_attr *const *items; /* arguments, or -1 */
    bool is_unknown;
};
struct ir_contract_places ir_contract_result(const struct ir_contract *contract, unsigned leaf);
