/*
 * Native code through LLVM.  The only folder that sees LLVM; it is built as a module of its own
 * (inlay-llvm.so) that is loaded when code is first generated, because linking LLVM makes every
 * start 15 ms and 50 MiB heavier.  Its one exported symbol is codegen_api().
 */
#pragma once

#include "analysis/remark.h"
#include "base/diag.h"
#include "base/digest.h"
#include "base/guard.h"
#include "base/map.h"
#include "base/target.h"
#include "include/inlay/abi.h"
#include "ir/module.h"

struct codegen_options {
    unsigned opt_level;    /* 0 to 3 */
    bool debug_info;       /* lines of the script, for gdb */
    bool counts_memory;    /* runs tell what lives in storage for several tensors */
    bool checks_memory;    /* runs tell whose storage they read and write: runtime/watch.h */
    bool profiles;         /* runs tell what each call of a kernel took: runtime/profile.h */
    bool keeps_assembly;   /* objects are made of assembly, which text() then has */
    struct target target;  /* that code is made for; vector_bytes 0: this machine */
    struct guard *guard;   /* of the caller (guard_now()), which works here too; or NULL */
    const char *dump_llvm; /* not NULL: the module's LLVM text goes to this file, "-" for stderr */
    bool is_artifact;      /* compile() only accepts the module, and emit() follows */
    unsigned compile_threads; /* at most, and they end with the call; 0: one for each usable core */
    const char *cache;    /* folder of objects that were compiled before (base/store.h), or NULL */
    uint64_t cache_bytes; /* that they may have */
    /* What became of loops goes there, and compile() makes nothing else; NULL: nobody asks. */
    struct remarks *remarks;
};

/* One parameter of an entry in C; those that belong to a leaf of the parameters come in their order. */
enum codegen_param_kind {
    CODEGEN_DATA,   /* elements of a tensor; of a shape whose dims no symbol says: these */
    CODEGEN_SHAPE,  /* dims of the tensor in front, which no symbol says */
    CODEGEN_NUMBER, /* by value */
    CODEGEN_RESULT, /* room for a leaf of the result */
    CODEGEN_SYMBOL, /* int64 */
    CODEGEN_WEIGHTS,
    CODEGEN_ARENA,
};
struct codegen_param {
    enum codegen_param_kind kind;
    unsigned leaf; /* of the parameters or of the result */
    const struct ir_type *type;
    const struct ir_var *symbol; /* of a symbol, and of a number that dims are computed of */
    bool is_size;                /* the size of the arena depends on it */
};

/*
 * A public function as C sees it.  Exported are
 *
 *   int32_t NAME(params ..)                         memory from the caller, sizes believed
 *   int32_t NAME_dl(args, rooms, count, results, count, arena, bytes, error)  all checked
 *   size_t NAME_arena_bytes(those that it depends on ..)      SIZE_MAX: more than can be counted
 */
struct codegen_door {
    const char *name;
    struct ir_function *function;
    const struct codegen_param *params;
    size_t param_count;
    const struct ir_expr *need; /* bytes of the arena, in the symbols */
};
/*
 * Constants that lie in a file beside the artifact.  Exported are then
 *
 *   int32_t PREFIX_open(weights, path, error)      (where hosts have files)
 *   int32_t PREFIX_use(weights, file, bytes, error)
 *   void PREFIX_close(weights)
 *
 * and NAME_dl() takes the weights in front of the arena, as NAME() does (CODEGEN_WEIGHTS).
 */
struct codegen_weights {
    const char *prefix, *file;      /* the name of the file, without its folder */
    uint64_t bytes, head, identity; /* see runtime/artifact/weights.h */
    /* struct ir_constant -> its place behind the head, + 1, as a pointer; others are inside */
    const struct map *places;
};
/* One of several levels of a processor that an artifact is made for: code by what the target has, for its cpu. */
struct codegen_level {
    struct target target;
    struct ir_module *module; /* compile() has accepted it */
    unsigned number;          /* as the ABI of the machine counts them */
};
/* What a call through the doors of a function takes of the stack of its thread, at most. */
struct codegen_stack {
    int64_t bytes;     /* -1: there is no bound */
    char largest[128]; /* the function with the largest frame on the deepest path, its symbol */
    int64_t largest_bytes;
};
struct codegen_artifact {
    const struct codegen_door *doors;
    size_t door_count;
    struct codegen_stack *stacks; /* by door: filled in when an object is emitted */
    const char *
        message_name; /* const char *NAME(int32_t status, char *buffer, size_t size); NULL: it is elsewhere */
    const char *script; /* the name of the file, for messages */
    const char *note;   /* what the artifact says of itself: section .inlay */
    size_t note_size;
    unsigned threads;                      /* of its own, the caller's among them; below 2: none */
    const struct codegen_weights *weights; /* NULL: all constants are inside */
    /* Ascending; the doors are of the first one's functions, all else is for the codegen's target. */
    const struct codegen_level *levels;
    size_t level_count;                  /* 0: there is but the codegen's target */
    const char *use_cpu_name, *cpu_name; /* of the functions that choose a level, and that say it */
};
/* What compile() makes: an object, and the data of the module that it refers to. */
struct codegen_constant {
    unsigned index; /* in the module; its name in the object is made of that */
    const void *data;
    size_t bytes;
};
struct codegen_object {
    const char *data;
    size_t size;
    const struct codegen_constant *constants;
    size_t constant_count;
};
typedef bool codegen_take_fn(void *state, const char *data, size_t size);

struct codegen;

/*
 * The module must be verified, lowered and resolved (inplace_check_resolved).  All functions return
 * false or NULL after reporting to @diag.
 */
struct codegen_api {
    unsigned version; /* CODEGEN_API_VERSION */
    struct codegen *(*create)(struct diag *diag, const struct codegen_options *options);
    void (*destroy)(struct codegen *codegen);
    /* Adds who compiles, and for which processor unless the options say; false: they have no names. */
    bool (*identify)(struct digest_state *state);
    /* Compiles @module to one object in memory. */
    bool (*compile)(struct codegen *codegen, struct ir_module *module);
    /* Writes the object, assembly or LLVM text. */
    bool (*write)(struct codegen *codegen, const char *path, const char *kind);
    /* The same for @take, of assembly or LLVM text; large constants are left out. */
    bool (*text)(struct codegen *codegen, const char *kind, codegen_take_fn *take, void *state);
    /* Gives @take the artifact as "o", "s", "ll" or "bc". */
    bool (*emit)(struct codegen *codegen, const struct codegen_artifact *artifact, const char *kind,
                 codegen_take_fn *take, void *state);
    /* The object of compile(), which keeps it; and the same from elsewhere, which is copied, in the place of compile(). */
    void (*show)(const struct codegen *codegen, struct codegen_object *out);
    void (*load)(struct codegen *codegen, const struct codegen_object *object);
    /* Loads the object into this process and finds a graph function by its name. */
    inlay_entry_fn *(*find)(struct codegen *codegen, const char *name);
};

enum { CODEGEN_API_VERSION = 14 };

typedef const struct codegen_api *codegen_api_fn(void);
codegen_api_fn codegen_api;
