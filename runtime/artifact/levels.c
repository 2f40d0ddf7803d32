/*
 * Which level of the processor an artifact uses that was compiled for several: the highest that this machine has, or
 * what the host says.  One word is remembered; whoever asks first finds out, and all find the same.
 */
#include "runtime/artifact/artifact.h"

#include <stdatomic.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Says the code generator; ascending. */
extern const int32_t inlay_level_count;
extern const int32_t inlay_level_numbers[];
extern const char *const inlay_level_names[];

static atomic_int
    chosen; /* its place and 1; 0: nobody has asked; -1: this machine has none of them */

/* --- the machine --- */

#if defined(__x86_64__)
struct leaf {
    unsigned a, b, c, d;
};

static struct leaf ask(unsigned number)
{
    struct leaf leaf = {0};

    (void)__get_cpuid_count(number, 0, &leaf.a, &leaf.b, &leaf.c,
                            &leaf.d); /* 0 where it has none */
    return leaf;
}

/* The registers that the system keeps for its threads. */
static unsigned kept(unsigned features)
{
    unsigned low = 0, high;

    if (features & bit_OSXSAVE)
        __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has(unsigned found, unsigned wanted)
{
    return (found & wanted) == wanted;
}

/* 1 to 4, as the ABI of x86-64 defines them. */
static int32_t machine_level(void)
{
    enum { LAHF = 1 << 0, LZCNT = 1 << 5, VECTORS = 6, WIDE_VECTORS = 0xe6 };
    struct leaf one = ask(1), seven = ask(7), more = ask(0x80000001);
    unsigned registers = kept(one.c);

    if (!has(one.c, bit_SSE3 | bit_SSSE3 | bit_SSE41 | bit_SSE42 | bit_POPCNT | bit_CMPXCHG16B) ||
        !has(more.c, LAHF))
        return 1;
    if (!has(one.c, bit_AVX | bit_F16C | bit_FMA | bit_MOVBE | bit_OSXSAVE) ||
        !has(seven.b, bit_AVX2 | bit_BMI | bit_BMI2) || !has(more.c, LZCNT) ||
        !has(registers, VECTORS))
        return 2;
    if (!has(seven.b, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL) ||
        !has(registers, WIDE_VECTORS))
        return 3;
    return 4;
}
#else
static int32_t machine_level(void)
{
    return 0;
}
#endif

/* --- the choice --- */

static int32_t find(void)
{
    int32_t level = machine_level(), place = 0;

    while (place < inlay_level_count && inlay_level_numbers[place] <= level)
        place++;
    return place > 0 ? place : -1;
}

static int32_t choose(void)
{
    int32_t place = atomic_load_explicit(&chosen, memory_order_relaxed), none = 0;

    if (place != 0)
        return place;
    place = find();
    /* not over what a host has said meanwhile */
    return atomic_compare_exchange_strong(&chosen, &none, place) ? place : none;
}

int32_t inlay_artifact_level(struct inlay_frame *frame)
{
    int32_t place = choose();

    if (place < 0)
        return inlay_fail(frame, INLAY_ERROR_PROCESSOR, 0,
                          "this processor has not what the code needs, which is compiled for %s "
                          "and above",
                          inlay_level_names[0]);
    return place - 1;
}

int32_t inlay_artifact_use_cpu(const char *name)
{
    int32_t place = 0;

    while (name && place < inlay_level_count &&
           (strlen(name) != strlen(inlay_level_names[place]) ||
            memcmp(name, inlay_level_names[place], strlen(name)) != 0))
        place++;
    if (!name)
        place = find() - 1;
    if (place < 0 || place == inlay_level_count || inlay_level_numbers[place] > machine_level())
        return INLAY_ERROR_PROCESSOR;
    atomic_store(&chosen, place + 1);
    return 0;
}

const char *inlay_artifact_cpu(void)
{
    int32_t place = choose();

    return place > 0 ? inlay_level_names[place - 1] : NULL;
}
