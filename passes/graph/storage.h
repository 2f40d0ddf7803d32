/*
 * May a rewrite move a read of a value, or let one value stand for another?
 *
 * Values are immutable to their readers, so as a rule it may.  Two things stand against it: ops with
 * effects, which may write what they are given, and in-place calls, which update storage without a copy
 * once they are resolved.  Sets of values that may share storage are kept (union-find), and a set is
 * `written` if something in it may be.  "Not known" is "written".  Only effects change what a read sees;
 * a read that moves behind an in-place update costs a copy.
 */
#pragma once

#include "base/arena.h"
#include "ir/module.h"

enum storage_write { STORAGE_UPDATED = 1 << 0, STORAGE_WRITTEN = 1 << 1 };

struct storage {
    unsigned *parents;
    unsigned char *written; /* enum storage_write, of representatives */
    unsigned count;
};

/* Does the module have ops with effects on tensors: what is written need not be local then? */
bool storage_has_effects(struct ir_module *module);

/* Numbers @function, which must be no nested one; @has_effects: storage_has_effects(). */
struct storage storage_of(struct ir_function *function, bool has_effects, struct arena *arena);

bool storage_is_written(const struct storage *storage, const struct ir_value *value);
/* The same of effects alone. */
bool storage_has_effect(const struct storage *storage, const struct ir_value *value);
bool storage_is_shared(const struct storage *storage, const struct ir_value *a,
                       const struct ir_value *b);
