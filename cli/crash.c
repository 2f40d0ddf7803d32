/*
 * Bugs of the tool: a failed assertion, a signal, a verifier that rejects what a pass made.
 *
 * The handler only calls what is allowed in one: it writes the reproducer with write(), from memory
 * that was prepared before.  The module in front of the pass that broke cannot be printed there, nor
 * should each pass pay for printing it beforehand; so the tool runs itself again, as another process, on
 * the script with the passes that went well, and takes what that prints.
 */
#include "cli/crash.h"

#include "base/memory.h"
#include "base/util.h"
#include "cli/cli.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

#define REPRODUCER "inlay-reproducer.py"
#define PRINTED    "inlay-reproducer.tmp"
#define REPLAY     "inlay-replay" /* the name of the tool that runs itself */

enum { OPTION_WORDS = 8, REPLAY_SECONDS = 60 };

/* The handler has no other way to get at these. */
static char command_line[4096];
static const char *script;
static size_t script_length;
static char *passes_done, *pass_now; /* NULL: no pass runs */
static char *option_text, *option_words[OPTION_WORDS];
static unsigned option_word_count;
static bool is_reproducer; /* the script is one: it must not be overwritten while it is replayed */
static bool is_replay;     /* the tool that started this one writes the reproducer */

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

/* In quotes of the shell, on one line. */
static void put_quoted(int fd, const char *text)
{
    put_text(fd, "'");
    for (; *text; text++)
        if (*text == '\'')
            put_text(fd, "'\\''");
        else
            put(fd, *text == '\n' || *text == '\r' ? " " : text, 1);
    put_text(fd, "'");
}

/* Runs the passes that went well on the reproducer's script; is what they leave in PRINTED? */
static bool replay(void)
{
    static char tool[] = REPLAY, opt[] = "opt", passes[] = "-p", output[] = "-o";
    static char printed[] = PRINTED, from[] = REPRODUCER;
    char *words[OPTION_WORDS + 8];
    unsigned count = 0;
    int status;

    words[count++] = tool;
    words[count++] = opt;
    for (unsigned i = 0; i < option_word_count; i++)
        words[count++] = option_words[i];
    words[count++] = passes;
    words[count++] = passes_done;
    words[count++] = output;
    words[count++] = printed;
    words[count++] = from;
    words[count] = NULL;
    pid_t child = fork();

    if (child == 0) {
        int nothing = open("/dev/null", O_RDWR);

        for (int fd = 0; fd < 3; fd++)
            dup2(nothing, fd);
        alarm(REPLAY_SECONDS);
        execv("/proc/self/exe", words);
        _exit(CLI_INTERNAL);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == CLI_OK;
}

static void copy_printed(int fd)
{
    char buffer[4096];
    int from = open(PRINTED, O_RDONLY);
    ssize_t length;

    while (from >= 0 && (length = read(from, buffer, sizeof(buffer))) > 0)
        put(fd, buffer, (size_t)length);
    close(from);
    unlink(PRINTED);
}

/* The first line is what `inlay opt` reads when it is given no passes: see replay.c. */
static void put_head(int fd, bool is_replayed)
{
    if (pass_now) {
        put_text(fd, "# inlay opt ");
        for (unsigned i = 0; i < option_word_count; i++) {
            put_text(fd, option_words[i]);
            put_text(fd, " ");
        }
        put_text(fd, "-p ");
        if (!is_replayed && *passes_done) { /* the script itself, then: all passes are to come */
            put_quoted(fd, passes_done);
            put_text(fd, ",");
        }
        put_quoted(fd, pass_now);
        put_text(fd, "\n# `inlay opt " REPRODUCER "` does this again; it was found by:\n");
    }
    put_text(fd, "# ");
    for (char *p = command_line; *p; p++) /* one line: it is a comment */
        if (*p == '\n' || *p == '\r')
            *p = ' ';
    put_text(fd, command_line);
    put_text(fd, "\n");
}

static int open_reproducer(void)
{
    return open(REPRODUCER, O_WRONLY | O_CREAT | O_TRUNC, 0666);
}

void crash_save(void)
{
    if (is_replay)
        return;
    signal(SIGPIPE, SIG_IGN); /* nobody may be left to read the messages */
    put_text(2, "inlay: internal error: this is a bug in Inlay, not in the script\n");
    if (is_reproducer) {
        put_text(2, "`" REPRODUCER "` shows it; please report it\n");
        return;
    }
    int fd = open_reproducer();

    if (fd < 0) {
        put_text(2, "no reproducer could be written to this folder\n");
        return;
    }
    put(fd, script ? script : "", script_length);
    close(fd);
    bool is_replayed = script && pass_now && replay();

    fd = open_reproducer();
    put_head(fd, is_replayed);
    if (is_replayed)
        copy_printed(fd);
    else
        put(fd, script ? script : "", script_length);
    close(fd);
    put_text(2, "what led to it is in `" REPRODUCER "`; please report it\n");
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
    is_replay = argc > 0 && strcmp(argv[0], REPLAY) == 0;
    if (is_replay)
        return;
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
    const char *slash = strrchr(source->name, '/');

    is_reproducer = strcmp(slash ? slash + 1 : source->name, REPRODUCER) == 0;
    script = source->text;
    script_length = source->length;
}

/* Replaces the memory at @slot by a copy of @text. */
static void keep(char **slot, const char *text)
{
    char *old = *slot;

    *slot = text ? strdup(text) : NULL;
    if (text && !*slot)
        memory_short();
    free(old);
}

void crash_set_pass(void *observer, const char *done, const char *pass)
{
    keep(&pass_now, NULL);
    keep(&passes_done, done);
    keep(&pass_now, pass);
}

void crash_set_options(const char *options)
{
    option_word_count = 0;
    keep(&option_text, options);
    for (char *word = strtok(option_text, " "); word && option_word_count < OPTION_WORDS;
         word = strtok(NULL, " "))
        option_words[option_word_count++] = word;
}
