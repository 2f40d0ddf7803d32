/*
 * Measures the roof: chains of multiply-adds in registers, and sums over two arrays, with the
 * widest vectors that the machine has, on all threads of a pool.  The best of several short tries
 * counts, since what is asked is what is possible.
 */
#include "driver/roof.h"

#include "base/memory.h"
#include "base/target.h"
#include "driver/stats.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum {
    TRIES = 7,
    CHAINS = 12, /* of multiply-adds at a time: more than units times steps of one */
    CHAIN_STEPS = 20000,
    LINE_FLOATS = 16, /* arrays are cut into multiples of it */
    SMALLEST_LOG = 14,
    PART_BYTES = 1 << 16, /* what it takes for one thread more */
    TRAFFIC = 1 << 24,    /* bytes of one try, at least */
};

/* One of the ways to compute; `sink` keeps what compilers would drop. */
struct unit {
    unsigned lanes;
    void (*chains)(unsigned steps, float *sink);
    void (*add)(float *to, const float *from, size_t count);
    void (*sum)(const float *a, const float *b, size_t count, float *sink);
};

typedef float lanes4 __attribute__((vector_size(16), may_alias));
typedef float lanes8 __attribute__((vector_size(32), may_alias));
typedef float lanes16 __attribute__((vector_size(64), may_alias));

#define EACH_CHAIN(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define BEGIN(i)       vector a##i = x * (float)(i);
#define STEP(i)        a##i = FMA(a##i, x, y);
#define GATHER(i)      y += a##i;

/* The three loops for vectors of one kind; FMA(a, b, c) is a * b + c. */
#define LOOPS(name, ATTRIBUTE, type)                                                            \
    ATTRIBUTE static void chains_##name(unsigned steps, float *sink)                            \
    {                                                                                           \
        typedef type vector;                                                                    \
        vector x = (vector){0} + 0.5f, y = (vector){0} + 1.0f;                                  \
                                                                                                \
        EACH_CHAIN(BEGIN)                                                                       \
        for (unsigned i = 0; i < steps; i++) {                                                  \
            EACH_CHAIN(STEP)                                                                    \
        }                                                                                       \
        EACH_CHAIN(GATHER)                                                                      \
        memcpy(sink, &y, sizeof(y));                                                            \
    }                                                                                           \
    ATTRIBUTE static void add_##name(float *to, const float *from, size_t count)                \
    {                                                                                           \
        type *a = (type *)(void *)to;                                                           \
        const type *b = (const type *)(const void *)from;                                       \
                                                                                                \
        for (size_t i = 0; i < count * sizeof(float) / sizeof(type); i++)                       \
            a[i] += b[i];                                                                       \
    }                                                                                           \
    ATTRIBUTE static void sum_##name(const float *p, const float *q, size_t count, float *sink) \
    {                                                                                           \
        const type *a = (const type *)(const void *)p, *b = (const type *)(const void *)q;      \
        type s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};                                            \
        size_t n = count * sizeof(float) / sizeof(type), i = 0;                                 \
                                                                                                \
        for (; i + 1 < n; i += 2) {                                                             \
            s0 += a[i];                                                                         \
            s1 += a[i + 1];                                                                     \
            s2 += b[i];                                                                         \
            s3 += b[i + 1];                                                                     \
        }                                                                                       \
        s0 += s1 + s2 + s3;                                                                     \
        memcpy(sink, &s0, sizeof(s0));                                                          \
    }                                                                                           \
    static const struct unit unit_##name = {sizeof(type) / sizeof(float), chains_##name,        \
                                            add_##name, sum_##name};

#define FMA(a, b, c) ((a) * (b) + (c))
LOOPS(plain, , lanes4)
#undef FMA
#if defined(__x86_64__)
#define FMA(a, b, c) ((lanes8)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
LOOPS(avx2, __attribute__((target("avx2,fma"))), lanes8)
#undef FMA
#define FMA(a, b, c) ((lanes16)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
LOOPS(avx512, __attribute__((target("avx512f"))), lanes16)
#undef FMA
#endif

static const struct unit *find_unit(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return &unit_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &unit_avx2;
#endif
    return &unit_plain;
}

/* ---- what the threads do together ---- */

struct work {
    const struct unit *unit;
    struct inlay_pool *pool;
    atomic_uint next;
    unsigned pieces;
    float *a, *b; /* NULL: chains */
    size_t count; /* of a piece, floats */
    unsigned turns;
    bool is_sum;
};

static void do_work(void *state, unsigned thread)
{
    struct work *work = state;
    _Alignas(64) float sink[LINE_FLOATS];
    unsigned piece;

    while ((piece = atomic_fetch_add(&work->next, 1)) < work->pieces) {
        size_t at = piece * work->count;

        inlay_pool_look(work->pool);
        if (!work->a)
            work->unit->chains(CHAIN_STEPS, sink);
        for (unsigned i = 0; work->a && i < work->turns; i++)
            if (work->is_sum)
                work->unit->sum(work->a + at, work->b + at, work->count, sink);
            else
                work->unit->add(work->a + at, work->b + at, work->count);
    }
    *(volatile float *)sink = sink[0];
}

/* Seconds of the best try. */
static double best_of(struct roof *roof, struct work *work)
{
    double best = 0;

    for (unsigned i = 0; i < TRIES; i++) {
        atomic_store(&work->next, 0);
        double begin = cost_now();

        inlay_pool_run(roof->pool, do_work, work);
        double seconds = (cost_now() - begin) / 1e3;
        if (i == 0 || seconds < best)
            best = seconds;
    }
    return best > 0 ? best : 1e-9;
}

double roof_flops(struct roof *roof)
{
    struct work work = {
        .unit = find_unit(), .pool = roof->pool, .pieces = 16 * inlay_pool_threads(roof->pool)};

    if (roof->flops == 0)
        roof->flops = 2.0 * (double)CHAINS * (double)CHAIN_STEPS * work.unit->lanes * work.pieces /
                      best_of(roof, &work);
    return roof->flops;
}

/* ---- bandwidth ---- */

static double measure_bandwidth(struct roof *roof, size_t bytes)
{
    unsigned threads = inlay_pool_threads(roof->pool);
    size_t parts = bytes / PART_BYTES;
    struct work work = {
        .unit = find_unit(), .pool = roof->pool, .turns = (unsigned)(TRAFFIC / bytes) + 1};

    work.pieces = parts < 1 ? 1 : parts < threads ? (unsigned)parts : threads;
    work.count = bytes / 2 / sizeof(float) / work.pieces / LINE_FLOATS * LINE_FLOATS;
    char *block = memory_new(bytes + 64, 1);

    memset(block, 0, bytes + 64); /* so that each page is one of its own */
    work.a = (float *)(void *)(block + 64 - (uintptr_t)block % 64);
    work.b = work.a + work.pieces * work.count;
    double moved = (double)work.count * sizeof(float) * work.pieces * work.turns;
    double added = 3 * moved / best_of(roof, &work); /* reads two, writes one */

    work.is_sum = true;
    double summed = 2 * moved / best_of(roof, &work);
    memory_free(block);
    return added > summed ? added : summed;
}

double roof_bandwidth(struct roof *roof, double bytes)
{
    unsigned size = 0;

    while (size + 1 < ROOF_SIZES && (double)(UINT64_C(1) << (SMALLEST_LOG + size)) < bytes)
        size++;
    if (roof->bandwidth[size] == 0)
        roof->bandwidth[size] = measure_bandwidth(roof, (size_t)1 << (SMALLEST_LOG + size));
    return roof->bandwidth[size];
}

double roof_seconds(struct roof *roof, double operations, double bytes, unsigned width)
{
    double peak = roof_flops(roof) * (width > 4 ? 4.0 / width : 1);
    double computed = operations / peak, moved = bytes / roof_bandwidth(roof, bytes);

    return computed > moved ? computed : moved;
}
