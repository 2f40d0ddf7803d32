/* See kernel_times.h. */
#include "driver/kernel_times.h"

#include "base/map.h"

void kernel_times_init(struct kernel_times *times, struct runner *runner)
{
    struct map places = {0}; /* kernel -> its item, + 1 */

    *times = (struct kernel_times){0};
    kernel_sites(runner->module, &times->sites);
    for (size_t i = 0; i < times->sites.count; i++) {
        const struct ir_op *call = times->sites.items[i];
        const struct tir_func *kernel = ir_op_callee(call)->kernel;
        size_t place = (size_t)(uintptr_t)map_get(&places, kernel);

        if (place == 0) {
            array_push(&times->items, (struct kernel_time){.kernel = kernel, .call = call});
            place = times->items.count;
            map_set(&places, kernel, (void *)(uintptr_t)place);
        }
        times->items.items[place - 1].sites++;
        array_push(&times->places, place - 1);
    }
    map_finish(&places);
}

void kernel_times_finish(struct kernel_times *times)
{
    for (size_t i = 0; i < times->items.count; i++)
        array_finish(&times->items.items[i].times);
    array_finish(&times->items);
    array_finish(&times->sites);
    array_finish(&times->places);
}

static struct kernel_time *item_of(struct kernel_times *times,
                                   const struct inlay_profile_call *call)
{
    return call->site >= 0 && (size_t)call->site < times->places.count
               ? &times->items.items[times->places.items[call->site]]
               : NULL;
}

void kernel_times_add(struct kernel_times *times, const struct inlay_profile *profile)
{
    for (size_t i = 0; i < times->items.count; i++)
        times->items.items[i].ms = 0;
    for (size_t i = 0; i < profile->count; i++) {
        const struct inlay_profile_call *call = &profile->calls[i];
        struct kernel_time *item = item_of(times, call);

        if (item)
            item->ms += (double)(call->end - call->begin) * 1e-6;
    }
    for (size_t i = 0; i < times->items.count; i++)
        array_push(&times->items.items[i].times, times->items.items[i].ms);
}

/* Bytes of the widest element that it has: what it computes with. */
static unsigned width_of(const struct tir_func *kernel)
{
    unsigned width = 1;

    for (unsigned i = 0; i < kernel->param_count; i++) {
        const struct ir_buffer *buffer = kernel->params[i].buffer;

        if (buffer && ir_dtype_is_float(buffer->dtype) && ir_dtype_bytes(buffer->dtype) > width)
            width = ir_dtype_bytes(buffer->dtype);
    }
    return width;
}

static void add_work(struct kernel_time *item, const struct tir_func *kernel,
                     const struct inlay_profile_call *call, struct roof *roof)
{
    struct kernel_work work = kernel_work(kernel, call->numbers);
    unsigned width = width_of(kernel);

    item->calls++;
    item->operations += work.operations;
    item->bytes += work.bytes;
    item->is_most |= work.is_most;
    item->roof_ms += 1e3 * roof_seconds(roof, work.operations, work.bytes, width);
    item->computing_ms += 1e3 * roof_seconds(roof, work.operations, 0, width);
    item->moving_ms += 1e3 * roof_seconds(roof, 0, work.bytes, width);
}

void kernel_times_work(struct kernel_times *times, const struct runner *runner, struct roof *roof)
{
    const struct inlay_profile *profile = &runner->profile;

    for (size_t i = 0; i < times->items.count; i++)
        times->items.items[i].noted =
            kernel_notes_find(&runner->notes, times->items.items[i].kernel);
    times->is_cut = profile->is_cut;
    for (size_t i = 0; i < profile->count; i++) {
        struct kernel_time *item = item_of(times, &profile->calls[i]);

        if (item)
            add_work(item, item->noted, &profile->calls[i], roof);
    }
    for (size_t i = 0; i < times->items.count; i++) {
        const struct kernel_time *item = &times->items.items[i];

        times->operations += item->operations;
        times->bytes += item->bytes;
        times->roof_ms += item->roof_ms;
        times->is_most |= item->is_most;
    }
}
