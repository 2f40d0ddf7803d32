/* Shared libraries, by the system's C compiler, in a folder that is gone afterwards. */
#include "base/memory.h"
#include "driver/artifact.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct linking {
    struct driver *driver;
    const char *path; /* in messages, and the soname */
    char folder[PATH_MAX];
    const char *object, *library, *log;
    struct arena arena;
    array(const char *) args;
};

static bool report(struct linking *l, const char *why)
{
    struct diag_message *m =
        diag_report(l->driver->diag, (struct location){0}, ARTIFACT_LINKER, l->path, why);

    diag_help(m, "`.o` and `.a` need no linker; CC names the C compiler to use");
    return false;
}

static bool make_folder(struct linking *l)
{
    const char *parent = getenv("TMPDIR");

    snprintf(l->folder, sizeof(l->folder), "%s/inlay-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(l->folder)) {
        const char *why = strerror(errno);
        l->folder[0] = 0;
        return report(l, arena_printf(&l->arena, "no folder for what comes in between: %s", why));
    }
    l->object = arena_printf(&l->arena, "%s/artifact.o", l->folder);
    l->library = arena_printf(&l->arena, "%s/artifact.so", l->folder);
    l->log = arena_printf(&l->arena, "%s/log", l->folder);
    return true;
}

static bool write_object(struct linking *l, const struct text *object)
{
    FILE *file = fopen(l->object, "wb");
    bool is_good = file != NULL;

    if (file) {
        is_good = fwrite(object->data, 1, object->length, file) == object->length;
        is_good = fclose(file) == 0 && is_good;
    }
    return is_good || report(l, strerror(errno));
}

/* The words of CC, which may hold options; else the name that systems give the compiler for the machine. */
static void add_compiler(struct linking *l)
{
    const struct target *target = &l->driver->target;
    const char *given = getenv("CC"), *usual = "cc";

    if (target_is_foreign(target))
        usual = arena_printf(&l->arena, "%s-linux-gnu-gcc", target_machines[target->machine].name);
    const char *p = given && *given ? given : usual;

    while (*(p += strspn(p, " "))) {
        size_t length = strcspn(p, " ");
        array_push(&l->args, arena_copy_text(&l->arena, p, length));
        p += length;
    }
    if (l->args.count == 0)
        array_push(&l->args, "cc");
}

static void add_args(struct linking *l, bool is_stripped)
{
    static const char *const fixed[] = {"-shared",
                                        "-nostartfiles",
                                        "-Wl,-z,defs",
                                        "-Wl,-z,norelro",
                                        "-Wl,-z,now",
                                        "-Wl,--as-needed",
                                        "-Wl,-z,noseparate-code",
                                        "-Wl,--hash-style=gnu",
                                        "-Wl,--build-id=none"};
    const char *slash = strrchr(l->path, '/');

    add_compiler(l);
    for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
        array_push(&l->args, fixed[i]);
    if (is_stripped)
        array_push(&l->args, "-s");
    array_push(&l->args, arena_printf(&l->arena, "-Wl,-soname,%s", slash ? slash + 1 : l->path));
    array_push(&l->args, "-o");
    array_push(&l->args, l->library);
    array_push(&l->args, l->object);
    array_push(&l->args, "-lm");
    array_push(&l->args, "-lpthread"); /* where it is no part of libc, if there are threads */
    array_push(&l->args, NULL);
}

/* Appends the file at @path; false with errno set. */
static bool read_file(const char *path, struct text *out)
{
    FILE *file = fopen(path, "rb");
    char buffer[1 << 15];
    size_t got = 0;

    if (!file)
        return false;
    while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
        text_append(out, buffer, got);
    bool is_good = !ferror(file);
    fclose(file);
    return is_good;
}

static bool report_log(struct linking *l, int status)
{
    struct text log = {0};

    (void)read_file(l->log, &log);
    if (log.length == 0)
        text_printf(&log, "`%s` ended with status %d", l->args.items[0], status);
    while (log.length && log.data[log.length - 1] == '\n')
        log.data[--log.length] = 0;
    bool is_good = report(l, arena_printf(&l->arena, "%.400s", text_string(&log)));
    text_finish(&log);
    return is_good;
}

/* A library depends on who links it, as on a file that is read. */
static void note_program(struct linking *l, const char *name)
{
    const char *path = getenv("PATH");

    if (strchr(name, '/')) {
        inlay_file_note(name);
        return;
    }
    while (path && *path) {
        size_t length = strcspn(path, ":");
        const char *file = arena_printf(&l->arena, "%.*s/%s", (int)length, path, name);
        if (access(file, X_OK) == 0) {
            inlay_file_note(file);
            return;
        }
        path += length + (path[length] == ':');
    }
}

static bool run(struct linking *l)
{
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = 0;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, l->log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    char **args = (char **)(uintptr_t)l->args.items;
    int error = posix_spawnp(&child, args[0], &actions, NULL, args, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return report(l, arena_printf(&l->arena, "the C compiler `%s` cannot be run: %s", args[0],
                                      strerror(error)));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0 || report_log(l, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

bool artifact_link(struct driver *driver, const char *path, const struct text *object,
                   bool is_stripped, struct text *out)
{
    struct linking l = {.driver = driver, .path = path};
    bool is_good = make_folder(&l) && write_object(&l, object);

    if (is_good) {
        add_args(&l, is_stripped);
        note_program(&l, l.args.items[0]);
        note_program(&l, "ld");
        is_good = run(&l) && (read_file(l.library, out) || report(&l, strerror(errno)));
    }
    if (l.folder[0]) {
        unlink(l.object);
        unlink(l.library);
        unlink(l.log);
        rmdir(l.folder);
    }
    array_finish(&l.args);
    arena_finish(&l.arena);
    return is_good;
}
