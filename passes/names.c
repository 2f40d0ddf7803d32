/* Names of passes and pipelines, and what is near a name that is none. */
#include "passes/internal.h"

#include <ctype.h>
#include <string.h>

const struct pass_info *find_pass(const char *name)
{
    for (size_t i = 0; i < pass_table_count; i++)
        if (strcmp(pass_table[i].name, name) == 0)
            return &pass_table[i];
    return NULL;
}

const struct pipeline_info *find_pipeline(const char *name)
{
    for (size_t i = 0; i < pipeline_table_count; i++)
        if (strcmp(pipeline_table[i].name, name) == 0)
            return &pipeline_table[i];
    return NULL;
}

bool name_is_listed(const char *names, const char *name)
{
    size_t length = strlen(name);

    if (!names)
        return false;
    if (strcmp(names, "*") == 0)
        return true;
    for (const char *p = names; *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == length && strncmp(p, name, length) == 0)
            return true;
    return false;
}

/* ---- near names ---- */

enum { NEAR_NAMES = 4 };

struct near {
    struct {
        const char *name;
        unsigned distance;
    } items[NEAR_NAMES];
    unsigned count;
};

/* The capitals of @name: "DCE" for DeadCodeElimination. */
static bool is_short_for(const char *typed, const char *name)
{
    for (; *name; name++)
        if (isupper((unsigned char)*name) &&
            tolower((unsigned char)*typed++) != tolower((unsigned char)*name))
            return false;
    return !*typed;
}

static void lower_case(const char *from, char *to)
{
    do
        *to++ = (char)tolower((unsigned char)*from);
    while (*from++);
}

/* `fuse` is near FuseOps, and `legalise` is near LegalizeOps, although much is missing. */
static unsigned name_distance(const char *typed, const char *name)
{
    char small_typed[64], small_name[64];
    size_t typed_length = strlen(typed), name_length = strlen(name);

    if (typed_length < 2 || typed_length >= sizeof(small_typed) ||
        name_length >= sizeof(small_name))
        return TEXT_FAR;
    lower_case(typed, small_typed);
    lower_case(name, small_name);
    unsigned distance = text_distance(small_typed, typed_length, small_name, name_length);

    if (distance <= typed_length / 3)
        return distance;
    if (is_short_for(typed, name))
        return 1;
    if (typed_length >= 4 && typed_length < name_length &&
        text_distance(small_typed, typed_length, small_name, typed_length) <= 1)
        return 2;
    return typed_length >= 3 && strstr(small_name, small_typed) ? 3 : TEXT_FAR;
}

static void consider(struct near *near, const char *typed, const char *name)
{
    unsigned distance = name_distance(typed, name);
    unsigned place = near->count;

    if (distance == TEXT_FAR)
        return;
    while (place > 0 && near->items[place - 1].distance > distance)
        place--;
    if (place == NEAR_NAMES)
        return;
    if (near->count < NEAR_NAMES)
        near->count++;
    for (unsigned i = near->count - 1; i > place; i--)
        near->items[i] = near->items[i - 1];
    near->items[place].name = name;
    near->items[place].distance = distance;
}

bool report_unknown(struct diag *diag, struct location loc, const char *name, bool only_passes)
{
    struct near near = {0};
    struct text names = {0};
    struct diag_message *message = only_passes ? diag_report(diag, loc, PASS_NONE, name)
                                               : diag_report(diag, loc, PASS_UNKNOWN, name);

    for (size_t i = 0; i < pass_table_count; i++)
        consider(&near, name, pass_table[i].name);
    for (size_t i = 0; i < pipeline_table_count && !only_passes; i++)
        consider(&near, name, pipeline_table[i].name);
    for (unsigned i = 0; i < near.count; i++)
        text_printf(&names, "%s`%s`", i == 0 ? "" : ", ", near.items[i].name);
    if (near.count > 0)
        diag_help(message, "near to it: %s", text_string(&names));
    diag_help(message, only_passes
                           ? "`inlay list passes` shows all names"
                           : "`inlay list passes` and `inlay list pipelines` show all names");
    text_finish(&names);
    return false;
}

bool names_check(struct diag *diag, const char *names)
{
    bool is_good = true;

    if (!names || strcmp(names, "*") == 0)
        return true;
    for (const char *p = names; *p;) {
        struct text name = {0};
        size_t length = strcspn(p, ",");

        text_append(&name, p, length);
        if (!find_pass(text_string(&name)))
            is_good = report_unknown(diag, (struct location){0}, text_string(&name), true);
        text_finish(&name);
        p += length;
        p += *p == ',';
    }
    return is_good;
}
