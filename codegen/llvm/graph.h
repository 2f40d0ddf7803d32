/* What the files that emit graph functions share: values as compiled code holds them. */
#pragma once

#include "analysis/result_places.h"
#include "codegen/llvm/kernel.h"
#include "ops/ids.h"

enum cg_value_kind {
    CG_TENSOR, /* dtype and rank are known: a pointer and dims in registers */
    CG_SCALAR,
    CG_SHAPE, /* rank is known: dims */
    CG_TUPLE,
    CG_STRING,
    CG_STORAGE, /* from alloc_storage: a pointer, and its bytes as the only dim */
    CG_BOXED,   /* anything else: a pointer to a struct inlay_value */
};

enum cg_root_kind {
    CG_ROOT_FRESH, /* made by this function; nothing else shares it but through the same root */
    CG_ROOT_PARAM,
    CG_ROOT_DONATED, /* the entry has checked that it overlaps no other argument */
    CG_ROOT_CONSTANT,
    CG_ROOT_UNKNOWN, /* may be any storage that is older */
};

enum { CG_ALIGNMENT = 64 }; /* of what inlay_alloc() gives */

/* A piece of storage. */
struct cg_root {
    enum cg_root_kind kind;
    unsigned number;                /* in the order in which they are made */
    LLVMValueRef data;              /* FRESH: from inlay_alloc() */
    const struct cg_root *within;   /* FRESH: the piece of storage that it lies in, or NULL */
    const struct ir_region *region; /* that was emitted when it was made */
    bool is_shared; /* FRESH: values of other roots may live in it, or it may be ended already */
    bool is_ended;  /* FRESH: given back, for sure */
    const struct ir_op *stack_end; /* FRESH, on the stack of the run: what gives it back */
};

struct cg_value {
    enum cg_value_kind kind;
    struct ir_dtype dtype; /* TENSOR, SCALAR */
    LLVMValueRef data;     /* SCALAR: register; others: pointer */
    unsigned count;        /* where it has dims: rank; TUPLE: fields */
    LLVMValueRef *dims;    /* int64; of a BOXED tensor of known rank, too, else NULL there */
    struct cg_value **fields;
    struct cg_root *root; /* TENSOR, STORAGE */
    bool is_aligned;      /* TENSOR, STORAGE: begins at a multiple of CG_ALIGNMENT */
    LLVMValueRef storage; /* TENSOR: pointer into what its end gives back; null: nothing */
    LLVMValueRef
        owner; /* TENSOR: int32, where the run checks its memory and it is known; see watch.c */
};

/* One graph function while it is emitted. */
struct cg_graph {
    struct cg *cg;
    struct ir_function *function;
    struct cg_body scalars; /* for scalar expressions; has no kernel */
    struct map values;      /* struct ir_value -> struct cg_value */
    LLVMValueRef args, results;
    bool is_door; /* that tensors come through: see door.c */
    unsigned root_count;
    struct stack_places places;      /* what lies on the stack of the run */
    struct result_places results_in; /* what a host may give the memory for */
    struct cg_overlaps *overlaps;    /* made when asked for */
    const struct ir_region *region;  /* in work */
    /* Room on the stack for boxed arguments, used by one call after the other. */
    LLVMValueRef value_room, tensor_room, dim_room, shape_room;
    unsigned value_limit, tensor_limit, dim_limit, shape_limit;
    unsigned value_count, tensor_count, dim_count, shape_count; /* used by the current call */
};

/* Reports E0685 about @name and returns NULL. */
void *cg_value_refuse(struct cg_graph *g, const char *name, const char *why);
/* Reports E0684 about @op; false. */
bool cg_op_refuse(struct cg_graph *g, const struct ir_op *op, const char *why);
const char *cg_name_of(struct cg_graph *g, const struct ir_value *value);

/* --- overlap.c --- */
/* How argument @j of the kernel that @op calls lies to argument @i; *@out_is_believed: only the analysis
 * says so. */
struct access_overlap cg_overlap_of(struct cg_graph *g, const struct ir_op *op,
                                    struct cg_value *const *args, unsigned i, unsigned j,
                                    bool *out_is_believed);
/* Fails at run time where they do not lie so. */
void cg_check_overlap(struct cg_graph *g, const struct tir_func *func, struct cg_value *const *args,
                      unsigned i, unsigned j, struct access_overlap overlap);
void cg_overlaps_finish(struct cg_graph *g);

/* --- value.c --- */
enum cg_value_kind cg_kind_of_type(const struct ir_type *type);
struct cg_value *cg_value_new(struct cg_graph *g, enum cg_value_kind kind, unsigned count);
struct cg_value *cg_tensor_new(struct cg_graph *g, struct ir_dtype dtype, unsigned ndim,
                               LLVMValueRef data, struct cg_root *root);
struct cg_root *cg_root_new(struct cg_graph *g, enum cg_root_kind kind);
/* Is the storage of one surely disjoint from that of the other? */
bool cg_roots_are_apart(const struct cg_root *a, const struct cg_root *b);
/* What @value is in code; inline ops are emitted here.  NULL after a report. */
struct cg_value *cg_operand(struct cg_graph *g, const struct ir_value *value);
/* The same, which must be a tensor of known rank and dtype. */
struct cg_value *cg_tensor_operand(struct cg_graph *g, const struct ir_value *value);
/* The leaves of @value, tuples flattened, added to @out. */
struct cg_leaves {
    struct cg_value **items;
    size_t count, capacity; /* an array() */
};
void cg_flatten(struct cg_value *value, struct cg_leaves *out);
/* Has each of @leaves a form outside of the function?  False after a report about @op. */
bool cg_can_leave(struct cg_graph *g, const struct ir_op *op, const struct cg_leaves *leaves);
/* A value of @type from leaves, *@next on. */
struct cg_value *cg_unflatten(struct cg_graph *g, const struct ir_type *type,
                              struct cg_value **leaves, size_t *next);
/* Dims of @type as int64 registers in @out; false after a report. */
bool cg_type_dims(struct cg_graph *g, const struct ir_type *type, LLVMValueRef *out);
/* Does code have the dims of @value that @type speaks of? */
bool cg_shows_dims(const struct cg_value *value, const struct ir_type *type);
/* Fails at run time where dims of @value are not those that @type says.  @what begins the
 * message. */
bool cg_check_dims(struct cg_graph *g, struct cg_value *value, const struct ir_type *type,
                   enum inlay_error_kind kind, const char *what);
/* 0 or 1 of a bool scalar or tensor of rank 0; NULL after a report. */
LLVMValueRef cg_condition(struct cg_graph *g, const struct ir_value *value);
/* @value in the form that values of @type have. */
struct cg_value *cg_coerce(struct cg_graph *g, struct cg_value *value, const struct ir_type *type);

/* --- box.c: between registers and struct inlay_value --- */
void cg_room_reset(struct cg_graph *g);
/* A row of @count values on the stack, good until the next cg_room_reset(). */
LLVMValueRef cg_room_values(struct cg_graph *g, unsigned count);
/* Writes @value to @slot; @is_lasting: what it points at lives as long as the frame. */
void cg_box(struct cg_graph *g, struct cg_value *value, LLVMValueRef slot, bool is_lasting);
/*
 * In artifacts the results of a graph function have their room from whoever calls it: a tensor, whose data say
 * where it is to be (NULL: it is told where it is), or a shape with room for its dims.
 */
void cg_box_tensor_in(struct cg *cg, const struct cg_value *value, LLVMValueRef slot,
                      LLVMValueRef tensor, LLVMValueRef dims);
void cg_box_shape_in(struct cg *cg, unsigned count, LLVMValueRef slot, LLVMValueRef shape,
                     LLVMValueRef dims);
/* For leaves of @result of a known form, in @slots, good until the next cg_room_reset(). */
void cg_give_result_rooms(struct cg_graph *g, const struct ir_type *result, LLVMValueRef slots);
/* Dims of @value into the room that @slot has. */
void cg_put_shape(struct cg *cg, const struct cg_value *value, LLVMValueRef slot);
/* Reads @slot, which holds a checked value of @type; its storage is @root. */
struct cg_value *cg_unbox(struct cg_graph *g, const struct ir_type *type, LLVMValueRef slot,
                          struct cg_root *root);
/* A constant struct inlay_expected. */
LLVMValueRef cg_expected(struct cg_graph *g, const struct ir_type *type, const char *name,
                         bool is_donated);
LLVMTypeRef cg_expected_type(struct cg *cg);
LLVMValueRef cg_private_constant(struct cg *cg, LLVMValueRef data);
/* inlay_check_value() and then cg_unbox(). */
struct cg_value *cg_unbox_checked(struct cg_graph *g, const struct ir_type *type, LLVMValueRef slot,
                                  enum inlay_error_kind kind, const char *what);

/* --- packed.c --- */
/* The parameter that leaf @leaf of the result of @function is, so that a call says nothing of it; or -1. */
int cg_result_param(struct cg *cg, const struct ir_function *function, unsigned leaf);

/* --- entry.c --- */
bool cg_emit_entry(struct cg_graph *g);
bool cg_emit_return(struct cg_graph *g, const struct ir_op *op);
/* The table of what the arguments have to be, and how many they are. */
LLVMValueRef cg_expected_arguments(struct cg_graph *g, unsigned *out_count);
/* By leaf of the parameters: the axis along which it grows in its storage, or -1.  False: none grows. */
bool cg_growing_axes(struct cg_graph *g, int *out);
/* Tells the frame of an artifact that the storage of its @count arguments has the room that the function
 * says; false after a report. */
bool cg_give_rooms(struct cg_graph *g, unsigned count);
/* Binds symbols that stand alone as a dim of @type and have no value yet to dims of @value. */
void cg_bind_symbols(struct cg_graph *g, struct cg_value *value, const struct ir_type *type);

/* --- emitters of ops: false after a report --- */
typedef bool cg_op_fn(struct cg_graph *g, const struct ir_op *op);
cg_op_fn cg_emit_call_tir, cg_emit_packed, cg_emit_dps_packed, cg_emit_call, cg_emit_if,
    cg_emit_match_cast;
#define OP(id, name, signature, traits, doc, ...) __VA_ARGS__
#define EMIT(f)                                   cg_op_fn cg_emit_##f;
#include "ops/ops.def"
bool cg_emit_region(struct cg_graph *g, struct ir_region *region);
/* The value that @op computes. */
void cg_set_result(struct cg_graph *g, const struct ir_op *op, struct cg_value *value);

/* --- memory.c --- */
/* A new tensor with storage of its own, for a result of @op. */
struct cg_value *cg_tensor_take(struct cg_graph *g, const struct ir_op *op, struct ir_dtype dtype,
                                LLVMValueRef *dims, unsigned ndim);
/* The same of @type, whose dims must be known; NULL after a report. */
struct cg_value *cg_allocate(struct cg_graph *g, const struct ir_op *op,
                             const struct ir_type *type);
/* What other values may be from here on: the storage of @value is asked for its owner when it
 * ends. */
void cg_share(struct cg_value *value);
/* Is no operand of @op in storage that was given back?  False after a report. */
bool cg_check_alive(struct cg_graph *g, struct ir_op *op);

/* --- watch.c: nothing unless the run checks its memory --- */
/* In front of @op and behind it. */
void cg_watch_reads(struct cg_graph *g, struct ir_op *op);
void cg_watch_result(struct cg_graph *g, const struct ir_op *op);
/* @value is about to end. */
void cg_watch_end(struct cg_graph *g, const struct cg_value *value, const char *name);
/* A leaf of a parameter; its dims were checked. */
void cg_watch_parameter(struct cg_graph *g, struct cg_value *value, const char *name);
/* Parameter @value has storage of @bytes. */
void cg_watch_room(struct cg_graph *g, const struct cg_value *value, LLVMValueRef bytes);
/* The owner of what is one value or the other; NULL: not known. */
LLVMValueRef cg_watch_join(struct cg_graph *g, struct cg_value *const values[2],
                           LLVMBasicBlockRef blocks[2]);
void cg_watch_leave(struct cg_graph *g);

/* --- view.c --- */
/* Sets the dims of @to, the view of @from that @op makes; false after a report. */
bool cg_view_dims(struct cg_graph *g, const struct ir_op *op, const struct cg_value *from,
                  struct cg_value *to);
