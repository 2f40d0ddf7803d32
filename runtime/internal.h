/* The frame, for the files that are parts of it. */
#pragma once

#include "runtime/frame.h"

#include <pthread.h>

/*
 * Each allocation has a header in the bytes before the data, and all headers of a frame form one ring, so
 * that destroying the frame frees everything whatever happened in between.
 */
enum { INLAY_BLOCK_HEADER = 64, INLAY_BLOCK_GUARD = 64 };
struct inlay_block {
    struct inlay_block *prev, *next;
    struct inlay_block *left, *right; /* in the index of the frame */
    size_t bytes;                     /* of the data */
    size_t room : 62;                 /* of the whole block, as inlay_memory_take() gave it */
    size_t has_tensors : 1;           /* which come and go: their ends are not its own */
    size_t is_stacked : 1;     /* of the stack, while memory is checked: ends with it alone */
    struct inlay_block *below; /* on the stack */
};

/* --- stack.c: where a run's storage is taken that ends in the opposite order --- */
struct inlay_stack_chunk;
struct inlay_stack {
    char *base; /* of the chunk in use, or of the host's arena */
    size_t size, used;
    struct inlay_stack_chunk *chunk; /* NULL: the arena, or nothing */
};
/* It begins in the @bytes at @data, or (NULL) nowhere. */
void inlay_stack_init(struct inlay_stack *stack, void *data, size_t bytes);
void inlay_stack_finish(struct inlay_frame *frame);

/* --- frame.c --- */
/* The frame that has the memory of @frame, for this thread alone, until @frame is unlocked. */
struct inlay_frame *inlay_frame_lock(struct inlay_frame *frame);
void inlay_frame_unlock(struct inlay_frame *frame);

/* --- blocks.c: an index of blocks by address --- */
void inlay_blocks_add(struct inlay_block **root, struct inlay_block *block);
void inlay_blocks_remove(struct inlay_block **root, struct inlay_block *block);
/* The block whose data @data points into; NULL if there is none. */
struct inlay_block *inlay_blocks_find(struct inlay_block *root, const void *data);

/* --- watch.c: blocks of a frame that checks memory, which have INLAY_BLOCK_GUARD bytes behind them --- */
struct inlay_watch *inlay_watch_create(void); /* NULL when memory is short */
void inlay_watch_destroy(struct inlay_watch *watch);
/* A block that was just taken, or is about to be given back. */
void inlay_watch_block(struct inlay_block *block);
void inlay_watch_free(struct inlay_frame *owner, struct inlay_block *block);
void inlay_watch_unpoison(struct inlay_block *block); /* for whoever gets it next */

/* --- count.c: tensors in storage for several, which a run may be asked to count --- */
struct inlay_counted_tensor {
    const char *data;
    size_t bytes;
};
struct inlay_counted {
    struct inlay_counted_tensor *items; /* by address */
    size_t count, capacity;
};
/* A value of @bytes in a block of its own. */
void inlay_count(struct inlay_frame *owner, size_t bytes);
/* Storage for several is given back. */
void inlay_count_free(struct inlay_frame *owner, const char *data, size_t bytes);

/* --- tail.c: a loop of the graph, and what its next turn is given --- */
struct inlay_tail_room {
    void *data; /* NULL: none */
    size_t bytes;
};
struct inlay_tail {
    inlay_entry_fn *entry;
    struct inlay_value *args;
    int32_t count;
    uint32_t turn;
    struct inlay_tail_room rooms[2]; /* for arguments, in turns */
};

/* --- depth.c: is there room on the stack of the thread for one call more? --- */
bool inlay_has_stack(struct inlay_frame *frame);

struct inlay_frame {
    struct inlay_host host;
    struct inlay_watch *watch; /* NULL: memory is not checked */
    struct inlay_block blocks; /* head of the ring */
    struct inlay_block *index; /* the same by address, from the first inlay_release() on */
    bool is_indexed;
    struct inlay_stack stack;
    struct inlay_block *stacked; /* the last one taken, while memory is checked */
    struct inlay_tail *tail;     /* of the innermost loop of the graph */
    struct inlay_stats stats;
    struct inlay_counted counted;
    struct inlay_error error;
    unsigned depth;
    uintptr_t stack_limit; /* how low the stack of the thread may come; 0: not asked yet */
    /*
     * Of a thread's part of a parallel loop: the frame whose loop it is, which has the memory.  The part
     * has an error of its own.  NULL: a whole frame.
     */
    struct inlay_frame *whole;
    pthread_mutex_t lock; /* of a whole frame: what its parts share */
};
