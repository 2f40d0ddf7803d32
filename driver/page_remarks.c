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

    text_puts(out, ",\n\"why\": ");
    remarks_put_json(driver->context, &items, out);
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
