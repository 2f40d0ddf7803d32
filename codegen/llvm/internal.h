/*
 * What the files of the code generator share: the state of one compilation, the function that is
 * being emitted, and a small vocabulary for emitting LLVM code (emit.c).
 *
 * Two kinds of functions are made: kernels (one per tir_func that is called; internal; plain
 * pointers and numbers) and graph functions (inlay_entry_fn).  Both return 0, or -1 with the
 * frame's error set.
 */
#pragma once

#include "analysis/access/relation.h"
#include "analysis/result_params.h"
#include "analysis/stack_need.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/diag.h"
#include "base/map.h"
#include "codegen/llvm/codegen.h"
#include "ir/arith.h"
#include "ir/module.h"
#include "runtime/check.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/TargetMachine.h>

enum cg_runtime {
#define RUNTIME(name, result, params)  CG_##name,
#define ARTIFACT(name, result, params) CG_##name,
#include "codegen/llvm/runtime.def"
    CG_RUNTIME_COUNT
};

/* The state of one compilation.  LLVM objects are owned here unless a comment says otherwise. */
struct codegen {
    struct diag *diag;
    struct codegen_options options;
    struct ir_module *module; /* compiled last; must live as long as the loaded code */
    LLVMContextRef context;
    LLVMTargetMachineRef machine;
    LLVMTargetRef target;
    char *triple, *layout, *cpu, *features; /* LLVM's strings */
    bool embed_constants; /* large constants go into the object, not to where the module has them */
    const struct codegen_artifact *artifact; /* that is being written, or NULL */
    LLVMMemoryBufferRef object;
    struct text assembly;                   /* of the object, if it is kept */
    LLVMOrcLLJITRef jit;                    /* made at the first find() */
    void *code_memory;                      /* for the object; NULL: its loader has it */
    array(struct codegen_constant) outside; /* constants that the object refers to */
};

/*
 * LLVM modules that become one object (units.c): the functions first, then kernels, each with all that it
 * uses but the runtime.
 */
struct cg_modules {
    array(LLVMModuleRef) items;
};

struct cg_debug {
    LLVMDIBuilderRef builder; /* NULL: no debug information */
    LLVMMetadataRef unit;
    LLVMMetadataRef subroutine_type;
    struct map files; /* struct source -> DIFile */
};

/* One LLVM module while it is made. */
struct cg_unit {
    LLVMModuleRef llvm;
    LLVMValueRef runtime[CG_RUNTIME_COUNT]; /* NULL: not called yet */
    struct map strings;                     /* atom -> LLVMValueRef */
    struct cg_debug debug;
};

/* A kernel that is called. */
struct cg_kernel {
    const struct tir_func *func;
    LLVMValueRef declared; /* what functions call */
    LLVMValueRef function; /* the same, but where the kernel has a unit of its own */
    LLVMTypeRef type;
    array(const struct ir_var *) symbols; /* passed after the parameters */
    bool *is_written;                     /* by parameter: stored to */
    /* By pair of parameters: how some call may give them to it. */
    struct access_overlap *overlaps;
    bool *is_aligned;          /* by parameter: every call gives it 64-byte aligned storage */
    bool can_fail;             /* at run time; known when it was emitted */
    struct cg_kernel *equal;   /* an earlier one with the same loops, or NULL */
    array(LLVMValueRef) parts; /* functions of parallel loops; the same parameters in front */
};

/* The LLVM modules for one module of Inlay, while they are made. */
struct cg {
    struct codegen *codegen;
    struct diag *diag;
    struct ir_context *ir;
    struct ir_module *module;
    struct arena arena; /* goes with the module */
    LLVMContextRef context;
    struct cg_unit *unit;       /* where emission goes */
    bool may_split;             /* kernels may have units of their own */
    struct cg_modules *modules; /* those that are done */
    LLVMBuilderRef builder;
    LLVMTypeRef i1, i8, i16, i32, i64, f32, f64, ptr, nothing;
    LLVMTypeRef size;                                /* size_t of the target */
    LLVMTypeRef value_type, tensor_type, shape_type; /* the structs of include/inlay/abi.h */
    LLVMTypeRef runtime_types[CG_RUNTIME_COUNT];
    struct map kernels;                    /* struct tir_func -> struct cg_kernel */
    array(struct cg_kernel *) kernel_list; /* in the order of their first calls */
    struct map constants;                  /* struct ir_constant -> LLVMValueRef */
    struct map alike;     /* of artifacts: hash of what a constant holds -> the first that does */
    struct map functions; /* struct ir_function -> LLVMValueRef */
    struct map sites;     /* of runs that are measured: call of a kernel -> its number + 1 */
    struct map expected;  /* the same -> what its arguments have to be, a table */
    struct stack_needs needs;           /* of functions */
    struct tail_calls tails;            /* loops of the graph */
    struct result_params result_params; /* of private functions: not described by them */

    /* The function that is being emitted. */
    LLVMValueRef function;
    LLVMValueRef frame;
    LLVMBasicBlockRef allocas;   /* entry block: holds allocas only, then goes to the body */
    LLVMBasicBlockRef fail;      /* returns -1 */
    bool leaves_on_failure;      /* of a graph function that was entered */
    LLVMMetadataRef scope;       /* DISubprogram or NULL */
    const struct source *source; /* of the scope */
    LLVMValueRef dims;           /* room on the stack for dims of one tensor, or NULL */
    unsigned dims_limit;
    struct location loc; /* of what is being emitted */
    struct map vars;     /* struct ir_var -> LLVMValueRef */
    struct map warned;   /* variables of loops that do not get what the script asks for */
};

/* Names of symbols: entries are what find() looks up. */
#define CG_LOOP_ATTRIBUTE  "inlay-loop" /* of turns of loops of the graph: the number of the loop */
#define CG_ENTRY_PREFIX    "inlay_fn_"
#define CG_CONSTANT_PREFIX "inlay_constant_"

/* --- emit.c: the vocabulary --- */
void cg_init_types(struct cg *cg);
LLVMValueRef cg_i32(struct cg *cg, int64_t value);
LLVMValueRef cg_i64(struct cg *cg, int64_t value);
LLVMValueRef cg_string(struct cg *cg, const char *text); /* pointer to a constant */
LLVMBasicBlockRef cg_block(struct cg *cg, const char *name);
void cg_goto(struct cg *cg, LLVMBasicBlockRef block);
void cg_branch(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef then_block,
               LLVMBasicBlockRef else_block);
/* The same, where @condition hardly ever holds. */
void cg_branch_rarely(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef then_block,
                      LLVMBasicBlockRef else_block);
void cg_at(struct cg *cg, LLVMBasicBlockRef block); /* emission goes on at its end */
bool cg_is_terminated(struct cg *cg);
LLVMValueRef cg_compare(struct cg *cg, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b);
/* In the entry block, so that loops do not grow the stack. */
LLVMValueRef cg_alloca(struct cg *cg, LLVMTypeRef type, unsigned align);
LLVMValueRef cg_element(struct cg *cg, LLVMTypeRef type, LLVMValueRef pointer, LLVMValueRef index);
LLVMValueRef cg_field(struct cg *cg, LLVMTypeRef type, LLVMValueRef pointer, unsigned field);
LLVMValueRef cg_load(struct cg *cg, LLVMTypeRef type, LLVMValueRef pointer);
void cg_store(struct cg *cg, LLVMValueRef value, LLVMValueRef pointer);
LLVMValueRef cg_call_runtime(struct cg *cg, enum cg_runtime which, LLVMValueRef *args,
                             unsigned count);
/* An LLVM intrinsic overloaded on @types. */
LLVMValueRef cg_call_intrinsic(struct cg *cg, const char *name, LLVMTypeRef *types,
                               unsigned type_count, LLVMValueRef *args, unsigned arg_count);
/* Goes on only if the int32 @status is 0. */
void cg_check_status(struct cg *cg, LLVMValueRef status);
void cg_check_pointer(struct cg *cg, LLVMValueRef pointer); /* not NULL */
/* Fails with @format unless @condition; @args are int64 values and pointers. */
void cg_check(struct cg *cg, LLVMValueRef condition, enum inlay_error_kind kind, const char *format,
              LLVMValueRef *args, unsigned count);
/* The same in two steps: in between, what only the message needs is emitted. */
LLVMBasicBlockRef cg_check_begin(struct cg *cg, LLVMValueRef condition);
void cg_check_end(struct cg *cg, LLVMBasicBlockRef good, enum inlay_error_kind kind,
                  const char *format, LLVMValueRef *args, unsigned count);
LLVMValueRef cg_is_likely(struct cg *cg, LLVMValueRef condition);
/* The struct location of what follows: debug information and lines of errors. */
void cg_set_location(struct cg *cg, struct location loc);
LLVMValueRef cg_line(struct cg *cg); /* int32 */
LLVMAttributeRef cg_attribute(struct cg *cg, const char *name, uint64_t value);
void cg_add_attribute(struct cg *cg, LLVMValueRef function, LLVMAttributeIndex index,
                      const char *name, uint64_t value);

/*
 * --- lanes.c: vectors ---
 *
 * A value is a scalar, the same in all lanes of a vector loop, or a vector.  Whatever computes with
 * values takes both.
 */
unsigned cg_lane_count(LLVMValueRef value); /* 1: a scalar */
LLVMTypeRef cg_lane_type(LLVMValueRef value);
LLVMTypeRef cg_vector_type(LLVMTypeRef lane, unsigned lanes); /* @lane itself for one */
/* @lane with as many lanes as @value has. */
LLVMTypeRef cg_type_like(LLVMValueRef value, LLVMTypeRef lane);
LLVMValueRef cg_int_of(LLVMTypeRef type, int64_t constant); /* in all lanes */
LLVMValueRef cg_int_like(LLVMValueRef value, int64_t constant);
LLVMValueRef cg_splat(struct cg *cg, LLVMValueRef value, unsigned lanes);
/* Splats scalars among @values to the number of lanes of the others. */
void cg_match_lanes(struct cg *cg, LLVMValueRef *values, unsigned count);
LLVMValueRef cg_lane(struct cg *cg, LLVMValueRef value, unsigned lane);
/* @vector (NULL: a new one) with @value in @lane; @value itself if @lanes is 1. */
LLVMValueRef cg_set_lane(struct cg *cg, LLVMValueRef vector, LLVMValueRef value, unsigned lane,
                         unsigned lanes);
/* <0, step, 2 * step, ..> */
LLVMValueRef cg_iota(struct cg *cg, LLVMTypeRef lane, unsigned lanes, int64_t step);
LLVMValueRef cg_any(struct cg *cg, LLVMValueRef mask); /* i1 */

/* --- function.c: begin and end of functions of both kinds --- */
/* Sets the state for emitting into @function, whose frame is parameter 0. */
void cg_function_begin(struct cg *cg, LLVMValueRef function, const char *name, struct location loc);
/* Ends the current block with `return 0` if it is open, and finishes entry and failure blocks. */
void cg_function_end(struct cg *cg);
/* What happens before a failure returns; called with emission at the failure block. */
LLVMBasicBlockRef cg_fail_block(struct cg *cg);

/* --- debug.c --- */
void cg_debug_init(struct cg *cg);
void cg_debug_finish(struct cg *cg);
void cg_debug_enter_function(struct cg *cg, const char *name, struct location loc);
void cg_debug_set_location(struct cg *cg);

/* --- dtype.c: element types --- */
/*
 * In registers bool is i1 and float16 and bfloat16 are float (rounded); in memory bool is i8 and
 * both 16-bit floats are i16.
 */
LLVMTypeRef cg_register_type(struct cg *cg, struct ir_dtype dtype);
LLVMTypeRef cg_memory_type(struct cg *cg, struct ir_dtype dtype);
LLVMValueRef cg_from_memory(struct cg *cg, struct ir_dtype dtype, LLVMValueRef value);
LLVMValueRef cg_to_memory(struct cg *cg, struct ir_dtype dtype, LLVMValueRef value);
/* Rounds a float that holds the result of 16-bit arithmetic; others are returned as they are. */
LLVMValueRef cg_round(struct cg *cg, struct ir_dtype dtype, LLVMValueRef value);
LLVMValueRef cg_cast(struct cg *cg, LLVMValueRef value, struct ir_dtype from, struct ir_dtype to);
LLVMValueRef cg_literal(struct cg *cg, struct ir_dtype dtype, int64_t integer, double real);
bool cg_is_small_float(struct ir_dtype dtype); /* float16 or bfloat16 */

/* --- half.c: conversions of the 16-bit floats without libcalls --- */
LLVMValueRef cg_half_from_float(struct cg *cg, LLVMValueRef value); /* float -> i16 */
LLVMValueRef cg_half_to_float(struct cg *cg, LLVMValueRef bits);    /* i16 -> float */
LLVMValueRef cg_bfloat_from_float(struct cg *cg, LLVMValueRef value);
LLVMValueRef cg_bfloat_to_float(struct cg *cg, LLVMValueRef bits);
/* double -> float so that a second rounding to 16 bits is right (round to odd). */
LLVMValueRef cg_double_to_odd_float(struct cg *cg, LLVMValueRef value);

/* --- arith.c: operators on registers of one dtype --- */
/* NULL after a report at @loc. */
LLVMValueRef cg_binary(struct cg *cg, enum ir_expr_kind kind, struct ir_dtype dtype, LLVMValueRef a,
                       LLVMValueRef b);
/* On registers of one float type, scalars or vectors. */
LLVMValueRef cg_compare_floats(struct cg *cg, LLVMRealPredicate predicate, LLVMValueRef a,
                               LLVMValueRef b);
LLVMValueRef cg_shift(struct cg *cg, bool is_left, struct ir_dtype dtype, LLVMValueRef value,
                      LLVMValueRef count);

/* --- call.c: T.<name>(..) --- */
/* Emits call @e with its operands emitted in @args. NULL after a report. */
bool cg_intrinsic_is_known(const char *name, unsigned arg_count);
/* Is it computed for all lanes at once? */
bool cg_intrinsic_has_lanes(const char *name, unsigned arg_count);
LLVMValueRef cg_intrinsic(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args);
/* dot.c; NULL: not of words. */
LLVMValueRef cg_dot4(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args);
/* C's @name on one to three registers of one float type. */
LLVMValueRef cg_call_math(struct cg *cg, const char *name, LLVMValueRef *args, unsigned count);

/* --- symbols.c: addresses of what compiled code calls --- */
struct cg_symbol {
    const char *name;
    uint64_t address;
};
enum { CG_SYMBOL_LIMIT = 128 };
/* Fills in all of them; returns the count. */
size_t cg_symbols(struct cg_symbol out_symbols[CG_SYMBOL_LIMIT]);

/* --- kernel.c and the files beside it --- */
struct cg_kernel *cg_kernel_of(struct cg *cg, const struct tir_func *func);
/* Emits the bodies of all kernels that were asked for, and then their attributes. */
/* Notes one more way to give two arguments. */
void cg_add_overlap(struct access_overlap *to, struct access_overlap overlap);
bool cg_emit_kernels(struct cg *cg);

/* --- graph.c --- */
bool cg_emit_function(struct cg *cg, struct ir_function *function);
LLVMValueRef cg_entry_of(struct cg *cg, const struct ir_function *function);
LLVMValueRef cg_constant(struct cg *cg, const struct ir_constant *constant);
/* What its elements are aligned to, up to 64. */
unsigned cg_alignment_of(const struct cg *cg, const struct ir_constant *constant);
/* Its elements: of an artifact they may lie in the weights of the run. */
LLVMValueRef cg_constant_data(struct cg *cg, const struct ir_constant *constant);

/* --- shape.c: dims --- */
/* A shape expression as i64 with overflow checked; NULL after a report. */
LLVMValueRef cg_dim(struct cg *cg, const struct ir_expr *e);

/* --- target.c --- */
bool cg_target_init(struct codegen *codegen);
void cg_target_finish(struct codegen *codegen);
/* What LLVM is told of the features of @target; the caller disposes of the message. */
char *cg_features(const struct target *target);
/* Long functions of calls are compiled plainly: quickly, and as they stand. */
LLVMTargetMachineRef cg_create_machine(const struct codegen *codegen, bool is_plain);
const char *cg_pipeline(const struct codegen *codegen, bool is_plain);
bool cg_optimize(struct codegen *codegen, LLVMModuleRef llvm);
bool cg_emit_object(struct codegen *codegen, LLVMModuleRef llvm, LLVMCodeGenFileType type,
                    LLVMMemoryBufferRef *out_buffer);
/* Reports @error (taken over) and returns false; true for no error. */
bool cg_check_error(struct codegen *codegen, LLVMErrorRef error);

/* --- instrument.c --- */
bool cg_is_instrumented(const struct codegen *codegen);
LLVMErrorRef cg_instrument(LLVMModuleRef llvm, LLVMTargetMachineRef machine);
bool cg_find_sanitizer(struct codegen *codegen); /* for the loader */

/* --- profile.c --- */
void cg_profile_init(struct cg *cg); /* the module is known */
/* In front of @call of a kernel, and behind it; NULL: this one is not measured. */
LLVMValueRef cg_profile_begin(struct cg *cg, const struct ir_op *call);
void cg_profile_end(struct cg *cg, const struct ir_op *call, const struct tir_func *func,
                    LLVMValueRef begin);

/* --- module.c --- */
/*
 * @module as LLVM modules, not optimized, one if it may not be split; false after a report.  The caller
 * finishes them.
 */
bool cg_emit_modules(struct codegen *codegen, struct ir_module *module, bool may_split,
                     struct cg_modules *out);
/* All in one, which the caller owns; NULL after a report. */
LLVMModuleRef cg_emit_module(struct codegen *codegen, struct ir_module *module);
void cg_modules_finish(struct cg_modules *modules);
/* A new unit, and emission goes on in it; cg_unit_end() goes back to @before. */
struct cg_unit *cg_unit_begin(struct cg *cg);
void cg_unit_end(struct cg *cg, struct cg_unit *before);

/* --- units.c --- */
/* The builds of this library and of LLVM, and this machine. */
bool cg_identify(struct digest_state *state);
/* One object of all @modules; false after a report. */
bool cg_make_object(struct codegen *codegen, const struct cg_modules *modules,
                    LLVMMemoryBufferRef *out);

/* --- door.c, artifact.c --- */
/* What callers of an artifact call; false after a report. */
bool cg_emit_doors(struct cg *cg, const struct codegen_artifact *artifact);
/* Links the runtime of artifacts, and makes all internal that no caller calls. */
bool cg_close_artifact(struct codegen *codegen, LLVMModuleRef llvm,
                       const struct codegen_artifact *artifact);
/* The same for several modules: the runtime is one more. */
bool cg_close_units(struct codegen *codegen, struct cg_modules *modules,
                    const struct codegen_artifact *artifact);

/* --- levels.c --- */
/* The module of an artifact for several levels of a processor; NULL after a report. */
LLVMModuleRef cg_emit_levels(struct codegen *codegen);
/* Exports what chooses among them, once the runtime is there. */
void cg_show_levels(LLVMModuleRef llvm, const struct codegen_artifact *artifact);
/* --- jit_memory.c --- */
/* Enough for all sections of @object; NULL: memory is short.  cg_jit_memory_create() hands it over. */
void *cg_jit_memory_reserve(LLVMMemoryBufferRef object);
/* Callbacks of LLVM; @state: a struct codegen, then what the first of them returned. */
void *cg_jit_memory_create(void *state);
uint8_t *cg_jit_memory_code(void *state, uintptr_t bytes, unsigned alignment, unsigned id,
                            const char *name);
uint8_t *cg_jit_memory_data(void *state, uintptr_t bytes, unsigned alignment, unsigned id,
                            const char *name, LLVMBool is_read_only);
LLVMBool cg_jit_memory_finalize(void *state, char **out_message);
void cg_jit_memory_destroy(void *state); /* accepts NULL */
void cg_jit_memory_ended(void *state);   /* no more objects come */
/* --- jit.c --- */
bool cg_jit_load(struct codegen *codegen);
void cg_jit_finish(struct codegen *codegen);
