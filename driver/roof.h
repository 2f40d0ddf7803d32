/*
 * What this machine can do at most, measured: the roof of Williams, Waterman and Patterson,
 * "Roofline: An Insightful Visual Performance Model for Multicore Architectures", Communications of
 * the ACM 52 (2009).  As a kernel's data may lie in a cache, there is a bandwidth for each size of a
 * working set (Ilic, Pratas and Sousa, "Cache-aware Roofline Model", IEEE Computer Architecture
 * Letters 13, 2014).
 */
#pragma once

#include "runtime/pool.h"

enum { ROOF_SIZES = 14 };

struct roof {
    struct inlay_pool *pool; /* its threads work together */
    double flops; /* multiplications and additions of float32 a second; 0: not asked yet */
    double
        bandwidth[ROOF_SIZES]; /* bytes a second, of sets of 2^(14 + i) bytes; 0: not asked yet */
};

double roof_flops(struct roof *roof);
/* Of kernels that touch @bytes. */
double roof_bandwidth(struct roof *roof, double bytes);
/*
 * Seconds that @operations and @bytes take at least; @width: bytes of an element that is computed
 * with.
 */
double roof_seconds(struct roof *roof, double operations, double bytes, unsigned width);
