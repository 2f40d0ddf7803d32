/* Axes that there are not, or twice: those that there are. */
#include "ops/internal.h"

#include <string.h>

void op_help_axis(const struct infer *in, struct diag_message *m, struct location place,
                  int64_t axis, int ndim, int meant)
{
    const char *written = arena_printf(&in->context->arena, "%lld", (long long)axis);
    const char *also = ndim > 0 ? arena_printf(&in->context->arena, ", or -%d to -1", ndim) : "";
    size_t length = strlen(written);

    if (ndim < 1)
        diag_help(m, "it has no axis");
    else if (ndim == 1)
        diag_help(m, "its one axis is 0");
    else
        diag_help(m, "its axes are 0 to %d%s", ndim - 1, also);
    if (meant < 0 || !place.source || place.end - place.begin != length ||
        memcmp(place.source->text + place.begin, written, length) != 0)
        return;
    diag_help_edit(m, place, "%d", meant);
    if (ndim > 1)
        diag_help_unsure(m);
}

int op_axis_left(const bool *flags, int ndim)
{
    int left = -1;

    for (int i = 0; i < ndim; i++)
        if (!flags[i] && left >= 0)
            return -1;
        else if (!flags[i])
            left = i;
    return left;
}

int op_axis_of_entry(const struct infer *in, const struct ir_attr *axes, unsigned entry, int ndim)
{
    bool *flags = arena_array(&in->module->arena, bool, (unsigned)ndim + 1);

    if (axes->count != (unsigned)ndim)
        return -1;
    for (unsigned i = 0; i < axes->count; i++) {
        int64_t axis = axes->items[i]->integer;
        axis += axis < 0 ? ndim : 0;
        if (i == entry)
            continue;
        if (axis < 0 || axis >= ndim || flags[axis])
            return -1;
        flags[axis] = true;
    }
    return op_axis_left(flags, ndim);
}

void op_help_dimensions(const struct infer *in, struct diag_message *m, int rank)
{
    const char *name = in->op->info->name, *digit = strpbrk(name, "0123456789");
    const char *attr = ir_attr_param(in->op->info, "layout") ? "layout" : "data_layout";

    if (!digit || rank < 3 || rank > 5 || op_argument_place(in, attr).begin != in->op->loc.begin)
        return;
    const char *meant = arena_printf(&in->context->arena, "%.*s%d%s", (int)(digit - name), name,
                                     rank - 2, digit + 1);
    struct location place = location_text_behind(in->op->loc, name);
    if (!ir_find_op(in->context, meant) || place.begin == in->op->loc.begin ||
        place.end > in->op->loc.end)
        return;
    diag_help(m, "of rank %d it is `R.%s`", rank, meant);
    diag_help_edit(m, place, "%s", meant);
}
