/*
 * What an artifact is held against: the results of its script, got in another way.
 *
 * The interpreter is the meaning of a program, and takes hours for a large one.  Then it is code that shares as
 * little as can be with the artifact's: of the script itself, without schedules and fusion, nothing in place,
 * and hardly optimised.
 */
#pragma once

#include "driver/session.h"

struct artifact_oracle {
    struct ir_module *module; /* behind the passes of the oracle; NULL: not made yet */
    bool is_compiled;         /* its code is that of the session's driver */
};

/*
 * Results of the entry of @session on its inputs, which stay there till the next run; *@how: "as .. computes it".
 * The session's script stays as it is.  False after a report.
 */
bool artifact_oracle_run(struct artifact_oracle *oracle, struct session *session, const char **how);
void artifact_oracle_finish(struct artifact_oracle *oracle);
