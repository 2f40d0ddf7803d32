/* Windows of convolutions and pools; see window.h. */
#include "frontend/onnx/window.h"

#include <string.h>

static bool read_list(struct onnx_node *n, const char *name, int64_t *out, unsigned count,
                      int64_t missing, int64_t least)
{
    size_t given;
    const int64_t *items = onnx_ints(n, name, &given);

    if (items && given != count) {
        onnx_refuse(n, "`%s` has %zu numbers for a window that wants %u", name, given, count);
        return false;
    }
    for (unsigned i = 0; i < count; i++) {
        out[i] = items ? items[i] : missing;
        if (out[i] < least || out[i] > INT32_MAX) {
            onnx_refuse(n, "`%s` cannot be %lld", name, (long long)out[i]);
            return false;
        }
    }
    return true;
}

static bool read_kernel(struct onnx_node *n, struct onnx_window *window, struct ir_value *weight)
{
    if (!weight) {
        if (onnx_attribute(n, "kernel_shape"))
            return read_list(n, "kernel_shape", window->kernel, window->rank, 1, 1);
        onnx_refuse(n, "it does not say its kernel_shape");
        return false;
    }
    if (onnx_rank(weight) != (int)window->rank + 2) {
        onnx_refuse(n, "its weight has %d axes, its data %u", onnx_rank(weight), window->rank + 2);
        return false;
    }
    for (unsigned i = 0; i < window->rank; i++)
        if (!ir_expr_constant(n->m->context, onnx_dims(weight)[i + 2], &window->kernel[i])) {
            onnx_refuse(n, "the shape of its weight is not known");
            return false;
        }
    return true;
}

/* SAME_*: as many windows as data divided by strides, rounded up. */
static bool same_pads(struct onnx_node *n, struct onnx_window *w, struct ir_value *x, bool is_upper)
{
    for (unsigned i = 0; i < w->rank; i++) {
        int64_t extent, reach = (w->kernel[i] - 1) * w->dilations[i] + 1;
        if (ir_expr_constant(n->m->context, onnx_dims(x)[i + 2], &extent)) {
            int64_t count = (extent + w->strides[i] - 1) / w->strides[i];
            int64_t total = (count - 1) * w->strides[i] + reach - extent;
            total = total < 0 ? 0 : total;
            w->pads[i] = is_upper ? total / 2 : total - total / 2;
            w->pads[i + w->rank] = total - w->pads[i];
        } else if (w->strides[i] == 1) {
            w->pads[i] = is_upper ? (reach - 1) / 2 : reach / 2;
            w->pads[i + w->rank] = reach - 1 - w->pads[i];
        } else {
            onnx_refuse(n, "its padding depends on an extent that is not known");
            return false;
        }
    }
    return true;
}

bool onnx_window_read(struct onnx_node *n, struct onnx_window *window, struct ir_value *x,
                      struct ir_value *weight)
{
    const char *automatic = onnx_string(n, "auto_pad", "NOTSET");
    bool is_upper = strcmp(automatic, "SAME_UPPER") == 0;

    *window = (struct onnx_window){0};
    if (onnx_rank(x) < 3 || onnx_rank(x) > 5) {
        onnx_refuse(n, "windows in %d dimensions are not supported", onnx_rank(x) - 2);
        return false;
    }
    window->rank = (unsigned)onnx_rank(x) - 2;
    if (!read_kernel(n, window, weight) ||
        !read_list(n, "strides", window->strides, window->rank, 1, 1) ||
        !read_list(n, "dilations", window->dilations, window->rank, 1, 1) ||
        !read_list(n, "pads", window->pads, 2 * window->rank, 0, -INT32_MAX))
        return false;
    bool is_transposed = strcmp(n->name, "ConvTranspose") == 0; /* has its own way */
    if ((is_upper || strcmp(automatic, "SAME_LOWER") == 0) && !is_transposed)
        return same_pads(n, window, x, is_upper);
    if (strcmp(automatic, "VALID") == 0)
        memset(window->pads, 0, sizeof(window->pads));
    return true;
}
