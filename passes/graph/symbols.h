/* Which symbols, and which values that name shapes, a function mentions. */
#pragma once

#include "base/map.h"
#include "ir/module.h"

struct symbol_uses {
    struct map symbols;    /* struct ir_var */
    struct map shape_vars; /* struct ir_value that types name their shape by */
};

void symbol_uses_add_type(struct symbol_uses *uses, const struct ir_type *type);
/* All ops of @function, nested functions too, and the type of its result; not its parameters. */
void symbol_uses_add_function(struct symbol_uses *uses, struct ir_function *function);
void symbol_uses_finish(struct symbol_uses *uses);

/* Does a parameter of @type, or a match_cast to it, define @var? */
bool symbol_is_defined_by(const struct ir_type *type, const struct ir_var *var);

/* Calls @visit for each symbol that @type defines, in the order of its dims. */
typedef void symbol_fn(void *state, const struct ir_var *var);
void symbol_walk_defined(const struct ir_type *type, symbol_fn *visit, void *state);
