/* See tune_space.h. */
#include "driver/tune_space.h"

#include "ir/attr.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- the space ---- */

static struct tune_choice *add_choice(struct tune_space *space, enum tune_choice_kind kind,
                                      const char *pass)
{
    array_push(&space->choices, (struct tune_choice){.kind = kind, .pass = pass});
    return &array_last(&space->choices);
}

static void add_values(struct tune_space *space, const char *pass, const char *option,
                       const char *list)
{
    struct tune_choice *choice = add_choice(space, TUNE_VALUES, pass);

    choice->option = option;
    while (*list) {
        size_t length = strcspn(list, ",");

        array_push(&choice->values, arena_copy_text(space->arena, list, length));
        list += length + (list[length] == ',');
    }
}

void tune_space_init(struct tune_space *space, struct arena *arena)
{
    *space = (struct tune_space){.arena = arena};
#define OPTIONAL(pass)             add_choice(space, TUNE_OPTIONAL, #pass);
#define VALUES(pass, option, list) add_values(space, #pass, #option, list);
#define MORE(pass)                 add_choice(space, TUNE_MORE, #pass);
#define MOVABLE(pass)              add_choice(space, TUNE_MOVABLE, #pass);
#include "passes/tune.def"
}

void tune_space_finish(struct tune_space *space)
{
    for (size_t i = 0; i < space->choices.count; i++)
        array_finish(&space->choices.items[i].values);
    array_finish(&space->choices);
}

static const struct pass_info *find_pass(const char *name)
{
    for (size_t i = 0; i < pass_table_count; i++)
        if (strcmp(pass_table[i].name, name) == 0)
            return &pass_table[i];
    return NULL;
}

/* Is it among "name: type = default, name: ..."? */
static bool has_option(const struct pass_info *pass, const char *name)
{
    size_t length = strlen(name);

    for (const char *p = pass->options; p && *p;) {
        if (strncmp(p, name, length) == 0 && p[length] == ':')
            return true;
        p = strstr(p, ", ");
        p = p ? p + 2 : NULL;
    }
    return false;
}

/* The next word at *@p, before @end; "" if there is none. */
static const char *next_word(struct arena *arena, const char **p, const char *end)
{
    const char *start;

    while (*p < end && isspace((unsigned char)**p))
        ++*p;
    start = *p;
    while (*p < end && !isspace((unsigned char)**p))
        ++*p;
    return arena_copy_text(arena, start, (size_t)(*p - start));
}

static const char *const kinds[] = {"optional", "values", "more", "movable"};

static int find_kind(const char *word)
{
    for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strcmp(kinds[i], word) == 0)
            return (int)i;
    return -1;
}

/* NULL, or what is wrong with the line. */
static const char *read_line(struct tune_space *space, const char *p, const char *end)
{
    const char *word = next_word(space->arena, &p, end);
    int kind = find_kind(word);
    const char *name = next_word(space->arena, &p, end);
    const struct pass_info *pass = find_pass(name);
    const char *value = next_word(space->arena, &p, end);
    const char *sign = strchr(value, '=');

    if (!*word)
        return NULL;
    if (kind < 0)
        return arena_printf(space->arena,
                            "a line begins with optional, values, more or movable, not `%s`", word);
    if (!pass)
        return arena_printf(space->arena, "there is no pass `%s`", name);
    if (kind != TUNE_VALUES && !*value) {
        add_choice(space, (enum tune_choice_kind)kind, pass->name);
        return NULL;
    }
    if (kind != TUNE_VALUES || !sign || !sign[1])
        return arena_printf(space->arena, "`%s` takes %s", word,
                            kind == TUNE_VALUES ? "PASS option=a,b" : "a pass and no more");
    const char *option = arena_copy_text(space->arena, value, (size_t)(sign - value));
    if (!has_option(pass, option))
        return arena_printf(space->arena, "`%s` has no option `%s`", name, option);
    add_values(space, pass->name, option, sign + 1);
    return NULL;
}

bool tune_space_read(struct tune_space *space, struct driver *driver, const char *path)
{
    const struct source *source = driver_read(driver, path);
    bool is_good = source != NULL;

    *space = (struct tune_space){.arena = &driver->arena};
    for (size_t at = 0; is_good && at < source->length;) {
        size_t length = strcspn(source->text + at, "\n");
        size_t used = strcspn(source->text + at, "#\n");
        const char *why = read_line(space, source->text + at, source->text + at + used);

        if (why) {
            struct location loc = {source, (uint32_t)at, (uint32_t)(at + used)};

            diag_report(driver->diag, loc, INPUT_UNREADABLE, path, why);
            is_good = false;
        }
        at += length + 1;
    }
    if (is_good && space->choices.count == 0) {
        diag_report(driver->diag, (struct location){0}, INPUT_UNREADABLE, path,
                    "there is nothing to try");
        is_good = false;
    }
    return is_good;
}

/* ---- pipelines ---- */

struct reading {
    struct tune_pipeline *out;
    struct arena *arena;
};

static const char *value_text(struct arena *arena, const struct ir_attr *value)
{
    struct text text = {0};

    if (value->kind == IR_ATTR_INT) {
        text_printf(&text, "%" PRId64, value->integer);
    } else if (value->kind == IR_ATTR_BOOL) {
        text_puts(&text, value->integer ? "true" : "false");
    } else {
        text_putc(&text, '"');
        for (const char *p = value->string; *p; p++)
            text_printf(&text, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
        text_putc(&text, '"');
    }
    const char *copy = arena_copy_text(arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

static void visit(void *state, const struct pass_info *info, const struct ir_attr *options)
{
    struct reading *reading = state;
    struct tune_pass pass = {.name = info->name};

    for (unsigned i = 0; options && i < options->count && i < TUNE_OPTIONS; i++) {
        pass.options[i] = options->keys[i];
        pass.values[i] = value_text(reading->arena, options->items[i]);
        pass.option_count++;
    }
    array_push(&reading->out->passes, pass);
}

bool tune_pipeline_read(struct tune_pipeline *out, struct driver *driver, struct ir_module *module,
                        const char *passes)
{
    struct reading reading = {out, &driver->arena};

    *out = (struct tune_pipeline){0};
    return driver_visit_passes(driver, module, passes, visit, &reading);
}

void tune_pipeline_copy(struct tune_pipeline *to, const struct tune_pipeline *from)
{
    to->passes.count = 0;
    for (size_t i = 0; i < from->passes.count; i++)
        array_push(&to->passes, from->passes.items[i]);
}

void tune_pipeline_finish(struct tune_pipeline *pipeline)
{
    array_finish(&pipeline->passes);
}

void tune_pipeline_put(const struct tune_pipeline *pipeline, const char *gap, struct text *out)
{
    bool is_first = true;

    for (size_t i = 0; i < pipeline->passes.count; i++) {
        const struct tune_pass *pass = &pipeline->passes.items[i];

        if (pass->is_off)
            continue;
        text_printf(out, "%s%s", is_first ? "" : gap, pass->name);
        for (unsigned j = 0; j < pass->option_count; j++)
            text_printf(out, "%s%s=%s", j ? ", " : "(", pass->options[j], pass->values[j]);
        text_puts(out, pass->option_count ? ")" : "");
        is_first = false;
    }
}

/* ---- choices ---- */

size_t tune_random(uint64_t *state, size_t limit)
{
    *state = *state ? *state : UINT64_C(0x9e3779b97f4a7c15);
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return limit > 0 ? (size_t)((*state >> 11) % limit) : 0;
}

static size_t find_in(const struct tune_pipeline *pipeline, const char *name)
{
    size_t i = 0;

    while (i < pipeline->passes.count && strcmp(pipeline->passes.items[i].name, name) != 0)
        i++;
    return i;
}

static void insert(struct tune_pipeline *pipeline, size_t at, struct tune_pass pass)
{
    array_push(&pipeline->passes, pass);
    for (size_t i = pipeline->passes.count - 1; i > at; i--)
        pipeline->passes.items[i] = pipeline->passes.items[i - 1];
    pipeline->passes.items[at] = pass;
}

static void take_out(struct tune_pipeline *pipeline, size_t at)
{
    for (size_t i = at; i + 1 < pipeline->passes.count; i++)
        pipeline->passes.items[i] = pipeline->passes.items[i + 1];
    pipeline->passes.count--;
}

static const char *choose_value(const struct tune_space *space, const struct tune_choice *choice,
                                struct tune_pass *pass, uint64_t *random)
{
    const char *value = choice->values.items[tune_random(random, choice->values.count)];
    unsigned i = 0;

    while (i < pass->option_count && strcmp(pass->options[i], choice->option) != 0)
        i++;
    if (i == TUNE_OPTIONS || (i < pass->option_count && strcmp(pass->values[i], value) == 0))
        return NULL;
    pass->option_count += i == pass->option_count;
    pass->options[i] = choice->option;
    pass->values[i] = value;
    pass->is_off = false;
    return arena_printf(space->arena, "%s(%s=%s)", pass->name, choice->option, value);
}

static const char *choose_more(const struct tune_space *space, const struct tune_choice *choice,
                               struct tune_pipeline *pipeline, uint64_t *random)
{
    size_t at = find_in(pipeline, choice->pass);

    if (at < pipeline->passes.count) {
        take_out(pipeline, at);
        return arena_printf(space->arena, "without %s", choice->pass);
    }
    at = tune_random(random, pipeline->passes.count + 1);
    insert(pipeline, at, (struct tune_pass){.name = choice->pass});
    return arena_printf(space->arena, "with %s", choice->pass);
}

static const char *choose_place(const struct tune_space *space, struct tune_pipeline *pipeline,
                                size_t from, uint64_t *random)
{
    size_t count = pipeline->passes.count, steps = 1 + tune_random(random, 4);
    bool is_up = tune_random(random, 2) == 0;
    size_t to = is_up ? (from >= steps ? from - steps : 0)
                      : (from + steps < count ? from + steps : count - 1);
    struct tune_pass pass = pipeline->passes.items[from];

    if (to == from)
        return NULL;
    take_out(pipeline, from);
    insert(pipeline, to, pass);
    return arena_printf(space->arena, "%s %s", pass.name, is_up ? "earlier" : "later");
}

const char *tune_mutate(const struct tune_space *space, struct tune_pipeline *pipeline,
                        uint64_t *random)
{
    const struct tune_choice *choice =
        &space->choices.items[tune_random(random, space->choices.count)];
    size_t at = find_in(pipeline, choice->pass);
    struct tune_pass *pass = at < pipeline->passes.count ? &pipeline->passes.items[at] : NULL;

    if (choice->kind == TUNE_MORE)
        return choose_more(space, choice, pipeline, random);
    if (!pass)
        return NULL;
    if (choice->kind == TUNE_VALUES)
        return choose_value(space, choice, pass, random);
    if (choice->kind == TUNE_MOVABLE)
        return pass->is_off ? NULL : choose_place(space, pipeline, at, random);
    pass->is_off = !pass->is_off;
    return arena_printf(space->arena, "%s %s", pass->is_off ? "without" : "with", pass->name);
}
