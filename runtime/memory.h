/*
 * Blocks of memory that runs leave to the next run.
 *
 * Fresh pages cost about ten times as much as the loop that fills them, so a host that runs a program
 * again and again keeps what the last run freed.  A block goes to a request of nearly its size; what is kept is
 * never more than what was once in use at the same time.  One thread at a time.
 */
#pragma once

#include <stddef.h>

struct inlay_memory;

struct inlay_memory *inlay_memory_create(void); /* NULL when memory is short */
void inlay_memory_destroy(struct inlay_memory *memory);

/*
 * At least @bytes (a multiple of 64, not 0), 64-byte aligned; *@out_bytes is what there really is.
 * @memory may be NULL.  NULL when memory is short.
 */
void *inlay_memory_take(struct inlay_memory *memory, size_t bytes, size_t *out_bytes);
/* Gives back what was taken, with the size that came out. */
void inlay_memory_give(struct inlay_memory *memory, void *block, size_t bytes);

/*
 * Asks for pages of 2 MiB below @block, which nobody has touched yet, if it is so large: one fault instead of 512, and what reads it in
 * order does not wait at the end of each small page (weights of a decoder: 18 GB/s, with it 31).  A wish: where the system
 * refuses, all is as before.
 */
void inlay_memory_advise(void *block, size_t bytes);
