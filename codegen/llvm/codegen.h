/*
 * Native code through LLVM.  The only folder that sees LLVM; it is built as a module of its own
 * (inlay-llvm.so) that is loaded when code is first generated, because linking LLVM makes every
 * start 15 ms and 50 MiB heavier.  Its one exported symbol is codegen_api().
 */
#pragma once

#include "base/diag.h"
#include "base/guard.h"
#include "base/target.h"
#include "include/inlay/abi.h"
#include "ir/module.h"

struct codegen_options {
    unsigned opt_level;    /* 0 to 3 */
    bool debug_info;       /* lines of the script, for gdb */
    bool counts_memory;    /* runs tell what lives in storage for several tensors */
    bool checks_memory;    /* runs tell whose storage they read and write: runtime/watch.h */
    struct target target;  /* that code is made for; vector_bytes 0: this machine */
    struct guard *guard;   /* of the caller (guard_now()), which works here too; or NULL */
    const char *dump_llvm; /* not NULL: the module's LLVM text goes to this file, "-" for stderr */
};

struct codegen;

/*
 * The module must be verified, lowered and resolved (inplace_check_resolved).  All functions return
 * false or NULL after reporting to @diag.
 */
struct codegen_api {
    unsigned version; /* CODEGEN_API_VERSION */
    struct codegen *(*create)(struct diag *diag, const struct codegen_options *options);
    void (*destroy)(struct codegen *codegen);
    /* Compiles @module to one object in memory. */
    bool (*compile)(struct codegen *codegen, struct ir_module *module);
    /* Writes the object, assembly or LLVM text. */
    bool (*write)(struct codegen *codegen, const char *path, const char *kind);
    /* Loads the object into this process and finds a graph function by its name. */
    inlay_entry_fn *(*find)(struct codegen *codegen, const char *name);
};

enum { CODEGEN_API_VERSION = 5 };

typedef const struct codegen_api *codegen_api_fn(void);
codegen_api_fn codegen_api;
