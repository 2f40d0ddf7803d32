/*
 * Memory that the door of tvm-ffi takes for results and arenas, by aligned_alloc() of libc.  Large blocks are kept when
 * they are given back: fresh pages cost a small model more than its kernels do.  What is kept and what is in use are
 * together at most what was once in use at the same time; all of it is freed when the library is closed.  From any
 * thread, without locks.
 */
#pragma once

#include <stddef.h>

/* @bytes, aligned to 64; NULL: there is no memory, or no libc. */
void *inlay_block_take(size_t bytes);
/* Ends @block, which may be NULL. */
void inlay_block_give(void *block);
