/* A command of the user's that judges scripts; see shell.h. */
#include "cli/shell.h"

#include "base/memory.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In quotes of the shell. */
static void put_quoted(struct text *out, const char *text)
{
    text_putc(out, '\'');
    for (; *text; text++)
        if (*text == '\'')
            text_puts(out, "'\\''");
        else
            text_putc(out, *text);
    text_putc(out, '\'');
}

static void make_command(struct shell *shell, const char *command)
{
    bool has_hole = false;

    for (const char *p = command; *p; p++) {
        if (strncmp(p, "{}", 2) != 0) {
            text_putc(&shell->command, *p);
            continue;
        }
        put_quoted(&shell->command, shell->path);
        has_hole = true;
        p++;
    }
    if (!has_hole) {
        text_putc(&shell->command, ' ');
        put_quoted(&shell->command, shell->path);
    }
}

static char *copy(const struct text *text)
{
    return memcpy(memory_new(text->length + 1, 1), text_string(text), text->length);
}

bool shell_open(struct shell *shell, const char *command, const char *script)
{
    const char *base = getenv("TMPDIR"), *slash = strrchr(script, '/');
    const char *name = strcmp(script, "-") == 0 ? "script.py" : slash ? slash + 1 : script;
    struct text text = {0};

    text_printf(&text, "%s/inlay-XXXXXX", base && *base ? base : "/tmp");
    shell->folder = copy(&text);
    bool is_good = mkdtemp(shell->folder);
    if (!is_good) {
        memory_free(shell->folder);
        shell->folder = NULL;
    } else {
        text_clear(&text);
        text_printf(&text, "%s/%s", shell->folder, name);
        shell->path = copy(&text);
        make_command(shell, command);
    }
    text_finish(&text);
    return is_good;
}

static bool write_file(const struct shell *shell, const char *text)
{
    FILE *file = fopen(shell->path, "w");
    bool is_good = file && fputs(text, file) >= 0;

    return file && fclose(file) == 0 && is_good;
}

/* Waits for @child, and stops it and what it started when its time is over. */
static int wait_for(pid_t child)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    time_t end = time(NULL) + SHELL_SECONDS;
    int status = 0;

    while (waitpid(child, &status, WNOHANG) == 0) {
        if (time(NULL) > end) {
            kill(-child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        nanosleep(&pause, NULL);
    }
    return status;
}

bool shell_succeeds(struct shell *shell, const char *text)
{
    if (!write_file(shell, text)) {
        snprintf(shell->how, sizeof(shell->how), "the file for it cannot be written");
        return false;
    }
    pid_t child = fork();

    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);

        setpgid(0, 0);
        for (int fd = 0; fd < 3; fd++)
            dup2(nothing, fd);
        execl("/bin/sh", "sh", "-c", text_string(&shell->command), (char *)NULL);
        _exit(127);
    }
    int status = child > 0 ? wait_for(child) : -1;
    if (WIFEXITED(status))
        snprintf(shell->how, sizeof(shell->how), "exit status %d", WEXITSTATUS(status));
    else
        snprintf(shell->how, sizeof(shell->how), "stopped by signal %d", WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void shell_close(struct shell *shell)
{
    if (shell->path)
        unlink(shell->path);
    if (shell->folder)
        rmdir(shell->folder);
    memory_free(shell->path);
    memory_free(shell->folder);
    text_finish(&shell->command);
}
