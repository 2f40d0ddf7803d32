/* Sets of cores as Linux has them. */
#pragma once

#include <stddef.h>

typedef struct {
    unsigned long words[1024 / (8 * sizeof(unsigned long))];
} cpu_set_t;

int sched_getcpu(void);
int sched_getaffinity(int process, size_t size, cpu_set_t *cores);

static inline void CPU_CLR(int core, cpu_set_t *cores)
{
    size_t bits = 8 * sizeof(cores->words[0]), word = (size_t)core / bits;

    if (word < sizeof(cores->words) / sizeof(cores->words[0]))
        cores->words[word] &= ~(1UL << (size_t)core % bits);
}

static inline int CPU_COUNT(const cpu_set_t *cores)
{
    int count = 0;

    for (size_t i = 0; i < sizeof(cores->words) / sizeof(cores->words[0]); i++)
        count += __builtin_popcountl(cores->words[i]);
    return count;
}
