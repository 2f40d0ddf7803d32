/*
 * The way of a program, from text to a call, as functions: what the subcommands are made of, and what
 * a program that embeds the compiler would call.  Prints nothing, exits never; all messages are in
 * the driver's diag.
 */
#pragma once

#include "analysis/inplace.h"
#include "base/diag.h"
#include "codegen/llvm/codegen.h"
#include "driver/options.h"
#include "frontend/names.h"
#include "ir/module.h"
#include "passes/pass.h"

/* A file in memory. */
struct driver_mapping {
    const char *name;
    void *bytes;
    size_t size, mapped;
};

struct driver {
    const struct driver_options *options;
    struct ir_context *context;
    struct diag *diag;
    struct arena arena;                    /* sources */
    const char *dims;                      /* of the options: "n=4,m=8" */
    struct target target;                  /* as far as the options allow */
    bool has_target;                       /* false: they name one that does not exist */
    char unknown_feature[64];              /* then: the feature that does not exist, or empty */
    array(struct ir_module *) retired;     /* modules that a round trip replaced */
    array(struct driver_mapping) mappings; /* of models, see model.c */
    void *codegen_library;
    const struct codegen_api *codegen_api; /* loaded with the first compilation */
    struct codegen *codegen;
    struct remarks *remarks; /* passes and code generation record there; NULL: nobody asks */
};

struct driver *driver_create(const struct driver_options *options);
void driver_destroy(struct driver *driver); /* modules must be destroyed before */
/*
 * When no module is left: the types, sizes and proofs that those had made go, too.  Sources and messages stay,
 * for who was told of them.
 */
void driver_forget(struct driver *driver);
/* Of a driver whose guard was left: closes what is no memory. */
void driver_drop(struct driver *driver);

/* A file as a source ("-": standard input), a model's too; NULL after a report. */
const struct source *driver_read(struct driver *driver, const char *path);

/* Text as a source; NULL after a report. */
const struct source *driver_source(struct driver *driver, const char *name, const char *text,
                                   size_t length);

/* Parses, or reads the model, by the suffix of its name, and verifies; NULL after a report. */
struct ir_module *driver_parse(struct driver *driver, const struct source *source);
/* The same of a script for an editor: frontend_parse_partly(), and what is wrong with what is left. */
struct ir_module *driver_parse_partly(struct driver *driver, const struct source *source,
                                      struct frontend_names *names, bool *out_is_whole);
/* What `check` says of *@module besides: warnings, the rules of in-place calls, and, of a @is_whole one, what cannot be compiled.
 * Changes it. */
void driver_lint(struct driver *driver, struct ir_module **module, bool is_whole);
/* All that `check` says of @source. */
void driver_check(struct driver *driver, const struct source *source);
/* Those of them that tell of results which are other numbers in each run: for who is about to run or compile it. */
void driver_warn_of_numbers(struct driver *driver, struct ir_module *module);

/*
 * Runs @pipeline on *@module, which is verified behind each pass that changes it; a round trip replaces
 * the module, and the driver keeps the old one alive.  The decisions go to @decisions unless that is NULL.  What @watch needs to read, save and
 * reparse is filled in here; NULL watches nothing.  False after a report.
 */
bool driver_run_passes(struct driver *driver, struct ir_module **module, const char *pipeline,
                       enum inplace_mode mode, struct inplace_decisions *decisions,
                       const struct pass_watch *watch);

/* pass_visit_pipeline() of @pipeline for @module. */
bool driver_visit_passes(struct driver *driver, struct ir_module *module, const char *pipeline,
                         void (*visit)(void *state, const struct pass_info *pass,
                                       const struct ir_attr *options),
                         void *state);

/*
 * A copy of @module for the interpreter, which says where each value ends: results in place are values of
 * their own there.  The caller destroys it.
 */
struct ir_module *driver_interpreted(struct driver *driver, const struct ir_module *module);

/*
 * Compiles a lowered and resolved module and loads it; false after a report.  What it does not say about
 * memory is written into it before.  Its functions are found by name and stay until the driver goes.
 */
bool driver_compile(struct driver *driver, struct ir_module *module,
                    const struct codegen_options *options);
/* The same with the code at *@code, which is freed if there is any; it may be there after an error. */
bool driver_make_code(struct driver *driver, struct ir_module *module,
                      const struct codegen_options *options, struct codegen **code);
void driver_free_code(struct driver *driver, struct codegen **code);
/* What compiles; false after a report. */
bool driver_load_code_generator(struct driver *driver);
/* Code that was compiled before, in the place of driver_compile(). */
bool driver_load(struct driver *driver, const struct codegen_object *object,
                 const struct codegen_options *options);
inlay_entry_fn *driver_find(struct driver *driver, const char *name);
