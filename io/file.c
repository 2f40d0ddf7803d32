/*
 * Readers of bytes, and output files that appear complete or not at all: written under another name
 * in the same folder, then renamed.
 */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool inlay_message_set(struct inlay_message *message, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message->text, sizeof(message->text), format, args);
    va_end(args);
    return false;
}

static bool read_memory(struct inlay_reader *reader, void *out, size_t length,
                        struct inlay_message *message)
{
    struct inlay_memory_reader *memory = reader->state;
    if (length > reader->size - memory->position)
        return inlay_message_set(message, "the file ends too early");
    if (length)
        memcpy(out, memory->bytes + memory->position, length);
    memory->position += length;
    return true;
}

void inlay_memory_reader_init(struct inlay_memory_reader *memory, const void *bytes, size_t size)
{
    *memory = (struct inlay_memory_reader){
        .reader = {.state = memory, .size = size, .read = read_memory}, .bytes = bytes};
}

static bool read_file(struct inlay_reader *reader, void *out, size_t length,
                      struct inlay_message *message)
{
    FILE *file = reader->state;
    if (fread(out, 1, length, file) == length)
        return true;
    if (ferror(file))
        return inlay_message_set(message, "cannot be read: %s", strerror(errno));
    return inlay_message_set(message, "the file ends too early");
}

static _Thread_local struct inlay_file_watch *current_watch;

struct inlay_file_watch *inlay_file_watch_use(struct inlay_file_watch *watch)
{
    struct inlay_file_watch *before = current_watch;
    current_watch = watch;
    return before;
}

void inlay_file_note(const char *path)
{
    if (current_watch)
        current_watch->note(current_watch->state, path);
}

FILE *inlay_file_open(const char *path, uint64_t *out_size, struct inlay_message *message)
{
    /* O_NONBLOCK: opening a pipe must not wait for its writer; it is refused below. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    inlay_file_note(path);
    if (fd < 0 || fstat(fd, &info) < 0) {
        inlay_message_set(message, "cannot be opened: %s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    FILE *file = NULL;
    if (S_ISDIR(info.st_mode))
        inlay_message_set(message, "is a folder, not a file");
    else if (!S_ISREG(info.st_mode))
        inlay_message_set(message, "is no regular file");
    else if (!(file = fdopen(fd, "rb")))
        inlay_message_set(message, "cannot be opened: %s", strerror(errno));
    if (!file) {
        close(fd);
        return NULL;
    }
    *out_size = (uint64_t)info.st_size;
    return file;
}

void inlay_file_reader_init(struct inlay_reader *reader, FILE *file, uint64_t size)
{
    *reader = (struct inlay_reader){.state = file, .size = size, .read = read_file};
}

static char *join(const char *a, size_t a_length, const char *b)
{
    size_t b_length = strlen(b);
    char *joined = malloc(a_length + b_length + 1);
    if (joined) {
        memcpy(joined, a, a_length);
        memcpy(joined + a_length, b, b_length + 1);
    }
    return joined;
}

/* Makes and opens a new file beside output->path. */
static int open_temporary(struct inlay_output *output)
{
    const char *slash = strrchr(output->path, '/');
    size_t folder = slash ? (size_t)(slash - output->path) + 1 : 0;
    for (unsigned attempt = 0; attempt < 1000; attempt++) {
        char name[64];
        snprintf(name, sizeof(name), ".inlay-%ld-%u.tmp", (long)getpid(), attempt);
        free(output->temporary);
        output->temporary = join(output->path, folder, name);
        if (!output->temporary) {
            errno = ENOMEM;
            return -1;
        }
        int fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

bool inlay_output_open(struct inlay_output *output, const char *path, struct inlay_message *message)
{
    *output = (struct inlay_output){0};
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return inlay_message_set(message, "is a folder, not a file");
    /* A link stays a link: what it points at is replaced. */
    char *target = exists ? realpath(path, NULL) : NULL;
    output->path = target ? target : join(path, strlen(path), "");
    int fd = -1;
    if (!output->path)
        errno = ENOMEM;
    else if (exists && !S_ISREG(info.st_mode))
        fd = open(output->path, O_WRONLY | O_CLOEXEC);
    else if (exists && access(output->path, W_OK) < 0)
        fd = -1; /* rename would go through, against the wish of who made it read-only */
    else
        fd = open_temporary(output);
    if (fd >= 0 && exists && output->temporary)
        (void)!fchmod(fd, info.st_mode & 07777);
    output->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (output->file)
        return true;
    inlay_message_set(message, "cannot be written: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    inlay_output_abandon(output);
    return false;
}

bool inlay_output_commit(struct inlay_output *output, struct inlay_message *message)
{
    bool is_written = !ferror(output->file);
    if (fclose(output->file) != 0)
        is_written = false;
    output->file = NULL;
    if (is_written && output->temporary && rename(output->temporary, output->path) != 0)
        is_written = false;
    if (!is_written) {
        inlay_message_set(message, "cannot be written: %s", strerror(errno));
        inlay_output_abandon(output);
        return false;
    }
    free(output->path);
    free(output->temporary);
    *output = (struct inlay_output){0};
    return true;
}

void inlay_output_abandon(struct inlay_output *output)
{
    if (output->file)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    free(output->path);
    free(output->temporary);
    *output = (struct inlay_output){0};
}
