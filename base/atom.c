/* Open addressing; length and hash stand in front of each text, so that atoms may hold NUL bytes. */
#include "base/atom.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdint.h>
#include <string.h>

struct atom_head {
    uint64_t hash;
    size_t length;
    char text[];
};

static uint64_t hash_bytes(const char *text, size_t length)
{
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    return hash ^ (hash >> 32);
}

static const struct atom_head *head_of(const char *atom)
{
    return (const void *)(atom - offsetof(struct atom_head, text));
}

/* The slot of that text, or the empty one where it belongs. */
static const char **find_slot(const struct atoms *atoms, uint64_t hash, const char *text,
                              size_t length)
{
    size_t mask = atoms->slot_count - 1;

    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        const char **slot = &atoms->slots[i];
        if (!*slot)
            return slot;
        const struct atom_head *head = head_of(*slot);
        if (head->hash == hash && head->length == length && !memcmp(*slot, text, length))
            return slot;
    }
}

static void grow(struct atoms *atoms)
{
    struct atoms bigger = *atoms;

    bigger.slot_count = atoms->slot_count ? atoms->slot_count * 2 : 256;
    bigger.slots = memory_new(bigger.slot_count, sizeof(bigger.slots[0]));
    for (size_t i = 0; i < atoms->slot_count; i++) {
        const char *atom = atoms->slots[i];
        if (atom)
            *find_slot(&bigger, head_of(atom)->hash, atom, head_of(atom)->length) = atom;
    }
    memory_free(atoms->slots);
    *atoms = bigger;
}

const char *atom_intern(struct atoms *atoms, const char *text, size_t length)
{
    uint64_t hash = hash_bytes(text, length);

    if (atoms->count * 2 >= atoms->slot_count)
        grow(atoms);
    const char **slot = find_slot(atoms, hash, text, length);
    if (*slot)
        return *slot;

    struct atom_head *head =
        arena_alloc(atoms->arena, sizeof(*head) + length + 1, 1, _Alignof(struct atom_head));
    head->hash = hash;
    head->length = length;
    if (length)
        memcpy(head->text, text, length);
    *slot = head->text;
    atoms->count++;
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
    memory_free(atoms->slots);
    *atoms = (struct atoms){0};
}
