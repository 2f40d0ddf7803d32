/* Which functions and kernels are called or mentioned, directly or not, by others. */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "ir/module.h"

struct reach {
    struct ir_module *module;
    struct map reached;             /* struct ir_global */
    array(struct ir_global *) work; /* reached, but not looked into */
};

void reach_add(struct reach *r, struct ir_global *global); /* accepts NULL */
/* Adds what @global calls or mentions, and not itself unless it does so. */
void reach_look(struct reach *r, const struct ir_global *global);
void reach_finish(struct reach *r);

bool reach_is_private(const struct ir_global *global);

/*
 * Removes the private functions and kernels that nothing that was added reaches; only those in
 * @candidates (struct ir_global) unless that is NULL.  True if there were any.
 */
bool reach_remove_others(struct reach *r, const struct map *candidates);
