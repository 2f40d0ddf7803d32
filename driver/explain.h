/*
 * In-place decisions for people and for programs: the one renderer of what passes decided.
 *
 * The decisions are those of the pipeline that ran; nothing is worked out anew.
 */
#pragma once

#include "base/diag.h"
#include "base/text.h"
#include "driver/totals.h"

/* Is @name (NULL: none) @value, or a field of it: `t[0]` of `t`? */
bool explain_is_named(const char *name, const char *value);
/* Is @decision about @value (NULL: any): read by the call or made by it? */
bool explain_is_about(const struct inplace_decision *decision, const char *value);

/* Adds to @message, which stands at the call of @decision, what stands against it and what would help. */
void explain_details(struct diag_message *message, const struct inplace_decision *decision);

/* What to show. */
struct explain_choice {
    const char *value; /* decisions about it; NULL: all */
    size_t limit; /* so many remarks at most; decisions of one kind are one remark then.  0: all */
    bool has_color;
};

/*
 * Remarks: first what is missed, by bytes, then all else in its order.  Returns how many decisions there
 * are.
 */
size_t explain_put(struct sizes *sizes, const struct inplace_decisions *decisions,
                   const struct explain_choice *choice, struct text *out);

/* A JSON array of them; docs/command-line.md has the keys.  Returns how many there are. */
size_t explain_put_json(struct sizes *sizes, const struct inplace_decisions *decisions,
                        const char *value, struct text *out);
