/*
 * Bugs of the tool: a failed assertion, a signal, a verifier that rejects what a pass made.
 *
 * The handler only calls what is allowed in one: it writes the reproducer with write(), from memory
 * that was prepared before.
 */
#include "cli/crash.h"

#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#if !defined(IS_SANITIZED) && defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED 1
#elif !defined(IS_SANITIZED)
#define IS_SANITIZED 0
#endif

/* The handler has no other way to get at these. */
static char command_line[4096];
static const char *script;
static size_t script_length;

static void put(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(fd, bytes, length);
        if (written <= 0)
            return;
        bytes += written;
        length -= (size_t)written;
    }
}

static void put_text(int fd, const char *text)
{
    put(fd, text, strlen(text));
}

void crash_save(void)
{
    static const char name[] = "inlay-reproducer.py";
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    put_text(2, "inlay: internal error: this is a bug in Inlay, not in the script\n");
    if (fd < 0) {
        put_text(2, "no reproducer could be written to this folder\n");
        return;
    }
    put_text(fd, "# ");
    for (char *p = command_line; *p; p++) /* one line: it is a comment */
        if (*p == '\n' || *p == '\r')
            *p = ' ';
    put_text(fd, command_line);
    put_text(fd, "\n");
    put(fd, script ? script : "", script_length);
    close(fd);
    put_text(2, "what led to it is in `");
    put_text(2, name);
    put_text(2, "`; please report it\n");
}

static void handle(int signal_number)
{
    crash_save();
    _exit(CLI_INTERNAL);
}

void crash_watch(int argc, char **argv)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    static char stack[1 << 16]; /* of its own: the other one may be what is exhausted */
    size_t length = 0;
    for (int i = 0; i < argc; i++) {
        size_t size = strlen(argv[i]);
        if (length + size + 2 > sizeof(command_line))
            break;
        if (i)
            command_line[length++] = ' ';
        for (size_t k = 0; k < size; k++)
            command_line[length++] = argv[i][k];
    }
    if (IS_SANITIZED) /* the sanitizer's report says more */
        return;
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof(stack)};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_RESETHAND};
    sigaltstack(&alternative, NULL);
    for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
        sigaction(signals[i], &action, NULL);
}

void crash_set_script(const struct source *source)
{
    script = source->text;
    script_length = source->length;
}
