/* The command line, read by the rows of options.def. */
#include "base/text.h"
#include "cli/options_help.h"
#include "driver/object_cache.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "cli/options.def"
};

enum meaning { MEANS_OTHER, MEANS_TEXT, MEANS_FLAG, MEANS_NUMBER, MEANS_SECONDS, MEANS_CHOICE };

struct option_meaning {
    enum meaning kind;
    size_t field;
    unsigned least, most; /* of a number */
};

_Static_assert(sizeof(enum ir_dialect) == sizeof(unsigned), "CHOICE sets enums as unsigned");
_Static_assert(sizeof(enum inplace_mode) == sizeof(unsigned), "CHOICE sets enums as unsigned");

#define FIELD(name)               offsetof(struct cli_options, name)
#define OTHER                     {MEANS_OTHER, 0, 0, 0}
#define TEXT(name)                {MEANS_TEXT, FIELD(name), 0, 0}
#define FLAG(name)                {MEANS_FLAG, FIELD(name), 0, 0}
#define CHOICE(name)              {MEANS_CHOICE, FIELD(name), 0, 0}
#define NUMBER(name, least, most) {MEANS_NUMBER, FIELD(name), least, most}
#define SECONDS(name, most)       {MEANS_SECONDS, FIELD(name), 0, most}

struct option_info {
    enum option_id id;
    char letter;
    const char *name, *value;
    enum option_kind kind;
    unsigned commands;
    struct option_meaning meaning;
    const char *doc;
};

static const struct option_info option_table[] = {
#define OPTION(id, letter, name, value, kind, commands, meaning, doc) \
    {OPTION_##id, letter, name, value, kind, commands, meaning, doc},
#include "cli/options.def"
};

static const struct command_info {
    const char *name, *arguments;
    unsigned least, most;
    const char *doc;
} command_table[] = {
#define COMMAND(name, arguments, least, most, doc) {#name, arguments, least, most, doc},
#include "cli/commands.def"
};

int cli_usage_error(const struct cli_options *options, const char *format, ...)
{
    va_list args;
    fputs("inlay: error: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    if (options && options->command < CLI_COMMAND_COUNT)
        fprintf(stderr, "\nsee `inlay %s --help`\n", command_table[options->command].name);
    else
        fputs("\nsee `inlay --help`\n", stderr);
    return CLI_USAGE;
}

/* The name nearest to what was typed, if it is near. */
struct nearest {
    const char *typed, *name;
    size_t length, distance;
};

static void consider(struct nearest *nearest, const char *name)
{
    size_t distance = text_distance(nearest->typed, nearest->length, name, strlen(name));
    if (distance <= 2 && distance < strlen(name) &&
        (!nearest->name || distance < nearest->distance)) {
        nearest->name = name;
        nearest->distance = distance;
    }
}

/* `--input` for `--in`, `--inter` for `--interpret`: one begins with the other. */
static void consider_beginning(struct nearest *nearest, const char *name)
{
    size_t length = strlen(name);
    size_t common = length < nearest->length ? length : nearest->length;

    if (common >= 2 && strncmp(nearest->typed, name, common) == 0 &&
        (!nearest->name || strlen(nearest->name) < length))
        nearest->name = name;
}

/* The row for @command; that of another command where this one has none. */
static const struct option_info *find_long(const char *name, size_t length, unsigned command)
{
    const struct option_info *found = NULL;
    for (size_t i = 0; i < ARRAY_SIZE(option_table); i++)
        if (strlen(option_table[i].name) == length &&
            memcmp(option_table[i].name, name, length) == 0 &&
            (!found || option_table[i].commands & command))
            found = &option_table[i];
    return found;
}

static const struct option_info *find_letter(char letter)
{
    for (size_t i = 0; i < ARRAY_SIZE(option_table); i++)
        if (option_table[i].letter == letter)
            return &option_table[i];
    return NULL;
}

/* The place of @value in the names of @choices ("a|b|c"), -1 if it is none. */
static int find_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    int index = 0;
    for (const char *p = choices;; index++) {
        const char *end = strchr(p, '|');
        size_t size = end ? (size_t)(end - p) : strlen(p);
        if (size == length && memcmp(p, value, length) == 0)
            return index;
        if (!end)
            return -1;
        p = end + 1;
    }
}

/* A whole number without sign; false if @text is none or too large. */
static bool parse_count(const char *text, int64_t *out)
{
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9')
        return false;
    *out = strtoll(text, &end, 10);
    return !errno && !*end;
}

/* NAME=TEXT of --in, --dim and --define; NULL if it is none. */
static const char *split_pair(struct cli_options *options, const char *value, const char **out_text)
{
    const char *sign = strchr(value, '=');
    if (!sign || sign == value)
        return NULL;
    *out_text = sign + 1;
    return arena_copy_text(&options->arena, value, (size_t)(sign - value));
}

static bool is_given(struct cli_options *options, enum option_id id, const char *name)
{
    const struct driver_options *given = &options->driver;
    bool is_found = false;
    for (size_t i = 0; id == OPTION_DIM && i < given->dims.count; i++)
        is_found |= strcmp(given->dims.items[i].name, name) == 0;
    for (size_t i = 0; id == OPTION_IN && i < given->inputs.count; i++)
        is_found |= strcmp(given->inputs.items[i].name, name) == 0;
    for (size_t i = 0; id == OPTION_DEFINE && i < given->defines.count; i++)
        is_found |= strcmp(given->defines.items[i].name, name) == 0;
    return is_found;
}

static bool add_pair(struct cli_options *options, const struct option_info *info, const char *value)
{
    const char *text, *name = split_pair(options, value, &text);
    int64_t number = 0;
    if (!name) {
        cli_usage_error(options, "--%s takes %s, not `%s`", info->name, info->value, value);
        return false;
    }
    if (info->id == OPTION_DIM && !parse_count(text, &number)) {
        cli_usage_error(options, "--dim takes a number that is not negative, not `%s`", text);
        return false;
    }
    if (is_given(options, info->id, name)) {
        cli_usage_error(options, "--%s %s is given twice", info->name, name);
        return false;
    }
    if (info->id == OPTION_DIM)
        array_push(&options->driver.dims, (struct driver_dim){name, number});
    else if (info->id == OPTION_DEFINE)
        array_push(&options->driver.defines, (struct frontend_define){name, text});
    else
        array_push(&options->driver.inputs, (struct driver_input){name, text});
    return true;
}

static bool apply_choice(struct cli_options *options, const struct option_info *info,
                         const char *value, unsigned *out)
{
    int choice = find_choice(info->value, value);
    if (choice >= 0)
        *out = (unsigned)choice;
    else
        cli_usage_error(options, "--%s takes %s, not `%s`", info->name, info->value, value);
    return choice >= 0;
}

static bool apply_number(struct cli_options *options, const struct option_info *info,
                         const char *value, unsigned *out)
{
    int64_t number;
    if (parse_count(value, &number) && number >= info->meaning.least &&
        number <= info->meaning.most) {
        *out = (unsigned)number;
        return true;
    }
    cli_usage_error(options, "--%s takes a number from %u to %u, not `%s`", info->name,
                    info->meaning.least, info->meaning.most, value);
    return false;
}

/* "2.5", "2.5s", "2m". */
static bool apply_seconds(struct cli_options *options, const struct option_info *info,
                          const char *value, double *out)
{
    char *end;

    *out = strtod(value, &end);
    if (end != value && *end && !end[1])
        *out *= *end == 's' ? 1 : *end == 'm' ? 60 : -1;
    if (end != value && (!*end || !end[1]) && *out >= 0 && *out <= info->meaning.most)
        return true;
    cli_usage_error(options, "--%s takes seconds, as in 2.5 or 60s, up to %u, not `%s`", info->name,
                    info->meaning.most, value);
    return false;
}

static bool apply_tolerance(struct cli_options *options, const struct option_info *info,
                            const char *value)
{
    char *end;

    options->driver.tolerance = strtod(value, &end);
    if (end != value && !*end && options->driver.tolerance > 0 && options->driver.tolerance <= 1)
        return true;
    cli_usage_error(options, "--%s takes a number above 0 and up to 1, not `%s`", info->name,
                    value);
    return false;
}

/* A number of bytes, maybe with K, M or G behind it. */
static bool read_bytes(struct cli_options *options, const char *value, int64_t *out)
{
    static const char units[] = "KMG";
    size_t length = strlen(value);
    const char *unit = length ? strchr(units, value[length - 1]) : NULL;
    const char *digits = unit ? arena_copy_text(&options->arena, value, length - 1) : value;

    if (parse_count(digits, out) && (!unit || *out <= INT64_MAX >> 10 * (unit - units + 1))) {
        *out <<= unit ? 10 * (unit - units + 1) : 0;
        return true;
    }
    return false;
}

static bool apply_bytes(struct cli_options *options, const struct option_info *info,
                        const char *value, int64_t *out)
{
    if (read_bytes(options, value, out))
        return true;
    cli_usage_error(options, "--%s takes a number of bytes, as in 4096 or 64K, not `%s`",
                    info->name, value);
    return false;
}

static bool apply_budget(struct cli_options *options, const struct option_info *info,
                         const char *value)
{
    char *end;

    options->driver.has_plan_seconds = true;
    options->driver.plan_seconds = strtod(value, &end);
    if (end != value && !*end && options->driver.plan_seconds >= 0 &&
        options->driver.plan_seconds <= 1e6)
        return true;
    cli_usage_error(options, "--%s takes a number of seconds from 0 to 1000000, not `%s`",
                    info->name, value);
    return false;
}

/* Of what is run too: passes go by it. */
static bool apply_max_arena(struct cli_options *options, const struct option_info *info,
                            const char *value)
{
    options->has_max_arena = true;
    if (!apply_bytes(options, info, value, &options->max_arena))
        return false;
    options->driver.has_max_arena = true;
    options->driver.max_arena = options->max_arena;
    return true;
}

/* Of an artifact. */
static bool apply_threads(struct cli_options *options, const struct option_info *info,
                          const char *value)
{
    enum { USUAL = 8, MOST = 32 };
    int64_t number = USUAL;

    if (!value || (parse_count(value, &number) && number >= 1 && number <= MOST)) {
        options->threads = (unsigned)number;
        return true;
    }
    cli_usage_error(options, "--%s takes a number from 1 to %d, not `%s`", info->name, MOST, value);
    return false;
}

static bool apply_other(struct cli_options *options, const struct option_info *info,
                        const char *value)
{
    unsigned choice;
    switch (info->id) {
    case OPTION_LOAD:
        array_push(&options->driver.libraries, value);
        return true;
    case OPTION_PIPELINES:
        array_push(&options->pipelines, value);
        return true;
    case OPTION_IN:
    case OPTION_DIM:
    case OPTION_DEFINE:
        return add_pair(options, info, value);
    case OPTION_TOLERANCE:
        return apply_tolerance(options, info, value);
    case OPTION_CAPACITY:
        options->has_capacity = parse_count(value, &options->capacity);
        if (!options->has_capacity)
            cli_usage_error(options, "--%s takes a number that is not negative, not `%s`",
                            info->name, value);
        return options->has_capacity;
    case OPTION_MAX_STACK:
        options->has_max_stack = true;
        return apply_bytes(options, info, value, &options->max_stack);
    case OPTION_MAX_ARENA:
        return apply_max_arena(options, info, value);
    case OPTION_POOL:
        return apply_threads(options, info, value);
    case OPTION_PLAN_BUDGET:
        return apply_budget(options, info, value);
    case OPTION_VECTORS:
        if (!apply_choice(options, info, value, &choice))
            return false;
        options->driver.vector_bytes = choice ? 8u << choice : 0;
        return true;
    case OPTION_STATS:
        options->stats = value ? CLI_STATS_JSON : CLI_STATS_TEXT;
        options->driver.counts_memory = true;
        return !value || apply_choice(options, info, value, &choice);
    default:
        UNREACHABLE("an option without a meaning");
    }
}

/* @value is NULL where the option has none. */
static bool apply(struct cli_options *options, const struct option_info *info, const char *value)
{
    char *field = (char *)options + info->meaning.field;
    const char *text = value ? value : "*";
    unsigned number = 0;
    double seconds = 0;
    bool is_set = true;
    switch (info->meaning.kind) {
    case MEANS_TEXT:
        memcpy(field, &text, sizeof(text));
        return true;
    case MEANS_FLAG:
        memcpy(field, &is_set, sizeof(is_set));
        return true;
    case MEANS_NUMBER:
        if (!apply_number(options, info, text, &number))
            return false;
        memcpy(field, &number, sizeof(number));
        return true;
    case MEANS_SECONDS:
        if (!apply_seconds(options, info, text, &seconds))
            return false;
        memcpy(field, &seconds, sizeof(seconds));
        return true;
    case MEANS_CHOICE: /* of an enum, which is as large */
        if (!apply_choice(options, info, text, &number))
            return false;
        memcpy(field, &number, sizeof(number));
        return true;
    case MEANS_OTHER:
        break;
    }
    return apply_other(options, info, value);
}

/* What is left of the command line, and what to do when it is done. */
struct cursor {
    int argc, next;
    char **argv;
};

/* Applies @value and, of an option that takes many, the words behind it. */
static bool apply_all(struct cli_options *options, const struct option_info *info,
                      const char *value, struct cursor *c)
{
    bool is_good = apply(options, info, value);

    while (info->kind == MANY && is_good && c->next < c->argc && c->argv[c->next][0] != '-')
        is_good = apply(options, info, c->argv[c->next++]);
    return is_good;
}

static void report_no_option(struct cli_options *options, const char *text)
{
    struct nearest nearest = {.typed = text + 2, .length = strcspn(text, "=") - 2};
    for (size_t i = 0; i < ARRAY_SIZE(option_table) && text[1] == '-'; i++)
        if (option_table[i].commands & (1u << options->command))
            consider(&nearest, option_table[i].name);
    bool is_near = nearest.name != NULL;
    for (size_t i = 0; i < ARRAY_SIZE(option_table) && text[1] == '-' && !is_near; i++)
        if (option_table[i].commands & (1u << options->command))
            consider_beginning(&nearest, option_table[i].name);
    if (nearest.name)
        cli_usage_error(options, "there is no option `%s`; the nearest is `--%s`", text,
                        nearest.name);
    else
        cli_usage_error(options, "there is no option `%s`", text);
}

/* Reads the option at the cursor.  1: go on; 0: help or version was shown; -1: a mistake. */
static int read_option(struct cli_options *options, struct cursor *c)
{
    const char *text = c->argv[c->next++];
    const struct option_info *info;
    const char *value = NULL;
    if (text[1] == '-') {
        const char *sign = strchr(text, '=');
        size_t length = sign ? (size_t)(sign - text) - 2 : strlen(text + 2);
        info = find_long(text + 2, length, 1u << options->command);
        value = sign ? sign + 1 : NULL;
    } else {
        info = find_letter(text[1]);
        value = info && text[2] ? text + 2 : NULL;
    }
    if (!info) {
        report_no_option(options, text);
        return -1;
    }
    if (!(info->commands & (1u << options->command))) {
        bool is_entry = options->command == CLI_COMMAND_compile && info->id == OPTION_ENTRY;
        cli_usage_error(
            options, "`%s` has no option `%s`%s", command_table[options->command].name, text,
            is_entry ? ": it compiles all public functions, and what is not meant to be called "
                       "from outside is `@R.function(private=True)`"
                     : "");
        return -1;
    }
    if (info->kind == NONE && value) {
        cli_usage_error(options, "--%s takes no value", info->name);
        return -1;
    }
    if ((info->kind == NEEDED || info->kind == MANY) && !value) {
        if (c->next == c->argc) {
            cli_usage_error(options, "--%s takes a value: %s", info->name, info->value);
            return -1;
        }
        value = c->argv[c->next++];
    }
    cli_note_option(options, info->name, value);
    if (info->id == OPTION_HELP)
        options_print_command_help(options->command);
    else if (info->id == OPTION_VERSION)
        options_print_version(false);
    else
        return apply_all(options, info, value, c) ? 1 : -1;
    return 0;
}

static bool is_file(const char *name)
{
    const char *end = strrchr(name, '.');

    return end && (strcmp(end, ".py") == 0 || strcmp(end, ".onnx") == 0);
}

/* @next: the word behind it, or NULL. */
static bool find_command(struct cli_options *options, const char *name, const char *next,
                         int *out_exit)
{
    *out_exit = CLI_OK;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        options_print_tool_help();
        return false;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        options_print_version(next && (strcmp(next, "--verbose") == 0 || strcmp(next, "-v") == 0));
        return false;
    }
    if (options_find_command(name, &options->command))
        return true;
    struct nearest nearest = {.typed = name, .length = strlen(name)};
    for (unsigned i = 0; i < CLI_COMMAND_COUNT; i++)
        consider(&nearest, command_table[i].name);
    options->command = CLI_COMMAND_COUNT;
    if (nearest.name)
        *out_exit = cli_usage_error(options, "there is no command `%s`; the nearest is `%s`", name,
                                    nearest.name);
    else if (is_file(name))
        *out_exit =
            cli_usage_error(options, "a command stands in front of the file: `inlay run %s`", name);
    else if (name[0] == '-' && name[1] == '-' && find_long(name + 2, strcspn(name + 2, "="), ~0u))
        *out_exit = cli_usage_error(options, "options stand behind the command: `inlay %s %s ..`",
                                    next && next[0] != '-' ? next : "COMMAND", name);
    else
        *out_exit = cli_usage_error(options, "there is no %s `%s`",
                                    name[0] == '-' ? "option" : "command", name);
    return false;
}

static void print_line(void *state, const char *line)
{
    puts(line);
}

/* Objects that were compiled before: the environment says where, and how many. */
static bool find_cache(struct cli_options *options, int *out_exit)
{
    static const char variable[] = "INLAY_CACHE_BYTES";
    const char *value = getenv(variable);
    int64_t bytes = OBJECT_CACHE_BYTES;

    if (options->is_uncached)
        return true;
    if (value && *value && !read_bytes(options, value, &bytes)) {
        *out_exit = cli_usage_error(
            options, "%s is to be a number of bytes, as in 4096 or 64M, not `%s`", variable, value);
        return false;
    }
    options->driver.cache = object_cache_folder(&options->arena);
    options->driver.cache_bytes = (uint64_t)bytes;
    return true;
}

bool cli_options_parse(struct cli_options *options, int argc, char **argv, int *out_exit)
{
    *options = (struct cli_options){.command = CLI_COMMAND_COUNT,
                                    .driver = {.opt_level = 2, .print = print_line},
                                    .repeat = 1,
                                    .seed = 1,
                                    .least_seconds = -1};
    if (argc < 2) {
        *out_exit = cli_usage_error(options, "which command?");
        return false;
    }
    if (!find_command(options, argv[1], argv[2], out_exit))
        return false;
    struct cursor cursor = {.argc = argc, .next = 2, .argv = argv};
    bool only_arguments = false;
    while (cursor.next < argc) {
        const char *text = argv[cursor.next];
        if (only_arguments || text[0] != '-' || !text[1]) { /* a lone - is standard input */
            array_push(&options->arguments, text);
            cursor.next++;
        } else if (strcmp(text, "--") == 0) {
            only_arguments = true;
            cursor.next++;
        } else {
            int status = read_option(options, &cursor);
            *out_exit = status < 0 ? CLI_USAGE : CLI_OK;
            if (status <= 0)
                return false;
        }
    }
    const struct command_info *command = &command_table[options->command];
    if (options->arguments.count >= command->least && options->arguments.count <= command->most)
        return find_cache(options, out_exit);
    if (options_report_unquoted(options, argc, argv, out_exit))
        return false;
    *out_exit = cli_usage_error(options, "`inlay %s` takes %s, not %zu arguments", command->name,
                                command->arguments, options->arguments.count);
    return false;
}

void cli_options_finish(struct cli_options *options)
{
    array_finish(&options->arguments);
    array_finish(&options->words);
    driver_options_finish(&options->driver);
    array_finish(&options->pipelines);
    arena_finish(&options->arena);
}
