/* Between relax_stmt.c and relax_block.c: bindings, and the blocks and branches that hold them. */
#pragma once

#include "frontend/tvmscript/relax.h"

/* Names @value by @target and makes it visible. */
void relax_bind_value(struct relax *r, const struct ast *target, struct ir_value *value);
/* Remembers a binding: for the value of a branch, and for messages. */
void relax_note_binding(struct relax *r, const char *name, struct location loc,
                        struct ir_value *value);

void relax_dataflow(struct relax *r, const struct ast *with);
void relax_if(struct relax *r, const struct ast *a);
/* Gives up on @a, which was reported: what it would have bound is bound to errors. */
void relax_skip(struct relax *r, const struct ast *a);
/* What R.output names, @a. */
void relax_output_name(struct relax *r, const struct ast *a);
void relax_output(struct relax *r, const struct ast *call);
/* Makes what @value (a tuple: its items) needs of the open dataflow block an output of it. */
void relax_output_used(struct relax *r, struct ir_value *value);
