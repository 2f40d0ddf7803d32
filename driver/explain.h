/*
 * In-place decisions for people and for programs: the one renderer of what passes decided.
 *
 * The decisions are those of the pipeline that ran; nothing is worked out anew.
 */
#pragma once

#include "analysis/inplace.h"
#include "base/diag.h"
#include "base/text.h"

/*
 * Adds a remark for each decision about @value (NULL: for each) to @diag; their number by verdict in
 * @counts, of INPLACE_VERDICT_COUNT.  Returns how many there are.
 */
size_t explain_decisions(struct diag *diag, const struct inplace_decisions *decisions,
                         const char *value, unsigned *counts);

/* "in-place: 1, copy: 2", or a sentence where there are none. */
void explain_put_counts(const unsigned *counts, struct text *out);

/* A JSON array of them: function, line, call, output, argument, value, verdict, code, reason, bytes,
 * lines (of the calls that passes made one of), blocking_line, alias_line, help, strict.  Returns how many there are. */
size_t explain_put_json(struct ir_context *context, const struct inplace_decisions *decisions,
                        const char *value, struct text *out);
