/* Types in the words of the script: for edits that change no more than is wrong. */
#pragma once

#include "base/source.h"
#include "ir/type.h"

/*
 * @wanted as the text at @place, which says @given, would write it: dims that it has are written as there (`CLASSES` for
 * 10), and so is the dtype.  As ir_type_text() where the text is no `R.Tensor((..), ..)`.
 */
const char *ir_type_spelled(struct ir_context *context, struct location place,
                            const struct ir_type *given, const struct ir_type *wanted);
