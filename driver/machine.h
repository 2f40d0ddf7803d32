/* On what was measured: the machine, what else it had to do, and the builds that compiled. */
#pragma once

#include "base/text.h"
#include "driver/driver.h"

/* How many threads want to run, as the mean of the last minute; below 0: that is not known. */
double machine_load(void);

/*
 * One object: name of the processor, cores, caches, system, load, versions, a name of the builds.
 */
void machine_put_json(struct driver *driver, unsigned threads, double load_before,
                      struct text *out);
/* The name of the processor; nothing where the system does not say it. */
void machine_put_processor(struct text *out);
/* "AMD EPYC, 2 cores, Linux 6.1, load 3.1": one line. */
void machine_put_text(double load_before, struct text *out);
