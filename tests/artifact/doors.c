/* Calls the artifact of STATE (artifact_errors.py) with what it does not take: each is an error with words. */
#include <m.h> /* made by the test */
#include <stdio.h>
#include <string.h>

static int64_t eight[] = {8}, two[] = {2}, nine[] = {9}, strides[] = {2};
static _Alignas(64) float state[32], x[32], taken[4];
static int64_t places[] = {1, 7};
static _Alignas(64) unsigned char arena[M_MAIN_ARENA_BYTES + 64];
_Static_assert(M_MAIN_ARENA_BYTES > 0, "the script needs some");
static int failures;

static inlay_dltensor tensor(void *data, int code, int bits, int64_t *shape)
{
    return (inlay_dltensor){.data = data,
                            .device = {1, 0},
                            .ndim = 1,
                            .dtype = {(uint8_t)code, (uint8_t)bits, 1},
                            .shape = shape};
}

struct call {
    inlay_dltensor args[3], results[1];
    int arg_count, result_count;
    void *arena;
    size_t arena_bytes;
};

static struct call good(void)
{
    return (struct call){
        .args = {tensor(state, 2, 32, eight), tensor(x, 2, 32, eight), tensor(places, 0, 64, two)},
        .results = {tensor(taken, 2, 32, two)},
        .arg_count = 3,
        .result_count = 1,
        .arena = arena,
        .arena_bytes = M_MAIN_ARENA_BYTES};
}

static void expect(struct call c, int kind, const char *words)
{
    inlay_dltensor *args[] = {&c.args[0], &c.args[1], &c.args[2]}, *results[] = {&c.results[0]};
    struct inlay_run_error error;
    char text[128];
    int32_t status =
        m_main_dl(args, NULL, c.arg_count, results, c.result_count, c.arena, c.arena_bytes, &error);

    m_message(status, text, sizeof(text));
    if (INLAY_RUN_KIND(status) == kind && error.kind == kind && strstr(error.message, words) &&
        text[0])
        return;
    printf("wanted %d with `%s`, got %d: %s (%s)\n", kind, words, status, error.message, text);
    failures++;
}

static void expect_plain(int32_t status, int kind)
{
    if (INLAY_RUN_KIND(status) == kind)
        return;
    printf("plain: wanted %d, got %d\n", kind, status);
    failures++;
}

int main(void)
{
    struct call c = good();

    expect(c, INLAY_RUN_OK, "");
    c = good(), c.arg_count = 2;
    expect(c, INLAY_RUN_ARGUMENT, "takes 3 arguments, but was given 2");
    c = good(), c.result_count = 0;
    expect(c, INLAY_RUN_ARGUMENT, "1 results, but was given room for 0");
    c = good(), c.args[1].dtype.bits = 64;
    expect(c, INLAY_RUN_ARGUMENT, "float32");
    c = good(), c.args[1].ndim = 2;
    expect(c, INLAY_RUN_ARGUMENT, "dimensions");
    c = good(), c.args[1].shape = nine;
    expect(c, INLAY_RUN_ARGUMENT, "shape");
    c = good(), c.args[1].strides = strides;
    expect(c, INLAY_RUN_ARGUMENT, "contiguous");
    c = good(), c.args[1].data = (char *)x + 1;
    expect(c, INLAY_RUN_ARGUMENT, "aligned");
    c = good(), c.args[1].byte_offset = 2;
    expect(c, INLAY_RUN_ARGUMENT, "aligned");
    c = good(), c.args[1].byte_offset = 4; /* aligned to its elements: fine */
    expect(c, INLAY_RUN_OK, "");
    c = good(), c.args[1].device.device_type = 2;
    expect(c, INLAY_RUN_ARGUMENT, "CPU");
    c = good(), c.args[1].data = NULL;
    expect(c, INLAY_RUN_ARGUMENT, "no data");
    c = good(), c.args[1].data = state + 4;
    expect(c, INLAY_RUN_ARGUMENT, "shares memory");
    c = good(), c.results[0].data = state;
    expect(c, INLAY_RUN_ARGUMENT, "shares memory with argument 1");
    c = good(), c.results[0].shape = nine;
    expect(c, INLAY_RUN_ARGUMENT, "result 1");
    c = good(), c.results[0].dtype.code = 0;
    expect(c, INLAY_RUN_ARGUMENT, "result 1");
    c = good(), c.results[0].data = NULL;
    expect(c, INLAY_RUN_ARGUMENT, "result 1");
    c = good(), c.results[0].data = (char *)taken + 2;
    expect(c, INLAY_RUN_ARGUMENT, "aligned");
    c = good(), c.results[0].byte_offset = 4; /* aligned to its elements: fine */
    expect(c, INLAY_RUN_OK, "");
    c = good(), c.arena = NULL;
    expect(c, INLAY_RUN_MEMORY, "arena");
    c = good(), c.arena_bytes = M_MAIN_ARENA_BYTES - 1;
    expect(c, INLAY_RUN_MEMORY, "arena");
    c = good(), c.arena = arena + 8;
    expect(c, INLAY_RUN_MEMORY, "multiple of 64");
    expect_plain(m_main(state, x, places, taken, NULL), INLAY_RUN_MEMORY);
    expect_plain(m_main(state, x, places, taken, arena + 8), INLAY_RUN_MEMORY);
    expect_plain(m_main(state, x, places, taken + 1, arena), INLAY_RUN_OK);
    expect_plain(m_main(state, x, places, taken, arena), INLAY_RUN_OK);
    expect_plain(m_main(NULL, x, places, taken, arena), INLAY_RUN_ARGUMENT);
    expect_plain(m_main(state, x, places, NULL, arena), INLAY_RUN_ARGUMENT);
    expect_plain(m_main(state, state, places, taken, arena), INLAY_RUN_ARGUMENT);
    expect_plain(m_main(state, x, places, x, arena), INLAY_RUN_ARGUMENT);
    m_main_dl(NULL, NULL, 3, NULL, 1, NULL, 0, NULL); /* nobody wants the words */
    char small[1] = {'?'};
    if (m_message(INLAY_RUN_BOUNDS, small, 1) != small || small[0] != 0 || m_message(1, NULL, 0)[0])
        failures++;
    return failures;
}
