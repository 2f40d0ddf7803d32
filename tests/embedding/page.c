/*
 * The blocks of docs/embedding.md, in their order, each in a function that gives it what it speaks of: tests/embedding.py
 * writes them to files that it calls BLOCK0 and so on, compiles this one and runs it.  Exit code 0, or that of the line that is wrong.
 */
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(what)                                           \
    do {                                                       \
        if (!(what)) {                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what); \
            exit(1);                                           \
        }                                                      \
    } while (0)
#define HEAD                              \
    "from tvm.script import ir as I\n"    \
    "from tvm.script import relax as R\n" \
    "@I.ir_module\nclass Module:\n"       \
    "    @R.function\n"
#define VECTOR "R.Tensor((4,), \"float32\")"

static const struct inlay_dtype f32 = {INLAY_CODE_FLOAT, 32, 1};
static const int64_t four[] = {4};

static struct inlay_value tensor_of(int ndim, const int64_t *shape, float value)
{
    struct inlay_tensor *tensor = inlay_tensor_create(f32, shape, ndim);

    EXPECT(tensor);
    for (int64_t i = 0; i < (ndim == 1 ? shape[0] : shape[0] * shape[1]); i++)
        ((float *)tensor->data)[i] = value;
    return (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensor};
}

static struct inlay_module *compiled(struct inlay_session *session, const char *script)
{
    struct inlay_module *module = inlay_parse(session, "page.py", script, strlen(script));

    EXPECT(module && inlay_module_run_passes(module, "default") && inlay_module_compile(module));
    return module;
}

static void from_text_to_results(void)
{
    static const char script[] = HEAD "    def main(x: " VECTOR ", y: " VECTOR ", z: " VECTOR "):\n"
                                      "        return R.add(R.add(x, y), z)\n";
    struct inlay_value arguments[] = {tensor_of(1, four, 1), tensor_of(1, four, 2),
                                      tensor_of(1, four, 3)};
    struct inlay_run *run = NULL;
    const struct inlay_value *results;
#include BLOCK0

    EXPECT(run && inlay_run_results(run, &results) == 1 &&
           ((float *)results->tensor->data)[3] == 6);
    inlay_run_destroy(run);
    for (int i = 0; i < 3; i++)
        inlay_tensor_destroy(arguments[i].tensor);
    inlay_session_destroy(session);
}

static void room_to_grow(void)
{
    static const char script[] = HEAD
        "    def main(past: R.Tensor((\"n\", 64), \"float32\"), new: R.Tensor((1, 64), \"float32\")):\n"
        "        R.func_attr({\"relax.inplace_arg\": [0], \"relax.capacity\": {\"past\": 4096}})\n"
        "        return R.concat((past, new), axis=0)\n";
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = compiled(session, script);
    const struct inlay_dtype dtype = f32;
    const int64_t shape[] = {2, 64}, row[] = {1, 64};
    struct inlay_value arguments[] = {{.kind = INLAY_TENSOR}, tensor_of(2, row, 7)};
    const struct inlay_value *results;
    struct inlay_tensor *past;
    struct inlay_run *run;
#define past arguments[0].tensor
#include BLOCK1
#undef past

    past = arguments[0].tensor;
    EXPECT(run && inlay_run_results(run, &results) == 1);
    EXPECT(results->tensor->data == past->data && results->tensor->shape[0] == 3);
    inlay_run_destroy(run);
    inlay_tensor_destroy(past);
    inlay_tensor_destroy(arguments[1].tensor);
    inlay_session_destroy(session);
}

static void memory_of_the_host(void)
{
    static const char script[] = HEAD "    def main(x: " VECTOR ", y: " VECTOR "):\n"
                                      "        return (R.add(x, y), R.multiply(x, y))\n";
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = compiled(session, script);
    struct inlay_value arguments[] = {tensor_of(1, four, 2), tensor_of(1, four, 3)};
    struct inlay_value results[] = {tensor_of(1, four, 0), tensor_of(1, four, 0)};
    const int steps = 3;
#include BLOCK2

    EXPECT(((float *)results[0].tensor->data)[3] == 5 &&
           ((float *)results[1].tensor->data)[3] == 6);
    for (int i = 0; i < 2; i++) {
        inlay_tensor_destroy(arguments[i].tensor);
        inlay_tensor_destroy(results[i].tensor);
    }
    free(call.arena);
    inlay_session_destroy(session);
}

static void mistakes(void)
{
    struct inlay_session *session = inlay_session_create(NULL);

    EXPECT(!inlay_parse(session, "page.py", "def", 3));
#include BLOCK3

    EXPECT(count > 0 && items[0].message);
    inlay_session_destroy(session);
}

int main(void)
{
    from_text_to_results();
    room_to_grow();
    memory_of_the_host();
    mistakes();
    return 0;
}
