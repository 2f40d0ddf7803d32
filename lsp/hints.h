/*
 * Hints in the text, "in place", "copy 4 KB": the decisions that `inlay why` shows.
 *
 * All passes run for them, which takes longer than a user types. So a process of its own does it, which is ended when
 * the text changes, and whatever happens to it, the server goes on.
 */
#pragma once

#include "lsp/document.h"

#include <sys/types.h>

struct hint_job {
    struct document *document; /* whose text; NULL: none runs */
    pid_t process;
    int from; /* what it writes; -1: none runs */
    struct text got;
};

/* Starts on the text of @document as it is; false if there can be no process. */
bool hint_job_start(struct hint_job *job, const struct driver_options *options,
                    struct document *document);
/* Reads what is there; true when it is all there: the hints of the document are set. */
bool hint_job_read(struct hint_job *job);
/* Ends it, if it runs. */
void hint_job_stop(struct hint_job *job);
