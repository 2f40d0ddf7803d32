/* What a kernel only moves: kernels as text, and the pieces that are found. */
#include "analysis/access/pieces.h"
#include "ir/print.h"
#include "tests/unit/kernels.h"

static const char params[] =
    "A: T.Buffer((\"n\", 8), \"float32\"), B: T.Buffer((\"m\", 8), \"float32\"),"
    " X: T.Buffer((4,), \"float32\"), Y: T.Buffer((6,), \"float32\"),"
    " M: T.Buffer((4, 6), \"float32\"), H: T.Buffer((4,), \"float16\"),"
    " AB: T.Buffer((n + m, 8), \"float32\"), W: T.Buffer((n, 16), \"float32\"),"
    " O: T.Buffer((10,), \"float32\"), F: T.Buffer((24,), \"float32\"),"
    " S: T.Buffer((2, 4), \"float32\"), Q: T.Buffer((4,), \"float32\"),"
    " K: T.Buffer((n, 8), \"float32\"), P: T.Buffer((n + 3, 12), \"float32\")";

static const char symbols[] = "    n = T.int64()\n    m = T.int64()\n";

static unsigned param(const struct tir_func *func, const char *name)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer && strcmp(func->params[i].buffer->name, name) == 0)
            return i;
    fail_msg("no parameter %s", name);
    return 0;
}

static void put(struct text *out, const char *before, const struct ir_expr *a)
{
    text_puts(out, before);
    ir_expr_print(a, out);
}

/* "[0 + n, 0 + 8] A(0+0, 1+2)@3"; rest: with "..", computed: "?" */
static void describe_piece(const struct access_pieces *pieces, unsigned i, struct text *out)
{
    const struct access_piece *piece = &pieces->items[i];
    const struct ir_buffer *source =
        piece->source < 0 ? NULL : pieces->func->params[piece->source].buffer;

    text_puts(out, i > 0 ? "; " : "");
    for (unsigned d = 0; piece->is_box && d < piece->box.ndim; d++) {
        put(out, d > 0 ? ", " : "[", piece->box.min[d]);
        put(out, ":+", piece->box.extent[d]);
    }
    text_puts(out, piece->is_box ? "]" : "[*]");
    text_puts(out, piece->is_rest ? ".. " : " ");
    text_puts(out, source ? source->name : "?");
    for (unsigned d = 0; source && piece->axes && d < source->ndim; d++) {
        text_puts(out, d > 0 ? ", " : "(");
        if (piece->axes[d].from >= 0)
            text_printf(out, "%d", piece->axes[d].from);
        put(out, "+", piece->axes[d].shift);
    }
    text_puts(out, source && piece->axes ? ")" : "");
    if (piece->offset)
        put(out, "@", piece->offset);
}

static void expect(const char *buffer, const char *body, const char *wanted)
{
    struct kernels k;
    struct access_cache cache = {0};
    struct access_pieces pieces;
    struct text found = {0};
    char text[4000];
    unsigned source;

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    if (!access_pieces_of(&cache, k.func, param(k.func, buffer), &pieces))
        text_puts(&found, "no");
    for (unsigned i = 0; i < pieces.count; i++)
        describe_piece(&pieces, i, &found);
    if (pieces.count > 0)
        text_printf(&found, "%s%s", pieces.is_disjoint ? "; apart" : "",
                    pieces.is_complete ? "; all" : "");
    const struct ir_expr *run = access_pieces_run(k.context, &pieces, &source);
    if (run)
        put(&found, "; run from ", run);
    if (strcmp(text_string(&found), wanted) != 0)
        fail_msg("\n%s%s\nwanted %s", body, text_string(&found), wanted);
    text_finish(&found);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

static void test_concat(void **state)
{
    expect("O",
           "    for i in range(4):\n        O[i] = X[i]\n"
           "    for i in range(6):\n        O[i + 4] = Y[i]\n",
           "[0:+4] X(0+0)@0; [4:+6] Y(0+-4)@-4; apart; all");
    expect("O",
           "    for i in range(6):\n        O[i + 4] = Y[i]\n"
           "    for i in range(4):\n        O[i] = T.exp(X[i])\n",
           "[4:+6] Y(0+-4)@-4; [0:+4] ?; apart; all");
    expect("AB",
           "    for i, j in T.grid(n, T.int64(8)):\n        with T.sblock(\"a\"):\n"
           "            vi, vj = T.axis.remap(\"SS\", [i, j])\n            AB[vi, vj] = A[vi, vj]\n"
           "    for i, j in T.grid(m, T.int64(8)):\n        with T.sblock(\"b\"):\n"
           "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
           "            AB[n + vi, vj] = B[vi, vj]\n",
           "[0:+n, 0:+8] A(0+0, 1+0)@0; [n:+m, 0:+8] B(0+n * -1, 1+0)@n * -8; apart; all");
    expect(
        "W",
        "    for i, j in T.grid(n, 8):\n        W[i, j] = A[i, j]\n        W[i, j + 8] = K[i, j]\n",
        "[0:+n, 0:+8] A(0+0, 1+0); [0:+n, 8:+8] K(0+0, 1+-8); apart; all");
    expect("O", "    for i in range(10):\n        O[i] = T.if_then_else(i < 4, X[i], Y[i - 4])\n",
           "[0:+4] X(0+0)@0; [4:+6] Y(0+-4)@-4; apart; all");
    expect("O",
           "    for i in range(10):\n"
           "        O[i] = T.if_then_else(6 <= i, X[i - 6], T.if_then_else(2 <= i, Q[i - 2], "
           "T.float32(0)))\n",
           "[6:+4] X(0+-6)@-6; [2:+4] Q(0+-2)@-2; [0:+10].. ?; apart; all");
}

static void test_overlap(void **state)
{
    expect("O",
           "    for i in range(6):\n        O[i] = Y[i]\n"
           "    for i in range(6):\n        O[i + 4] = Y[i]\n",
           "[0:+6] Y(0+0)@0; [4:+6] Y(0+-4)@-4; all");
    expect("O",
           "    for i in range(10):\n        O[i] = T.float32(0)\n"
           "    for i in range(4):\n        O[i + 3] = X[i]\n",
           "[0:+10] ?; [3:+4] X(0+-3)@-3; all");
    expect("O", "    for i in range(4):\n        O[i] = X[i]\n", "[0:+4] X(0+0)@0; apart");
    expect("O", "    for i in range(4):\n        O[i * 2] = X[i]\n", "[*] X; apart");
    expect("O",
           "    for i in range(4):\n        O[i] = X[i]\n"
           "    for i in range(5):\n        O[i + 5] = Y[i]\n",
           "[0:+4] X(0+0)@0; [5:+5] Y(0+-5)@-5; apart");
}

static void test_others(void **state)
{
    expect("S",
           "    for i in range(4):\n        S[0, i] = X[i]\n    for i in range(4):\n"
           "        S[1, i] = Q[i]\n",
           "[0:+1, 0:+4] X(1+0)@0; [1:+1, 0:+4] Q(1+0)@-4; apart; all");
    expect("P",
           "    for i, j in T.grid(n + 3, T.int64(12)):\n        with T.sblock(\"p\"):\n"
           "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
           "            P[vi, vj] = T.if_then_else(T.int64(1) <= vi and vi - T.int64(1) < n and "
           "T.int64(0) <= vj - T.int64(2) and vj - T.int64(2) < T.int64(8), "
           "A[vi - T.int64(1), vj - T.int64(2)], T.float32(0))\n",
           "[1:+n, 2:+8] A(0+-1, 1+-2); [0:+n + 3, 0:+12].. ?; apart; all");
    expect("K", "    for i, j in T.grid(n, T.int64(8)):\n        K[i, j] = W[i, j + T.int64(8)]\n",
           "[0:+n, 0:+8] W(0+0, 1+8); apart; all");
    expect("K", "    for i, j in T.grid(n, T.int64(8)):\n        K[i, j] = AB[i + m, j]\n",
           "[0:+n, 0:+8] AB(0+m, 1+0)@m * 8; apart; all; run from m * 8");
    expect("Q", "    for i in range(4):\n        Q[i] = M[2, i]\n",
           "[0:+4] M(+2, 0+0)@12; apart; all; run from 12");
    expect("F", "    for i, j in T.grid(4, 6):\n        F[i * 6 + j] = M[i, j]\n",
           "[*] M@0; apart; all; run from 0");
    expect("M", "    for i, j in T.grid(4, 6):\n        M[i, j] = F[i * 6 + j]\n",
           "[0:+4, 0:+6] F@0; apart; all; run from 0");
    expect("F", "    for i in range(24):\n        F[i] = M[i // 6, i % 6]\n",
           "[0:+24] M@0; apart; all; run from 0");
    expect("M", "    for i, j in T.grid(4, 6):\n        M[i, j] = F[j * 4 + i]\n",
           "[0:+4, 0:+6] F; apart; all");
    /* what was cut is joined again, in one kernel */
    expect("O",
           "    for i in range(4):\n        O[i] = F[i + 3]\n"
           "    for i in range(6):\n        O[i + 4] = F[i + 7]\n",
           "[0:+4] F(0+3)@3; [4:+6] F(0+3)@3; apart; all; run from 3");
    expect("O",
           "    for i in range(4):\n        O[i] = F[i + 6]\n"
           "    for i in range(6):\n        O[i + 4] = F[i]\n",
           "[0:+4] F(0+6)@6; [4:+6] F(0+-4)@-4; apart; all");
}

static void test_no_copies(void **state)
{
    expect("Q", "    for i in range(4):\n        Q[i] = T.Cast(\"float32\", H[i])\n",
           "[0:+4] ?; apart; all");
    expect("Q", "    for i in range(4):\n        Q[i] = X[3 - i]\n", "[0:+4] X; apart; all");
    expect("Q", "    for i in range(4):\n        if i < 2:\n            Q[i] = X[i]\n",
           "[*] X; apart");
    expect("Q", "    for i in range(4):\n        Q[i] = Y[T.Cast(\"int32\", X[i])]\n",
           "[0:+4] ?; apart; all");
    /* a condition reads the same as what it chooses */
    expect("Q",
           "    for i in range(4):\n        Q[i] = T.Select(X[i] < T.float32(0), X[i] * "
           "T.float32(2), X[i])\n",
           "[0:+4] ?; apart; all");
    expect("Q",
           "    for i in range(4):\n        Q[i] = T.Select(X[i] < T.float32(0), T.float32(0), "
           "T.Select(T.float32(1) < X[i], T.float32(1), X[i]))\n",
           "[0:+4] ?; apart; all");
    expect("Q",
           "    for i in range(4):\n        Q[i] = T.if_then_else(i < 1, T.Select(X[i] < "
           "T.float32(0), T.float32(1), T.float32(2)), X[i])\n",
           "[1:+3] X(0+0)@0; [0:+4].. ?; apart; all");
    /* the source is another after the first store */
    expect("Q", "    for i in range(4):\n        X[i] = T.float32(0)\n        Q[i] = X[i]\n",
           "[0:+4] ?; apart; all");
    expect("Q",
           "    for i in range(4):\n        T.evaluate(T.call_extern(\"int32\", \"f\"))\n"
           "        Q[i] = X[i]\n",
           "no");
    expect("Q", "    for i in range(4):\n        assert i < 3, \"no\"\n        Q[i] = X[i]\n",
           "no");
    expect("Q", "    for i, j in T.grid(4, 4):\n        Q[i] = T.if_then_else(j < i, X[i], X[i])\n",
           "[*] ?; apart; all");
    expect(
        "O",
        "    for i in range(10):\n        O[i] = T.if_then_else(i < 4 or i > 8, Y[i % 6], Y[0])\n",
        "[4:+5] Y(+0); [0:+10].. ?; apart; all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_concat),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_no_copies),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
