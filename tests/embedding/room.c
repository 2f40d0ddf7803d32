/*
 * A decoder of a host: its caches grow in two buffers of the host, step by step, for as long as they have
 * room.  tests/embedding.py compiles it against what is installed.  Exit code 0, or 1 with what is wrong.
 */
#include <inlay/inlay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIM = 5, ROOM = 100, GUARD = 64 };

static const char script[] =
    "from tvm.script import ir as I\n"
    "from tvm.script import relax as R\n"
    "from tvm.script import tir as T\n\n"
    "@I.ir_module\n"
    "class Module:\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((1, 5), \"float32\"), w: R.Tensor((5, 5), \"float32\"),\n"
    "             past_k: R.Tensor((\"n\", 5), \"float32\"), past_v: R.Tensor((1, \"n\", 5), \"float32\")):\n"
    "        n = T.int64()\n"
    "        R.func_attr({\"relax.inplace_arg\": [2, 3], \"relax.capacity\": {\"past_k\": 100},\n"
    "                     \"tir_var_upper_bound\": {\"n\": 100}})\n"
    "        with R.dataflow():\n"
    "            new_k = R.matmul(x, w)\n"
    "            new_v = R.reshape(R.negative(x), (1, 1, 5))\n"
    "            k = R.concat((past_k, new_k), axis=0)\n"
    "            v = R.concat((past_v, new_v), axis=1)\n"
    "            s = R.matmul(x, R.permute_dims(k))\n"
    "            o = R.matmul(s, R.reshape(v, (n + 1, 5)))\n"
    "            R.output(k, v, o)\n"
    "        return (o, k, v)\n";

static const struct inlay_dtype f32 = {INLAY_CODE_FLOAT, 32, 1};
static float keys[ROOM * DIM + GUARD], values[ROOM * DIM + GUARD], wanted_k[ROOM * DIM],
    wanted_v[ROOM * DIM];
static const float guard = 12345;

static int fail(const char *what, int step)
{
    printf("step %d: %s\n", step, what);
    return 1;
}

/* One step in plain C. */
static void decode(const float *x, const float *w, int length, float *out)
{
    float *k = wanted_k + length * DIM, *v = wanted_v + length * DIM;

    for (int i = 0; i < DIM; i++) {
        k[i] = 0;
        for (int j = 0; j < DIM; j++)
            k[i] += x[j] * w[j * DIM + i];
        v[i] = -x[i];
        out[i] = 0;
    }
    for (int row = 0; row <= length; row++) {
        float s = 0;

        for (int j = 0; j < DIM; j++)
            s += x[j] * wanted_k[row * DIM + j];
        for (int i = 0; i < DIM; i++)
            out[i] += s * wanted_v[row * DIM + i];
    }
}

static int is_close(const float *a, const float *b, int count)
{
    for (int i = 0; i < count; i++)
        if (!(fabsf(a[i] - b[i]) <= 1e-3F + 1e-4F * fabsf(b[i])))
            return 0;
    return 1;
}

static int guards_stand(void)
{
    for (int i = ROOM * DIM; i < ROOM * DIM + GUARD; i++)
        if (keys[i] != guard || values[i] != guard)
            return 0;
    return 1;
}

/* Does the call fail as it must, with @text in what is said, and without a write? */
static int refuses(struct inlay_session *session, struct inlay_module *module,
                   const struct inlay_value *arguments, const size_t *bytes, const char *text)
{
    float keys_before[ROOM * DIM + GUARD], values_before[ROOM * DIM + GUARD];
    const struct inlay_diagnostic *items;
    struct inlay_run *run;

    memcpy(keys_before, keys, sizeof(keys));
    memcpy(values_before, values, sizeof(values));
    run = bytes ? inlay_module_call_with_room(module, "main", arguments, 4, bytes)
                : inlay_module_call(module, "main", arguments, 4);
    size_t count = inlay_diagnostics(session, &items);
    int is_good = !run && count == 1 && items[0].code == 801 && strstr(items[0].message, text) &&
                  memcmp(keys, keys_before, sizeof(keys)) == 0 &&
                  memcmp(values, values_before, sizeof(values)) == 0;

    if (!is_good)
        printf("%s\n", count ? items[0].message : "nothing was said");
    inlay_diagnostics_clear(session);
    return is_good;
}

int main(void)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = inlay_parse(session, "decoder.py", script, strlen(script));
    float w[DIM * DIM], out[DIM];
    int64_t x_shape[] = {1, DIM}, w_shape[] = {DIM, DIM}, k_shape[] = {0, DIM},
            v_shape[] = {1, 0, DIM};
    struct inlay_tensor *x = inlay_tensor_create(f32, x_shape, 2);
    struct inlay_tensor weights = {w, {1, 0}, 2, f32, w_shape, NULL, 0};
    struct inlay_tensor k = {keys, {1, 0}, 2, f32, k_shape, NULL, 0};
    struct inlay_tensor v = {values, {1, 0}, 3, f32, v_shape, NULL, 0};
    struct inlay_value arguments[4];
    const size_t room = ROOM * DIM * sizeof(float), bytes[] = {0, 0, room, room},
                 less[] = {0, 0, room, room - 1};
    struct inlay_tensor *all[] = {x, &weights, &k, &v};

    if (!module || !inlay_module_run_passes(module, NULL) || !inlay_module_compile(module))
        return fail(inlay_diagnostics_text(session, INLAY_FORMAT_TEXT), -1);
    for (int i = 0; i < 4; i++)
        arguments[i] = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = all[i]};
    for (int i = 0; i < DIM * DIM; i++)
        w[i] = (float)(i % 7 - 3) / 4;
    for (int i = 0; i < ROOM * DIM + GUARD; i++)
        keys[i] = values[i] = guard;

    if (!refuses(session, module, arguments, NULL, "inlay_module_call_with_room"))
        return fail("a call without a promise must fail", 0);
    if (!refuses(session, module, arguments, less, "must have room for 2000 bytes"))
        return fail("a call with too small a promise must fail", 0);
    arguments[0].tensor = &(struct inlay_tensor){keys + DIM, {1, 0}, 2, f32, x_shape, NULL, 0};
    if (!refuses(session, module, arguments, bytes, "where argument 1 lies"))
        return fail("a call with an argument in the room of another one must fail", 0);
    arguments[0].tensor = x;

    for (int step = 0; step < ROOM; step++) {
        const struct inlay_value *results;

        for (int i = 0; i < DIM; i++)
            ((float *)x->data)[i] = (float)((step * 3 + i * 5) % 11 - 5) / 8;
        decode(x->data, w, step, out);
        struct inlay_run *run = inlay_module_call_with_room(module, "main", arguments, 4, bytes);
        if (!run)
            return fail(inlay_diagnostics_text(session, INLAY_FORMAT_TEXT), step);
        if (inlay_run_results(run, &results) != 3 || results[1].tensor->data != keys ||
            results[2].tensor->data != values || results[1].tensor->shape[0] != step + 1 ||
            results[2].tensor->shape[1] != step + 1)
            return fail("the caches are not where they were, or not one longer", step);
        if (!is_close(results[0].tensor->data, out, DIM) ||
            !is_close(keys, wanted_k, (step + 1) * DIM) ||
            !is_close(values, wanted_v, (step + 1) * DIM))
            return fail("other numbers than worked out", step);
        if (inlay_run_peak_bytes(run) > 4096)
            return fail("the caches were copied", step);
        k_shape[0] = v_shape[1] = step + 1;
        inlay_run_destroy(run);
    }
    if (!guards_stand())
        return fail("something was written behind the room", ROOM);
    if (!refuses(session, module, arguments, bytes, "which is 100 long, has room for 100"))
        return fail("a full cache must be refused", ROOM);
    inlay_tensor_destroy(x);
    inlay_session_destroy(session);
    return 0;
}
