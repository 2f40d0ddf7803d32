/*
 * Files of tensors: .npy, .npz and .safetensors in, .npy and .npz out.
 *
 * Nothing in a file is believed: sizes are checked against the bytes that are there before memory is
 * asked for, and what is out of scope is refused by name.  Failures are sentences without the name of
 * the file, which the caller puts in front.
 */
#pragma once

#include "runtime/tensor.h"

#include <stddef.h>
#include <stdio.h>

struct inlay_message {
    char text[512];
};

/* Sets @message and returns false. */
bool inlay_message_set(struct inlay_message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Where bytes come from: a file, a member of an archive, memory. */
struct inlay_reader {
    void *state;
    uint64_t size; /* bytes in all; a read past it is an error */
    /* Reads exactly @length bytes, else sets @message and returns false. */
    bool (*read)(struct inlay_reader *reader, void *out, size_t length,
                 struct inlay_message *message);
};
struct inlay_memory_reader {
    struct inlay_reader reader;
    const char *bytes;
    uint64_t position;
};
void inlay_memory_reader_init(struct inlay_memory_reader *memory, const void *bytes, size_t size);

/* Who wants to know which files this thread reads while it is in use: what comes of them depends on them. */
struct inlay_file_watch {
    void (*note)(void *state, const char *path);
    void *state;
};
/* Returns the watch that was in use; NULL: none. */
struct inlay_file_watch *inlay_file_watch_use(struct inlay_file_watch *watch);
/* Said by whoever opens a file otherwise than by inlay_file_open(). */
void inlay_file_note(const char *path);

/* A regular file opened for reading; NULL after setting @message. */
FILE *inlay_file_open(const char *path, uint64_t *out_size, struct inlay_message *message);
void inlay_file_reader_init(struct inlay_reader *reader, FILE *file, uint64_t size);

/* NumPy's .npy, versions 1 to 3.  NULL after setting @message. */
struct inlay_tensor *inlay_npy_decode(struct inlay_reader *reader, struct inlay_message *message);
struct inlay_tensor *inlay_npy_read(const char *path, struct inlay_message *message);
/* The header that stands in front of the elements: magic, version, literal, padded to 64 bytes. */
size_t inlay_npy_header(const struct inlay_tensor *tensor, char *out, size_t size);

/* The array @key ("x" finds "x.npy" too) of an .npz; @key NULL: the only one. */
struct inlay_tensor *inlay_npz_read(const char *path, const char *key,
                                    struct inlay_message *message);
/* The tensor @key of a .safetensors file. */
struct inlay_tensor *inlay_safetensors_read(const char *path, const char *key,
                                            struct inlay_message *message);

/* What the format calls @dtype; NULL: it has no name for it. */
const char *inlay_safetensors_dtype(struct inlay_dtype dtype);

/*
 * All tensors of a file, in its order, each under its key (without ".npy"); not what only pads weights of ours.  @visit takes the tensor
 * over and returns false to stop.  False after setting @message, or when @visit stopped.
 */
typedef bool inlay_tensor_visit_fn(void *state, const char *key, struct inlay_tensor *tensor);
bool inlay_npz_read_all(const char *path, inlay_tensor_visit_fn *visit, void *state,
                        struct inlay_message *message);
bool inlay_safetensors_read_all(const char *path, inlay_tensor_visit_fn *visit, void *state,
                                struct inlay_message *message);

/*
 * The same with tensors that lie in the file itself, mapped, as far as its place suits their elements: they
 * may be written to (the file is not), and none may be used once *@out_mapping is released.  That is there
 * after a failure, too, unless it is NULL.
 */
struct inlay_mapping {
    void *bytes;
    size_t size;
};
bool inlay_safetensors_map_all(const char *path, inlay_tensor_visit_fn *visit, void *state,
                               struct inlay_mapping **out_mapping, struct inlay_message *message);
void inlay_mapping_release(struct inlay_mapping *mapping); /* accepts NULL */

/*
 * Writers replace @path at once, when all is written; on failure it is as it was.  Tensors must be
 * compact.
 */
bool inlay_npy_write(const char *path, const struct inlay_tensor *tensor,
                     struct inlay_message *message);
bool inlay_npz_write(const char *path, const char *const *keys,
                     const struct inlay_tensor *const *tensors, size_t count,
                     struct inlay_message *message);

/* A file that takes the place of @path when it is complete. */
struct inlay_output {
    FILE *file;
    char *path, *temporary; /* temporary NULL: @path is no regular file and is written directly */
};
bool inlay_output_open(struct inlay_output *output, const char *path,
                       struct inlay_message *message);
bool inlay_output_commit(struct inlay_output *output, struct inlay_message *message);
void inlay_output_abandon(struct inlay_output *output);
