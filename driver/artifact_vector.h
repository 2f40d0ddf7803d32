/* Test vectors: what an entry gives for inputs that anybody can make up again (`inlay run` does, by default). */
#pragma once

#include "driver/c_view.h"
#include "driver/driver.h"

struct artifact_sum {
    uint64_t hash;         /* of the bytes */
    double sum, magnitude; /* of the elements, and of their absolute values; NaN counts as 0 */
    int64_t elements;
};

/* Of one function. */
struct artifact_vector {
    int64_t *values;  /* by parameter in C: of symbols and of whole numbers */
    double *reals;    /* of other numbers */
    size_t *sizes;    /* elements of arrays, as wide as they must be */
    int64_t **shapes; /* of CODEGEN_SHAPE and shapes, the dims */
    int64_t arena_bytes;
    int32_t status;                  /* that the call returns */
    array(struct artifact_sum) sums; /* by leaf of the result; none after an error */
    struct arena arena;
};

/* Runs @function of @view, on whose module the passes have been; false after a report. */
bool artifact_vector_make(struct artifact_vector *vector, struct driver *driver,
                          const struct c_view *view, const struct c_function *function,
                          struct codegen *code);
void artifact_vector_finish(struct artifact_vector *vector);
