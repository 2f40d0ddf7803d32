/*
 * Partial linking of ELF objects; see join.h.
 *
 * The objects are LLVM's, so there is little to know: no groups, no common symbols, relocations with
 * addends.  Two passes over the parts: sections and definitions first, then what refers to them.
 */
#include "codegen/llvm/join.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/map.h"

#include <elf.h>
#include <string.h>

enum {
    ADDRESS_SIGNIFICANCE = 0x6fff4c03, /* SHT_LLVM_ADDRSIG: numbers of symbols */
    RISCV_ATTRIBUTES = 0x70000003,     /* the same in all parts */
    DATA_ALIGNMENT = 64,
    VISIBILITY = 3, /* of st_other, which may say more */
};

/* A section of the result. */
struct section {
    const char *name;
    Elf64_Shdr header;
    struct text data;
    struct text relocations;
    size_t symbol;   /* of the section itself */
    bool is_of_data; /* that of joiner.data, which is not copied before it is written */
};

struct symbol {
    const char *name;
    Elf64_Sym entry;
    size_t place; /* in the result */
};

/* Where something of a part is in the result. */
struct moved {
    size_t index; /* NONE: nowhere */
    uint64_t base;
};
static const size_t none = SIZE_MAX;

struct part {
    const char *data;
    size_t size;
    const Elf64_Shdr *sections;
    size_t section_count;
    const char *names;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *symbol_names;
    struct moved *moved_sections, *moved_symbols;
};

struct joiner {
    struct arena arena;
    struct part *parts;
    size_t part_count;
    const struct join_data *data;
    size_t data_count;
    array(struct section) sections;
    array(struct symbol) symbols;
    array(const char *) names; /* interned */
    struct map by_name;        /* hash -> 1 + index of names */
    struct map defined; /* interned name -> 1 + index of symbols; none of them local in its part */
    struct map taken;   /* interned names of local ones */
    const char *error;
};

static bool fail(struct joiner *j, const char *what)
{
    if (!j->error)
        j->error = what;
    return false;
}

static const char *intern(struct joiner *j, const char *name)
{
    uint64_t hash = hash_text(name);
    size_t index;
    while ((index = (size_t)map_get(&j->by_name, hash_key(hash))) != 0 &&
           strcmp(j->names.items[index - 1], name) != 0)
        hash = hash_again(hash);
    if (index == 0) {
        array_push(&j->names, name);
        index = j->names.count;
        map_set(&j->by_name, hash_key(hash), (const void *)index);
    }
    return j->names.items[index - 1];
}

/* --- reading a part --- */

static bool is_inside(const struct part *part, uint64_t offset, uint64_t size)
{
    return offset <= part->size && size <= part->size - offset;
}

static const void *section_data(const struct part *part, const Elf64_Shdr *section)
{
    return part->data + section->sh_offset;
}

static bool read_symbols(struct joiner *j, struct part *part)
{
    for (size_t i = 0; i < part->section_count; i++) {
        const Elf64_Shdr *section = &part->sections[i];
        if (section->sh_type != SHT_NOBITS &&
            !is_inside(part, section->sh_offset, section->sh_size))
            return fail(j, "a section is cut off");
        if (section->sh_type != SHT_SYMTAB)
            continue;
        if (section->sh_link >= part->section_count || part->symbols)
            return fail(j, "its symbols are not as expected");
        part->symbols = section_data(part, section);
        part->symbol_count = section->sh_size / sizeof(Elf64_Sym);
        part->symbol_names = section_data(part, &part->sections[section->sh_link]);
    }
    return part->symbols || fail(j, "it has no symbols");
}

static bool read_part(struct joiner *j, struct part *part)
{
    static const unsigned char magic[] = {ELFMAG0, ELFMAG1,    ELFMAG2,
                                          ELFMAG3, ELFCLASS64, ELFDATA2LSB};
    const Elf64_Ehdr *header = (const void *)part->data;
    if (part->size < sizeof(*header) || memcmp(header->e_ident, magic, sizeof(magic)) != 0 ||
        header->e_type != ET_REL || header->e_shentsize != sizeof(Elf64_Shdr) ||
        !is_inside(part, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)) ||
        header->e_shstrndx >= header->e_shnum)
        return fail(j, "it is no object of ELF");
    part->sections = (const void *)(part->data + header->e_shoff);
    part->section_count = header->e_shnum;
    part->names = section_data(part, &part->sections[header->e_shstrndx]);
    if (!read_symbols(j, part))
        return false;
    part->moved_sections = arena_array(&j->arena, struct moved, part->section_count);
    part->moved_symbols = arena_array(&j->arena, struct moved, part->symbol_count);
    return true;
}

/* --- sections --- */

static struct section *find_section(struct joiner *j, const char *name, const Elf64_Shdr *like)
{
    for (size_t i = 0; i < j->sections.count; i++) {
        struct section *section = &j->sections.items[i];
        if (strcmp(section->name, name) == 0 && section->header.sh_type == like->sh_type &&
            section->header.sh_flags == like->sh_flags &&
            section->header.sh_entsize == like->sh_entsize)
            return section;
    }
    return NULL;
}

static struct section *add_section(struct joiner *j, const char *name, const Elf64_Shdr *like)
{
    Elf64_Shdr header = {.sh_type = like->sh_type,
                         .sh_flags = like->sh_flags,
                         .sh_entsize = like->sh_entsize,
                         .sh_addralign = 1};
    array_push(&j->sections, (struct section){.name = name, .header = header});
    return &array_last(&j->sections);
}

static void pad(struct text *text, uint64_t align)
{
    while (align > 1 && text->length % align != 0)
        text_append(text, "", 1);
}

static uint64_t append_contents(const struct part *part, const Elf64_Shdr *from,
                                struct section *section)
{
    uint64_t align = from->sh_addralign ? from->sh_addralign : 1, base = section->header.sh_size;
    if (align > section->header.sh_addralign)
        section->header.sh_addralign = align;
    base = (base + align - 1) / align * align;
    section->header.sh_size = base + from->sh_size;
    if (from->sh_type != SHT_NOBITS) {
        pad(&section->data, align);
        text_append(&section->data, section_data(part, from), from->sh_size);
    }
    return base;
}

static bool is_left_out(const Elf64_Shdr *section, bool is_again)
{
    switch (section->sh_type) {
    case SHT_NULL:
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_RELA:
    case ADDRESS_SIGNIFICANCE:
        return true;
    default:
        return section->sh_type == RISCV_ATTRIBUTES && is_again;
    }
}

static bool take_sections(struct joiner *j, struct part *part)
{
    for (size_t i = 0; i < part->section_count; i++) {
        const Elf64_Shdr *from = &part->sections[i];
        const char *name = part->names + from->sh_name;
        struct section *section = find_section(j, name, from);
        part->moved_sections[i] = (struct moved){none, 0};
        if (is_left_out(from, section != NULL))
            continue;
        if (from->sh_type == SHT_REL || from->sh_type == SHT_GROUP ||
            (from->sh_flags & (SHF_GROUP | SHF_LINK_ORDER)) ||
            (section && strcmp(name, ".eh_frame") == 0 && from->sh_addralign > 1 &&
             section->header.sh_size % from->sh_addralign != 0)) /* zeros are its end */
            return fail(j, "it has a section of a kind that is not joined");
        if (!section)
            section = add_section(j, name, from);
        part->moved_sections[i].base = append_contents(part, from, section);
        part->moved_sections[i].index = (size_t)(section - j->sections.items);
    }
    return true;
}

/* --- symbols --- */

static struct moved add_symbol(struct joiner *j, const char *name, Elf64_Sym entry)
{
    array_push(&j->symbols, (struct symbol){name, entry, 0});
    return (struct moved){j->symbols.count - 1, 0};
}

static void add_section_symbols(struct joiner *j)
{
    for (size_t i = 0; i < j->sections.count; i++) {
        Elf64_Sym entry = {.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION),
                           .st_shndx = (Elf64_Section)(1 + i)};
        j->sections.items[i].symbol = add_symbol(j, "", entry).index;
    }
}

/* LLVM's loader knows symbols by their names, even those of constants (.LCPI0_0): each has its own. */
static const char *own_name(struct joiner *j, const char *name)
{
    const char *own = intern(j, name);
    if (!*name || *name == '$') /* marks of ARM, which nothing refers to */
        return own;
    for (unsigned i = 1; map_has(&j->defined, own) || map_has(&j->taken, own); i++)
        own = intern(j, arena_printf(&j->arena, "%s.%u", name, i));
    map_set(&j->taken, own, own);
    return own;
}

static bool is_local(const Elf64_Sym *symbol)
{
    return ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
}

static bool is_hidden(const Elf64_Sym *symbol)
{
    return ELF64_ST_VISIBILITY(symbol->st_other) == STV_HIDDEN;
}

static bool define(struct joiner *j, struct part *part, size_t i)
{
    Elf64_Sym entry = part->symbols[i];
    const char *name = part->symbol_names + entry.st_name;
    if (entry.st_shndx != SHN_ABS) {
        if (entry.st_shndx >= part->section_count)
            return fail(j, "a symbol is in no section");
        struct moved section = part->moved_sections[entry.st_shndx];
        if (section.index == none)
            return true;
        entry.st_value += section.base;
        entry.st_shndx = (Elf64_Section)(1 + section.index);
    }
    if (is_local(&entry)) {
        name = own_name(j, name);
    } else {
        name = intern(j, name);
        if (map_has(&j->defined, name))
            return fail(j, "two parts define a symbol");
        if (is_hidden(&entry)) {
            entry.st_info = ELF64_ST_INFO(STB_LOCAL, ELF64_ST_TYPE(entry.st_info));
            entry.st_other &= (unsigned char)~VISIBILITY;
        }
    }
    part->moved_symbols[i] = add_symbol(j, name, entry);
    if (!is_local(&part->symbols[i]))
        map_set(&j->defined, name, (const void *)j->symbols.count);
    return true;
}

static uint64_t data_end(uint64_t place, const struct join_data *data)
{
    return (place + data->size + DATA_ALIGNMENT - 1) / DATA_ALIGNMENT * DATA_ALIGNMENT;
}

static void add_data_section(struct joiner *j)
{
    static const Elf64_Shdr header = {.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC};
    if (j->data_count == 0)
        return;
    struct section *section = add_section(j, ".rodata", &header);
    section->is_of_data = true;
    section->header.sh_addralign = DATA_ALIGNMENT;
}

/* Behind those of the sections, in front of all that is local in a part. */
static bool define_data(struct joiner *j)
{
    uint64_t place = 0;
    for (size_t i = 0; i < j->data_count; i++) {
        const char *name = intern(j, j->data[i].name);
        Elf64_Sym entry = {.st_info = ELF64_ST_INFO(STB_LOCAL, STT_OBJECT),
                           .st_shndx = (Elf64_Section)j->sections.count,
                           .st_value = place,
                           .st_size = j->data[i].size};
        if (map_has(&j->defined, name))
            return fail(j, "two parts define a symbol");
        add_symbol(j, name, entry);
        map_set(&j->defined, name, (const void *)j->symbols.count);
        place = data_end(place, &j->data[i]);
    }
    if (j->data_count)
        array_last(&j->sections).header.sh_size = place;
    return true;
}

/* The definitions that are local if @locals, else the others: a name that others see is not changed. */
static bool take_definitions(struct joiner *j, struct part *part, bool locals)
{
    for (size_t i = 1; i < part->symbol_count; i++) {
        const Elf64_Sym *symbol = &part->symbols[i];
        if (is_local(symbol) != locals || symbol->st_shndx == SHN_UNDEF)
            continue;
        unsigned type = ELF64_ST_TYPE(symbol->st_info);
        part->moved_symbols[i] = (struct moved){none, 0};
        if (type == STT_FILE && part == j->parts)
            part->moved_symbols[i] = add_symbol(j, part->symbol_names + symbol->st_name, *symbol);
        else if (type == STT_SECTION && symbol->st_shndx < part->section_count &&
                 part->moved_sections[symbol->st_shndx].index != none) {
            struct moved section = part->moved_sections[symbol->st_shndx];
            part->moved_symbols[i] =
                (struct moved){j->sections.items[section.index].symbol, section.base};
        } else if (type != STT_FILE && type != STT_SECTION && !define(j, part, i))
            return false;
    }
    return true;
}

static void take_references(struct joiner *j, struct part *part)
{
    for (size_t i = 1; i < part->symbol_count; i++) {
        Elf64_Sym entry = part->symbols[i];
        if (entry.st_shndx != SHN_UNDEF)
            continue;
        const char *name = intern(j, part->symbol_names + entry.st_name);
        size_t known = (size_t)map_get(&j->defined, name);
        if (known == 0) {
            part->moved_symbols[i] = add_symbol(j, name, entry);
            map_set(&j->defined, name, (const void *)j->symbols.count);
            continue;
        }
        part->moved_symbols[i] = (struct moved){known - 1, 0};
        struct symbol *symbol = &j->symbols.items[known - 1];
        if (symbol->entry.st_shndx == SHN_UNDEF && ELF64_ST_BIND(entry.st_info) == STB_GLOBAL)
            symbol->entry.st_info = entry.st_info;
    }
}

/* --- relocations --- */

static bool take_relocations(struct joiner *j, struct part *part)
{
    for (size_t i = 0; i < part->section_count; i++) {
        const Elf64_Shdr *from = &part->sections[i];
        if (from->sh_type != SHT_RELA)
            continue;
        struct moved target = from->sh_info < part->section_count
                                  ? part->moved_sections[from->sh_info]
                                  : (struct moved){none, 0};
        if (target.index == none)
            return fail(j, "relocations of a section that is left out");
        const char *data = section_data(part, from);
        for (size_t k = 0; k < from->sh_size / sizeof(Elf64_Rela); k++) {
            Elf64_Rela entry;
            memcpy(&entry, data + k * sizeof(entry), sizeof(entry));
            size_t symbol = ELF64_R_SYM(entry.r_info);
            struct moved moved =
                symbol < part->symbol_count ? part->moved_symbols[symbol] : (struct moved){none, 0};
            if (symbol && moved.index == none)
                return fail(j, "a relocation by a symbol that is left out");
            entry.r_offset += target.base;
            entry.r_addend += (Elf64_Sxword)moved.base;
            /* the place of the symbol is put in when all have theirs */
            entry.r_info = ELF64_R_INFO(symbol ? 1 + moved.index : 0, ELF64_R_TYPE(entry.r_info));
            text_append(&j->sections.items[target.index].relocations, (const char *)&entry,
                        sizeof(entry));
        }
    }
    return true;
}

/* --- writing --- */

static size_t write_symbols(struct joiner *j, struct text *table, struct text *names)
{
    Elf64_Sym empty = {0};
    size_t local_count = 0, next = 1;
    text_append(table, (const char *)&empty, sizeof(empty));
    text_append(names, "", 1);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < j->symbols.count; i++) {
            struct symbol *symbol = &j->symbols.items[i];
            if (is_local(&symbol->entry) != (pass == 0))
                continue;
            symbol->entry.st_name = *symbol->name ? (Elf64_Word)names->length : 0;
            if (*symbol->name)
                text_append(names, symbol->name, strlen(symbol->name) + 1);
            text_append(table, (const char *)&symbol->entry, sizeof(symbol->entry));
            symbol->place = next++;
        }
        local_count = pass == 0 ? next : local_count;
    }
    return local_count;
}

static void place_symbols(struct joiner *j, struct section *section)
{
    Elf64_Rela *entries = (void *)section->relocations.data;
    for (size_t i = 0; i < section->relocations.length / sizeof(*entries); i++) {
        size_t symbol = ELF64_R_SYM(entries[i].r_info);
        if (symbol)
            entries[i].r_info =
                ELF64_R_INFO(j->symbols.items[symbol - 1].place, ELF64_R_TYPE(entries[i].r_info));
    }
}

struct writer {
    struct text *out;
    size_t start; /* of the object in it */
    struct text headers, names;
};

static void write_padding(struct writer *w, uint64_t align)
{
    while (align > 1 && (w->out->length - w->start) % align != 0)
        text_append(w->out, "", 1);
}

/* @data NULL: nothing stands in the file, or it follows. */
static void write_section(struct writer *w, const char *name, Elf64_Shdr header,
                          const struct text *data)
{
    header.sh_name = (Elf64_Word)w->names.length;
    text_append(&w->names, name, strlen(name) + 1);
    write_padding(w, header.sh_addralign);
    header.sh_offset = w->out->length - w->start;
    if (data) {
        header.sh_size = data->length;
        text_append(w->out, text_string(data), data->length);
    }
    text_append(&w->headers, (const char *)&header, sizeof(header));
}

static void write_contents(struct joiner *j, struct writer *w, size_t table)
{
    for (size_t i = 0; i < j->sections.count; i++) {
        struct section *section = &j->sections.items[i];
        bool is_elsewhere = section->header.sh_type == SHT_NOBITS || section->is_of_data;
        write_section(w, section->name, section->header, is_elsewhere ? NULL : &section->data);
        for (size_t k = 0; section->is_of_data && k < j->data_count; k++) {
            text_append(w->out, j->data[k].bytes, j->data[k].size);
            write_padding(w, DATA_ALIGNMENT);
        }
    }
    for (size_t i = 0; i < j->sections.count; i++) {
        struct section *section = &j->sections.items[i];
        if (section->relocations.length == 0)
            continue;
        Elf64_Shdr header = {.sh_type = SHT_RELA,
                             .sh_flags = SHF_INFO_LINK,
                             .sh_link = (Elf64_Word)table,
                             .sh_info = (Elf64_Word)(1 + i),
                             .sh_addralign = 8,
                             .sh_entsize = sizeof(Elf64_Rela)};
        place_symbols(j, section);
        write_section(w, arena_printf(&j->arena, ".rela%s", section->name), header,
                      &section->relocations);
    }
}

static void write_object(struct joiner *j, struct text *out)
{
    struct text table = {0}, names = {0};
    struct writer w = {.out = out, .start = out->length};
    Elf64_Ehdr header;
    size_t count = 1 + j->sections.count;
    memcpy(&header, j->parts[0].data, sizeof(header));
    size_t local_count = write_symbols(j, &table, &names);
    for (size_t i = 0; i < j->sections.count; i++)
        count += j->sections.items[i].relocations.length > 0;
    text_append(out, (const char *)&header, sizeof(header));
    text_append(&w.names, "", 1);
    text_append(&w.headers, (const char *)&(Elf64_Shdr){0}, sizeof(Elf64_Shdr));
    write_contents(j, &w, count);
    write_section(&w, ".symtab",
                  (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                               .sh_link = (Elf64_Word)(count + 1),
                               .sh_info = (Elf64_Word)local_count,
                               .sh_addralign = 8,
                               .sh_entsize = sizeof(Elf64_Sym)},
                  &table);
    Elf64_Shdr strings = {.sh_type = SHT_STRTAB, .sh_addralign = 1};
    write_section(&w, ".strtab", strings, &names);
    text_append(&w.names, ".shstrtab", 10);
    strings.sh_name = (Elf64_Word)(w.names.length - 10);
    strings.sh_offset = out->length - w.start;
    strings.sh_size = w.names.length;
    text_append(out, w.names.data, w.names.length);
    text_append(&w.headers, (const char *)&strings, sizeof(strings));
    while ((out->length - w.start) % 8 != 0)
        text_append(out, "", 1);
    header.e_shoff = out->length - w.start;
    header.e_shnum = (Elf64_Half)(count + 3);
    header.e_shstrndx = (Elf64_Half)(count + 2);
    text_append(out, w.headers.data, w.headers.length);
    memcpy(out->data + w.start, &header, sizeof(header));
    text_finish(&table);
    text_finish(&names);
    text_finish(&w.headers);
    text_finish(&w.names);
}

static void finish(struct joiner *j)
{
    for (size_t i = 0; i < j->sections.count; i++) {
        text_finish(&j->sections.items[i].data);
        text_finish(&j->sections.items[i].relocations);
    }
    array_finish(&j->sections);
    array_finish(&j->symbols);
    array_finish(&j->names);
    map_finish(&j->by_name);
    map_finish(&j->defined);
    map_finish(&j->taken);
    arena_finish(&j->arena);
}

static bool join(struct joiner *j, struct text *out)
{
    size_t i;
    for (i = 0; i < j->part_count; i++)
        if (!read_part(j, &j->parts[i]) || !take_sections(j, &j->parts[i]))
            return false;
    add_data_section(j);
    if (2 * j->sections.count + 4 >= SHN_LORESERVE)
        return fail(j, "there are too many sections");
    add_section_symbols(j);
    if (!define_data(j))
        return false;
    for (i = 0; i < 2 * j->part_count; i++)
        if (!take_definitions(j, &j->parts[i % j->part_count], i >= j->part_count))
            return false;
    for (i = 0; i < j->part_count; i++)
        take_references(j, &j->parts[i]);
    for (i = 0; i < j->part_count; i++)
        if (!take_relocations(j, &j->parts[i]))
            return false;
    write_object(j, out);
    return true;
}

const char *join_objects(const struct join_part *parts, size_t count, const struct join_data *data,
                         size_t data_count, struct text *out)
{
    struct joiner j = {.part_count = count, .data = data, .data_count = data_count};
    j.parts = arena_array(&j.arena, struct part, count);
    for (size_t i = 0; i < count; i++)
        j.parts[i] = (struct part){.data = parts[i].data, .size = parts[i].size};
    join(&j, out);
    finish(&j);
    return j.error;
}
