/* Context and module: what owns what. */
#pragma once

#include "base/arena.h"
#include "base/atom.h"
#include "base/diag.h"
#include "base/map.h"
#include "ir/attr.h"
#include "ir/data.h"
#include "ir/graph.h"
#include "ir/tir.h"
#include "ir/type.h"

/*
 * One compilation: names, types, expressions, constants and the operator table, shared by the
 * modules of one run.  One thread at a time; no state outside.
 */
struct ir_context {
    struct arena arena;
    struct arena *
        sources; /* texts that messages are about, which may outlive the context; its own, or its owner's */
    struct atoms atoms;
    struct ir_op_table *ops;     /* every ir_op_info, by name; set by ops_register() */
    struct ir_type_table *types; /* interned */
    struct ir_data_table *data;  /* of constants */
    struct ir_memo *memo;        /* of questions about numbers: memo.h */
    unsigned next_var_id;
};

struct ir_context *ir_context_create(void); /* with the core ops; ops_register() adds the library */
void ir_context_destroy(struct ir_context *context);

/* The operator R.<name>, or NULL. */
const struct ir_op_info *ir_find_op(const struct ir_context *context, const char *name);
const struct ir_op_info *ir_core_op(const struct ir_context *context, enum ir_core core);
/* The row of the library with this id, see ops/ids.h. */
const struct ir_op_info *ir_library_op(const struct ir_context *context, unsigned library_id);
/* The names nearest to @name, for "help:"; fills at most @limit, returns how many. */
unsigned ir_nearest_ops(const struct ir_context *context, const char *name, const char **out_names,
                        unsigned limit);
unsigned ir_op_count(const struct ir_context *context);
const struct ir_op_info *ir_op_at(const struct ir_context *context, unsigned id);

/* Adds a row: used by ir_context_create() and ops_register().  The signature: see op_info.h. */
struct ir_op_row {
    const char *name;
    enum ir_core core;
    unsigned library_id;
    const char *signature;
    uint32_t traits;
    ir_infer_fn *infer;
    ir_lower_fn *lower;
    const char *absent;
    const char *doc;
};
void ir_context_add_op(struct ir_context *context, const struct ir_op_row *row);

/* Tensor data in the module: row-major, native endian, aligned to its elements at least. */
struct ir_constant {
    struct ir_dtype dtype;
    unsigned ndim;
    const int64_t *shape;
    const struct ir_data *store; /* where data and bytes are from */
    const void *data;
    size_t bytes;
    const char *name; /* atom: what the script calls it; NULL: nothing */
    unsigned index;   /* place in module->constants: metadata["relax.expr.Constant"][index] */
};

enum ir_global_kind { IR_GLOBAL_DECLARED, IR_GLOBAL_FUNCTION, IR_GLOBAL_KERNEL, IR_GLOBAL_EXTERN };

/* One name of the module. */
struct ir_global {
    const char *name; /* atom */
    enum ir_global_kind kind;
    struct ir_function
        *function; /* FUNCTION; also of one that is DECLARED and read later: its parameters */
    struct tir_func *kernel;    /* KERNEL */
    const char *symbol;         /* EXTERN, atom */
    const struct ir_type *type; /* FUNC type of a FUNCTION or EXTERN; NULL for kernels */
    struct location loc;
};

struct ir_module {
    struct ir_context *context;
    struct arena arena;
    const char *name;           /* "Module" */
    struct ir_global **globals; /* in the order of the text */
    size_t global_count, global_capacity;
    struct map by_name;                 /* atom -> struct ir_global */
    struct map suffixes;                /* atom -> last number of ir_module_fresh_name() */
    struct map kernels;                 /* hash -> struct ir_global, of ir_module_find_kernel() */
    size_t hashed_count;                /* so many of the first globals are in it */
    const struct ir_attr *attrs;        /* dict or NULL */
    struct location attrs_loc;          /* where the script says them */
    const struct ir_attr *global_infos; /* dict or NULL */
    struct ir_constant **constants;
    size_t constant_count, constant_capacity;
    bool is_bare_function; /* the file held one function and no module */
    struct op_pairs *
        pairs; /* where rules of types note what only a run can compare, see ops/pairs.h; or NULL */
};

struct ir_module *ir_module_create(struct ir_context *context);
void ir_module_destroy(struct ir_module *module); /* accepts NULL */
struct ir_global *ir_module_find(const struct ir_module *module, const char *name); /* any text */
/* A new global; its name must be free. */
struct ir_global *ir_module_add(struct ir_module *module, const char *name,
                                enum ir_global_kind kind);
/* @name, or @name with a number behind it, that no global has. */
const char *ir_module_fresh_name(struct ir_module *module, const char *name);
void ir_module_remove(struct ir_module *module, struct ir_global *global);
/* A private kernel that says what @func says and whose name begins with @name, or NULL.  One that was changed since
 * it was first looked for may be missed. */
struct ir_global *ir_module_find_kernel(struct ir_module *module, const char *name,
                                        const struct tir_func *func);
/* Does @function say that its callers give it the storage of parameter @param (relax.inplace_arg, an int or
 * a list), which must be a tensor? */
bool ir_function_donates(const struct ir_function *function, unsigned param);
/* @data, of the context, as a tensor; as many bytes as the shape says. */
struct ir_constant *ir_module_add_data(struct ir_module *module, struct ir_dtype dtype,
                                       const int64_t *shape, unsigned ndim,
                                       const struct ir_data *data);
/* The same of a copy of @data (NULL: zeros). */
struct ir_constant *ir_module_add_constant(struct ir_module *module, struct ir_dtype dtype,
                                           const int64_t *shape, unsigned ndim, const void *data);
/* Number of elements or bytes; false if it does not fit into int64. */
bool ir_shape_elements(const int64_t *shape, unsigned ndim, int64_t *out_count);
bool ir_shape_bytes(const int64_t *shape, unsigned ndim, struct ir_dtype dtype, size_t *out_bytes);
