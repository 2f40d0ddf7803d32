/*
 * A program with Inlay inside: compiles a script once and calls it again and again.
 *
 * The script appends a row to a cache that it was given for good (relax.inplace_arg), so nothing of
 * the cache is copied, however long it is.
 *
 *     cc embedding.c $(pkg-config --cflags --libs inlay) -o embedding && ./embedding
 */
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char script[] =
    "from tvm.script import ir as I\n"
    "from tvm.script import relax as R\n"
    "from tvm.script import tir as T\n"
    "\n"
    "@I.ir_module\n"
    "class Module:\n"
    "    @T.prim_func(private=True)\n"
    "    def append(cache: T.Buffer((\"t\", 4), \"float32\"), row: T.Buffer((4,), \"float32\"),\n"
    "               pos: T.int64):\n"
    "        t = T.int64()\n"
    "        for j in range(4):\n"
    "            cache[pos, j] = row[j]\n"
    "\n"
    "    @R.function\n"
    "    def main(cache: R.Tensor((\"t\", 4), \"float32\"), row: R.Tensor((4,), \"float32\"),\n"
    "             pos: T.int64) -> R.Tensor((\"t\", 4), \"float32\"):\n"
    "        R.func_attr({\"relax.inplace_arg\": [0]})\n"
    "        t = T.int64()\n"
    "        cls = Module\n"
    "        with R.dataflow():\n"
    "            new = R.call_tir_inplace(cls.append, (cache, row, pos),\n"
    "                                     out_ty=R.Tensor((t, 4), \"float32\"), inplace_indices=[0])\n"
    "            R.output(new)\n"
    "        return new\n";

enum { ROWS = 1000, STEPS = 10 };

/* Says all that stands against what was asked for, and gives up. */
static int give_up(struct inlay_session *session)
{
    const struct inlay_diagnostic *items;
    size_t count = inlay_diagnostics(session, &items);

    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s:%u: %s\n", items[i].place.file ? items[i].place.file : "",
                items[i].place.line, items[i].message);
    inlay_session_destroy(session);
    return EXIT_FAILURE;
}

static void explain(struct inlay_module *module)
{
    const struct inlay_decision *items;
    size_t count = inlay_module_decisions(module, &items);

    for (size_t i = 0; i < count; i++)
        printf("line %u: `%s` %s: %s\n", items[i].call.line, items[i].value, items[i].verdict,
               items[i].reason);
}

/* Puts @row into row @position of @cache; false after an error. */
static bool step(struct inlay_module *module, struct inlay_tensor *cache, struct inlay_tensor *row,
                 int64_t position)
{
    struct inlay_value arguments[3] = {{.kind = INLAY_TENSOR, .tensor = cache},
                                       {.kind = INLAY_TENSOR, .tensor = row},
                                       {.kind = INLAY_INT, .integer = position}};
    struct inlay_run *run = inlay_module_call(module, "main", arguments, 3);
    const struct inlay_value *results;

    if (!run)
        return false;
    inlay_run_results(run, &results);
    if (results[0].tensor->data != cache->data) /* it lies where the argument lay */
        fputs("copied\n", stderr);
    inlay_run_destroy(run);
    return true;
}

int main(void)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module =
        session ? inlay_parse(session, "cache.py", script, strlen(script)) : NULL;

    if (!session)
        return EXIT_FAILURE;
    if (!module || !inlay_module_run_passes(module, "default") || !inlay_module_compile(module))
        return give_up(session);
    explain(module);

    struct inlay_dtype f32 = {INLAY_CODE_FLOAT, 32, 1};
    struct inlay_tensor *cache = inlay_tensor_create(f32, (int64_t[]){ROWS, 4}, 2);
    struct inlay_tensor *row = inlay_tensor_create(f32, (int64_t[]){4}, 1);
    bool is_good = cache && row;

    for (int i = 0; i < STEPS && is_good; i++) {
        for (int j = 0; j < 4; j++)
            ((float *)row->data)[j] = (float)(10 * i + j);
        is_good = step(module, cache, row, i);
    }
    if (is_good)
        printf("last row: %g %g %g %g\n", ((float *)cache->data)[4 * STEPS - 4],
               ((float *)cache->data)[4 * STEPS - 3], ((float *)cache->data)[4 * STEPS - 2],
               ((float *)cache->data)[4 * STEPS - 1]);
    inlay_tensor_destroy(cache);
    inlay_tensor_destroy(row);
    if (!is_good)
        return give_up(session);
    inlay_session_destroy(session);
    return EXIT_SUCCESS;
}
