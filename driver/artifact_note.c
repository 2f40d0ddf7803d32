/* See artifact_note.h.  Nothing in the file is believed: every offset is compared with its size. */
#include "driver/artifact_note.h"

#include <elf.h>
#include <string.h>

static const char foreign[] = "it is no object, static or shared library";
static const char damaged[] = "it is damaged: it ends too early";
static const char absent[] = "`inlay compile` did not make it, or its section .inlay was removed";

/* @size bytes at @offset of the file; NULL: they are not all there. */
static const void *at(const char *data, size_t file, uint64_t offset, uint64_t size)
{
    return offset > file || size > file - offset ? NULL : data + offset;
}

/* --- texts --- */

static const char *next_text(const char **p, const char *end)
{
    const char *begin = *p, *stop = begin < end ? memchr(begin, 0, (size_t)(end - begin)) : NULL;

    *p = stop ? stop + 1 : end;
    return stop ? begin : NULL;
}

static const char *split(const char *section, size_t size, struct artifact_note *out)
{
    const char *p = section, *end = section + size;

    out->json = next_text(&p, end);
    out->summary = next_text(&p, end);
    out->table = next_text(&p, end);
    return out->table && strncmp(out->table, "abi ", 4) == 0 ? NULL : damaged;
}

/* --- ELF --- */

static const char *find_in_elf(const char *data, size_t size, struct artifact_note *out)
{
    Elf64_Ehdr head;
    Elf64_Shdr names, section;

    if (size < sizeof(head))
        return damaged;
    memcpy(&head, data, sizeof(head));
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB)
        return foreign;
    uint64_t table = (uint64_t)head.e_shnum * sizeof(section);
    if (head.e_shentsize != sizeof(section) || head.e_shstrndx >= head.e_shnum ||
        !at(data, size, head.e_shoff, table))
        return damaged;
    memcpy(&names, data + head.e_shoff + head.e_shstrndx * sizeof(section), sizeof(section));
    for (unsigned i = 0; i < head.e_shnum; i++) {
        static const char wanted[] = ".inlay";
        memcpy(&section, data + head.e_shoff + i * sizeof(section), sizeof(section));
        const char *name = section.sh_name < names.sh_size
                               ? at(data, size, names.sh_offset + section.sh_name, sizeof(wanted))
                               : NULL;
        if (!name || memcmp(name, wanted, sizeof(wanted)) != 0)
            continue;
        const char *text = at(data, size, section.sh_offset, section.sh_size);
        out->object = data;
        out->object_size = size;
        out->is_library = head.e_type == ET_DYN;
        return text ? split(text, section.sh_size, out) : damaged;
    }
    return absent;
}

/* --- archives --- */

static const char *find_in_archive(const char *data, size_t size, struct artifact_note *out)
{
    enum { HEAD = 60, SIZE_AT = 48, SIZE_LENGTH = 10 };
    const char *why = absent;

    for (size_t begin = 8; begin < size;) {
        const char *head = at(data, size, begin, HEAD);
        uint64_t length = 0;
        if (!head)
            return damaged;
        for (unsigned i = 0;
             i < SIZE_LENGTH && head[SIZE_AT + i] >= '0' && head[SIZE_AT + i] <= '9'; i++)
            length = length * 10 + (uint64_t)(head[SIZE_AT + i] - '0');
        const char *member = at(data, size, begin + HEAD, length);
        if (!member)
            return damaged;
        if (length > SELFMAG && memcmp(member, ELFMAG, SELFMAG) == 0) {
            why = find_in_elf(member, length, out);
            if (!why)
                return NULL;
        }
        begin += HEAD + length + length % 2;
    }
    return why;
}

const char *artifact_note_find(const char *data, size_t size, struct artifact_note *out)
{
    static const char archive[] = "!<arch>\n";

    *out = (struct artifact_note){0};
    if (size >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0)
        return find_in_elf(data, size, out);
    if (size >= sizeof(archive) - 1 && memcmp(data, archive, sizeof(archive) - 1) == 0)
        return find_in_archive(data, size, out);
    return foreign;
}
