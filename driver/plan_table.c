/* Tables of items to plan. */
#include "driver/plan_table.h"

#include "base/hash.h"
#include "base/map.h"

#include <inttypes.h>
#include <string.h>

/* What a column may be called, and how its numbers count: an `end` is the last step, not the one behind. */
static const struct column_name {
    const char *name;
    enum plan_column column;
    int64_t added;
} names[] = {
    {"id", PLAN_COLUMN_ID, 0},         {"lower", PLAN_COLUMN_LOWER, 0},
    {"start", PLAN_COLUMN_LOWER, 0},   {"begin", PLAN_COLUMN_LOWER, 0},
    {"upper", PLAN_COLUMN_UPPER, 0},   {"end", PLAN_COLUMN_UPPER, 1},
    {"size", PLAN_COLUMN_SIZE, 0},     {"alignment", PLAN_COLUMN_ALIGNMENT, 0},
    {"offset", PLAN_COLUMN_OFFSET, 0},
};

bool plan_is_table(const char *name)
{
    size_t length = strlen(name);

    return length >= 4 && strcmp(name + length - 4, ".csv") == 0;
}

/* ---- fields ---- */

struct reader {
    struct plan_table *table;
    struct diag *diag;
    struct arena *arena;
    const char *text;
    uint32_t at, end;
    int64_t added; /* to each `upper` */
    array(struct location) fields;
};

static struct location place(const struct reader *r, uint32_t begin, uint32_t end)
{
    return (struct location){r->table->source, begin, end};
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static void skip_line_end(struct reader *r)
{
    if (r->at < r->end && r->text[r->at] == '\r')
        r->at++;
    if (r->at < r->end && r->text[r->at] == '\n')
        r->at++;
}

static void skip_empty_lines(struct reader *r)
{
    while (r->at < r->end && is_line_end(r->text[r->at]))
        r->at++;
}

/* "..." with "" for each quote inside; line ends are part of it. */
static bool read_quoted(struct reader *r)
{
    uint32_t begin = r->at++;

    for (; r->at < r->end; r->at++) {
        if (r->text[r->at] != '"')
            continue;
        if (r->at + 1 == r->end || r->text[r->at + 1] != '"')
            break;
        r->at++;
    }
    if (r->at == r->end) {
        diag_report(r->diag, place(r, begin, begin + 1), PLAN_TABLE, "a quote is never closed");
        return false;
    }
    r->at++;
    if (r->at < r->end && r->text[r->at] != ',' && !is_line_end(r->text[r->at])) {
        diag_report(r->diag, place(r, r->at, r->at + 1), PLAN_TABLE,
                    "something follows the closing quote of a field");
        return false;
    }
    return true;
}

static bool read_field(struct reader *r)
{
    uint32_t begin = r->at;

    if (r->at < r->end && r->text[r->at] == '"') {
        if (!read_quoted(r))
            return false;
    } else {
        while (r->at < r->end && r->text[r->at] != ',' && !is_line_end(r->text[r->at]))
            r->at++;
    }
    array_push(&r->fields, place(r, begin, r->at));
    return true;
}

/* Fields up to the end of the line; how many they are goes to *out_count. */
static bool read_line(struct reader *r, size_t *out_count)
{
    size_t before = r->fields.count;

    for (;;) {
        if (!read_field(r))
            return false;
        if (r->at == r->end || r->text[r->at] != ',')
            break;
        r->at++;
    }
    skip_line_end(r);
    *out_count = r->fields.count - before;
    return true;
}

/* What a field says: without quotes, and without spaces around it. */
static const char *content(const struct reader *r, struct location field)
{
    const char *text = r->text + field.begin;
    size_t length = field.end - field.begin, kept = 0;
    char *copy;

    if (length >= 2 && text[0] == '"') {
        copy = arena_copy_text(r->arena, text + 1, length - 2);
        for (size_t i = 0; i < length - 2; i++) {
            copy[kept++] = copy[i];
            i += copy[i] == '"';
        }
        copy[kept] = '\0';
        return copy;
    }
    for (; length && (*text == ' ' || *text == '\t'); text++)
        length--;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    return arena_copy_text(r->arena, text, length);
}

/* ---- the header ---- */

static const struct column_name *find_name(const char *name)
{
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(names[i].name, name) == 0)
            return &names[i];
    return NULL;
}

static const char *first_name(enum plan_column column)
{
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (names[i].column == column)
            return names[i].name;
    return NULL;
}

static bool read_columns(struct reader *r)
{
    struct plan_table *table = r->table;
    bool is_there[PLAN_COLUMNS + 1] = {false};

    table->columns = arena_array(r->arena, enum plan_column, table->column_count);
    for (size_t i = 0; i < table->column_count; i++) {
        const struct column_name *name = find_name(content(r, r->fields.items[i]));

        table->columns[i] = name ? name->column : PLAN_COLUMNS;
        if (name && is_there[name->column]) {
            diag_report(
                r->diag, r->fields.items[i], PLAN_TABLE,
                arena_printf(r->arena, "a second column is `%s`", first_name(name->column)));
            return false;
        }
        is_there[table->columns[i]] = true;
        if (name)
            r->added += name->added;
    }
    for (enum plan_column column = 0; column <= PLAN_COLUMN_SIZE; column++)
        if (!is_there[column]) {
            struct diag_message *message = diag_report(
                r->diag, place(r, r->fields.items[0].begin, array_last(&r->fields).end), PLAN_TABLE,
                arena_printf(r->arena, "it has no column `%s`", first_name(column)));

            diag_help(message, "the first line names the columns: id,lower,upper,size");
            return false;
        }
    return true;
}

/* ---- rows ---- */

static bool wrong(struct reader *r, struct location field, const char *what, const char *why)
{
    diag_report(r->diag, field, PLAN_VALUE, what, content(r, field), why);
    return false;
}

static bool parse(const char *text, int64_t *out)
{
    bool is_negative = *text == '-';
    int64_t value = 0;

    text += is_negative;
    for (const char *digit = text; *digit; digit++)
        if (*digit < '0' || *digit > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, *digit - '0', &value))
            return false;
    return *text && (is_negative || !__builtin_sub_overflow(0, value, &value)) &&
           (*out = value, true);
}

static bool read_number(struct reader *r, struct location field, const char *what, int64_t *out)
{
    const char *text = content(r, field);

    if (parse(text, out))
        return true;
    return wrong(r, field, what,
                 *text && !text[strspn(text, text[0] == '-' ? "-0123456789" : "0123456789")]
                     ? "needs more than 64 bits"
                     : "is no whole number");
}

static bool read_value(struct reader *r, size_t row, enum plan_column column, struct location field)
{
    struct pack_item *item = &r->table->items[row];

    switch (column) {
    case PLAN_COLUMN_ID:
        r->table->ids[row] = content(r, field);
        return r->table->ids[row][0] || wrong(r, field, "the id", "is empty");
    case PLAN_COLUMN_LOWER:
        return read_number(r, field, "the begin", &item->lower);
    case PLAN_COLUMN_UPPER:
        return read_number(r, field, "the end", &item->upper) &&
               (!__builtin_add_overflow(item->upper, r->added, &item->upper) ||
                wrong(r, field, "the end", "needs more than 64 bits"));
    case PLAN_COLUMN_SIZE:
        return read_number(r, field, "the size", &item->size);
    case PLAN_COLUMN_ALIGNMENT:
        return !content(r, field)[0] || read_number(r, field, "the alignment", &item->alignment);
    case PLAN_COLUMN_OFFSET:
        item->is_fixed = content(r, field)[0] != '\0';
        return !item->is_fixed || read_number(r, field, "the offset", &item->offset);
    case PLAN_COLUMNS:
        break;
    }
    return true;
}

static struct location field_of(const struct plan_table *table, size_t row, enum plan_column column)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i] == column)
            return table->fields[(row + 1) * table->column_count + i];
    return (struct location){0};
}

static bool read_rows(struct reader *r)
{
    struct plan_table *table = r->table;
    bool is_good = true;

    table->items = arena_array(r->arena, struct pack_item, table->count + 1);
    table->ids = arena_array(r->arena, const char *, table->count + 1);
    for (size_t row = 0; row < table->count; row++)
        for (size_t i = 0; i < table->column_count; i++)
            is_good &= read_value(r, row, table->columns[i],
                                  table->fields[(row + 1) * table->column_count + i]);
    return is_good;
}

static bool check_ids(struct reader *r)
{
    struct plan_table *table = r->table;
    struct map known = {0};
    bool is_good = true;

    for (size_t row = 0; row < table->count; row++) {
        const char *id = table->ids[row], *other;
        uint64_t hash = hash_text(id);

        while ((other = map_get(&known, hash_key(hash))) && strcmp(other, id) != 0)
            hash = hash_again(hash);
        if (other)
            is_good =
                wrong(r, field_of(table, row, PLAN_COLUMN_ID), "the id", "stands in a row before");
        else
            map_set(&known, hash_key(hash), id);
    }
    map_finish(&known);
    return is_good;
}

/* ---- whether there can be a plan ---- */

static bool report_negative(struct reader *r, size_t row)
{
    const struct pack_item *item = &r->table->items[row];

    if (item->size < 0)
        return wrong(r, field_of(r->table, row, PLAN_COLUMN_SIZE), "the size", "is negative");
    if (item->alignment < 0)
        return wrong(r, field_of(r->table, row, PLAN_COLUMN_ALIGNMENT), "the alignment",
                     "is negative");
    return wrong(r, field_of(r->table, row, PLAN_COLUMN_OFFSET), "the offset", "is negative");
}

static bool report_large(struct reader *r, size_t row)
{
    const struct pack_item *item = &r->table->items[row];

    if (item->alignment > PACK_LARGEST)
        return wrong(r, field_of(r->table, row, PLAN_COLUMN_ALIGNMENT), "the alignment",
                     "is above 2^60");
    if (item->is_fixed && item->offset > PACK_LARGEST)
        return wrong(r, field_of(r->table, row, PLAN_COLUMN_OFFSET), "the offset", "is above 2^60");
    return wrong(r, field_of(r->table, row, PLAN_COLUMN_SIZE), "the size",
                 item->size > PACK_LARGEST
                     ? "is above 2^60"
                     : "is too large: together, what lives then is above 2^60");
}

static bool check_items(struct reader *r)
{
    const struct plan_table *table = r->table;
    size_t row = 0, other = 0;

    switch (pack_check(table->items, table->count, &row, &other)) {
    case PACK_FINE:
        return true;
    case PACK_LIFE:
        return wrong(r, field_of(table, row, PLAN_COLUMN_UPPER), "the end",
                     "lies before the begin");
    case PACK_NEGATIVE:
        return report_negative(r, row);
    case PACK_TOO_LARGE:
        return report_large(r, row);
    case PACK_ALIGNMENT:
        return wrong(r, field_of(table, row, PLAN_COLUMN_OFFSET), "the offset",
                     "is no multiple of the alignment");
    case PACK_COLLISION:
        diag_report(r->diag, field_of(table, row, PLAN_COLUMN_OFFSET), PLAN_COLLISION,
                    table->ids[row], table->ids[other]);
    }
    return false;
}

/* ---- the whole ---- */

static bool read_lines(struct reader *r)
{
    struct plan_table *table = r->table;
    size_t count;

    if (r->end - r->at >= 3 && memcmp(r->text + r->at, "\xef\xbb\xbf", 3) == 0)
        r->at += 3; /* the mark that some programs begin with */
    skip_empty_lines(r);
    if (r->at == r->end) {
        diag_report(r->diag, place(r, 0, 0), PLAN_TABLE, "it is empty");
        return false;
    }
    if (!read_line(r, &table->column_count) || !read_columns(r))
        return false;
    for (skip_empty_lines(r); r->at < r->end; skip_empty_lines(r)) {
        uint32_t begin = r->at;

        if (!read_line(r, &count))
            return false;
        if (count != table->column_count) {
            diag_report(r->diag, place(r, begin, array_last(&r->fields).end), PLAN_TABLE,
                        arena_printf(r->arena, "the row has %zu field%s, and the header %zu", count,
                                     count == 1 ? "" : "s", table->column_count));
            return false;
        }
        table->count++;
    }
    return true;
}

bool plan_table_read(struct plan_table *table, const struct source *source, struct diag *diag,
                     struct arena *arena)
{
    struct reader r = {.table = table, .diag = diag, .arena = arena, .text = source->text};

    *table = (struct plan_table){.source = source};
    if (source->length >= UINT32_MAX || memchr(source->text, '\0', source->length)) {
        diag_report(diag, place(&r, 0, 0), PLAN_TABLE,
                    source->length >= UINT32_MAX ? "it has 4 GiB or more" : "it holds NUL bytes");
        return false;
    }
    r.end = (uint32_t)source->length;
    bool is_good = read_lines(&r);

    table->fields = arena_array(arena, struct location, r.fields.count + 1);
    if (r.fields.count)
        memcpy(table->fields, r.fields.items, r.fields.count * sizeof(*r.fields.items));
    is_good = is_good && read_rows(&r) && check_ids(&r) && check_items(&r);
    array_finish(&r.fields);
    return is_good;
}

static void put_raw(const struct plan_table *table, struct location field, struct text *out)
{
    text_append(out, table->source->text + field.begin, field.end - field.begin);
}

static void put_others(const struct plan_table *table, size_t line, struct text *out)
{
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i] >= PLAN_COLUMN_ALIGNMENT) {
            text_putc(out, ',');
            put_raw(table, table->fields[line * table->column_count + i], out);
        }
    text_putc(out, '\n');
}

void plan_table_put(const struct plan_table *table, struct text *out)
{
    text_puts(out, "id,lower,upper,size,offset");
    put_others(table, 0, out);
    for (size_t row = 0; row < table->count; row++) {
        const struct pack_item *item = &table->items[row];

        put_raw(table, field_of(table, row, PLAN_COLUMN_ID), out);
        text_printf(out, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64, item->lower, item->upper,
                    item->size, item->offset);
        put_others(table, row + 1, out);
    }
}
