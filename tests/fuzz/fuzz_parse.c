/*
 * Any bytes through the front end: no crash, no leak; what is accepted verifies or is refused with a
 * message, and what verifies prints, parses again and prints to the same text.
 */
#include "base/diag.h"
#include "frontend/frontend.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/ops.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* NOLINT: libFuzzer's name */

/* Parses and prints @bytes into @out; false after a report. */
static bool print_of(const char *bytes, size_t size, struct text *out)
{
    struct ir_context *context = ir_context_create();
    struct diag *diag = diag_create();
    struct text messages = {0};
    struct arena arena = {0};

    ops_register(context);
    const struct source *source = source_new(&arena, "input.py", bytes, size);
    struct ir_module *module = frontend_parse(context, diag, source);
    if (!module && !diag_error_count(diag))
        FATAL("refused without a message");
    bool is_good = module && ir_verify(module, diag);
    if (is_good)
        ir_module_print(module, &ir_print_defaults, out);
    for (int format = DIAG_FORMAT_TEXT; format <= DIAG_FORMAT_SARIF; format++)
        diag_print(diag, (enum diag_format)format, false, &messages);
    text_finish(&messages);
    ir_module_destroy(module);
    diag_destroy(diag);
    ir_context_destroy(context);
    arena_finish(&arena);
    return is_good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) /* NOLINT: libFuzzer's name */
{
    struct text first = {0}, second = {0};

    if (print_of((const char *)data, size, &first)) {
        bool is_good = print_of(text_string(&first), first.length, &second);
        if (!is_good || strcmp(text_string(&first), text_string(&second)) != 0) {
            fprintf(stderr, "--- printed\n%s\n--- printed again\n%s\n", text_string(&first),
                    text_string(&second));
            FATAL("what was printed does not parse to the same");
        }
    }
    text_finish(&first);
    text_finish(&second);
    return 0;
}
