/*
 * Answers to questions about numbers that were worked out before.  A question is bytes that say all that its
 * answer depends on; who asks begins them with a number of its own.
 */
#pragma once

#include "ir/module.h"

#include <stddef.h>

enum ir_memo_kind { IR_MEMO_SYSTEM = 1 }; /* has a system of linear constraints a solution? */

bool ir_memo_find(const struct ir_context *context, const void *question, size_t size, int *out);
void ir_memo_add(struct ir_context *context, const void *question, size_t size, int answer);
