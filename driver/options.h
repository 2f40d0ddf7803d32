/* What a user of the driver may choose; the command line fills it from its options. */
#pragma once

#include "analysis/inplace.h"
#include "base/array.h"
#include "frontend/frontend.h"

#include <stdint.h>

struct driver_input {
    const char *name, *spec; /* x, "4x8:random": see inputs.h */
};

/* What becomes of what could be in place and is not. */
enum driver_missed { DRIVER_MISSED_SILENT, DRIVER_MISSED_WARNING, DRIVER_MISSED_ERROR };

/* What artifacts are held against; AUTO: the interpreter where it does not take long. */
enum driver_oracle { DRIVER_ORACLE_AUTO, DRIVER_ORACLE_INTERPRETER, DRIVER_ORACLE_COMPILED };

struct driver_dim {
    const char *name;
    int64_t value;
};

/* Zeroed: nothing chosen.  What it points at is the caller's and outlives the driver. */
struct driver_options {
    const char *entry;  /* the function to run; NULL: `main`, or the only public one */
    const char *passes; /* NULL: the pipeline `default` */
    enum inplace_mode inplace;
    const char
        *require_inplace; /* names with commas between, "*": all; NULL: nothing is required */
    enum driver_missed missed;
    double plan_seconds;   /* to search for plans of memory, at most */
    bool has_plan_seconds; /* else as PlanMemory says */
    int64_t max_arena;     /* bytes that a run may hold at once, if */
    bool has_max_arena;
    bool judges_arena_later;  /* who asked measures by itself; passes go by the limit */
    unsigned opt_level;       /* of code generation, 0 to 3 */
    const char *machine;      /* of base/target.def; NULL: this machine */
    const char *cpu;          /* likewise; NULL: this machine's, or the first of its kind */
    const char *features;     /* "+v,-avx2": added and taken away; or NULL */
    unsigned vector_bytes;    /* that vectors have at most; 0: as the machine has them */
    unsigned threads;         /* 0: one for each core that may be used */
    unsigned compile_threads; /* 0: as threads */
    const char *cache;        /* folder of compiled objects (object_cache.h); NULL: none */
    uint64_t cache_bytes;     /* that it may have */
    bool counts_memory;       /* what of it values need: run_cost.lower_bound_bytes */
    bool checks_memory;       /* runs of compiled code, while they go on: runtime/watch.h */
    enum driver_oracle oracle;
    double tolerance; /* of comparisons of floats; 0: by dtype */
    const char *dump_llvm;
    const char *code_generator; /* path of inlay-llvm.so; NULL: see llvm_library.h */
    array(struct driver_input) inputs;
    array(struct driver_dim) dims;
    array(struct frontend_define) defines;        /* of constants of the script */
    array(const char *) libraries;                /* with packed functions */
    void (*print)(void *state, const char *line); /* of R.print, without newline; NULL: dropped */
    void *print_state;
};

/* Frees the arrays. */
void driver_options_finish(struct driver_options *options);
