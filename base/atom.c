/* Length and hash stand in front of each text, so that atoms may hold NUL bytes. */
#include "base/atom.h"

#include "base/hash.h"
#include "base/text.h"

#include <string.h>

struct atom_head {
    uint64_t hash;
    size_t length;
    char text[];
};

static bool is_text(const struct atom_head *head, uint64_t hash, const char *text, size_t length)
{
    return head->hash == hash && head->length == length && !memcmp(head->text, text, length);
}

const char *atom_intern(struct atoms *atoms, const char *text, size_t length)
{
    uint64_t hash = hash_bytes(text, length), key = hash;
    struct atom_head *head;

    while ((head = map_get(&atoms->heads, hash_key(key))) && !is_text(head, hash, text, length))
        key = hash_again(key);
    if (head)
        return head->text;
    head = arena_alloc(atoms->arena, sizeof(*head) + length + 1, 1, _Alignof(struct atom_head));
    head->hash = hash;
    head->length = length;
    if (length)
        memcpy(head->text, text, length);
    map_set(&atoms->heads, hash_key(key), head);
    return head->text;
}

const char *atom_intern_text(struct atoms *atoms, const char *text)
{
    return atom_intern(atoms, text, strlen(text));
}

const char *atom_printf(struct atoms *atoms, const char *format, ...)
{
    struct text text = {0};
    va_list args;

    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    const char *atom = atom_intern(atoms, text_string(&text), text.length);
    text_finish(&text);
    return atom;
}

void atoms_finish(struct atoms *atoms)
{
    map_finish(&atoms->heads);
    *atoms = (struct atoms){0};
}
