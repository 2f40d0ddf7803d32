/* Functions whose symbols, or parameters, got values. */
#pragma once

#include "passes/pass.h"

/* Replaces symbols everywhere in @function: types, shapes, scalars, nested functions. */
void specialize_function(struct ir_function *function, const struct ir_bindings *bindings);

/*
 * After the parameters or the result of functions in @changed (struct ir_function) have other types:
 * the calls of them get theirs, with a match_cast behind a call of which less is known than before.
 * Then the module is verified; false after a report that names @what.
 */
bool specialize_finish(struct pass_run *run, const struct map *changed, const char *what);

/* The symbols in the types of parameters of @function, each once: appended to @out. */
struct specialize_symbols {
    const struct ir_var **items;
    size_t count, capacity; /* an array() */
};
void specialize_find_symbols(const struct ir_function *function, struct specialize_symbols *out);
