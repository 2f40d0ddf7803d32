/*
 * What passes of a pipeline bind of an entry: nobody should have to say it twice.
 *
 * `run` needs the values of bound parameters and symbols all the same: the script is run as it was
 * read, too (--check), and a bound parameter may fix symbols of others.
 */
#pragma once

#include "driver/driver.h"
#include "io/file.h"

struct bound_tensor {
    const char *name, *file;
    struct inlay_tensor *tensor; /* NULL: taken */
};

struct bound_dim {
    const char *name;
    int64_t value;
};

struct bound {
    struct driver *driver;
    const struct ir_function *entry;
    struct arena arena;
    array(struct bound_tensor) tensors;
    array(struct bound_dim) dims;
    bool has_failed;
};

/* Reads what BindParams and BindSymbolicVars of @passes (NULL: none) bind of @entry; false after a report. */
bool bound_read(struct bound *bound, struct driver *driver, struct ir_module *module,
                const char *passes, const struct ir_function *entry);
void bound_finish(struct bound *bound);

/* Is @path a file that passes of @passes read?  True after a report. */
bool bound_reads(struct driver *driver, struct ir_module *module, const char *passes,
                 const char *path);
