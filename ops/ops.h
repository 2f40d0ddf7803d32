/* The operator library. */
#pragma once

#include "ir/module.h"

/* Adds every operator of the library to the table of @context. */
void ops_register(struct ir_context *context);
