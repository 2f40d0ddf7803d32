/*
 * Weights of an artifact: large constants, which go to a file of their own (--weights) as tensors of the
 * .safetensors format.
 *
 * The file begins with 8 bytes of length and a head of JSON, which names each tensor with dtype, shape and
 * place, and their hashes; elements begin at multiples of 64 bytes.  Between tensors stand others of bytes,
 * `inlay.padding.0`, .., since readers of the format accept no holes.
 */
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/text.h"
#include "codegen/llvm/codegen.h"

#include <stdio.h>

enum { ARTIFACT_WEIGHTS_ABOVE = 4096 }; /* bytes; what is smaller is inside of the artifact */

struct artifact_weight {
    const struct ir_constant *constant;
    const char *name; /* unique; letters, digits, _ and . */
    uint64_t place;   /* behind the head */
    uint64_t hash;
};

struct artifact_weights {
    const char *path;
    array(struct artifact_weight) items; /* by place */
    struct map places;                   /* see struct codegen_weights */
    struct text head;
    uint64_t bytes, identity; /* of the file; the hash of the head */
    struct arena arena;
};

/* What @modules use of their constants, for a file at @path; what they have alike is there once. */
void artifact_weights_make(struct artifact_weights *weights, struct ir_module *const *modules,
                           size_t count, const char *path);
void artifact_weights_finish(struct artifact_weights *weights);
/* Writes the file; what goes wrong is to be seen by ferror(). */
void artifact_weights_write(const struct artifact_weights *weights, FILE *file);

/* For manifest, summary and table (artifact_note.h); @prefix is that of the functions. */
void artifact_weights_put_json(const struct artifact_weights *weights, struct text *out);
void artifact_weights_put_summary(const struct artifact_weights *weights, struct text *out);
void artifact_weights_put_table(const struct artifact_weights *weights, const char *prefix,
                                struct text *out);
