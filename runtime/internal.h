/* The frame, for the files that are parts of it. */
#pragma once

#include "runtime/frame.h"

#include <pthread.h>

struct inlay_block {
    struct inlay_block *prev, *next;
    size_t bytes; /* of the data */
    size_t room;  /* of the whole block, as inlay_memory_take() gave it */
};

struct inlay_frame {
    struct inlay_host host;
    struct inlay_block blocks; /* head of the ring */
    struct inlay_stats stats;
    struct inlay_error error;
    unsigned depth;
    /*
     * Of a thread's part of a parallel loop: the frame whose loop it is, which has the memory.  The part
     * has an error of its own.  NULL: a whole frame.
     */
    struct inlay_frame *whole;
    pthread_mutex_t lock; /* of a whole frame: what its parts share */
};
