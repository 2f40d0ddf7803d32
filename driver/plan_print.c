/* Plans as text, JSON and comma-separated values. */
#include "driver/plan_view.h"

#include <inttypes.h>
#include <string.h>

int64_t plan_view_bytes(const struct plan_view *view)
{
    return view->arena_bytes + view->apart_bytes;
}

void plan_view_finish(struct plan_view *view)
{
    for (size_t i = 0; i < view->boxes.count; i++)
        array_finish(&view->boxes.items[i].owners);
    array_finish(&view->boxes);
}

/* ---- text ---- */

static void put_stack(const struct plan_view *view, struct text *out)
{
    if (view->stack_why) {
        text_printf(out, "  stack: no bound, %s", view->stack_why);
        if (view->stack_line)
            text_printf(out, " (line %u)", view->stack_line);
        text_putc(out, '\n');
    } else if (view->stack) {
        text_printf(out, "  stack: %s bytes at most\n", view->stack);
    } else {
        text_printf(out, "  stack: %" PRId64 " bytes at most\n", view->stack_bytes);
    }
}

/* Behind the count of storages, where sizes have symbols. */
static void put_open_bytes(const struct plan_view *view, struct text *out)
{
    text_printf(out, "%s bytes", view->bytes);
    if (strcmp(view->arena, view->bytes) != 0 && strcmp(view->arena, "0") != 0)
        text_printf(out, " (%s in one piece)", view->arena);
    text_printf(out, "\n  bound %s bytes", view->bound);
    if (strcmp(view->bound, view->bytes) == 0)
        text_puts(out, ": no plan of these is lower");
    text_putc(out, '\n');
}

static void put_bytes(const struct plan_view *view, struct text *out)
{
    int64_t bytes = plan_view_bytes(view);

    if (view->name)
        text_printf(out, "%s: ", view->name);
    text_printf(out, "%zu storage%s, ", view->boxes.count, view->boxes.count == 1 ? "" : "s");
    if (view->bytes) {
        put_open_bytes(view, out);
        return;
    }
    text_printf(out, "%" PRId64 " bytes", bytes);
    if (view->arena_bytes && view->apart_bytes)
        text_printf(out, " (%" PRId64 " in one piece, %" PRId64 " apart)", view->arena_bytes,
                    view->apart_bytes);
    if (view->open)
        text_printf(out, ", and %u of a size that is not known", view->open);
    text_putc(out, '\n');
    if (bytes == 0 || view->is_open)
        return;
    text_printf(out, "  bound %" PRId64 " bytes", view->lower_bound);
    if (bytes == view->lower_bound)
        text_puts(out, ": no plan of these is lower\n");
    else
        text_printf(out, ": at most %.2f %% too much\n",
                    100.0 * ((double)bytes / (double)view->lower_bound - 1));
    text_printf(out, "  without reuse %" PRId64 " bytes", view->unplanned_bytes);
    if (view->inplace_bytes)
        text_printf(out, ", of which %" PRId64 " are saved in place", view->inplace_bytes);
    text_putc(out, '\n');
}

static void put_head(const struct plan_view *view, struct text *out)
{
    put_bytes(view, out);
    if (view->name)
        put_stack(view, out);
}

static void put_size(const struct plan_box *box, struct text *out)
{
    if (box->size)
        text_puts(out, box->size);
    else
        text_printf(out, "%" PRId64, box->item.size);
}

static void put_offset(const struct plan_box *box, struct text *out)
{
    if (box->offset)
        text_puts(out, box->offset);
    else if (!box->is_apart)
        text_printf(out, "%" PRId64, box->item.offset);
}

static void pad(struct text *out, size_t begin, size_t width)
{
    do
        text_putc(out, ' ');
    while (out->length < begin + width);
}

static void put_row(const struct plan_box *box, size_t name_width, struct text *out)
{
    size_t begin = out->length;

    text_printf(out, "  %s", box->name);
    pad(out, begin, name_width + 4);
    begin = out->length;
    text_printf(out, "[%" PRId64 ", %" PRId64 ")", box->item.lower, box->item.upper);
    pad(out, begin, 18);
    begin = out->length;
    put_size(box, out);
    pad(out, begin, 14);
    if (box->is_apart && !box->offset)
        text_puts(out, "apart");
    else
        put_offset(box, out);
    if (box->result)
        text_printf(out, "  (%s)", box->result);
    for (size_t i = 1; i < box->owners.count; i++)
        text_printf(out, "%s%s", i == 1 ? "  then " : ", ", box->owners.items[i].name);
    text_putc(out, '\n');
}

static void put_text(const struct plan_view *view, struct text *out)
{
    size_t width = strlen("storage"), begin;

    put_head(view, out);
    if (view->boxes.count == 0)
        return;
    for (size_t i = 0; i < view->boxes.count; i++)
        if (width < strlen(view->boxes.items[i].name))
            width = strlen(view->boxes.items[i].name);
    begin = out->length;
    text_puts(out, "  storage");
    pad(out, begin, width + 4);
    text_puts(out, "steps             bytes         offset\n");
    for (size_t i = 0; i < view->boxes.count; i++)
        put_row(&view->boxes.items[i], width, out);
}

/* ---- JSON ---- */

static void put_json_text(const char *string, struct text *out)
{
    if (string)
        text_put_json(out, string, strlen(string));
    else
        text_puts(out, "null");
}

static void put_json_box(const struct plan_box *box, struct text *out)
{
    text_puts(out, "{\"id\": ");
    put_json_text(box->name, out);
    text_printf(out,
                ", \"lower\": %" PRId64 ", \"upper\": %" PRId64 ", \"size\": ", box->item.lower,
                box->item.upper);
    if (box->size)
        put_json_text(box->size, out);
    else
        put_size(box, out);
    text_puts(out, ", \"offset\": ");
    if (box->offset || box->is_apart)
        put_json_text(box->offset, out);
    else
        put_offset(box, out);
    text_puts(out, ", \"ends\": ");
    put_json_text(box->result, out);
    text_puts(out, ", \"owners\": [");
    for (size_t i = 0; i < box->owners.count; i++) {
        text_puts(out, i ? ", {\"name\": " : "{\"name\": ");
        put_json_text(box->owners.items[i].name, out);
        text_printf(out, ", \"from\": %" PRId64 "}", box->owners.items[i].from);
    }
    text_puts(out, "]}");
}

static void put_json_stack(const struct plan_view *view, struct text *out)
{
    text_puts(out, "\"stack_bytes\": ");
    if (view->stack || view->stack_why)
        put_json_text(view->stack, out);
    else
        text_printf(out, "%" PRId64, view->stack_bytes);
    text_puts(out, ", \"stack_why\": ");
    put_json_text(view->stack_why, out);
    text_puts(out, ", ");
}

static void put_json(const struct plan_view *view, struct text *out)
{
    text_puts(out, "{\"function\": ");
    put_json_text(view->name, out);
    text_printf(
        out,
        ", \"arena_bytes\": %" PRId64 ", \"apart_bytes\": %" PRId64
        ", \"lower_bound_bytes\": %" PRId64 ", \"is_proved\": %s"
        ", \"unplanned_bytes\": %" PRId64 ", \"inplace_bytes\": %" PRId64 ", \"open\": %u, ",
        view->arena_bytes, view->apart_bytes, view->lower_bound, view->is_proved ? "true" : "false",
        view->unplanned_bytes, view->inplace_bytes, view->open);
    if (view->bytes) {
        text_puts(out, "\"bytes\": ");
        put_json_text(view->bytes, out);
        text_puts(out, ", \"arena\": ");
        put_json_text(view->arena, out);
        text_puts(out, ", \"bound\": ");
        put_json_text(view->bound, out);
        text_puts(out, ", ");
    }
    if (view->name)
        put_json_stack(view, out);
    text_puts(out, "\"storages\": [");
    for (size_t i = 0; i < view->boxes.count; i++) {
        text_puts(out, i ? ",\n  " : "\n  ");
        put_json_box(&view->boxes.items[i], out);
    }
    text_puts(out, "]}");
}

/* ---- CSV ---- */

/* In quotes where it has to be. */
static void put_field(const char *string, struct text *out)
{
    if (!strpbrk(string, ",\"\r\n")) {
        text_puts(out, string);
        return;
    }
    text_putc(out, '"');
    for (; *string; string++) {
        if (*string == '"')
            text_putc(out, '"');
        text_putc(out, *string);
    }
    text_putc(out, '"');
}

static void put_csv(const struct plan_view *view, bool is_only, struct text *out)
{
    for (size_t i = 0; i < view->boxes.count; i++) {
        const struct plan_box *box = &view->boxes.items[i];
        struct text id = {0}, size = {0};

        text_printf(&id, "%s%s%s", is_only ? "" : view->name, is_only ? "" : ".", box->name);
        put_size(box, &size);
        put_field(text_string(&id), out);
        text_printf(out, ",%" PRId64 ",%" PRId64 ",", box->item.lower, box->item.upper);
        put_field(text_string(&size), out);
        text_putc(out, ',');
        if (box->offset)
            put_field(box->offset, out);
        else
            put_offset(box, out);
        text_putc(out, '\n');
        text_finish(&id);
        text_finish(&size);
    }
}

void plan_view_put(const struct plan_view *views, size_t count, enum plan_format format,
                   struct text *out)
{
    bool is_table = count == 1 && !views[0].name;

    if (format == PLAN_CSV)
        text_puts(out, "id,lower,upper,size,offset\n");
    if (format == PLAN_JSON && !is_table)
        text_puts(out, "{\"functions\": [");
    for (size_t i = 0; i < count; i++) {
        if (i && format != PLAN_CSV)
            text_puts(out, format == PLAN_JSON ? ",\n " : "\n");
        if (format == PLAN_TEXT)
            put_text(&views[i], out);
        else if (format == PLAN_JSON)
            put_json(&views[i], out);
        else
            put_csv(&views[i], count == 1, out);
    }
    if (format == PLAN_JSON)
        text_puts(out, is_table ? "\n" : "]}\n");
}
