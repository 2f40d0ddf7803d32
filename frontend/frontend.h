/* Text or model file to module. */
#pragma once

#include "base/diag.h"
#include "base/source.h"
#include "ir/module.h"

/*
 * Parses TVMScript (both dialect families) into a new module of @context: names resolved, in ANF,
 * types inferred, not yet verified (ir_verify).  NULL after reports (at most DIAG_ERROR_LIMIT).
 * @source must outlive the module.
 */
struct ir_module *frontend_parse(struct ir_context *context, struct diag *diag,
                                 const struct source *source);

/* Does @text, of so many bytes, look like a script at all, and not like other Python? */
bool frontend_is_script(const char *text, size_t length);

/* A value for a constant of the file (`N = 16`) in place of the file's: a number, True, False or a string. */
struct frontend_define {
    const char *name, *value;
};
/* Warns of what @function, which is read in parts only, says in front of @until, the end of the line of its first error. */
typedef void frontend_doubt_fn(struct ir_function *function, uint32_t until, struct diag *diag);

struct frontend_options {
    const struct frontend_define *defines; /* a name that is no constant of the file is an error */
    size_t define_count;
    frontend_doubt_fn *doubt; /* or NULL */
};
/* The same with options, the caller's. */
struct ir_module *frontend_parse_with(struct ir_context *context, struct diag *diag,
                                      const struct source *source,
                                      const struct frontend_options *options);

/* A model file in memory, and the files beside it. */
struct frontend_model {
    const char *name; /* as the user gave it */
    const void *bytes;
    size_t size;
    bool stays;  /* the bytes do, as long as the context */
    void *state; /* of both: */
    /*
     * @size bytes from @offset on of the file @path, which the model names; they stay as long as the context.
     * NULL with a sentence in *@out_why.  The function may be NULL: there are no files.
     */
    const void *(*open_beside)(void *state, const char *path, uint64_t offset, uint64_t size,
                               const char **out_why);
    /* Bytes of the model that are not read again; may be NULL. */
    void (*forget)(void *state, const void *bytes, size_t size);
};

/* Reads an ONNX model (opsets 6 to 28) into a new module of @context, not yet verified; NULL after reports. */
struct ir_module *frontend_import(struct ir_context *context, struct diag *diag,
                                  const struct frontend_model *model);
