/*
 * What the benchmarks hold generated code against: a copy, the multiply-add peak of one core, and
 * kernels vectorized by hand.  Compiled by bench/native.py for this machine (gcc or clang, vectors as
 * the compilers' own extension, 32 bytes wide); called through ctypes.
 *
 * The functions with `threads` cut their rows or elements into as many parts and start a thread for each
 * part but the first, anew in each call.
 */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef float v8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t i8 __attribute__((vector_size(32), may_alias));

static inline v8 load(const float *p)
{
    return *(const v8 *)p;
}

static inline void store(float *p, v8 v)
{
    *(v8 *)p = v;
}

static inline v8 all(float x)
{
    return (v8){x, x, x, x, x, x, x, x};
}

static inline v8 larger(v8 a, v8 b)
{
    i8 m = a > b;
    return (v8)(((i8)a & m) | ((i8)b & ~m));
}

static inline v8 smaller(v8 a, v8 b)
{
    i8 m = a < b;
    return (v8)(((i8)a & m) | ((i8)b & ~m));
}

static inline float sum8(v8 a)
{
    return ((a[0] + a[4]) + (a[1] + a[5])) + ((a[2] + a[6]) + (a[3] + a[7]));
}

static inline float max8(v8 a)
{
    float m = a[0];
    for (int i = 1; i < 8; i++)
        m = a[i] > m ? a[i] : m;
    return m;
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Memory that is there: touched, in huge pages where the system gives them; NULL if it cannot be had. */
float *buffer(size_t bytes)
{
    size_t huge = 2u << 20;
    char *p = mmap(NULL, bytes + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    p = (char *)(((uintptr_t)p + huge - 1) / huge * huge);
    madvise(p, bytes, MADV_HUGEPAGE);
    float *out = (float *)(void *)p;
    for (size_t i = 0; i < bytes / sizeof(float); i++)
        out[i] = (float)((i * 2654435761u >> 20) & 255) / 64.0f - 2.0f;
    return out;
}

/* ---- parts on threads ---- */

struct part {
    void (*run)(const struct part *part);
    const float *x, *gamma, *beta;
    float *y;
    long begin, end, columns;
};

static void *run_part(void *state)
{
    const struct part *part = state;
    part->run(part);
    return NULL;
}

enum { THREAD_LIMIT = 64 };

static void run_parts(struct part whole, int threads)
{
    struct part parts[THREAD_LIMIT];
    pthread_t ids[THREAD_LIMIT];
    long count = whole.end;
    threads = threads > THREAD_LIMIT ? THREAD_LIMIT : threads;
    for (int i = 0; i < threads; i++) {
        parts[i] = whole;
        parts[i].begin = count * i / threads / 8 * 8;
        parts[i].end = i + 1 == threads ? count : count * (i + 1) / threads / 8 * 8;
    }
    int started = 1;
    for (; started < threads; started++)
        if (pthread_create(&ids[started], NULL, run_part, &parts[started]) != 0)
            break;
    whole.run(&parts[0]);
    for (int i = started; i < threads; i++)
        whole.run(&parts[i]);
    for (int i = 1; i < started; i++)
        pthread_join(ids[i], NULL);
}

/* ---- elementwise ---- */

static void copy_part(const struct part *p)
{
    memcpy(p->y + p->begin, p->x + p->begin, (size_t)(p->end - p->begin) * sizeof(float));
}

/* A copy with plain stores, as generated code has: large memcpy()s go around the cache. */
static void plain_copy_part(const struct part *p)
{
    for (long i = p->begin; i < p->end; i += 8) {
        v8 x = load(p->x + i);
        __asm__("" : "+x"(x)); /* or it becomes memcpy() */
        store(p->y + i, x);
    }
}

static void chain_part(const struct part *p)
{
    for (long i = p->begin; i < p->end; i += 8) {
        v8 t = load(p->x + i) + all(0.5f);
        t = larger(t * all(0.999f), all(0)) * all(1.001f) - all(0.25f);
        t = larger(t, -t) * all(0.5f) + all(0.125f);
        t = smaller(t, all(6.0f));
        store(p->y + i, t * t);
    }
}

void copy(float *y, const float *x, long n, int threads)
{
    run_parts((struct part){.run = copy_part, .x = x, .y = y, .end = n}, threads);
}

void plain_copy(float *y, const float *x, long n, int threads)
{
    run_parts((struct part){.run = plain_copy_part, .x = x, .y = y, .end = n}, threads);
}

void chain(float *y, const float *x, long n, int threads)
{
    run_parts((struct part){.run = chain_part, .x = x, .y = y, .end = n}, threads);
}

/* ---- rows ---- */

/* exp by a polynomial of degree 5 after Cephes' expf, about 2 units in the last place. */
static inline v8 exp8(v8 x)
{
    x = smaller(larger(x, all(-87.3f)), all(88.3f));
    v8 t = x * all(1.44269504f);
    v8 magic = all(12582912.0f); /* 1.5 * 2^23: rounds to a whole number */
    t = (t + magic) - magic;
    v8 r = x - t * all(0.693359375f);
    r = r + t * all(2.12194440e-4f);
    v8 p = all(1.9875691500e-4f);
    p = p * r + all(1.3981999507e-3f);
    p = p * r + all(8.3334519073e-3f);
    p = p * r + all(4.1665795894e-2f);
    p = p * r + all(1.6666665459e-1f);
    p = p * r + all(5.0000001201e-1f);
    p = p * r * r + r + all(1.0f);
    i8 n = __builtin_convertvector(t, i8);
    return p * (v8)((n + 127) << 23);
}

static void softmax_part(const struct part *part)
{
    long columns = part->columns;
    for (long row = part->begin; row < part->end; row++) {
        const float *p = part->x + row * columns;
        float *q = part->y + row * columns;
        v8 m0 = all(-INFINITY), m1 = m0, z0 = all(0), z1 = z0;
        for (long i = 0; i < columns; i += 16) {
            m0 = larger(m0, load(p + i));
            m1 = larger(m1, load(p + i + 8));
        }
        v8 m = all(max8(larger(m0, m1)));
        for (long i = 0; i < columns; i += 16) {
            v8 a = exp8(load(p + i) - m), b = exp8(load(p + i + 8) - m);
            store(q + i, a);
            store(q + i + 8, b);
            z0 += a;
            z1 += b;
        }
        v8 w = all(1.0f / sum8(z0 + z1));
        for (long i = 0; i < columns; i += 8)
            store(q + i, load(q + i) * w);
    }
}

/* Mean first, then the squares of what is left, as the operator says; not E[x^2] - E[x]^2. */
static void layer_norm_part(const struct part *part)
{
    long columns = part->columns;
    for (long row = part->begin; row < part->end; row++) {
        const float *p = part->x + row * columns;
        float *q = part->y + row * columns;
        v8 s0 = all(0), s1 = s0, t0 = s0, t1 = s0;
        for (long i = 0; i < columns; i += 16) {
            s0 += load(p + i);
            s1 += load(p + i + 8);
        }
        v8 mean = all(sum8(s0 + s1) / (float)columns);
        for (long i = 0; i < columns; i += 16) {
            v8 a = load(p + i) - mean, b = load(p + i + 8) - mean;
            t0 += a * a;
            t1 += b * b;
        }
        v8 scale = all(1.0f / sqrtf(sum8(t0 + t1) / (float)columns + 1e-5f));
        for (long i = 0; i < columns; i += 8)
            store(q + i,
                  (load(p + i) - mean) * scale * load(part->gamma + i) + load(part->beta + i));
    }
}

static void rms_norm_part(const struct part *part)
{
    long columns = part->columns;
    for (long row = part->begin; row < part->end; row++) {
        const float *p = part->x + row * columns;
        float *q = part->y + row * columns;
        v8 t0 = all(0), t1 = t0;
        for (long i = 0; i < columns; i += 16) {
            v8 a = load(p + i), b = load(p + i + 8);
            t0 += a * a;
            t1 += b * b;
        }
        v8 scale = all(1.0f / sqrtf(sum8(t0 + t1) / (float)columns + 1e-5f));
        for (long i = 0; i < columns; i += 8)
            store(q + i, load(p + i) * scale * load(part->gamma + i));
    }
}

/* @columns a multiple of 16. */
void softmax(float *y, const float *x, long rows, long columns, int threads)
{
    run_parts((struct part){.run = softmax_part, .x = x, .y = y, .end = rows, .columns = columns},
              threads);
}

void layer_norm(float *y, const float *x, const float *gamma, const float *beta, long rows,
                long columns, int threads)
{
    run_parts((struct part){.run = layer_norm_part,
                            .x = x,
                            .gamma = gamma,
                            .beta = beta,
                            .y = y,
                            .end = rows,
                            .columns = columns},
              threads);
}

void rms_norm(float *y, const float *x, const float *gamma, long rows, long columns, int threads)
{
    run_parts(
        (struct part){
            .run = rms_norm_part, .x = x, .gamma = gamma, .y = y, .end = rows, .columns = columns},
        threads);
}

/* ---- the peak ---- */

#if defined(__AVX512F__)
enum { PEAK_LANES = 16 };
#else
enum { PEAK_LANES = 8 };
#endif
typedef float widest __attribute__((vector_size(PEAK_LANES * sizeof(float))));

/*
 * GFLOP/s of one core that does nothing but multiply-adds in its widest registers: twelve accumulators
 * hide the latency of the two units.  Where the compiler does not contract a * b + c, it is no peak.
 */
double peak(long count)
{
    widest a[12], x = {0}, y = {0};
    x += 0.9999f;
    y += 1e-7f;
    for (int i = 0; i < 12; i++)
        a[i] = x * (float)i;
    double begin = now();
    for (long k = 0; k < count; k++) {
#define STEP(i)          \
    a[i] = a[i] * x + y; \
    __asm__ volatile("" : "+v"(a[i]));
        STEP(0)
        STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11)
#undef STEP
    }
    double seconds = now() - begin;
    volatile float sink = 0;
    for (int i = 0; i < 12; i++)
        sink += a[i][0];
    (void)sink;
    return (double)count * 12 * PEAK_LANES * 2 / seconds * 1e-9;
}
