/* See kernel_notes.h. */
#include "driver/kernel_notes.h"

#include <string.h>

static const struct pass_info *find_pass(const char *text)
{
    size_t length = strcspn(text, "( ");

    for (size_t i = 0; i < pass_table_count; i++)
        if (strlen(pass_table[i].name) == length && strncmp(pass_table[i].name, text, length) == 0)
            return &pass_table[i];
    return NULL;
}

/* Its parameters, too: PackConstants puts others in their place. */
static void note_kernel(struct kernel_notes *notes, const struct tir_func *kernel)
{
    struct tir_func noted = *kernel;

    noted.params = arena_array(&notes->module->arena, struct tir_param, kernel->param_count + 1);
    for (unsigned i = 0; i < kernel->param_count; i++)
        noted.params[i] = kernel->params[i];
    array_push(&notes->kernels, noted);
}

static void take_notes(struct kernel_notes *notes)
{
    notes->is_done = true;
    for (size_t i = 0; i < notes->module->global_count; i++)
        if (notes->module->globals[i]->kind == IR_GLOBAL_KERNEL)
            note_kernel(notes, notes->module->globals[i]->kernel);
}

static void enter(void *observer, const char *done, const char *text)
{
    struct kernel_notes *notes = observer;
    const struct pass_info *pass = text ? find_pass(text) : NULL;

    if (notes->inner && notes->inner->enter)
        notes->inner->enter(notes->inner->observer, done, text);
    if (!notes->is_done && pass &&
        (pass->folder == PASS_FOLDER_loop || pass->folder == PASS_FOLDER_schedule))
        take_notes(notes);
}

static bool leave(void *observer, struct pass_run *run)
{
    struct kernel_notes *notes = observer;

    notes->module = run->module;
    return !notes->inner || !notes->inner->leave ||
           notes->inner->leave(notes->inner->observer, run);
}

struct pass_watch kernel_notes_watch(struct kernel_notes *notes, struct ir_module *module,
                                     const struct pass_watch *inner)
{
    struct pass_watch watch = inner ? *inner : (struct pass_watch){0};

    *notes = (struct kernel_notes){.module = module, .inner = inner};
    watch.observer = notes;
    watch.enter = enter;
    watch.leave = leave;
    return watch;
}

void kernel_notes_finish(struct kernel_notes *notes)
{
    array_finish(&notes->kernels);
}

const struct tir_func *kernel_notes_find(const struct kernel_notes *notes,
                                         const struct tir_func *kernel)
{
    for (size_t i = 0; i < notes->kernels.count; i++) {
        const struct tir_func *note = &notes->kernels.items[i];

        if (note->name == kernel->name && note->param_count == kernel->param_count)
            return note;
    }
    return kernel;
}
