/*
 * Are passes and code generation faithful?
 *
 *   1. Passes: the interpreter on the script as written against the interpreter on the module that they
 *      leave.  Integers, booleans and shapes must be equal, floats within a tolerance (compare.h),
 *      since a pass may sum in another order or use another formula.
 *   2. Code: the compiled code against the interpreter on that same module, to the last bit, twice,
 *      since some mistakes need a first run to spoil something that lasts.
 *
 * No run may change an input that is only borrowed.
 */
#pragma once

#include "driver/session.h"

struct check {
    struct session *session;
    struct inlay_value *given;    /* the inputs, before any run */
    struct inlay_value *expected; /* what the interpreter says of the script */
    struct inlay_value *final;    /* and of the module behind the passes */
    bool is_different;            /* a comparison failed, which was reported */
};

/* In this order, each false after a report: before the passes, behind them, behind compilation. */
bool check_script(struct check *check, struct session *session);
bool check_passes(struct check *check);
bool check_code(struct check *check);
void check_finish(struct check *check);
