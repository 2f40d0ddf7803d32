/*
 * Who gives a run its arena and the room for its results where the caller of the door has not given them: they
 * are asked when the sizes are known.
 */
#pragma once

#include "runtime/frame.h"

struct inlay_artifact_giver {
    /* At least @bytes, aligned as arenas are; NULL: there are none. */
    void *(*arena)(struct inlay_artifact_giver *giver, size_t bytes);
    /* Room for result @index: sets its data; -1 with the error set. */
    int32_t (*result)(struct inlay_artifact_giver *giver, struct inlay_frame *frame, int32_t index,
                      struct inlay_tensor *wanted);
};

void inlay_artifact_ask(struct inlay_frame *frame, struct inlay_artifact_giver *giver);
struct inlay_artifact_giver *inlay_artifact_giver_of(const struct inlay_frame *frame);
