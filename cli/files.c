/* See files.h. */
#include "cli/files.h"

#include "frontend/frontend.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Deeper folders, and what a script shows that it is one in its first bytes. */
enum { DEPTH_LIMIT = 64, HEAD_BYTES = 1 << 16 };

static bool is_script(const char *path)
{
    static const char suffix[] = ".py";
    size_t length = strlen(path);
    FILE *file =
        length > sizeof(suffix) - 1 && strcmp(path + length - (sizeof(suffix) - 1), suffix) == 0
            ? fopen(path, "rb")
            : NULL;
    char head[HEAD_BYTES];

    if (!file)
        return false;
    size_t got = fread(head, 1, sizeof(head), file);
    fclose(file);
    return frontend_is_script(head, got);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool walk(struct files *files, const char *path, unsigned depth);

/* A link to a folder is not followed: it may lead in a circle. */
static void visit(struct files *files, const char *path, unsigned depth)
{
    struct stat info;

    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode))
        (void)walk(files, path, depth + 1);
    else if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && is_script(path))
        array_push(files, path);
}

/* False with errno set. */
static bool walk(struct files *files, const char *path, unsigned depth)
{
    DIR *folder = depth < DEPTH_LIMIT ? opendir(path) : NULL;
    size_t length = strlen(path);
    const char *slash = length && path[length - 1] == '/' ? "" : "/";
    array(const char *) names = {0};

    if (!folder)
        return false;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.')
            array_push(&names, arena_printf(&files->arena, "%s%s%s", path, slash, entry->d_name));
    closedir(folder);
    if (names.count > 1)
        qsort(names.items, names.count, sizeof(names.items[0]), compare_names);
    for (size_t i = 0; i < names.count; i++)
        visit(files, names.items[i], depth);
    array_finish(&names);
    return true;
}

void files_find(struct files *files, const struct cli_options *options, struct diag *diag)
{
    *files = (struct files){0};
    for (size_t i = 0; i < options->arguments.count; i++) {
        const char *path = options->arguments.items[i];
        size_t before = files->count;
        struct stat info;

        if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
            array_push(files, path);
        else if (!walk(files, path, 0))
            diag_report(diag, (struct location){0}, INPUT_UNREADABLE, path, strerror(errno));
        else if (files->count == before)
            diag_report(diag, (struct location){0}, INPUT_UNREADABLE, path,
                        "there is no script in the folder");
    }
}

void files_finish(struct files *files)
{
    array_finish(files);
    arena_finish(&files->arena);
}
