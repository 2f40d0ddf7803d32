/* The results of a run: as text, and written. */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/diag.h"
#include "include/inlay/abi.h"
#include "ir/type.h"

struct results {
    array(struct inlay_value) values; /* one a leaf of the result type */
    array(const char *) names;        /* result, or result.0, .. */
    struct arena arena;
};

/* Names the leaves of @type; false if their number is not known. */
bool results_init(struct results *results, const struct ir_type *type);
void results_finish(struct results *results);

/* name: shape dtype, then the elements or a summary. */
void results_put(const struct results *results, struct text *out);

/* To an .npz, or one tensor to an .npy; replaced at once.  False after a report. */
bool results_write(const struct results *results, const char *path, struct diag *diag);
