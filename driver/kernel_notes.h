/* Kernels as they are before passes make schedules of them: what their work is counted on. */
#pragma once

#include "passes/pass.h"

/* Kernels in front of the first pass that rewrites their loops; in the arena of @module. */
struct kernel_notes {
    struct ir_module *module; /* in work */
    bool is_done;
    array(struct tir_func) kernels;
    const struct pass_watch *inner; /* who else watches; or NULL */
};
/*
 * A watch that takes these notes of a run of passes on @module; @inner sees all that it sees alone.
 */
struct pass_watch kernel_notes_watch(struct kernel_notes *notes, struct ir_module *module,
                                     const struct pass_watch *inner);
void kernel_notes_finish(struct kernel_notes *notes);
/* @kernel as it was noted, if it is the same one for who calls it; else @kernel. */
const struct tir_func *kernel_notes_find(const struct kernel_notes *notes,
                                         const struct tir_func *kernel);
