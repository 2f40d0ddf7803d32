/*
 * The checker of storage: what a module says about memory is replayed, and every read must find
 * the value that it names.
 *
 * It decides nothing and shares no code and no table with those who decide (analysis, passes, code
 * generation): it sees base/ and ir/ only.  So it does not repeat their mistakes.
 *
 * What is replayed.  A piece of storage is a *root*; which value each range of its bytes holds is
 * a *tag*, and the range's *owner*.  Parameters, allocations and results of calls start tags;
 * names (bind, tuple, tuple_get, match_cast, views, memory.view) share tag and bytes.  A read
 * wants its tag to own its bytes.  A call in place reads all its operands, and then gives the
 * bytes that it writes to the tag of its result.  `if` makes owners and values decision diagrams:
 * on each path the one must fit the other.  Calls go by what the callee's own replay found.
 *
 * Where the text of a module leaves something open, this is what holds here:
 *
 *   - a destination of a call in place is an operand like all others: it is read, so it must still
 *     be owned; but for room that was taken and never filled under its own name, which has no
 * value to
 *     lose: other tensors may have been put into its bytes, and are overwritten;
 *   - shape_of and all that looks at types only (IR_METADATA) reads nothing, not even of what is
 *     dead;
 *   - renames, tuples and `yield` read nothing; calls, `return`, conditions and all other
 *     operators do;
 *   - memory.alloc_tensor takes its bytes when it stands there, not when they are first written;
 *   - kill_tensor of a tensor in an alloc_storage ends the tensor alone; any other kill ends the
 *     whole root;
 *   - what a kill names must be this function's own on *every* path: a parameter (donated ones
 *     too), a constant, what opaque code holds or made, and what is dead already cannot be killed;
 *   - a tensor that provably is not inside of the storage that it is put into, or seen in, is
 *     refused; where that is not seen before it runs, the run checks it;
 *   - a call of a graph function reads all its arguments;
 *   - effects (`cls.f(x, y)` of a kernel) change what all names of the storage hold, so they make
 *     no new tag: the storage must be this function's own or donated, and need not be unknown to
 *     opaque code;
 *   - what is donated to a function and overwritten there is lost for its caller, who must own it.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "ir/module.h"

enum verify_storage_mode {
    VERIFY_STORAGE_VALUES,   /* a call_tir_inplace works on copies, as the language says */
    VERIFY_STORAGE_RESOLVED, /* it works on its operands themselves: what code generation takes */
};

enum verify_storage_fault {
#define FAULT(id, text, label, help) VERIFY_STORAGE_##id,
#include "analysis/verify_storage/faults.def"
    VERIFY_STORAGE_FAULT_COUNT
};

/* One thing that is wrong. */
struct verify_storage_refusal {
    const struct ir_function *function;
    const struct ir_op *op; /* that reads, writes, kills */
    enum verify_storage_fault fault;
    const char *value;           /* what it concerns, as the module names it */
    const struct ir_op *because; /* what overwrote or killed it, or took its storage; or NULL */
};

struct verify_storage_refusals {
    struct arena arena; /* texts */
    struct verify_storage_refusal *items;
    size_t count, capacity; /* an array() */
};

/* True if nothing is wrong; else adds to @refusals, at most a handful a function. */
bool verify_storage(struct ir_module *module, enum verify_storage_mode mode,
                    struct verify_storage_refusals *refusals);
void verify_storage_finish(struct verify_storage_refusals *refusals);

/*
 * Would a call of @kernel be believed that gives parameters @written and @read one storage, @read
 * beginning @shift bytes behind?  For who decides: what the checker cannot follow is better not
 * done than refused. Costs as much as a look at the kernel each time.
 */
bool verify_storage_may_share(struct ir_module *module, struct tir_func *kernel, unsigned written,
                              unsigned read, int64_t shift);

/*
 * Does @module say anything about memory: allocations, views of bytes, kills, kernels run for
 * their effect?
 */
bool verify_storage_is_said(const struct ir_module *module);

/* Reports each refusal to @diag, E0317. */
void verify_storage_report(const struct verify_storage_refusals *refusals, struct diag *diag);
/* All three in one: true if nothing is wrong, else reported. */
bool verify_storage_check(struct ir_module *module, enum verify_storage_mode mode,
                          struct diag *diag);

/* As it stands in reports: "overwritten". */
const char *verify_storage_fault_name(enum verify_storage_fault fault);
