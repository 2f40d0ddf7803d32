/* The tables of passes and pipelines. */
#include "passes/pass.h"

const struct pass_info pass_table[] = {
#define PASS(name, folder, file, options, needs, gives, doc) \
    {#name, PASS_FOLDER_##folder, options, needs, gives, doc, pass_##file},
#include "passes/passes.def"
};
const size_t pass_table_count = ARRAY_SIZE(pass_table);

const struct pipeline_info pipeline_table[] = {
#define PIPELINE(name, passes, doc) {#name, passes, doc},
#include "passes/passes.def"
};
const size_t pipeline_table_count = ARRAY_SIZE(pipeline_table);
