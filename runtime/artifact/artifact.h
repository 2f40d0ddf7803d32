/*
 * The runtime of artifacts: compiled to LLVM bitcode when Inlay is built, linked into each module that
 * `inlay compile` writes, and made internal there.
 *
 * A frame lies on the stack of the call, memory is the caller's arena, an error is a number and, for who
 * gives room for it, a text.  Nothing is global, nothing allocates, prints or ends the process.
 */
#pragma once

#include "runtime/check.h"

enum { INLAY_ARTIFACT_ABI = 1 }; /* of the headers that are generated */

/* What an emitted function reserves for a frame on its stack. */
enum { INLAY_ARTIFACT_FRAME = 128, INLAY_ARTIFACT_ALIGN = 64 };

/* The generated headers declare it as struct inlay_run_error. */
struct inlay_artifact_error {
    int32_t kind;         /* enum inlay_error_kind */
    uint32_t line;        /* of the script; 0: none */
    uint64_t arena_bytes; /* that the call needs, as far as it came to that */
    char message[496];
};

/* Without an arena; @error may be NULL. */
void inlay_artifact_open(struct inlay_frame *frame, struct inlay_artifact_error *error);
/* Gives @arena, which has @room, to a run that needs @bytes (negative: more than can be counted). */
int32_t inlay_artifact_arena(struct inlay_frame *frame, void *arena, int64_t room, int64_t bytes);
/* The bytes that the storage of argument i holds, as the function demands; see inlay_host. */
void inlay_artifact_rooms(struct inlay_frame *frame, const size_t *argument_bytes);

/*
 * Tensors from outside as the values that @expected describes: numbers lie in tensors of rank 0, shapes in
 * tensors of int64 of rank 1, which get a place in @shapes.
 */
int32_t inlay_artifact_values(struct inlay_frame *frame, const char *function,
                              const struct inlay_expected *expected, int32_t expected_count,
                              struct inlay_tensor *const *args, int32_t arg_count,
                              struct inlay_value *values, struct inlay_shape *shapes);
/* The same for a function that takes tensors only. */
int32_t inlay_artifact_tensors(struct inlay_frame *frame, const char *function,
                               const struct inlay_expected *expected, int32_t expected_count,
                               struct inlay_tensor *const *args, int32_t arg_count,
                               struct inlay_value *values);
/* inlay_check_arguments() for the call that is about to be made, which then does not ask again. */
int32_t inlay_artifact_check(struct inlay_frame *frame, uint32_t line, const char *function,
                             const struct inlay_expected *expected, int32_t expected_count,
                             const struct inlay_value *args, int32_t arg_count);
/* Room from outside (or the giver, see giver.h) for results whose @wanted tensors lack data; they get it. */
int32_t inlay_artifact_results(struct inlay_frame *frame, const char *function,
                               struct inlay_value *wanted, int32_t wanted_count,
                               struct inlay_tensor *const *given, int32_t given_count);
/* @given is where result @index goes, which is like @wanted; that one gets the data. */
int32_t inlay_artifact_place(struct inlay_frame *frame, const char *function, int32_t index,
                             struct inlay_tensor *wanted, const struct inlay_value *given);
/* No result may lie where an argument or another result does. */
int32_t inlay_artifact_apart(struct inlay_frame *frame, const char *function,
                             const struct inlay_value *args, int32_t arg_count,
                             const struct inlay_value *results, int32_t result_count);
/* What a door returns: 0, or the line of the script times 16 plus enum inlay_error_kind. */
int32_t inlay_artifact_status(const struct inlay_frame *frame);
/* The same as text: exported under the name of the artifact. */
const char *inlay_artifact_message(int32_t status, char *buffer, size_t size, const char *script);

/* Of artifacts for several levels of a processor (levels.c): the place of the one to use; -1 with the error set. */
int32_t inlay_artifact_level(struct inlay_frame *frame);
/* Exported under the name of the artifact: 0, or INLAY_ERROR_PROCESSOR. NULL: what this machine has most of. */
int32_t inlay_artifact_use_cpu(const char *name);
const char *inlay_artifact_cpu(void); /* NULL: none of them can be used */

/*
 * Pieces of loops: piece(state, i) for each i below @count, on threads of the host, if it has told of some, or of
 * the artifact.  hosted.c or threads.c is linked.
 */
typedef void inlay_piece_fn(void *state, int32_t index);
enum { INLAY_ARTIFACT_PIECES = 32 };
int32_t inlay_artifact_pieces(void); /* that are worth having; below 2: there are no threads */
void inlay_artifact_parallel(inlay_piece_fn *piece, void *state, int32_t count);
/* The header says what it does. */
__attribute__((weak)) void inlay_host_parallel(inlay_piece_fn *piece, void *state, int32_t count);
