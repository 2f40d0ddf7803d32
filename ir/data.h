/*
 * The bytes of constants: shared by all modules of a context, equal ones kept once.
 *
 * Weights of hundreds of megabytes are neither copied with a module nor printed each time it is looked at:
 * a module is cloned by pointers, and text may name large data instead of showing them
 * (ir_print_options.refers_above).  Data live as long as the context.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ir_context;

struct ir_data {
    const void *bytes; /* aligned to 64 if the context made them */
    size_t size;
    uint64_t hash;        /* of the bytes; meaningful once name is known */
    const char *name;     /* atom, by which text refers to it; NULL: nobody asked yet */
    struct ir_data *next; /* of one hash */
};

/* In the JSON of a module, in front of the name: then only the header of the tensor follows. */
#define IR_DATA_PREFIX "inlay:"

typedef void ir_data_release_fn(void *state);

/* A copy of @size bytes at @bytes (NULL: zeros), or equal data that are there already. */
const struct ir_data *ir_data_copy(struct ir_context *context, const void *bytes, size_t size);

/* Takes @bytes over as they are; @release is called with @state when the context is destroyed. */
const struct ir_data *ir_data_take(struct ir_context *context, const void *bytes, size_t size,
                                   ir_data_release_fn *release, void *state);

/* The name of @data, the same in each run: its hash, and a number where two of one hash differ. */
const char *ir_data_name(struct ir_context *context, const struct ir_data *data);

/* What has been named @name (any text), or NULL. */
const struct ir_data *ir_data_find(struct ir_context *context, const char *name);

/* Lets @data, which came from a file, be found by @name; false if its hash does not begin that name. */
bool ir_data_set_name(struct ir_context *context, const struct ir_data *data, const char *name);
