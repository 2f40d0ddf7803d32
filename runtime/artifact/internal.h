/* The frame of a run in an artifact: frame.c and loop.c. */
#pragma once

#include "runtime/artifact/artifact.h"

struct inlay_loop;

struct inlay_frame {
    char *base;
    uint64_t room;
    uint64_t top;                       /* of the stack, which begins at the base */
    uint64_t kept;                      /* at the other end: what stays until the run has ended */
    struct inlay_artifact_error *error; /* or NULL */
    const size_t *argument_bytes;
    struct inlay_artifact_giver *giver; /* or NULL */
    const void *weights;                /* the first element, or NULL */
    int32_t kind;
    uint32_t line;
    uint32_t depth;
    bool is_checked;           /* the arguments of the call from outside */
    char lock;                 /* of what the pieces of a loop tell */
    struct inlay_loop *loop;   /* of the graph, the innermost one; or NULL */
    struct inlay_frame *whole; /* of a piece; NULL: this is no piece */
    int64_t at;                /* the first iteration of the piece, or of the one that failed */
};
_Static_assert(sizeof(struct inlay_frame) <= INLAY_ARTIFACT_FRAME,
               "emitted code makes room for it");

/* In front of what a turn of a loop takes from the other end of the arena; as large as the alignment. */
struct inlay_piece_head {
    _Alignas(INLAY_ARTIFACT_ALIGN) uint64_t bytes; /* with the head */
    struct inlay_piece_head *below; /* while pieces move: the one that was taken later */
};
