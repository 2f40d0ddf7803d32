/*
 * Runs many scripts in one process: requests come on standard input, answers go to standard output.
 *
 * It judges nothing: what a script gives goes back bit for bit, and who asked knows what it should
 * be.  The formats are those of runner.py; numbers are little endian, as the machine has them.
 *
 *   request   u32 size of what follows; text script; u8 inputs; u8 ways
 *     input   u8 arguments, each: u8 code, bits, rank, mark (1: donated, 2 + k: argument k again); i64
 *             dims[rank]; the elements
 *     way     u8 how, inplace, level, threads, vectors, runs; text pipeline
 *   answer    of each way: u32 size of what follows; u8 status; text why; u8 calls
 *     call    u8 arguments, each: u8 "is as it was"; u8 results, each: u8 code, bits, rank, where
 *             (1 + the argument that it lies in, or 0); i64 dims[rank]; the elements
 *   text      u32 length, bytes
 */
#include "analysis/verify_storage/verify_storage.h"
#include "driver/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum how {
    INTERPRET, /* as written */
    LOWER,     /* behind passes; the checker of storage agrees; interpreted */
    COMPILE,   /* behind passes, as code */
    PASS,      /* behind passes, interpreted */
};
enum status { FINE, REFUSED, BROKEN };
enum { MOST = 255, MOST_RANK = 16 };

struct way {
    uint8_t how, inplace, level, threads, vectors, runs, checks_memory;
    char *pipeline;
};

struct argument {
    struct inlay_tensor *tensor;
    const unsigned char *bytes;
    size_t size;
    bool is_donated;
    int twin; /* the argument that it is too, -1: none */
};

struct input {
    unsigned count;
    struct argument arguments[MOST];
};

struct request {
    const unsigned char *at, *end;
    const char *script;
    uint32_t length;
    unsigned input_count, way_count;
    struct input *inputs;
    struct way ways[MOST];
};

static struct text answer; /* grows once */

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "runner: %s\n", why);
    exit(2);
}

/* --- reading --- */

static const unsigned char *take(struct request *request, size_t size)
{
    if ((size_t)(request->end - request->at) < size)
        give_up("a request is too short");
    request->at += size;
    return request->at - size;
}

static uint8_t take_byte(struct request *request)
{
    return *take(request, 1);
}

static const char *take_text(struct request *request, uint32_t *out_length)
{
    memcpy(out_length, take(request, sizeof(*out_length)), sizeof(*out_length));
    return (const char *)take(request, *out_length);
}

static void take_argument(struct request *request, struct argument *argument)
{
    struct inlay_dtype dtype = {.lanes = 1};
    int64_t dims[MOST_RANK] = {0};
    dtype.code = take_byte(request);
    dtype.bits = take_byte(request);
    unsigned rank = take_byte(request);
    unsigned mark = take_byte(request);
    argument->is_donated = mark == 1;
    argument->twin = mark >= 2 ? (int)mark - 2 : -1;
    if (rank > MOST_RANK)
        give_up("a rank is too high");
    memcpy(dims, take(request, rank * sizeof(*dims)), rank * sizeof(*dims));
    argument->tensor = inlay_tensor_create(dtype, dims, (int32_t)rank);
    if (!argument->tensor)
        give_up("no memory for an argument");
    argument->size = (size_t)inlay_tensor_elements(argument->tensor) * ((dtype.bits + 7u) / 8);
    argument->bytes = take(request, argument->size);
}

static void take_way(struct request *request, struct way *way)
{
    uint32_t length;
    way->how = take_byte(request);
    way->inplace = take_byte(request);
    way->level = take_byte(request);
    way->threads = take_byte(request);
    way->vectors = take_byte(request);
    way->runs = take_byte(request);
    way->checks_memory = take_byte(request);
    const char *pipeline = take_text(request, &length);
    way->pipeline = calloc(length + 1u, 1);
    if (!way->pipeline)
        give_up("no memory for a pipeline");
    memcpy(way->pipeline, pipeline, length);
}

static void take_request(struct request *request)
{
    request->script = take_text(request, &request->length);
    request->input_count = take_byte(request);
    request->inputs = calloc(request->input_count + 1u, sizeof(*request->inputs));
    if (!request->inputs)
        give_up("no memory for inputs");
    for (unsigned i = 0; i < request->input_count; i++) {
        struct input *input = &request->inputs[i];
        input->count = take_byte(request);
        for (unsigned k = 0; k < input->count; k++)
            take_argument(request, &input->arguments[k]);
    }
    request->way_count = take_byte(request);
    for (unsigned i = 0; i < request->way_count; i++)
        take_way(request, &request->ways[i]);
}

static void finish_request(struct request *request)
{
    for (unsigned i = 0; i < request->input_count; i++)
        for (unsigned k = 0; k < request->inputs[i].count; k++)
            inlay_tensor_destroy(request->inputs[i].arguments[k].tensor);
    for (unsigned i = 0; i < request->way_count; i++)
        free(request->ways[i].pipeline);
    free(request->inputs);
}

/* --- answering --- */

static void put(const void *bytes, size_t size)
{
    text_append(&answer, bytes, size);
}

static void put_byte(unsigned value)
{
    put(&(uint8_t){(uint8_t)value}, 1);
}

static void put_text(const char *text)
{
    uint32_t length = (uint32_t)strlen(text);
    put(&length, sizeof(length));
    put(text, length);
}

/* 1 + the argument that @tensor begins with, or 0. */
static unsigned argument_of(const struct input *input, const struct inlay_tensor *tensor)
{
    const char *data = (const char *)tensor->data + tensor->byte_offset;
    for (unsigned i = 0; i < input->count; i++)
        if (input->arguments[i].size > 0 && data == input->arguments[i].tensor->data)
            return i + 1;
    return 0;
}

static void put_tensor(const struct input *input, const struct inlay_tensor *tensor)
{
    put_byte(tensor->dtype.code);
    put_byte(tensor->dtype.bits);
    put_byte((unsigned)tensor->ndim);
    put_byte(argument_of(input, tensor));
    put(tensor->shape, (size_t)tensor->ndim * sizeof(*tensor->shape));
    put((const char *)tensor->data + tensor->byte_offset,
        (size_t)inlay_tensor_elements(tensor) * ((tensor->dtype.bits + 7u) / 8));
}

static bool send_answer(void)
{
    uint32_t size = (uint32_t)answer.length;
    bool is_sent = fwrite(&size, sizeof(size), 1, stdout) == 1 &&
                   fwrite(text_string(&answer), 1, size, stdout) == size && fflush(stdout) == 0;
    text_clear(&answer);
    return is_sent;
}

/* --- functions of the host that scripts call: they move elements of any dtype --- */

static void reverse(const struct inlay_tensor *from, const struct inlay_tensor *to)
{
    size_t size = (from->dtype.bits + 7u) / 8, count = (size_t)inlay_tensor_elements(from);
    const char *source = (const char *)from->data + from->byte_offset;
    char *goal = (char *)to->data + to->byte_offset;
    for (size_t i = 0; i < (source == goal ? count / 2 : count); i++) {
        char element[16], other[16];
        memcpy(element, source + i * size, size);
        memcpy(other, source + (count - 1 - i) * size, size);
        memcpy(goal + i * size, other, size);
        if (source == goal)
            memcpy(goal + (count - 1 - i) * size, element, size);
    }
}

/* gen_reverse(x): turns the elements of x round, as a row. */
static int32_t gen_reverse(void *handle, const struct inlay_value *args, int32_t count,
                           struct inlay_value *result)
{
    (void)handle;
    if (count != 1 || args[0].kind != INLAY_TENSOR)
        return -1;
    reverse(args[0].tensor, args[0].tensor);
    *result = (struct inlay_value){.kind = INLAY_NONE};
    return 0;
}

/* gen_reversed(x, out) */
static int32_t gen_reversed(void *handle, const struct inlay_value *args, int32_t count,
                            struct inlay_value *result)
{
    (void)handle;
    if (count != 2 || args[0].kind != INLAY_TENSOR || args[1].kind != INLAY_TENSOR)
        return -1;
    reverse(args[0].tensor, args[1].tensor);
    *result = (struct inlay_value){.kind = INLAY_NONE};
    return 0;
}

static inlay_packed_fn *find_packed(void *state, const char *symbol, void **out_handle)
{
    (void)state;
    *out_handle = NULL;
    if (strcmp(symbol, "gen_reverse") == 0)
        return gen_reverse;
    return strcmp(symbol, "gen_reversed") == 0 ? gen_reversed : NULL;
}

/* --- sessions: one for each kind of options, as long as it can go on --- */

struct known {
    struct way options;
    struct inlay_session *session;
};

static struct known known[64];
static size_t known_count;

static struct inlay_session *create(const struct way *way)
{
    struct inlay_options options;
    inlay_options_init(&options);
    options.inplace = way->inplace;
    options.opt_level = way->level;
    options.threads = way->threads;
    options.vector_bytes = way->vectors;
    options.checks_memory = way->checks_memory;
    options.code_generator = INLAY_LLVM;
    options.find_packed = find_packed;
    struct inlay_session *session = inlay_session_create(&options);
    if (!session)
        give_up("no session");
    return session;
}

static bool is_alike(const struct way *a, const struct way *b)
{
    return a->inplace == b->inplace && a->level == b->level && a->threads == b->threads &&
           a->vectors == b->vectors && a->checks_memory == b->checks_memory;
}

static struct inlay_session *session_for(const struct way *way)
{
    size_t i = 0;
    while (i < known_count && !is_alike(way, &known[i].options))
        i++;
    if (i == sizeof(known) / sizeof(*known))
        i = --known_count;
    struct known *item = &known[i];
    bool is_new = i == known_count;
    if (is_new || inlay_session_state(item->session) != INLAY_READY) {
        if (item->session)
            inlay_session_destroy(item->session);
        *item = (struct known){.options = *way, .session = create(way)};
        known_count += is_new;
    }
    inlay_diagnostics_clear(item->session);
    return item->session;
}

/* --- one way of running --- */

static void check(void *state)
{
    struct inlay_module *module = state;
    verify_storage_check(module->ir, VERIFY_STORAGE_RESOLVED, module->session->driver->diag);
}

/* What the checker of storage refuses is a bug, as it is where code is made. */
static bool is_agreed(struct inlay_module *module)
{
    const struct inlay_diagnostic *items;
    if (!api_enter(module->session, check, module))
        return false;
    size_t count = inlay_diagnostics(module->session, &items);
    for (size_t i = 0; i < count; i++)
        if (items[i].severity == INLAY_ERROR)
            return false;
    return true;
}

/* Was an update taken back because only one proof allows it?  It is right then, and a bug all the same. */
static bool is_unfollowed(const struct inlay_module *module)
{
    return diag_has(module->session->driver->diag, DIAG_INPLACE_UNFOLLOWED);
}

static bool prepare(struct inlay_module *module, const struct way *way)
{
    if (way->how == INTERPRET)
        return true;
    if (!inlay_module_run_passes(module, way->pipeline) || is_unfollowed(module))
        return false;
    return way->how == PASS ||
           (way->how == LOWER ? is_agreed(module) : inlay_module_compile(module));
}

static bool call(struct inlay_module *module, const struct way *way, struct input *input)
{
    struct inlay_value values[MOST] = {0};
    for (unsigned i = 0; i < input->count; i++) {
        struct argument *argument = &input->arguments[i];
        memcpy(argument->tensor->data, argument->bytes, argument->size);
        values[i] = argument->twin < 0
                        ? (struct inlay_value){.kind = INLAY_TENSOR, .tensor = argument->tensor}
                        : values[argument->twin];
    }
    struct inlay_run *run = way->how == COMPILE
                                ? inlay_module_call(module, NULL, values, input->count)
                                : inlay_module_interpret(module, NULL, values, input->count);
    if (!run)
        return false;
    put_byte(input->count);
    for (unsigned i = 0; i < input->count; i++) {
        struct argument *argument = &input->arguments[i];
        put_byte(argument->is_donated ||
                 memcmp(argument->tensor->data, argument->bytes, argument->size) == 0);
    }
    const struct inlay_value *results;
    size_t count = inlay_run_results(run, &results);
    put_byte((unsigned)count);
    for (size_t i = 0; i < count; i++) {
        if (results[i].kind != INLAY_TENSOR)
            give_up("a result is no tensor");
        put_tensor(input, results[i].tensor);
    }
    inlay_run_destroy(run);
    return true;
}

static void put_failure(struct inlay_session *session)
{
    bool is_broken = inlay_session_state(session) != INLAY_READY;
    const struct inlay_diagnostic *items;
    const char *why = "";
    if (!is_broken)
        why = inlay_diagnostics_text(session, INLAY_FORMAT_TEXT);
    else if (inlay_diagnostics(session, &items) > 0)
        why = items[0].message;
    text_clear(&answer);
    put_byte(is_broken ? BROKEN : REFUSED);
    put_text(why ? why : "");
    put_byte(0);
}

static void run(struct request *request, const struct way *way)
{
    struct inlay_session *session = session_for(way);
    struct inlay_module *module =
        inlay_parse(session, "script.py", request->script, request->length);
    bool is_good = module && prepare(module, way);
    put_byte(FINE);
    put_text("");
    put_byte(way->runs * request->input_count);
    for (unsigned i = 0; is_good && i < way->runs * request->input_count; i++)
        is_good = call(module, way, &request->inputs[i % request->input_count]);
    if (!is_good)
        put_failure(session);
    inlay_module_destroy(module);
}

/* False at the end of the requests. */
static bool serve(void)
{
    static unsigned char *buffer;
    uint32_t size;
    if (fread(&size, sizeof(size), 1, stdin) != 1)
        return false;
    buffer = realloc(buffer, size + 1u);
    if (!buffer || fread(buffer, 1, size, stdin) != size)
        give_up("a request is cut off");
    struct request request = {.at = buffer, .end = buffer + size};
    take_request(&request);
    bool is_heard = true;
    for (unsigned i = 0; i < request.way_count && is_heard; i++) {
        run(&request, &request.ways[i]);
        is_heard = send_answer();
    }
    finish_request(&request);
    return is_heard;
}

int main(void)
{
    while (serve())
        ;
    for (size_t i = 0; i < known_count; i++)
        inlay_session_destroy(known[i].session);
    text_finish(&answer);
    return 0;
}
