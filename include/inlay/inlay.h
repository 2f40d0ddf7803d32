/*
 * Inlay as a library: from the text of a script to its results.  docs/embedding.md shows it at work.
 *
 * Everything is asked of a session, or of a module of one.  What is handed out (modules, runs, texts,
 * arrays) belongs to that and goes with it at the latest; texts and arrays live until the next call of
 * the function that gave them, for the same session or module.
 *
 * Nothing here prints, exits or aborts.  What returns false or NULL has said why: in the diagnostics
 * of the session, and in its state.  A session is used by one thread at a time; different sessions share
 * nothing that would need care.
 */
#pragma once

#include "abi.h"
#include "tensor.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

const char *inlay_version(void); /* "0.1.0" */

/* --- sessions --- */

struct inlay_session;

enum inlay_inplace {
    INLAY_INPLACE_AUTO,   /* copy where a call cannot be proved to be invisible */
    INLAY_INPLACE_STRICT, /* refuse the module instead */
    INLAY_INPLACE_OFF,    /* always copy */
};

/* Made by inlay_options_init(), then changed.  What it points at must outlive the session. */
struct inlay_options {
    size_t size; /* of this struct: members that a caller does not know yet keep their defaults */
    enum inlay_inplace inplace;
    unsigned opt_level;    /* of code generation, 0 to 3; default 2 */
    unsigned threads;      /* default 0: one for each core that the process may use */
    const char *cpu;       /* compiled for: "x86-64-v3"; default NULL: this machine */
    unsigned vector_bytes; /* that vectors have at most: 16, 32 or 64; default 0: as there are */
    size_t memory_limit;   /* bytes that a run may hold at once; default 0: no limit */
    const char *dims;      /* what BindSymbolicVars binds: "n=4,m=8"; default NULL */
    /* The path of inlay-llvm.so, which makes code; default NULL: beside the library, or installed. */
    const char *code_generator;
    /* A line of R.print, without its end; default NULL: dropped. */
    void (*print)(void *state, const char *line);
    /* A packed function of the caller by its symbol; NULL: there is none. */
    inlay_packed_fn *(*find_packed)(void *state, const char *symbol, void **out_handle);
    void *state; /* of both */
    /* Follow, while compiled code runs, which value owns which bytes; slow.  Default false. */
    bool checks_memory;
    /* To compile with; they end with the call.  Default 0: as many as `threads`. */
    unsigned compile_threads;
    /*
     * An absolute path: the folder where compiled code is kept, and found again where the same is to be
     * compiled; made if it is not there, and never an error.  It must belong to the user.  The tool uses
     * $XDG_CACHE_HOME/inlay or ~/.cache/inlay.  Default NULL: nothing is kept.
     */
    const char *cache;
    uint64_t cache_bytes; /* that it may have; default 0: 1 GiB */
};

void inlay_options_init_sized(struct inlay_options *options, size_t size);
#define inlay_options_init(options) inlay_options_init_sized(options, sizeof(struct inlay_options))

/* With all defaults if @options is NULL; they are copied.  NULL when memory is short. */
struct inlay_session *inlay_session_create(const struct inlay_options *options);
/* With all of its modules and runs; accepts NULL. */
void inlay_session_destroy(struct inlay_session *session);

/*
 * How a session stands.  One that is out of memory, or met a bug of Inlay, does nothing any more:
 * every call fails, the diagnostics say why, and it can be destroyed.
 */
enum inlay_state { INLAY_READY, INLAY_OUT_OF_MEMORY, INLAY_BROKEN };
enum inlay_state inlay_session_state(const struct inlay_session *session);

/* --- diagnostics --- */

enum inlay_severity { INLAY_ERROR, INLAY_WARNING, INLAY_REMARK };

/* Lines and columns (of characters) count from 1; line 0: no place. */
struct inlay_place {
    const char *file;
    unsigned line, column, end_line, end_column;
};

enum inlay_note_kind { INLAY_LABEL, INLAY_NOTE, INLAY_HELP };

struct inlay_note {
    enum inlay_note_kind kind;
    const char *text;
    struct inlay_place place; /* of a label; of what a help replaces */
    const char *edit;         /* of a help: what would stand there; or NULL */
};

struct inlay_diagnostic {
    enum inlay_severity severity;
    unsigned code; /* 301: E0301, see `inlay explain`; 0: the session itself cannot go on */
    const char *message;
    struct inlay_place place;
    const char *label; /* what stands under the place; or "" */
    size_t note_count;
    const struct inlay_note *notes;
};

/* All since the session was created or they were cleared, sorted by place; how many. */
size_t inlay_diagnostics(struct inlay_session *session, const struct inlay_diagnostic **out);
void inlay_diagnostics_clear(struct inlay_session *session);

enum inlay_format { INLAY_FORMAT_TEXT, INLAY_FORMAT_SHORT, INLAY_FORMAT_JSON, INLAY_FORMAT_SARIF };

/* The same as the command line prints them; NULL when memory is short. */
const char *inlay_diagnostics_text(struct inlay_session *session, enum inlay_format format);

/* --- modules --- */

struct inlay_module;

/*
 * @name stands in messages.  Parses, checks types and the rules of in-place calls.  The session keeps the
 * text, for places in it; all else of modules goes when the last of them was destroyed and one is parsed.
 */
struct inlay_module *inlay_parse(struct inlay_session *session, const char *name, const char *text,
                                 size_t length);
struct inlay_module *inlay_parse_file(struct inlay_session *session, const char *path);
/* With its runs; accepts NULL. */
void inlay_module_destroy(struct inlay_module *module);

/* The module as a script. */
const char *inlay_module_text(struct inlay_module *module);

/* A pipeline as for `inlay opt -p`, NULL: "default".  After an error the module cannot be used. */
bool inlay_module_run_passes(struct inlay_module *module, const char *pipeline);

/* What was decided of a call that asks to work in place, by the passes that ran. */
struct inlay_decision {
    const char *function; /* that the call stands in */
    const char *value;    /* the argument whose storage it wants */
    int output;           /* of the call, from 0; -1: the argument is given away */
    unsigned argument;    /* its place among the arguments */
    bool is_inplace;
    const char *verdict; /* "in-place", "copy", ... */
    const char *code;    /* of the condition that failed, "IP002"; "IP000": none did */
    const char *reason;  /* one sentence */
    const char *bytes;   /* of the argument: a number, or an expression of dims; NULL: not known */
    const char *help;    /* the way out; or NULL */
    struct inlay_place call, blocking, alias; /* blocking: the later use, the parameter, ... */
};
size_t inlay_module_decisions(struct inlay_module *module, const struct inlay_decision **out);

/* --- runs --- */

/* A tensor, shape or scalar that goes in or comes out; tuples are taken apart, in order. */
struct inlay_leaf {
    const char *name; /* x, t.0; result, result.0 */
    const char *type; /* R.Tensor((n, 4), dtype="float32") */
    bool is_donated;  /* an argument that the entry may overwrite */
};

struct inlay_signature {
    size_t argument_count, result_count;
    const struct inlay_leaf *arguments, *results;
};

/* Of the function @entry; NULL: of `main`, or the only public one.  NULL after an error. */
const struct inlay_signature *inlay_module_signature(struct inlay_module *module,
                                                     const char *entry);

/*
 * Makes code of the module, which passes must have lowered, and loads it.  The module cannot be passed
 * on after that.  Where what the passes decided about storage does not pass its check, which is a bug in
 * Inlay, the script goes through the same pipelines again, without updates in place: a warning (E0690)
 * says so, and the decisions are those of the module as it is then.  Where updates in place were asked for
 * without fail (INLAY_INPLACE_STRICT, strict=True, R.assert_inplace) it is an error.
 */
bool inlay_module_compile(struct inlay_module *module);

/* A call that was made: owns its results. */
struct inlay_run;

/*
 * Calls @entry (NULL: as above) of a module that is compiled.  Arguments are checked against the
 * signature and borrowed for the call; donated ones may be overwritten, and results may lie in them.
 */
struct inlay_run *inlay_module_call(struct inlay_module *module, const char *entry,
                                    const struct inlay_value *arguments, size_t argument_count);
/*
 * The same with a promise: the storage of argument i has @argument_bytes[i] bytes from its first element
 * on (0: nothing is said), so that a donated one may grow where it is (`relax.capacity`).  Who promises
 * more than there is has it overwritten.
 */
struct inlay_run *inlay_module_call_with_room(struct inlay_module *module, const char *entry,
                                              const struct inlay_value *arguments,
                                              size_t argument_count, const size_t *argument_bytes);
/*
 * A call in memory of the caller.  Made by inlay_call_init(), then filled in.  Numbers among the results are
 * values.  Tensors are given, each by a value of kind INLAY_TENSOR whose tensor
 *
 *   has data   the result is put there, and mostly computed there: dtype and shape must be those of the result,
 *              and it must be aligned to its elements.  It must not share memory with an argument or another
 *              result, and holds anything after a call that failed
 *   has none   or begins where an argument does, and the result is not always made in storage of its own: it lies
 *              in an argument.  Data, dtype and shape are filled in; `ndim` and `shape` must have room for its dims
 */
struct inlay_call {
    size_t size;       /* of this struct */
    const char *entry; /* NULL: `main`, or the only public function */
    const struct inlay_value *arguments;
    size_t argument_count;
    const size_t *argument_bytes; /* as for inlay_module_call_with_room(), or NULL */
    struct inlay_value *results;
    size_t result_count;
    /* What the call works in, from a multiple of 64 bytes on; NULL, or less than it needs: the rest is of the
     * session. */
    void *arena;
    size_t arena_bytes;
};
void inlay_call_init_sized(struct inlay_call *call, size_t size);
#define inlay_call_init(call) inlay_call_init_sized(call, sizeof(struct inlay_call))

/* False after an error.  With results and arena of the caller, calls after the first allocate nothing. */
bool inlay_module_call_into(struct inlay_module *module, const struct inlay_call *call);
/*
 * How large an arena has to be for a call with such arguments (only their shapes are read), on all threads of
 * the session.  False after an error, also where no bound is known (E0360).  Not for each call: it takes time.
 */
bool inlay_module_arena_bytes(struct inlay_module *module, const struct inlay_call *call,
                              size_t *out_bytes);
/* What the call means: the same by the reference interpreter, of any module.  Slow. */
struct inlay_run *inlay_module_interpret(struct inlay_module *module, const char *entry,
                                         const struct inlay_value *arguments,
                                         size_t argument_count);

/* Tensors live as long as the run, and as the arguments that they lie in. */
size_t inlay_run_results(const struct inlay_run *run, const struct inlay_value **out);
/* The most that the call held at once, without its arguments. */
size_t inlay_run_peak_bytes(const struct inlay_run *run);
/* Gives its memory to the next call; accepts NULL. */
void inlay_run_destroy(struct inlay_run *run);

#ifdef __cplusplus
}
#endif
