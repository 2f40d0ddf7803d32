/*
 * Results in memory of the host.
 *
 * A host that gives results (inlay_host.gives_results) fills the row of results of its call before it: a tensor
 * with data is where the result is to be; one without is to be told where it is.
 */
#include "runtime/internal.h"
#include "runtime/message.h"

#include <string.h>

bool inlay_gives_results(const struct inlay_frame *frame)
{
    return frame->host.gives_results && !inlay_is_nested(frame);
}

static char *data_of(const struct inlay_tensor *tensor)
{
    return tensor->data ? (char *)tensor->data + tensor->byte_offset : NULL;
}

static int64_t bytes_of(const struct inlay_tensor *tensor)
{
    return inlay_tensor_bytes(tensor->shape, tensor->ndim,
                              (tensor->dtype.bits * tensor->dtype.lanes + 7) / 8);
}

void *inlay_result_take(struct inlay_frame *frame, const struct inlay_value *results, int32_t index,
                        int64_t bytes, uint32_t line)
{
    const struct inlay_tensor *given =
        inlay_gives_results(frame) && results[index].kind == INLAY_TENSOR ? results[index].tensor
                                                                          : NULL;
    if (!given || !given->data || bytes <= 0)
        return inlay_alloc(frame, bytes, line);
    if (bytes != bytes_of(given)) {
        inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                   "result %lld has %lld bytes, but the tensor that is given for it has %lld",
                   (long long)index + 1, (long long)bytes, (long long)bytes_of(given));
        return NULL;
    }
    struct inlay_stats *stats = &frame->stats;
    stats->live_bytes += (size_t)bytes;
    if (stats->live_bytes > stats->peak_bytes)
        stats->peak_bytes = stats->live_bytes;
    inlay_count(frame, (size_t)bytes);
    return data_of(given);
}

static int32_t fail_shape(struct inlay_frame *frame, uint32_t line, int32_t index,
                          const struct inlay_tensor *given, const struct inlay_tensor *result)
{
    for (int32_t i = 0; given->ndim == result->ndim && i < given->ndim; i++)
        if (given->shape[i] != result->shape[i])
            return inlay_fail(
                frame, INLAY_ERROR_ARGUMENT, line,
                "dimension %lld of result %lld is %lld, but that of the tensor that is "
                "given for it is %lld",
                (long long)i, (long long)index + 1, (long long)result->shape[i],
                (long long)given->shape[i]);
    char a[32], b[32];
    return inlay_fail(
        frame, INLAY_ERROR_ARGUMENT, line,
        "result %lld has %lld dimensions and the dtype %s, but the tensor that is given "
        "for it has %lld and %s",
        (long long)index + 1, (long long)result->ndim, inlay_dtype_text(result->dtype, a),
        (long long)given->ndim, inlay_dtype_text(given->dtype, b));
}

static bool has_shape(const struct inlay_tensor *given, const struct inlay_tensor *result)
{
    if (given->ndim != result->ndim || memcmp(&given->dtype, &result->dtype, sizeof(given->dtype)))
        return false;
    for (int32_t i = 0; i < given->ndim; i++)
        if (given->shape[i] != result->shape[i])
            return false;
    return true;
}

/* Says in @place where @result is. */
static int32_t describe(struct inlay_frame *frame, uint32_t line, int32_t index,
                        struct inlay_tensor *place, const struct inlay_tensor *result)
{
    if (place->ndim != result->ndim || (place->ndim > 0 && !place->shape))
        return inlay_fail(
            frame, INLAY_ERROR_ARGUMENT, line,
            "result %lld has %lld dimensions, but the tensor that is given for it has "
            "room for %lld",
            (long long)index + 1, (long long)result->ndim,
            (long long)(place->shape ? place->ndim : 0));
    int64_t *shape = place->shape;
    *place = *result;
    place->shape = shape;
    for (int32_t i = 0; i < result->ndim; i++)
        shape[i] = result->shape[i];
    return 1;
}

int32_t inlay_result_put(struct inlay_frame *frame, struct inlay_value *results, int32_t index,
                         const struct inlay_tensor *result, uint32_t line)
{
    if (!inlay_gives_results(frame) || results[index].kind != INLAY_TENSOR)
        return 0;
    struct inlay_tensor *given = results[index].tensor;
    if (!given->data)
        return describe(frame, line, index, given, result);
    if (!has_shape(given, result))
        return fail_shape(frame, line, index, given, result);
    int64_t bytes = bytes_of(result);
    if (bytes > 0 && data_of(given) != result->data)
        memmove(data_of(given), result->data, (size_t)bytes);
    return 1;
}

int32_t inlay_result_refuse(struct inlay_frame *frame, const struct inlay_value *results,
                            int32_t index, uint32_t line)
{
    if (!inlay_gives_results(frame) || results[index].kind != INLAY_TENSOR)
        return 0;
    return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                      "a tensor is given for result %lld, which is none, or none of a known rank",
                      (long long)index + 1);
}
