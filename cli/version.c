/* --version, and what a report of a bug should say besides. */
#include "base/target.h"
#include "cli/commit.h"
#include "cli/options_help.h"
#include "driver/config.h"
#include "driver/machine.h"

#include <stdio.h>

static void put_features(const struct target *target, struct text *out)
{
    for (unsigned i = 0; i < TARGET_FEATURE_COUNT; i++)
        if (target_features[i].machine == target->machine && target->features & 1u << i)
            text_printf(out, " +%s", target_features[i].name);
}

void options_print_version(bool is_verbose)
{
    struct text text = {0};
    struct target target;

    puts("inlay " INLAY_VERSION);
    if (!is_verbose)
        return;
    text_puts(&text, "commit: " INLAY_COMMIT "\nllvm: " INLAY_LLVM_VERSION "\nprocessor: ");
    machine_put_processor(&text);
    if (target_find(NULL, NULL, &target)) {
        text_printf(&text, "\nmachine: %s\nfeatures:", target_machines[target.machine].name);
        put_features(&target, &text);
    }
    puts(text_string(&text));
    text_finish(&text);
}
