/* Which words a string attribute may be: the rows of choices.def. */
#include "ops/choices.h"

#include "ops/ids.h"

#include <string.h>

enum { WORDS = 8 }; /* of an attribute, at most, with the NULL behind the last */

static const struct {
    enum op_id id;
    const char *attribute;
    const char *words[WORDS];
} choices[] = {
#define CHOICE(id, attribute, ...) {OP_##id, attribute, {__VA_ARGS__, NULL}},
#include "ops/choices.def"
};

const char *const *op_choices(const struct ir_op_info *info, const char *attribute)
{
    for (size_t i = 0; i < ARRAY_SIZE(choices); i++)
        if (choices[i].id == (enum op_id)info->library_id &&
            strcmp(choices[i].attribute, attribute) == 0)
            return choices[i].words;
    return NULL;
}

static const struct {
    const char *word, *meant;
} foreign[] = {
#define FOREIGN(word, meant) {word, meant},
#include "ops/choices.def"
};

const char *op_choice_meant(const char *const *words, const char *typed)
{
    for (size_t i = 0; i < ARRAY_SIZE(foreign); i++)
        for (unsigned k = 0; words[k] && strcmp(foreign[i].word, typed) == 0; k++)
            if (strcmp(words[k], foreign[i].meant) == 0)
                return words[k];
    return NULL;
}
