/* Windows of convolutions and pools: kernel, strides, padding, dilation of a node. */
#pragma once

#include "frontend/onnx/import.h"

struct onnx_window {
    unsigned rank; /* spatial axes, 1 to 3 */
    int64_t kernel[3], strides[3], dilations[3];
    int64_t pads[6]; /* all begins, then all ends */
};

/*
 * Reads the attributes of @n for data @x, of which the first two axes are batch and channels.  The kernel is that of
 * @weight, or of the attribute where that is NULL.  False after a report.
 */
bool onnx_window_read(struct onnx_node *n, struct onnx_window *window, struct ir_value *x,
                      struct ir_value *weight);
