/* Shared by the files of the in-place decisions only. */
#pragma once

#include "analysis/inplace.h"
#include "analysis/storage/storage.h"

/* What stands against a candidate. */
struct inplace_conflict {
    enum inplace_code code;
    enum inplace_evidence evidence;
    struct location loc;
    struct location
        written_loc; /* of EVIDENCE_ACCESS: the write in front of the read, or nowhere */
    const struct tir_stmt *turn;  /* the loop that stands against it by its direction, or NULL */
    const struct ir_value *alias; /* the other name of the storage, or NULL */
    int parameter;                /* of IP_BORROWED, else -1 */
    unsigned step;                /* of the judgement: how many conditions hold */
    struct ir_op *reader;         /* of the liveness: who reads the storage later, or NULL */
    const struct ir_op *opaque;   /* of IP_OPAQUE: what keeps the storage or made it; or NULL */
};

/*
 * The verdict on output @output (-1: a call that consumes a donated argument) of @call, the call
 * in work of @storage, in operand @argument.
 */
struct inplace_conflict inplace_judge(struct storage *storage, enum inplace_mode mode,
                                      struct ir_op *call, unsigned argument, int output);

/*
 * Does what @call, the call in work, asks for with outputs other than @output show its kernel one storage by
 * two operands?  Then the order in which its loops run was proved to be right, and no other one.
 */
bool inplace_has_order(struct storage *storage, const struct ir_op *call, int output);

/* Is the storage of operand @argument of @call, the call in work, ours, and needed by nobody
 * later? */
bool inplace_judge_free(struct storage *storage, const struct ir_op *call, unsigned argument);

/*
 * Do both proofs say that parameters @written and @read of @kernel may be in one storage, @read
 * @shift bytes behind?  If not, and one loop stands against it by its direction, that is
 * *@out_turn.
 */
bool inplace_kernel_allows(struct storage_module *facts, struct tir_func *kernel, unsigned written,
                           unsigned read, int64_t shift, const struct tir_stmt **out_turn);

enum inplace_fit {
    INPLACE_FITS_NOT,
    INPLACE_FITS_BYTES, /* as many bytes, of another shape or dtype */
    INPLACE_FITS,
};

/* Has operand @argument of @call provably shape and dtype, or the bytes, of output @output? */
enum inplace_fit inplace_fit_of(struct storage *storage, const struct ir_op *call,
                                unsigned argument, int output);
/*
 * What stands against taking over operand @argument without being asked to, where nothing else
 * does: a donated parameter of a function that is called in the module was promised to stay what
 * it is unless the text says otherwise.
 */
struct inplace_conflict inplace_judge_caller(const struct storage *storage,
                                             const struct ir_op *call, unsigned argument);

/* The decision as a value. */
struct inplace_decision inplace_decision_of(struct storage *storage, const struct ir_op *call,
                                            unsigned argument, int output,
                                            const struct inplace_conflict *conflict, bool has_call);
