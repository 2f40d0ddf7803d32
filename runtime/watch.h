/*
 * Which value owns which bytes of a run, for a run that checks its memory (inlay_host.checks_memory).
 *
 * Compiled code that was made for it tells of every op what it reads, and of every result which bytes
 * it takes.  It is known here by addresses alone, from what really happens: nothing of what passes and
 * checkers have worked out is used.  So a read finds out that
 *
 *   - other values have taken over bytes of the value since it was written, or that its storage was given
 *     back: bytes have an *owner*;
 *   - somebody wrote there who had no business to: what is owned has a checksum.
 *
 * Storage that is taken or given back is filled with bytes of all ones, which are NaN as floats; around
 * each block stand guard bytes.
 *
 * An owner is a positive number; 0: not known, which is never an error.  All functions but
 * inlay_watch_owner() return -1 with the error (INLAY_ERROR_OWNER) set if something is wrong, and do
 * nothing in a frame that does not check.  Texts must outlive the run.
 */
#pragma once

#include "runtime/frame.h"

/* The bytes were written and belong to @value from here on: the owner.  They must not be those of an
 * argument that is only borrowed, or of a constant. */
int32_t inlay_watch_write(struct inlay_frame *frame, const void *data, int64_t bytes,
                          const char *value, uint32_t line);
/* May @writer write there? */
int32_t inlay_watch_ask(struct inlay_frame *frame, const void *data, int64_t bytes,
                        const char *writer, uint32_t line);
/* @reader reads @value, which must still own the bytes, as they were left. */
int32_t inlay_watch_read(struct inlay_frame *frame, const void *data, int64_t bytes, int32_t owner,
                         const char *value, const char *reader, uint32_t line);
/* Who owns the bytes: one owner, or 0. */
int32_t inlay_watch_owner(const struct inlay_frame *frame, const void *data, int64_t bytes);
/* What stands there may have been changed, for all to see who own it; nobody may change what is borrowed. */
void inlay_watch_change(struct inlay_frame *frame, const void *data, int64_t bytes);
/* An argument (or a constant) of a function: the owner, a new one if the call comes from outside. */
int32_t inlay_watch_given(struct inlay_frame *frame, const void *data, int64_t bytes,
                          const char *value, int32_t is_donated, uint32_t line);
/* The storage of argument @owner, from its first byte on, has so many bytes: all of them are its own. */
int32_t inlay_watch_room(struct inlay_frame *frame, const void *data, int64_t bytes, int32_t owner);
/* No name of what lies there is read any more. */
int32_t inlay_watch_end(struct inlay_frame *frame, void *data, int64_t bytes, const char *value,
                        uint32_t line);
/* Behind @op: are the guard bytes whole? */
int32_t inlay_watch_guards(struct inlay_frame *frame, const char *op, uint32_t line);
/* A function returns; for a call from outside: is what was only borrowed as it was? */
int32_t inlay_watch_leave(struct inlay_frame *frame, const char *function, uint32_t line);
