/*
 * Plans as pictures: program order from left to right, bytes from below, a box each storage.
 *
 * A label stands only where there is room for it; what is too small for one has a tooltip.  Dashes in a box, with an arrow,
 * show where the next value takes it over.  Boxes without an offset lie above the arena, packed for the picture.
 */
#include "driver/plan_view.h"

#include <inttypes.h>
#include <string.h>

/* Of the picture; int, since they meet doubles. */
static const int LEFT = 96, WIDTH = 960, TOP = 36, HEIGHT = 420, BOTTOM = 40;
static const int LETTER = 7, LINE = 13; /* wide, high */
static const int THIN = 3; /* narrower boxes have no edges, or edges were all that is seen */

static const char *const colors[] = {"#9ecae1", "#a1d99b", "#fdd0a2", "#bcbddc",
                                     "#fdae9b", "#c7e9c0", "#d9d9d9", "#fde29b"};

struct panel {
    const struct plan_view *view;
    struct text *out;
    int64_t first, last, bytes;
    double top;       /* of the panel */
    int64_t *offsets; /* of all boxes */
};

/* A number with two digits behind the point, or none. */
static void put_number(struct text *out, double value)
{
    text_printf(out, "%.6g", (double)(int64_t)(value * 100 + 0.5) / 100);
}

static void put_attribute(struct text *out, const char *name, double value)
{
    text_printf(out, " %s=\"", name);
    put_number(out, value);
    text_putc(out, '"');
}

static void put_escaped(struct text *out, const char *string)
{
    for (; *string; string++)
        switch (*string) {
        case '&':
            text_puts(out, "&amp;");
            break;
        case '<':
            text_puts(out, "&lt;");
            break;
        case '>':
            text_puts(out, "&gt;");
            break;
        case '"':
            text_puts(out, "&quot;");
            break;
        default: /* what XML has no place for is no part of a name */
            text_putc(out, (unsigned char)*string < ' ' ? ' ' : *string);
        }
}

static int panel_height(void)
{
    return TOP + HEIGHT + BOTTOM;
}

static double x_of(const struct panel *p, int64_t step)
{
    return LEFT + WIDTH * ((double)step - (double)p->first) / ((double)p->last - (double)p->first);
}

static double y_of(const struct panel *p, int64_t byte)
{
    return p->top + TOP + HEIGHT * (1 - (double)byte / (double)p->bytes);
}

/* ---- boxes ---- */

static void put_label(const struct panel *p, const char *label, double x, double y)
{
    text_puts(p->out, "<text");
    put_attribute(p->out, "x", x);
    put_attribute(p->out, "y", y);
    text_puts(p->out, ">");
    put_escaped(p->out, label);
    text_puts(p->out, "</text>\n");
}

static void put_title(const struct panel *p, const struct plan_box *box)
{
    text_puts(p->out, "<title>");
    put_escaped(p->out, box->name);
    for (size_t i = 1; i < box->owners.count; i++) {
        text_puts(p->out, ", then ");
        put_escaped(p->out, box->owners.items[i].name);
    }
    text_printf(p->out, ": %" PRId64 " bytes", box->item.size);
    if (box->is_apart)
        text_puts(p->out, " apart");
    else
        text_printf(p->out, " at %" PRId64, box->item.offset);
    text_printf(p->out, ", steps %" PRId64 " to %" PRId64 "</title>", box->item.lower,
                box->item.upper);
}

/* Owner @i begins: a dashed line, an arrow from the one before, and its name up to @end if there is room. */
static void put_owner(const struct panel *p, const struct plan_box *box, size_t i, double y,
                      double height)
{
    const struct plan_owner *owner = &box->owners.items[i];
    double x = x_of(p, owner->from), middle = y + height / 2;
    double end = i + 1 < box->owners.count ? x_of(p, box->owners.items[i + 1].from)
                                           : x_of(p, box->item.upper);

    if (end - x < THIN)
        return;
    text_puts(p->out, "<path class=\"over\" d=\"M");
    put_number(p->out, x);
    text_putc(p->out, ' ');
    put_number(p->out, y);
    text_puts(p->out, " v");
    put_number(p->out, height);
    text_puts(p->out, "\"/>");
    if (height >= 6 && end - x >= 6) {
        text_puts(p->out, "<path class=\"arrow\" d=\"M");
        put_number(p->out, x);
        text_putc(p->out, ' ');
        put_number(p->out, middle - 3);
        text_puts(p->out, " l5 3 l-5 3 z\"/>");
    }
    text_putc(p->out, '\n');
    if (height >= LINE && end - x >= 10 + (double)((size_t)LETTER * strlen(owner->name)))
        put_label(p, owner->name, x + 8, middle + 4);
}

static void put_box(const struct panel *p, size_t index)
{
    const struct plan_box *box = &p->view->boxes.items[index];
    int64_t offset = p->offsets[index];
    double x = x_of(p, box->item.lower), y = y_of(p, offset + box->item.size);
    double width = x_of(p, box->item.upper) - x, height = y_of(p, offset) - y;
    double end = box->owners.count > 1 ? x_of(p, box->owners.items[1].from) : x + width;

    text_printf(p->out, "<rect class=\"%s%s\" fill=\"%s\"", box->is_apart ? "apart" : "box",
                width < THIN ? " thin" : "", colors[index % ARRAY_SIZE(colors)]);
    put_attribute(p->out, "x", x);
    put_attribute(p->out, "y", y);
    put_attribute(p->out, "width", width);
    put_attribute(p->out, "height", height);
    text_putc(p->out, '>');
    put_title(p, box);
    text_puts(p->out, "</rect>\n");
    for (size_t i = 1; i < box->owners.count; i++)
        put_owner(p, box, i, y, height);
    if (height >= LINE && end - x >= 6 + (double)((size_t)LETTER * strlen(box->name)))
        put_label(p, box->name, x + 3, y + height / 2 + 4);
}

/* ---- panels ---- */

/* Those apart are packed above the arena. */
static void find_places(struct panel *p, struct arena *scratch)
{
    const struct plan_view *view = p->view;
    size_t count = view->boxes.count, apart = 0;
    struct pack_item *items = arena_array(scratch, struct pack_item, count + 1);
    struct pack_limits limits = {.capacity = -1};
    struct pack_result result = {0};

    p->offsets = arena_array(scratch, int64_t, count + 1);
    for (size_t i = 0; i < count; i++)
        if (view->boxes.items[i].is_apart)
            items[apart++] = (struct pack_item){.lower = view->boxes.items[i].item.lower,
                                                .upper = view->boxes.items[i].item.upper,
                                                .size = view->boxes.items[i].item.size};
    (void)pack(items, apart, &limits, &result, scratch);
    for (size_t i = 0, next = 0; i < count; i++)
        p->offsets[i] = view->boxes.items[i].is_apart ? view->arena_bytes + items[next++].offset
                                                      : view->boxes.items[i].item.offset;
    p->bytes = view->arena_bytes + (apart ? result.height : 0);
    if (p->bytes == 0)
        p->bytes = 1;
}

static void find_steps(struct panel *p)
{
    p->first = INT64_MAX;
    p->last = INT64_MIN;
    for (size_t i = 0; i < p->view->boxes.count; i++) {
        const struct pack_item *item = &p->view->boxes.items[i].item;

        if (p->first > item->lower)
            p->first = item->lower;
        if (p->last < item->upper)
            p->last = item->upper;
    }
    if (p->view->boxes.count == 0)
        p->first = p->last = 0;
    if (p->first >= p->last && p->first < INT64_MAX)
        p->last = p->first + 1;
}

static void put_line(const struct panel *p, const char *class, int64_t bytes, const char *label)
{
    double y = y_of(p, bytes);
    struct text text = {0};

    text_printf(p->out, "<path class=\"%s\" d=\"M%d ", class, LEFT);
    put_number(p->out, y);
    text_printf(p->out, " h%d\"><title>%s: %" PRId64 " bytes</title></path>\n", WIDTH, label,
                bytes);
    text_printf(&text, "%" PRId64, bytes);
    put_label(p, text_string(&text), LEFT - 8 - (double)((size_t)LETTER * text.length), y + 4);
    text_finish(&text);
}

static void put_caption(const struct panel *p)
{
    const struct plan_view *view = p->view;
    struct text text = {0};

    if (view->name)
        text_printf(&text, "%s: ", view->name);
    text_printf(&text, "%zu storages, %" PRId64 " bytes, bound %" PRId64 ", without reuse %" PRId64,
                view->boxes.count, plan_view_bytes(view), view->lower_bound, view->unplanned_bytes);
    put_label(p, text_string(&text), LEFT, p->top + TOP - 14);
    text_finish(&text);
}

static void put_steps(const struct panel *p)
{
    struct text text = {0};

    text_printf(&text, "step %" PRId64, p->first);
    put_label(p, text_string(&text), LEFT, p->top + TOP + HEIGHT + 18);
    text_clear(&text);
    text_printf(&text, "%" PRId64, p->last);
    put_label(p, text_string(&text), LEFT + WIDTH - (double)((size_t)LETTER * text.length),
              p->top + TOP + HEIGHT + 18);
    text_finish(&text);
}

static void put_panel(const struct plan_view *view, size_t index, struct text *out)
{
    struct arena scratch = {0};
    struct panel p = {.view = view, .out = out, .top = (double)index * panel_height()};

    find_places(&p, &scratch);
    find_steps(&p);
    put_caption(&p);
    put_steps(&p);
    for (size_t i = 0; i < view->boxes.count; i++)
        put_box(&p, i);
    if (view->boxes.count) {
        if (!view->is_open && view->lower_bound < plan_view_bytes(view))
            put_line(&p, "bound", view->lower_bound, "bound");
        put_line(&p, "peak", plan_view_bytes(view), "peak");
    }
    text_printf(out, "<path class=\"axis\" d=\"M%d ", LEFT);
    put_number(out, p.top + TOP);
    text_printf(out, " v%d h%d\"/>\n", HEIGHT, WIDTH);
    arena_finish(&scratch);
}

void plan_view_put_svg(const struct plan_view *views, size_t count, struct text *out)
{
    size_t width = LEFT + WIDTH + 24, height = (count ? count : 1) * (size_t)panel_height();

    text_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" "
        "viewBox=\"0 0 %zu %zu\">\n"
        "<style>text{font:12px monospace;fill:#222;pointer-events:none}"
        ".box,.apart{stroke:#555;stroke-width:.5}.apart{stroke-dasharray:4 2;fill-opacity:.5}.thin{stroke:none}"
        ".over{stroke:#333;stroke-dasharray:2 2;fill:none}.arrow{fill:#333}"
        ".axis{stroke:#222;fill:none}.peak{stroke:#c00;fill:none}"
        ".bound{stroke:#00c;stroke-dasharray:6 4;fill:none}</style>\n"
        "<rect width=\"%zu\" height=\"%zu\" fill=\"#fff\"/>\n",
        width, height, width, height, width, height);
    for (size_t i = 0; i < count; i++)
        put_panel(&views[i], i, out);
    text_puts(out, "</svg>\n");
}
