/* See table.h. */
#include "driver/table.h"

#include <string.h>

void table_add_column(struct table *table, const char *key, const char *title, bool is_text)
{
    array_push(&table->columns, (struct table_column){key, title, is_text});
}

static const char *copy(struct table *table, const char *text)
{
    return text ? arena_copy_text(&table->arena, text, strlen(text)) : NULL;
}

void table_add(struct table *table, const char *data, const char *shown)
{
    const char *kept = copy(table, data);

    array_push(&table->cells, (struct table_cell){kept, shown ? copy(table, shown) : kept});
}

void table_add_number(struct table *table, const char *shown, const char *format, ...)
{
    struct text text = {0};
    va_list args;

    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    table_add(table, text_string(&text), shown);
    text_finish(&text);
}

void table_finish(struct table *table)
{
    array_finish(&table->columns);
    array_finish(&table->cells);
    arena_finish(&table->arena);
}

static size_t row_count(const struct table *table)
{
    return table->columns.count ? table->cells.count / table->columns.count : 0;
}

static const struct table_cell *cell_at(const struct table *table, size_t row, size_t column)
{
    return &table->cells.items[row * table->columns.count + column];
}

static const char *shown_at(const struct table *table, size_t row, size_t column)
{
    const char *shown = cell_at(table, row, column)->shown;

    return shown ? shown : "";
}

/* ---- for people ---- */

static int width_of(const struct table *table, size_t column)
{
    size_t width = strlen(table->columns.items[column].title);

    for (size_t i = 0; i < row_count(table); i++)
        if (strlen(shown_at(table, i, column)) > width)
            width = strlen(shown_at(table, i, column));
    return (int)width;
}

static void put_padded(const struct table *table, size_t column, const char *text, const char *gap,
                       struct text *out)
{
    bool is_left = table->columns.items[column].is_text;
    int width = width_of(table, column);

    text_printf(out, is_left ? "%s%-*s" : "%s%*s", gap, width, text);
}

static void end_line(struct text *out)
{
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_putc(out, '\n');
}

void table_put_text(const struct table *table, struct text *out)
{
    for (size_t row = 0; row <= row_count(table); row++) {
        const char *gap = "";

        for (size_t i = 0; i < table->columns.count; i++) {
            const char *title = table->columns.items[i].title;

            if (!title)
                continue;
            put_padded(table, i, row == 0 ? title : shown_at(table, row - 1, i), gap, out);
            gap = "  ";
        }
        end_line(out);
    }
}

/* A bar would end the cell. */
static void put_markdown_cell(const char *text, struct text *out)
{
    text_putc(out, ' ');
    for (; *text; text++)
        text_printf(out, *text == '|' ? "\\%c" : "%c", *text);
    text_puts(out, " |");
}

void table_put_markdown(const struct table *table, struct text *out)
{
    for (size_t row = 0; row < row_count(table) + 2; row++) {
        text_putc(out, '|');
        for (size_t i = 0; i < table->columns.count; i++) {
            const struct table_column *column = &table->columns.items[i];

            if (!column->title)
                continue;
            if (row == 1)
                text_puts(out, column->is_text ? " :-- |" : " --: |");
            else
                put_markdown_cell(row == 0 ? column->title : shown_at(table, row - 2, i), out);
        }
        text_putc(out, '\n');
    }
}

/* ---- for programs ---- */

/* As RFC 4180 has it: in quotes where it must be, and quotes twice. */
static void put_csv_cell(const char *text, struct text *out)
{
    bool is_quoted = strpbrk(text, ",\"\r\n") != NULL;

    if (is_quoted)
        text_putc(out, '"');
    for (; *text; text++)
        text_printf(out, *text == '"' ? "\"%c" : "%c", *text);
    if (is_quoted)
        text_putc(out, '"');
}

static void put_csv_row(const struct table *table, const char *const *cells, struct text *out)
{
    const char *gap = "";

    for (size_t i = 0; i < table->columns.count; i++) {
        if (!table->columns.items[i].key)
            continue;
        text_puts(out, gap);
        put_csv_cell(cells[i] ? cells[i] : "", out);
        gap = ",";
    }
    text_putc(out, '\n');
}

void table_put_csv(const struct table *table, struct text *out)
{
    struct arena scratch = {0};
    const char **cells = arena_array(&scratch, const char *, table->columns.count + 1);

    for (size_t row = 0; row <= row_count(table); row++) {
        for (size_t i = 0; i < table->columns.count; i++)
            cells[i] = row == 0 ? table->columns.items[i].key : cell_at(table, row - 1, i)->data;
        put_csv_row(table, cells, out);
    }
    arena_finish(&scratch);
}

static void put_json_cell(const struct table_column *column, const struct table_cell *cell,
                          struct text *out)
{
    text_put_json(out, column->key, strlen(column->key));
    text_puts(out, ": ");
    if (!cell->data)
        text_puts(out, "null");
    else if (column->is_text)
        text_put_json(out, cell->data, strlen(cell->data));
    else
        text_puts(out, cell->data);
}

void table_put_json(const struct table *table, struct text *out)
{
    for (size_t row = 0; row < row_count(table); row++) {
        const char *gap = row == 0 ? "[{" : ",\n {";

        for (size_t i = 0; i < table->columns.count; i++) {
            if (!table->columns.items[i].key)
                continue;
            text_puts(out, gap);
            put_json_cell(&table->columns.items[i], cell_at(table, row, i), out);
            gap = ", ";
        }
        text_putc(out, '}');
    }
    text_puts(out, row_count(table) ? "]" : "[]");
}
