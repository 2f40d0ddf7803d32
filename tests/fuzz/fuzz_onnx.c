/*
 * Any bytes as a model: no crash, no leak; what is not refused with a message verifies, and prints.
 */
#include "base/diag.h"
#include "frontend/frontend.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "ops/ops.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* NOLINT: libFuzzer's name */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) /* NOLINT: libFuzzer's name */
{
    struct ir_context *context = ir_context_create();
    struct diag *diag = diag_create();
    struct frontend_model file = {.name = "input.onnx", .bytes = data, .size = size};
    struct text text = {0};

    ops_register(context);
    struct ir_module *module = frontend_import(context, diag, &file);
    if (!module && !diag_error_count(diag))
        FATAL("refused without a message");
    if (module && ir_verify(module, diag))
        ir_module_print(module, &ir_print_defaults, &text);
    for (int format = DIAG_FORMAT_TEXT; format <= DIAG_FORMAT_SARIF; format++)
        diag_print(diag, (enum diag_format)format, false, &text);
    text_finish(&text);
    ir_module_destroy(module);
    diag_destroy(diag);
    ir_context_destroy(context);
    return 0;
}
