/* Files of an artifact: written all at once, kept in a record, and written again from there. */
#include "base/memory.h"
#include "driver/artifact.h"
#include "driver/artifact_weights.h"
#include "io/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool report_output(struct driver *driver, const char *path, const struct inlay_message *why)
{
    diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, path, why->text);
    return false;
}

static void write_data(const struct artifact_file *file, FILE *out)
{
    if (file->weights)
        artifact_weights_write(file->weights, out);
    else if (file->kept)
        fwrite(file->kept, 1, file->kept_size, out);
    else
        fwrite(file->data.data, 1, file->data.length, out);
}

bool artifact_commit(struct driver *driver, const struct artifact_file *files, size_t count)
{
    size_t opened = 0;
    struct inlay_output *outputs = memory_new(sizeof(*outputs), count + 1);
    struct inlay_message why;
    bool is_good = true;

    for (; is_good && opened < count; opened++) {
        const struct artifact_file *file = &files[opened];
        is_good = inlay_output_open(&outputs[opened], file->path, &why);
        if (!is_good) {
            report_output(driver, file->path, &why);
            break;
        }
        write_data(file, outputs[opened].file);
        if (fflush(outputs[opened].file) != 0 || ferror(outputs[opened].file)) {
            (void)inlay_message_set(&why, "cannot be written: %s", strerror(errno));
            is_good = report_output(driver, file->path, &why);
        }
    }
    for (size_t i = 0; i < opened; i++) {
        if (!is_good)
            inlay_output_abandon(&outputs[i]);
        else if (!inlay_output_commit(&outputs[i], &why))
            is_good = report_output(driver, files[i].path, &why);
    }
    memory_free(outputs);
    return is_good;
}

/* --- records: paths and bytes --- */

static uint64_t size_of(const struct artifact_file *file)
{
    return file->weights ? file->weights->bytes : file->data.length;
}

static bool put_weights(const struct artifact_weights *weights, struct text *out)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&bytes, &size);

    if (!memory)
        return false;
    artifact_weights_write(weights, memory);
    bool is_good = !ferror(memory);
    is_good = fclose(memory) == 0 && is_good;
    if (is_good)
        record_put_bytes(out, bytes, size);
    free(bytes);
    return is_good;
}

void artifact_keep(struct record *record, const struct artifact_file *files, size_t count)
{
    struct text data = {0};
    uint64_t bytes = 0;
    bool is_good = true;

    for (size_t i = 0; i < count; i++)
        bytes += size_of(&files[i]);
    if (!record_is_wanted(record, bytes))
        return;
    record_put_number(&data, count);
    for (size_t i = 0; is_good && i < count; i++) {
        record_put_bytes(&data, files[i].path, strlen(files[i].path) + 1);
        if (files[i].weights)
            is_good = put_weights(files[i].weights, &data);
        else
            record_put_bytes(&data, files[i].data.data, files[i].data.length);
    }
    if (is_good)
        record_keep(record, &data);
    text_finish(&data);
}

bool artifact_restore(struct driver *driver, const struct record_view *view, bool *out_is_bad)
{
    struct record_reader reader = {.data = view->data, .size = view->size};
    uint64_t count = record_number(&reader);
    array(struct artifact_file) files = {0};

    for (uint64_t i = 0; i < count && !reader.is_bad; i++) {
        struct artifact_file file = {0};
        size_t length;
        file.path = record_bytes(&reader, &length);
        reader.is_bad |= length == 0 || file.path[length - 1] != 0;
        file.kept = record_bytes(&reader, &file.kept_size);
        array_push(&files, file);
    }
    *out_is_bad = reader.is_bad;
    bool is_good = !reader.is_bad && artifact_commit(driver, files.items, files.count);
    array_finish(&files);
    return is_good;
}
