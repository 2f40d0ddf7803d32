/* The C header of an artifact. */
#include "analysis/leaves.h"
#include "base/array.h"
#include "driver/artifact.h"
#include "driver/config.h"
#include "ir/arith.h"
#include "ir/bounds.h"
#include "runtime/artifact/artifact.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* What all headers of one ABI have in common. */
static const char common[] =
    "#ifndef INLAY_ARTIFACT_ABI\n"
    "#define INLAY_ARTIFACT_ABI %d\n"
    "\n"
    "/* What a call returns: 0, or the line of the script times 16 plus one of these. */\n"
    "enum inlay_run_status {\n"
    "    INLAY_RUN_OK = 0,\n"
    "    INLAY_RUN_ARGUMENT = 1, /* an argument is not what the function takes */\n"
    "    INLAY_RUN_SHAPE = 2,    /* a shape is not what the script says */\n"
    "    INLAY_RUN_BOUNDS = 3,   /* an index is out of range */\n"
    "    INLAY_RUN_ASSERT = 4,   /* an assertion of the script failed */\n"
    "    INLAY_RUN_MEMORY = 6,   /* the arena is missing, not aligned or too small */\n"
    "    INLAY_RUN_DEPTH = 7,    /* too many calls are nested */\n"
    "    INLAY_RUN_WEIGHTS = 10, /* the weights are missing, or those of another artifact */\n"
    "    INLAY_RUN_PROCESSOR = 11 /* the processor has not what the code needs */\n"
    "};\n"
    "#define INLAY_RUN_KIND(status) ((status) %% 16)\n"
    "#define INLAY_RUN_LINE(status) ((status) / 16)\n"
    "\n"
    "/* Filled in by the _dl functions if it is not NULL. */\n"
    "struct inlay_run_error {\n"
    "    int32_t kind;  /* enum inlay_run_status */\n"
    "    uint32_t line; /* of the script; 0: none */\n"
    "    uint64_t arena_bytes; /* that the call needs; 0: none, or it did not come to that */\n"
    "    char message[496];\n"
    "};\n"
    "\n"
    "/* A file of weights, filled in by PREFIX_weights_open or _use; one for any number of calls. */\n"
    "struct inlay_weights {\n"
    "    const void *file; /* its bytes; NULL: none */\n"
    "    uint64_t bytes, identity, is_mapped;\n"
    "};\n"
    "\n"
    "/*\n"
    " * Who defines it lets parallel loops run on threads of its own: it calls piece(state, i) for each i from 0 to\n"
    " * count - 1, in any order and at the same time, and returns when all are through. Without it they are\n"
    " * serial, or run on threads of the library (inlay compile --threads); the results are the same bits. Loops\n"
    " * that need scratch are divided as far as the arena allows.\n"
    " */\n"
    "#ifdef __cplusplus\n"
    "extern \"C\"\n"
    "#endif\n"
    "void inlay_host_parallel(void (*piece)(void *state, int32_t index), void *state, int32_t count);\n"
    "\n"
    "/* DLPack's tensor. */\n"
    "#ifdef DLPACK_DLPACK_H_\n"
    "typedef DLTensor inlay_dltensor;\n"
    "#else\n"
    "typedef struct inlay_dltensor {\n"
    "    void *data;\n"
    "    struct { int32_t device_type, device_id; } device; /* 1, 0: the CPU */\n"
    "    int32_t ndim;\n"
    "    struct { uint8_t code, bits; uint16_t lanes; } dtype; /* 0 int, 1 uint, 2 float, 4 bfloat, "
    "6 bool */\n"
    "    int64_t *shape;\n"
    "    int64_t *strides; /* in elements; NULL: compact, row-major */\n"
    "    uint64_t byte_offset;\n"
    "} inlay_dltensor;\n"
    "#endif\n"
    "\n"
    "#elif INLAY_ARTIFACT_ABI != %d\n"
    "#error \"headers of artifacts of two versions of Inlay\"\n"
    "#endif\n";

static const char *upper(struct arena *arena, const char *text)
{
    char *copy = arena_printf(arena, "%s", text);

    for (char *p = copy; *p; p++)
        *p = (char)toupper((unsigned char)*p);
    return copy;
}

/* A comment must not end early. */
static void put_comment(struct text *out, const char *text)
{
    for (const char *p = text; *p; p++) {
        text_putc(out, *p);
        if (p[0] == '*' && p[1] == '/')
            text_putc(out, ' ');
    }
}

static void put_signature(const struct c_function *function, struct ir_context *context,
                          struct text *out)
{
    struct text text = {0};

    text_printf(&text, "%s(", function->function->name);
    for (unsigned i = 0; i < function->function->param_count; i++) {
        const struct ir_value *param = function->function->params[i];
        text_printf(&text, "%s%s: %s", i ? ", " : "", param->name ? param->name : "_",
                    ir_type_text(context, param->type));
    }
    text_printf(&text, ") -> %s", ir_type_text(context, function->function->result));
    put_comment(out, text_string(&text));
    text_finish(&text);
}

/* "[n, 4]" */
static void put_shape(const struct c_function *function, const struct ir_type *type,
                      struct text *out)
{
    text_putc(out, '[');
    for (int i = 0; i < type->ndim; i++) {
        text_puts(out, i ? ", " : "");
        if (type->dims)
            c_view_put_expr(function, type->dims[i], out);
        else
            text_putc(out, '?');
    }
    text_putc(out, ']');
}

static void put_param_note(const struct c_function *function, const struct c_param *param,
                           struct text *out)
{
    const struct ir_type *type = param->base.type;

    switch (param->base.kind) {
    case CODEGEN_DATA:
    case CODEGEN_RESULT:
        if (type->kind == IR_TYPE_TENSOR)
            put_shape(function, type, out);
        else if (type->kind == IR_TYPE_SHAPE)
            text_printf(out, "%d dims", type->ndim);
        if (type->kind == IR_TYPE_TENSOR && ir_dtype_is_float(type->dtype) &&
            type->dtype.bits == 16)
            text_puts(out, type->dtype.code == IR_BFLOAT ? " bfloat16" : " float16");
        text_puts(out, param->base.kind == CODEGEN_RESULT ? " out"
                       : param->result >= 0               ? " in/out"
                       : param->is_inplace                ? " in, overwritten"
                                                          : "");
        if (param->result >= 0 &&
            leaf_type(function->function->result, (unsigned)param->result) != type) {
            text_puts(out, ", then ");
            put_shape(function, leaf_type(function->function->result, (unsigned)param->result),
                      out);
        }
        break;
    case CODEGEN_SHAPE:
        text_printf(out, "%d dims of it", type->ndim);
        break;
    default:
        break;
    }
}

static void put_params(const struct c_function *function, struct text *out)
{
    for (size_t i = 0; i < function->params.count; i++) {
        const struct c_param *param = &function->params.items[i];
        struct text note = {0};
        text_printf(out, "%s\n    %s%s", i ? "," : "", param->type, param->name);
        put_param_note(function, param, &note);
        if (note.length)
            text_printf(out, " /* %s */", text_string(&note));
        text_finish(&note);
    }
}

/* What the size of the arena depends on. */
static void put_size_params(const struct c_function *function, struct text *out)
{
    unsigned count = 0;

    for (size_t i = 0; i < function->params.count; i++) {
        const struct c_param *param = &function->params.items[i];
        if (param->base.is_size)
            text_printf(out, "%s%s%s", count++ ? ", " : "", param->type, param->name);
    }
    if (!count)
        text_puts(out, "void");
}

/* Bytes of results: macros where they are numbers. */
static void put_result_sizes(const struct c_view *view, const struct c_function *function,
                             const char *name, struct text *out)
{
    struct arena arena = {0};

    for (size_t i = 0; i < function->params.count; i++) {
        const struct c_param *param = &function->params.items[i];
        const struct ir_type *type = param->base.type;
        if (param->base.kind != CODEGEN_RESULT || type->kind != IR_TYPE_TENSOR)
            continue;
        const struct ir_expr *bytes = ir_type_bytes(view->context, type);
        if (bytes && bytes->kind == IR_EXPR_int)
            text_printf(out, "#define %s_%s_BYTES %lldu\n", name, upper(&arena, param->name),
                        (long long)bytes->int_value);
    }
    arena_finish(&arena);
}

static void put_tensor_door(const struct c_view *view, const struct c_function *function,
                            struct text *out)
{
    unsigned args = 0, results = 0;
    struct text names = {0}, outs = {0};

    for (size_t i = 0; i < function->params.count; i++)
        if (function->params.items[i].base.kind == CODEGEN_RESULT)
            text_printf(&outs, "%s%s", results++ ? ", " : "", function->params.items[i].name);
    for (unsigned i = 0; i < function->function->param_count; i++) {
        const struct ir_value *param = function->function->params[i];
        for (unsigned k = 0; k < leaf_count(param->type); k++)
            text_printf(&names, param->type->kind == IR_TYPE_TUPLE ? "%s%s[%u]" : "%s%s",
                        args++ ? ", " : "", param->name ? param->name : "_", k);
    }
    text_puts(out, "/* The same for tensors, all checked. args: ");
    put_comment(out, names.length ? text_string(&names) : "none");
    text_puts(out, ".\n * results: ");
    put_comment(out, outs.length ? text_string(&outs) : "none");
    text_puts(
        out,
        ". Numbers are tensors of rank 0, shapes are int64 of rank 1.\n"
        " * arg_bytes: what the storage of each argument holds, for those that grow in theirs; or NULL. */\n");
    text_printf(
        out,
        "int32_t %s_dl(inlay_dltensor *const *args, const size_t *arg_bytes, int32_t arg_count,\n"
        "    inlay_dltensor *const *results, int32_t result_count,\n"
        "    %svoid *arena, size_t arena_bytes, struct inlay_run_error *error);\n",
        function->name, view->has_weights ? "const struct inlay_weights *weights, " : "");
    text_finish(&names);
    text_finish(&outs);
}

/* The arena as a number, if it is one, or one that is enough for all sizes within their upper bounds. */
static void put_arena_bytes(const struct c_view *view, const struct c_function *function,
                            const char *name, struct text *out)
{
    struct arena arena = {0};
    struct ir_bounds bounds = {0};
    int64_t bytes = 0;

    ir_bounds_find(function->function, &arena, &bounds);
    if (ir_bounds_most(view->context, &bounds, function->need, &bytes))
        text_printf(out, "#define %s_ARENA_BYTES %" PRId64 "u%s\n", name, bytes,
                    function->need->kind == IR_EXPR_int
                        ? ""
                        : " /* for all sizes within their upper bounds */");
    array_finish(&bounds);
    arena_finish(&arena);
}

static void put_function(const struct c_view *view, const struct c_function *function,
                         struct text *out)
{
    struct arena arena = {0};
    const char *name = upper(&arena, function->name);
    struct text need = {0};

    c_view_put_expr(function, function->need, &need);
    text_puts(out, "\n/*\n * ");
    put_signature(function, view->context, out);
    text_printf(out, "\n *\n * Arena: %s bytes.", text_string(&need));
    if (function->stack_bytes >= 0)
        text_printf(out, " Stack of the thread: at most %lld.", (long long)function->stack_bytes);
    text_puts(out, "\n */\n");
    put_arena_bytes(view, function, name, out);
    if (function->stack_bytes >= 0)
        text_printf(out, "#define %s_STACK_BYTES %lldu\n", name, (long long)function->stack_bytes);
    put_result_sizes(view, function, name, out);
    text_printf(out, "int32_t %s(", function->name);
    put_params(function, out);
    text_puts(out, ");\n");
    put_tensor_door(view, function, out);
    text_printf(
        out,
        "/* Bytes of the arena; SIZE_MAX: more than can be counted. */\nsize_t %s_arena_bytes(",
        function->name);
    put_size_params(function, out);
    text_puts(out, ");\n");
    text_finish(&need);
    arena_finish(&arena);
}

/* What an artifact for several levels of a processor has beside its functions. */
static void put_chooser(const struct c_view *view, const struct artifact_options *options,
                        struct text *out)
{
    const char *prefix = view->prefix, *line = *prefix ? "_" : "";

    text_puts(out, "\n/*\n * There is code for");
    for (size_t i = 0; i < options->level_count; i++)
        text_printf(out, "%s \"%s\"", i ? "," : "", options->levels[i].target.cpu);
    text_printf(
        out,
        "; calls use the last of them that this\n"
        " * machine has. %s%suse_cpu(name) lets calls that begin afterwards, of the whole process, use another one\n"
        " * (NULL: what the machine has); it returns 0, or INLAY_RUN_PROCESSOR where there is none, or the machine has\n"
        " * it not. %s%scpu() says which is used; NULL: the machine has none of them, and each call returns\n"
        " * INLAY_RUN_PROCESSOR.\n */\n"
        "int32_t %s%suse_cpu(const char *name);\nconst char *%s%scpu(void);\n",
        prefix, line, prefix, line, prefix, line, prefix, line);
}

/* @path: of the file. */
static void put_weights(struct c_view *view, const char *path, struct text *out)
{
    static const char text[] =
        "\n/*\n"
        " * The weights lie in the file %s, which all calls need. _open maps it, read-only (path NULL: its name,\n"
        " * in the folder of the process); _use takes its bytes from memory, which begins at a multiple of 64 and\n"
        " * stays. Checked are size and head; `inlay verify` reads the rest. error may be NULL.\n"
        " */\n"
        "int32_t %s_open(struct inlay_weights *weights, const char *path, struct inlay_run_error *error);\n"
        "int32_t %s_use(struct inlay_weights *weights, const void *file, size_t bytes,\n"
        "    struct inlay_run_error *error);\n"
        "void %s_close(struct inlay_weights *weights);\n";
    const char *name = c_view_weights(view), *slash = strrchr(path, '/');
    struct text file = {0};

    put_comment(&file, slash ? slash + 1 : path);
    text_printf(out, text, text_string(&file), name, name, name);
    text_finish(&file);
}

void artifact_put_header(struct c_view *view, const char *guard,
                         const struct artifact_options *options, struct text *out)
{
    struct arena arena = {0};
    const char *name = upper(&arena, guard), *prefix = upper(&arena, view->prefix);
    const char *slash = strrchr(options->script, '/');

    text_puts(out, "/*\n * ");
    put_comment(out, slash ? slash + 1 : options->script);
    text_puts(
        out,
        ", compiled by Inlay " INLAY_VERSION ".\n"
        " *\n"
        " * All functions are re-entrant: calls at the same time need arenas, results and arguments\n"
        " * in place of their own. None allocates, prints, exits or has state. Elements lie in row-major\n"
        " * order. Results lie apart from arguments and from each other.\n");
    if (options->threads > 1)
        text_printf(out, " * Parallel loops run on %u threads at most, of the library's own.\n",
                    options->threads);
    text_puts(out, " */\n");
    text_printf(out, "#ifndef %s_INCLUDED\n#define %s_INCLUDED\n\n", name, name);
    text_puts(out, "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n");
    text_printf(out, common, INLAY_ARTIFACT_ABI, INLAY_ARTIFACT_ABI);
    text_puts(out, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    text_printf(out, "#define %s%sARENA_ALIGN %du\n", prefix, *prefix ? "_" : "",
                INLAY_ARTIFACT_ALIGN);
    text_printf(out,
                "/* The length of an array for an arena of @bytes: C has none of length 0. */\n"
                "#define %s%sARENA_ROOM(bytes) ((bytes) > 0u ? (bytes) : 1u)\n",
                prefix, *prefix ? "_" : "");
    text_printf(out,
                "\n/* What @status says, in @buffer, which is returned. */\n"
                "const char *%s%smessage(int32_t status, char *buffer, size_t size);\n",
                view->prefix, *view->prefix ? "_" : "");
    if (options->weights)
        put_weights(view, options->weights, out);
    if (options->level_count)
        put_chooser(view, options, out);
    for (size_t i = 0; i < view->functions.count; i++)
        put_function(view, &view->functions.items[i], out);
    text_puts(out, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    arena_finish(&arena);
}
