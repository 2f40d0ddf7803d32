/*
 * What the kernels of a runner took, and how much they computed and moved.
 *
 * How much a kernel computes is counted on its loops as they stood before passes made schedules of
 * them: what a schedule adds is a cost, and no work.
 */
#pragma once

#include "analysis/kernel_sites.h"
#include "analysis/kernel_work.h"
#include "driver/roof.h"
#include "driver/runner.h"

/* One kernel, of all its calls in a run. */
struct kernel_time {
    const struct tir_func *kernel, *noted; /* behind the passes, and as its work is counted */
    const struct ir_op *call;              /* the first one */
    size_t calls, sites;
    double operations, bytes;
    double roof_ms, computing_ms,
        moving_ms; /* that the machine needs at least: for both, and for each */
    bool is_most;
    double ms;           /* of the run that was added last */
    array(double) times; /* ms of each run that was added */
};

struct kernel_times {
    array(struct kernel_time) items; /* in the order of the text */
    kernel_site_array sites;
    array(size_t) places; /* of each site: its item */
    double operations, bytes, roof_ms;
    bool is_most, is_cut; /* is_cut: there were more calls than were noted */
};

/* Of a runner whose runs tell of their kernels. */
void kernel_times_init(struct kernel_times *times, struct runner *runner);
void kernel_times_finish(struct kernel_times *times);
/* Adds the times of the last run. */
void kernel_times_add(struct kernel_times *times, const struct inlay_profile *profile);
/* How much they do in the last run. */
void kernel_times_work(struct kernel_times *times, const struct runner *runner, struct roof *roof);
