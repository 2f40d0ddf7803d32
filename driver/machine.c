/* See machine.h. */
#include "driver/machine.h"

#include "base/digest.h"
#include "driver/config.h"
#include "runtime/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

double machine_load(void)
{
    double load;

    return getloadavg(&load, 1) == 1 ? load : -1;
}

/* As Linux calls the processor; "" where it says nothing. */
static void find_processor(char *out, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");

    out[0] = '\0';
    while (file && !out[0] && fgets(line, sizeof(line), file)) {
        const char *colon = strchr(line, ':');

        if (strncmp(line, "model name", 10) == 0 && colon && colon[1])
            snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    }
    if (file)
        fclose(file);
}

static void put_system(struct text *out)
{
    struct utsname name;

    if (uname(&name) == 0)
        text_printf(out, "%s %s", name.sysname, name.release);
}

static void put_pair(struct text *out, const char *key, const char *value)
{
    text_printf(out, ", \"%s\": ", key);
    text_put_json(out, value, strlen(value));
}

/*
 * The builds of Inlay and LLVM, and the processor as LLVM knows it: equal names compile equal code.
 */
static void put_builds(struct driver *driver, struct text *out)
{
    char name[2 * DIGEST_SIZE + 1];
    struct digest_state state;

    digest_begin(&state);
    if (!driver_load_code_generator(driver) || !driver->codegen_api->identify(&state))
        return;
    struct digest digest = digest_end(&state);
    digest_text(&digest, name);
    put_pair(out, "builds_sha256", name);
}

static void put_time(struct text *out)
{
    char buffer[32];
    time_t now = time(NULL);
    struct tm parts;

    if (gmtime_r(&now, &parts) && strftime(buffer, sizeof(buffer), "%Y-%m-%dT%H:%M:%SZ", &parts))
        put_pair(out, "time", buffer);
}

void machine_put_json(struct driver *driver, unsigned threads, double load_before, struct text *out)
{
    const struct target *target = &driver->target;
    struct text system = {0};
    char processor[128];

    find_processor(processor, sizeof(processor));
    put_system(&system);
    text_printf(out,
                "{\"cores\": %u, \"threads\": %u, \"vector_bytes\": %u, \"l1_bytes\": %zu, "
                "\"l2_bytes\": %zu, \"l3_bytes\": %zu, \"load_before\": %.2f, "
                "\"load_after\": %.2f",
                inlay_usable_cores(), threads, target->vector_bytes, target->l1_bytes,
                target->l2_bytes, target->l3_bytes, load_before, machine_load());
    put_pair(out, "processor", processor);
    put_pair(out, "system", text_string(&system));
    put_time(out);
    put_pair(out, "inlay", INLAY_VERSION);
    put_builds(driver, out);
    text_putc(out, '}');
    text_finish(&system);
}

void machine_put_processor(struct text *out)
{
    char processor[128];

    find_processor(processor, sizeof(processor));
    text_puts(out, processor);
}

void machine_put_text(double load_before, struct text *out)
{
    char processor[128];

    find_processor(processor, sizeof(processor));
    text_printf(out, "%s%s%u cores, ", processor, processor[0] ? ", " : "", inlay_usable_cores());
    put_system(out);
    text_printf(out, ", load %.1f before and %.1f after", load_before, machine_load());
}
