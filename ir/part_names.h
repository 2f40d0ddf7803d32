/*
 * What the parts of a result are called where they are made: the buffers that a kernel writes, the names that a function
 * returns.  For messages about names that stand for another part than is meant.
 */
#pragma once

#include "ir/graph.h"

struct diag_message;

/* The name of part @i of @tuple, a result of several; NULL: it is not known. */
const char *ir_part_name(const struct ir_value *tuple, unsigned i);

/* Is @name that name, or one made of it: `v`, `new_v`, `v_new`? */
bool ir_names_part(const char *name, const char *part);

/* A part of a tuple whose name is that of another part, which has the name of this one in its turn; NULL: it is none. */
const struct ir_value *ir_crossed_part(const struct ir_value *value);

/* Where @value is such a part: the edit that lets both change places, and true. */
bool ir_help_crossed(struct diag_message *m, const struct ir_value *value);
