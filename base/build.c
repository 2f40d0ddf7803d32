/* The notes that linkers put into what they make. */
#define _GNU_SOURCE
#include "base/build.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* What the linker calls the library that @address lies in. */
struct build {
    uintptr_t address;
    struct digest_state *state;
    bool is_found;
};

static bool add_build_id(struct build *build, const char *notes, size_t size)
{
    while (size >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, notes, sizeof(note));
        size_t name = (note.n_namesz + 3u) & ~(size_t)3, data = (note.n_descsz + 3u) & ~(size_t)3;
        if (size - sizeof(note) < name || size - sizeof(note) - name < data)
            return false;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
            memcmp(notes + sizeof(note), "GNU", 4) == 0) {
            digest_add(build->state, notes + sizeof(note) + name, note.n_descsz);
            return true;
        }
        notes += sizeof(note) + name + data;
        size -= sizeof(note) + name + data;
    }
    return false;
}

static bool is_of(const struct build *build, const struct dl_phdr_info *info)
{
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD &&
            build->address - (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) <
                info->dlpi_phdr[i].p_memsz)
            return true;
    return false;
}

static int find_build(struct dl_phdr_info *info, size_t size, void *state)
{
    struct build *build = state;
    if (!is_of(build, info))
        return 0;
    for (size_t i = 0; i < info->dlpi_phnum && !build->is_found; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            build->is_found = add_build_id(
                build,
                (const char *)(info->dlpi_addr + /* NOLINT(performance-no-int-to-ptr) */
                               info->dlpi_phdr[i].p_vaddr),
                info->dlpi_phdr[i].p_memsz);
    return 1;
}

bool build_add(struct digest_state *state, uintptr_t address)
{
    struct build build = {address, state, false};
    dl_iterate_phdr(find_build, &build);
    return build.is_found;
}
