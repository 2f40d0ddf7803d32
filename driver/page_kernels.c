/* Kernels for pages: their loops, their lines of the script, their assembly, and what they took. */
#include "driver/kernel_times.h"
#include "driver/page.h"
#include "driver/sample.h"
#include "ir/print.h"

#include <ctype.h>
#include <string.h>

enum {
    KERNELS = 400,         /* that are shown; of more the slowest, or the first ones */
    LOOP_BYTES = 24000,    /* of the text of one */
    ASSEMBLY_LINES = 1500, /* of one */
};

static void put_json(const char *text, size_t length, struct text *out)
{
    text_put_json(out, text, length);
}

/* ---- assembly ---- */

/* The next line of @p, and what comes after it. */
static const char *line_end(const char *p)
{
    const char *end = strchr(p, '\n');

    return end ? end : p + strlen(p);
}

/*
 * Behind the next label of kernel @name, or of a part or piece of one of its parallel loops, from @p on;
 * NULL: there is none, as of a kernel that equals another one.
 */
static const char *find_body(const char *p, const char *name)
{
    struct text label = {0};
    const char *found;

    text_printf(&label, "\ninlay_kernel_%s", name);
    for (found = strstr(p, text_string(&label)); found; found = strstr(found + 1, label.data)) {
        const char *rest = found + label.length, *end = line_end(rest);

        bool is_of_loop = strncmp(rest, "_piece", 6) == 0 || strncmp(rest, "_part", 5) == 0;

        if (*rest == ':' || (is_of_loop && end[-1] == ':'))
            break;
    }
    text_finish(&label);
    return found ? line_end(found + 1) : NULL;
}

/* "\t.loc\t1 12 5 ...": the line of the script; 0: the line of assembly is no such directive. */
static unsigned read_line_number(const char *p)
{
    unsigned line = 0;

    if (strncmp(p, "\t.loc\t", 6) != 0)
        return 0;
    p += 6;
    p += strcspn(p, " \n");
    for (p += *p == ' '; isdigit((unsigned char)*p); p++)
        line = 10 * line + (unsigned)(*p - '0');
    return line;
}

/* Directives and what debuggers are told say nothing to readers; labels of jumps do. */
static bool is_shown(const char *p, const char *end)
{
    bool is_label =
        *p == '.' && end > p && memchr(p, ':', (size_t)(end - p)) && strncmp(p, ".LBB", 4) == 0;

    return is_label || (*p == '\t' && p[1] != '.' && p[1] != '#');
}

static void put_line(unsigned line, const char *p, const char *end, unsigned *count,
                     struct text *out)
{
    const char *comment = memchr(p, '#', (size_t)(end - p));
    size_t length = (size_t)((comment ? comment : end) - p);

    while (length > 0 && isspace((unsigned char)p[length - 1]))
        length--;
    text_printf(out, "%s%u,", (*count)++ ? "," : "", line);
    put_json(p, length, out);
}

static void put_body(const char *p, unsigned *count, struct text *out)
{
    unsigned line = 0;

    for (; *p && *count < ASSEMBLY_LINES; p = *line_end(p) ? line_end(p) + 1 : line_end(p)) {
        const char *end = line_end(p);
        unsigned number = read_line_number(p);

        line = number ? number : line;
        if (strncmp(p, ".Lfunc_end", 10) == 0)
            break;
        if (is_shown(p, end))
            put_line(line, p, end, count, out);
    }
}

/* Pairs of a line of the script and an instruction, flat. */
static void put_assembly(const char *assembly, const char *name, struct text *out)
{
    const char *p = assembly;
    unsigned count = 0;

    text_puts(out, ", \"asm\": [");
    while ((p = find_body(p, name))) {
        if (count > 0)
            text_puts(out, ",0,\"\"");
        put_body(p, &count, out);
    }
    text_putc(out, ']');
}

/* ---- loops ---- */

static void put_loops(const char *key, const struct tir_func *kernel, struct text *out)
{
    struct text text = {0};

    tir_func_print(kernel, &text);
    text_printf(out, ", \"%s\": ", key);
    put_json(text_string(&text), text.length < LOOP_BYTES ? text.length : LOOP_BYTES, out);
    text_finish(&text);
}

static void put_times(const struct kernel_time *item, struct text *out)
{
    struct sample sample = sample_of(item->times.items, item->times.count);

    text_printf(out,
                ", \"ms\": %.6f, \"lower\": %.6f, \"upper\": %.6f, \"calls\": %zu, \"ops\": %.6g, "
                "\"bytes\": %.6g, \"roof\": %.6g, \"most\": %s",
                sample.median, sample.lower, sample.upper, item->calls, item->operations,
                item->bytes, item->roof_ms, item->is_most ? "true" : "false");
}

static void put_kernel(const struct kernel_time *item, bool has_times, const char *assembly,
                       struct text *out)
{
    const struct ir_op *call = item->call;

    text_puts(out, "{\"name\": ");
    put_json(item->kernel->name, strlen(item->kernel->name), out);
    text_printf(out, ", \"sites\": %zu, \"line\": %u, \"own\": %u, \"places\": [", item->sites,
                location_line(call->loc), location_line(item->kernel->loc));
    for (unsigned i = 0; i < call->places.count; i++)
        text_printf(out, "%s%u", i ? "," : "", location_line(call->places.items[i]));
    text_putc(out, ']');
    if (has_times)
        put_times(item, out);
    put_loops("loops", item->kernel, out);
    if (item->noted && item->noted != item->kernel)
        put_loops("noted", item->noted, out);
    put_assembly(assembly, item->kernel->name, out);
    text_putc(out, '}');
}

void page_put_kernels(const struct runner *runner, const char *assembly, struct kernel_times *times,
                      struct text *out)
{
    struct kernel_times named = {0};
    size_t count;

    if (!times) {
        struct runner copy = *runner;

        kernel_times_init(&named, &copy);
        times = &named;
    }
    for (size_t i = 0; i < times->items.count; i++)
        times->items.items[i].noted =
            kernel_notes_find(&runner->notes, times->items.items[i].kernel);
    count = times->items.count < KERNELS ? times->items.count : KERNELS;
    text_printf(out, ",\n\"kernel_count\": %zu,\n\"kernels\": [", times->items.count);
    for (size_t i = 0; i < count; i++) {
        text_puts(out, i ? ",\n" : "");
        put_kernel(&times->items.items[i], times != &named, assembly, out);
    }
    text_putc(out, ']');
    kernel_times_finish(&named);
}
