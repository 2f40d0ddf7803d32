/*
 * The arguments of an entry, from the driver's options.
 *
 * Parameters are taken apart into leaves, named x or, in tuples, t.0; each gets a value by its spec, or
 * what a pass binds it to, or a random one.  Symbols get theirs from the options, from the shapes of given
 * tensors, from scalars and from what a pass binds them to.
 */
#pragma once

#include "driver/bound.h"
#include "io/file.h"
#include "ir/module.h"

enum input_source {
    INPUT_RANDOM,
    INPUT_ZEROS,
    INPUT_ONES,
    INPUT_IOTA,
    INPUT_GIVEN, /* a tensor: from a file, or written out */
    INPUT_SCALAR,
    INPUT_DIMS, /* a shape parameter: the dims alone */
};

/* What SPEC says. */
struct input_spec {
    enum input_source source;
    bool has_seed, has_shape;
    uint64_t seed;
    const char *low,
        *high; /* RANDOM: from low on, below high, as texts with a length each; NULL: as usual */
    size_t low_length, high_length;
    array(int64_t) shape;
    struct inlay_tensor *tensor; /* GIVEN */
    const char *text;            /* SCALAR: the number */
};

struct input {
    const char *name; /* of the leaf */
    const struct ir_type *type;
    const struct ir_value *param; /* that it is a part of */
    const char *spec_text;        /* NULL: not given */
    struct input_spec spec;
    struct inlay_tensor *tensor;
    size_t room; /* bytes of its storage, if it may grow where it is; else 0 */
    struct inlay_shape shape;
    struct inlay_value value;
};

struct input_maker {
    const char *who;
    struct location place;
};

struct inputs {
    struct ir_context *context;
    struct diag *diag;
    struct ir_function *function;
    array(struct input) items;
    array(struct inlay_value) values; /* as the entry takes them */
    array(size_t) rooms;              /* of these: bytes of storage, where more than elements */
    struct ir_bindings dims;
    array(struct input_maker) makers; /* of each of dims: who fixed it */
    struct arena arena;
};

/* Fills @inputs for @function, with tensors of @bound where that is asked for; false after a report. */
bool inputs_make(struct inputs *inputs, struct bound *bound, struct driver *driver,
                 struct ir_function *function);
void inputs_finish(struct inputs *inputs);

/* Makes the value of a spec: NULL after setting @out_why, a sentence. */
bool spec_parse(const char *text, struct input_spec *out, struct inlay_message *out_why);
void spec_finish(struct input_spec *spec);
/* Reads "5", "-1.5", "true" as an element of @dtype into @data; false if it is none. */
bool spec_element(const char *text, size_t length, struct inlay_dtype dtype, void *data,
                  int64_t index);
/* Fills @tensor with random numbers, 0, 1 or 0, 1, 2, ...; false, and *@out_why, a sentence, if its dtype has no
 * such numbers. */
bool spec_fill(struct inlay_tensor *tensor, const struct input_spec *spec, uint64_t seed,
               struct inlay_message *out_why);
