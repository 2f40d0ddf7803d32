/* Lowered code has calls for their effect in functions that have none. */
#pragma once

#include "ir/module.h"

/* Lets @function, if it is pure, stay so whatever it calls: attribute relax.force_pure. */
void force_pure(struct ir_module *module, struct ir_function *function);
