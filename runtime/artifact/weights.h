/*
 * Weights that lie in a file beside an artifact: opened (mapped read-only, not copied) or given by the host as
 * the bytes of the file, held against what the artifact was made with, and used by any number of calls.
 *
 * Checked then are size, place and the head of the file, which has the names, shapes and hashes of all tensors;
 * the elements are not read.  `inlay verify` reads them.
 */
#pragma once

#include "runtime/artifact/artifact.h"

/* The generated headers declare it as struct inlay_weights. */
struct inlay_weights {
    const void *file; /* all of its bytes; NULL: none */
    uint64_t bytes;
    uint64_t identity;  /* of the artifact that they are for */
    uint64_t is_mapped; /* by open */
};

/* What an artifact wants: a constant in it. */
struct inlay_weights_wanted {
    const char *name; /* of the file, without its folder */
    uint64_t bytes;
    uint64_t head;     /* bytes in front of the elements */
    uint64_t identity; /* the hash of these */
};

/* All return 0, or -1 with the error set. */
int32_t inlay_weights_open(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                           struct inlay_weights *weights, const char *path);
/* @file are the bytes of the file, which stay where they are. */
int32_t inlay_weights_use(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                          struct inlay_weights *weights, const void *file, size_t bytes);
void inlay_weights_close(struct inlay_weights *weights);
/* Lets the run use @weights. */
int32_t inlay_weights_bind(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                           const struct inlay_weights *weights);

/*
 * For callers that cannot say where the file is: it is beside what @opened lies in (a library, a program) and
 * is opened once, whoever comes first.  *@opened is NULL until then.
 */
int32_t inlay_weights_find(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                           const void **opened);

/* The first element of the run's weights. */
const void *inlay_weights_base(const struct inlay_frame *frame);
void inlay_weights_set_base(struct inlay_frame *frame, const void *base); /* (frame.c) */
