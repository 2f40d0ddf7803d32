/* The store of diagnostics: collects, counts, drops repeats, sorts. */
#include "base/diag.h"

#include "base/assert.h"
#include "base/diag_allow.h"
#include "base/internal.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const struct diag_info diag_table[] = {
#define DIAG(code, id, severity, format, title) {code, DIAG_##severity, format, title},
#include "base/diag.def"
};
const size_t diag_table_count = ARRAY_SIZE(diag_table);

static const struct diag_info *find_info(enum diag_id id)
{
    for (size_t i = 0; i < diag_table_count; i++) {
        if (diag_table[i].id == id)
            return &diag_table[i];
    }
    UNREACHABLE("a diagnostic without a row");
}

const char *diag_severity_name(enum diag_severity severity)
{
    static const char *const names[] = {"error", "warning", "remark"};

    return names[severity];
}

struct diag *diag_create(void)
{
    return memory_new(sizeof(struct diag), 1);
}

static void finish_message(struct diag_message *message)
{
    array_finish(&message->labels);
    array_finish(&message->remarks);
}

void diag_destroy(struct diag *diag)
{
    if (!diag)
        return;
    for (size_t i = 0; i < diag->messages.count; i++)
        finish_message(diag->messages.items[i]);
    array_finish(&diag->messages);
    map_finish(&diag->seen);
    arena_finish(&diag->arena);
    memory_free(diag);
}

/* A sentence may name what the user wrote, and that may be a megabyte. */
enum { TEXT_LIMIT = 1000, REMARK_LIMIT = 20000 };

static const char *keep(struct diag *diag, size_t limit, const char *format, va_list args)
    PRINTF(3, 0);

static const char *keep(struct diag *diag, size_t limit, const char *format, va_list args)
{
    struct text text = {0};

    text_vprintf(&text, format, args);
    if (text.length > limit) {
        while ((text.data[limit] & 0xc0) == 0x80) /* not within a character */
            limit--;
        text.length = limit;
        text_puts(&text, "...");
    }
    const char *kept = arena_copy_text(&diag->arena, text_string(&text), text.length);
    text_finish(&text);
    return kept;
}

static bool is_same(const struct diag_message *a, const struct diag_message *b)
{
    return a->id == b->id && a->location.source == b->location.source &&
           a->location.begin == b->location.begin && a->location.end == b->location.end &&
           !strcmp(a->text, b->text);
}

static const void *message_key(const struct diag_message *message)
{
    uintptr_t hash = (uintptr_t)message->location.source + message->id;

    hash = hash * 31 + message->location.begin;
    hash = hash * 31 + message->location.end;
    for (const char *c = message->text; *c; c++)
        hash = hash * 31 + (unsigned char)*c;
    return (const void *)(hash | 1); /* NOLINT(performance-no-int-to-ptr): a key, not a place */
}

/* Is there such a message already?  The table may know ones that diag_truncate() took back. */
static bool is_repeat(const struct diag *diag, const struct diag_message *message)
{
    const struct diag_message *seen = map_get(&diag->seen, message_key(message));

    return seen && seen->index < diag->messages.count &&
           diag->messages.items[seen->index] == seen && is_same(seen, message);
}

struct diag_message *diag_emit(struct diag *diag, struct location location, enum diag_id id,
                               const char *format, ...)
{
    struct diag_message message = {
        .diag = diag,
        .id = id,
        .severity = find_info(id)->severity,
        .index = diag->messages.count,
        .location = location,
        .primary = "",
    };
    va_list args;

    if (message.severity == DIAG_ERROR && diag_is_full(diag)) {
        diag->dropped_errors++;
        return &diag->dropped;
    }
    va_start(args, format);
    message.text = keep(diag, TEXT_LIMIT, format, args);
    va_end(args);
    bool is_silenced = message.severity == DIAG_WARNING && diag_is_allowed(location, id);
    if (is_silenced || is_repeat(diag, &message))
        return &diag->dropped;

    struct diag_message *kept = arena_new(&diag->arena, struct diag_message);
    *kept = message;
    array_push(&diag->messages, kept);
    map_set(&diag->seen, message_key(kept), kept);
    diag->errors += message.severity == DIAG_ERROR;
    diag->warnings += message.severity == DIAG_WARNING;
    return kept;
}

void diag_primary(struct diag_message *message, const char *format, ...)
{
    va_list args;

    if (!message->diag)
        return;
    va_start(args, format);
    message->primary = keep(message->diag, TEXT_LIMIT, format, args);
    va_end(args);
}

void diag_label(struct diag_message *message, struct location location, const char *format, ...)
{
    va_list args;

    if (!message->diag || !location.source)
        return;
    va_start(args, format);
    array_push(&message->labels,
               (struct diag_label){location, keep(message->diag, TEXT_LIMIT, format, args)});
    va_end(args);
}

void diag_note(struct diag_message *message, const char *format, ...)
{
    va_list args;

    if (!message->diag)
        return;
    va_start(args, format);
    array_push(&message->remarks,
               (struct diag_remark){.level = "note",
                                    .text = keep(message->diag, REMARK_LIMIT, format, args)});
    va_end(args);
}

void diag_help(struct diag_message *message, const char *format, ...)
{
    va_list args;

    if (!message->diag)
        return;
    va_start(args, format);
    array_push(&message->remarks,
               (struct diag_remark){.level = "help",
                                    .text = keep(message->diag, REMARK_LIMIT, format, args)});
    va_end(args);
}

static void put_edit(struct diag_message *message, struct location location,
                     const struct text *text)
{
    struct diag_remark *help = &array_last(&message->remarks);

    bool is_there =
        text->length == location.end - location.begin &&
        memcmp(text_string(text), location.source->text + location.begin, text->length) == 0;

    if (is_there)
        message->remarks.count--;
    if (is_there || text->length > REMARK_LIMIT) /* half of it would mend nothing */
        return;
    help->edit_location = location;
    help->edit_text = arena_copy_text(&message->diag->arena, text_string(text), text->length);
}

void diag_help_edit(struct diag_message *message, struct location location, const char *format, ...)
{
    struct text text = {0};
    va_list args;

    if (!message->diag || !location.source)
        return;
    assert(message->remarks.count && !strcmp(array_last(&message->remarks).level, "help"));
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    put_edit(message, location, &text);
    text_finish(&text);
}

void diag_help_wrap(struct diag_message *message, struct location location, const char *before,
                    const char *behind)
{
    if (location.source)
        diag_help_edit(message, location, "%s%.*s%s", before, LOCATION_TEXT(location), behind);
}

void diag_help_swap(struct diag_message *message, struct location first, struct location second)
{
    struct location between = {first.source, first.end, second.begin};

    if (first.source && first.source == second.source && first.end < second.begin)
        diag_help_edit(message, location_join(first, second), "%.*s%.*s%.*s", LOCATION_TEXT(second),
                       LOCATION_TEXT(between), LOCATION_TEXT(first));
}

void diag_help_nearest(struct diag_message *message, struct location place, const char *before,
                       const struct text_nearest *nearest)
{
    if (nearest->other)
        diag_help(message, "there are `%s%s` and `%s%s`", before, nearest->found, before,
                  nearest->other);
    else if (nearest->found) {
        diag_help(message, "there is `%s%s`", before, nearest->found);
        diag_help_edit(message, place, "%s", nearest->found);
    }
}

void diag_help_unsure(struct diag_message *message)
{
    if (message->diag && message->remarks.count)
        array_last(&message->remarks).is_unsure = true;
}

struct diag_message *diag_doubt(struct diag *diag)
{
    struct diag_message *message =
        diag->messages.count ? array_last(&diag->messages) : &diag->dropped;

    for (size_t i = 0; i < message->remarks.count; i++)
        if (message->id == DIAG_OP_OPERAND_KIND || message->id == DIAG_OP_DTYPES)
            message->remarks.items[i].edit_location = (struct location){0};
    return message;
}

unsigned diag_error_count(const struct diag *diag)
{
    return diag->errors + diag->dropped_errors;
}

unsigned diag_warning_count(const struct diag *diag)
{
    return diag->warnings;
}

bool diag_is_full(const struct diag *diag)
{
    return diag->errors >= DIAG_ERROR_LIMIT;
}

void diag_truncate(struct diag *diag, size_t count)
{
    while (diag->messages.count > count) {
        struct diag_message *last = array_pop(&diag->messages);
        if (last->severity == DIAG_ERROR) {
            diag->errors--;
            diag->dropped_errors = 0; /* the limit was reached in what is taken back */
        }
        diag->warnings -= last->severity == DIAG_WARNING;
        finish_message(last);
    }
}

static bool stands_behind(const struct diag_message *message, struct location place)
{
    return message->severity == DIAG_ERROR && message->location.source == place.source &&
           message->location.begin > place.begin;
}

void diag_drop(struct diag *diag, size_t from, struct location place,
               bool (*is_dropped)(enum diag_id id))
{
    size_t kept = from;

    for (size_t i = from; i < diag->messages.count; i++) {
        struct diag_message *message = diag->messages.items[i];
        if (stands_behind(message, place) && is_dropped(message->id)) {
            diag->errors--;
            finish_message(message);
            continue;
        }
        message->index = kept;
        diag->messages.items[kept++] = message;
    }
    if (kept < diag->messages.count)
        diag->dropped_errors = 0;
    diag->messages.count = kept;
}

void diag_locate(struct diag *diag, size_t from, struct location location)
{
    for (size_t i = from; i < diag->messages.count; i++)
        if (!diag->messages.items[i]->location.source)
            diag->messages.items[i]->location = location;
}

bool diag_has(const struct diag *diag, enum diag_id id)
{
    return diag_has_from(diag, 0, id);
}

bool diag_has_from(const struct diag *diag, size_t from, enum diag_id id)
{
    for (size_t i = from; i < diag->messages.count; i++)
        if (diag->messages.items[i]->id == id)
            return true;
    return false;
}

uint32_t diag_first_error(const struct diag *diag, size_t from, const struct source *source)
{
    uint32_t first = UINT32_MAX;
    for (size_t i = from; i < diag->messages.count; i++) {
        const struct diag_message *message = diag->messages.items[i];
        if (message->severity == DIAG_ERROR && message->location.source == source &&
            message->location.begin < first)
            first = message->location.begin;
    }
    return first;
}

static const struct diag_message *first_error(const struct diag *diag, size_t from)
{
    for (size_t i = from; i < diag->messages.count; i++)
        if (diag->messages.items[i]->severity == DIAG_ERROR)
            return diag->messages.items[i];
    return NULL;
}

unsigned diag_error_code(const struct diag *diag, size_t from)
{
    const struct diag_message *error = first_error(diag, from);

    return error ? error->id : 0;
}

const char *diag_error_text(const struct diag *diag, size_t from)
{
    const struct diag_message *error = first_error(diag, from);

    return error ? error->text : NULL;
}

size_t diag_message_count(const struct diag *diag)
{
    return diag->messages.count;
}

static int compare_messages(const void *left, const void *right)
{
    const struct diag_message *a = *(struct diag_message *const *)left;
    const struct diag_message *b = *(struct diag_message *const *)right;

    if (a->location.source != b->location.source) {
        /* What has no place comes last: it sums up. */
        if (!a->location.source || !b->location.source)
            return a->location.source ? -1 : 1;
        int order = strcmp(a->location.source->name, b->location.source->name);
        if (order)
            return order;
    }
    if (a->location.begin != b->location.begin)
        return a->location.begin < b->location.begin ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

struct diag_message **diag_sorted(const struct diag *diag)
{
    size_t count = diag->messages.count;
    struct diag_message **sorted = memory_new(count + 1, sizeof(struct diag_message *));

    if (count) {
        memcpy(sorted, diag->messages.items, count * sizeof(sorted[0]));
        qsort(sorted, count, sizeof(sorted[0]), compare_messages);
    }
    return sorted;
}

const char *diag_line(const struct source *source, unsigned line, size_t *out_length)
{
    uint32_t begin = source->line_starts[line - 1];
    size_t end = line < source->line_count ? source->line_starts[line] : source->length;

    while (end > begin && (source->text[end - 1] == '\n' || source->text[end - 1] == '\r'))
        end--;
    *out_length = end - begin;
    return source->text + begin;
}

unsigned diag_place(const struct source *source, uint32_t offset, unsigned *out_column)
{
    unsigned bytes;
    unsigned line = source_line(source, offset, &bytes);
    size_t length;
    const char *text = diag_line(source, line, &length);

    *out_column = 1;
    for (size_t i = 0; i < length && i + 1 < bytes;) {
        size_t character = text_utf8_length(text + i, length - i);
        i += character ? character : 1;
        ++*out_column;
    }
    return line;
}

void diag_print(const struct diag *diag, enum diag_format format, bool color, struct text *out)
{
    diag_print_for(diag, format, (struct diag_look){.color = color}, out);
}

void diag_print_for(const struct diag *diag, enum diag_format format, struct diag_look look,
                    struct text *out)
{
    switch (format) {
    case DIAG_FORMAT_TEXT:
        diag_print_text(diag, look, out);
        break;
    case DIAG_FORMAT_SHORT:
        diag_print_short(diag, out);
        break;
    case DIAG_FORMAT_JSON:
        diag_print_json(diag, out);
        break;
    case DIAG_FORMAT_SARIF:
        diag_print_sarif(diag, out);
        break;
    }
}
