/* Remarks for pages: what `inlay why --loops --fusion --memory` says, from the same records. */
#include "driver/page.h"
#include "driver/remarks.h"

#include <string.h>

static void gather_memory(struct page *page, struct runner *runner, struct remark_items *out)
{
    struct sizes sizes;

    sizes_init(&sizes, page->session->driver->context, page->session->options);
    remarks_of_memory(page->session->driver, runner->module, &sizes, &runner->decisions, out);
    sizes_finish(&sizes);
}

/*
 * Thousands of remarks are of some dozen forms, so the page has each form once, and of a remark what goes into it:
 *
 *     {"forms": [{"code": "LP072", "pass": .., "verdict": .., "without": .., "text": "the loop `{}` ..", "labels": [..]}, ..],
 *      "remarks": [[topic, function, subject, line, depth, [[form, for each {} a value, for each label a line], ..]], ..]}
 */
struct forms {
    const struct remark_part **items; /* of each form the first */
    size_t count, capacity;           /* an array() */
};

static const struct remark_place *label_of(const struct remark_part *part, unsigned i)
{
    const struct remark_place *place = i ? &part->remark.second : &part->remark.first;

    return place->text && place->loc.source ? place : NULL;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_label(const struct remark_part *a, const struct remark_part *b, unsigned i)
{
    const struct remark_place *one = label_of(a, i), *other = label_of(b, i);

    return same_text(one ? one->text : NULL, other ? other->text : NULL);
}

static size_t form_of(struct forms *forms, const struct remark_part *part)
{
    size_t i = 0;

    for (; i < forms->count; i++) {
        const struct remark_part *form = forms->items[i];
        if (form->remark.id == part->remark.id && same_text(form->pass, part->pass) &&
            same_text(form->role, part->role) && same_label(form, part, 0) &&
            same_label(form, part, 1))
            return i;
    }
    array_push(forms, part);
    return i;
}

static void put_string(const char *value, struct text *out)
{
    if (value)
        text_put_json(out, value, strlen(value));
    else
        text_puts(out, "null");
}

static void put_part(struct forms *forms, const struct remark_part *part, struct text *out)
{
    const struct remark *remark = &part->remark;

    text_printf(out, "[%zu", form_of(forms, part));
    for (const char *at = remark_table[remark->id].text; (at = strchr(at, '{')); at++) {
        text_putc(out, ',');
        if (at[2] == '}')
            text_printf(out, "%lld", (long long)(at[1] == 'a' ? remark->a : remark->b));
        else
            put_string(at[1] == 'n' ? remark->name : remark->other, out);
    }
    for (unsigned i = 0; i < 2; i++)
        if (label_of(part, i))
            text_printf(out, ",%u", location_line(label_of(part, i)->loc));
    text_putc(out, ']');
}

static void put_item(struct forms *forms, const struct remark_item *item, struct text *out)
{
    static const char *const topics[] = {
        [REMARK_LP] = "loop", [REMARK_FU] = "fusion", [REMARK_ME] = "memory"};

    text_printf(out, "[\"%s\",", topics[item->topic]);
    put_string(item->function, out);
    text_putc(out, ',');
    put_string(item->subject, out);
    text_printf(out, ",%u,%u,[", item->loc.source ? location_line(item->loc) : 0, item->depth);
    for (unsigned k = 0; k < item->part_count; k++) {
        text_puts(out, k ? "," : "");
        put_part(forms, &item->parts[k], out);
    }
    text_puts(out, "]]");
}

/* The sentence with {} where values go. */
static void put_template(enum remark_id id, struct text *out)
{
    struct text text = {0};
    bool is_inside = false;

    for (const char *at = remark_table[id].text; *at; at++) {
        is_inside &= *at != '}';
        if (!is_inside)
            text_putc(&text, *at);
        is_inside |= *at == '{';
    }
    put_string(text_string(&text), out);
    text_finish(&text);
}

static void put_form(struct ir_context *context, const struct remark_part *form, struct text *out)
{
    static const char *const verdicts[] = {
        [REMARK_DONE] = "done", [REMARK_MISSED] = "missed", [REMARK_NOTE] = "note"};
    enum remark_id id = form->remark.id;

    text_printf(out, "{\"code\": \"%s\", \"pass\": ", remark_code(context, id));
    put_string(form->pass, out);
    text_printf(out, ", \"verdict\": \"%s\", \"without\": ", verdicts[remark_table[id].verdict]);
    put_string(form->role, out);
    text_printf(out, ", \"nest\": %s, \"text\": ", remark_is_of_nest(id) ? "true" : "false");
    put_template(id, out);
    text_puts(out, ", \"labels\": [");
    for (unsigned i = 0, n = 0; i < 2; i++)
        if (label_of(form, i)) {
            text_puts(out, n++ ? ", " : "");
            put_string(label_of(form, i)->text, out);
        }
    text_puts(out, "]}");
}

static void put_remarks(struct ir_context *context, const struct remark_items *items,
                        struct text *out)
{
    struct forms forms = {0};

    text_puts(out, ",\n\"why\": {\"remarks\": [");
    for (size_t i = 0; i < items->count; i++) {
        text_puts(out, i ? ",\n" : "\n");
        put_item(&forms, &items->items[i], out);
    }
    text_puts(out, "],\n\"forms\": [");
    for (size_t i = 0; i < forms.count; i++) {
        text_puts(out, i ? ",\n" : "\n");
        put_form(context, forms.items[i], out);
    }
    text_puts(out, "]}");
    array_finish(&forms);
}

/* What helps, of those that say what is missed. */
static void put_helps(struct ir_context *context, const struct remark_items *items,
                      struct text *out)
{
    bool is_put[REMARK_COUNT] = {0};
    const char *comma = "";

    text_puts(out, ",\n\"helps\": {");
    for (size_t i = 0; i < items->count; i++)
        for (unsigned k = 0; k < items->items[i].part_count; k++) {
            enum remark_id id = items->items[i].parts[k].remark.id;
            const char *help = remark_table[id].help;

            if (is_put[id] || !*help)
                continue;
            is_put[id] = true;
            text_printf(out, "%s\n  \"%s\": ", comma, remark_code(context, id));
            text_put_json(out, help, strlen(help));
            comma = ",";
        }
    text_putc(out, '}');
}

bool page_put_remarks(struct page *page, struct runner *runner, struct text *out)
{
    const struct codegen_options code = {.opt_level = page->session->options->opt_level};
    struct driver *driver = page->session->driver;
    struct remark_items items = {0};

    remarks_of_fusion(driver, &items);
    gather_memory(page, runner, &items);
    bool is_good = remarks_of_loops(driver, runner->module, &code, &items);

    put_remarks(driver->context, &items, out);
    put_helps(driver->context, &items, out);
    page_end_remarks(page);
    array_finish(&items);
    return is_good;
}

void page_begin_remarks(struct page *page)
{
    struct driver *driver = page->session->driver;

    page->remarks.context = driver->context;
    driver->remarks = &page->remarks;
}

void page_end_remarks(struct page *page)
{
    if (page->session)
        page->session->driver->remarks = NULL;
    remarks_finish(&page->remarks);
    page->remarks = (struct remarks){0};
}
