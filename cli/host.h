/* What passes may ask of the tool; see struct pass_host. */
#pragma once

#include "cli/driver.h"

struct host {
    struct pass_host pass_host;
    struct driver *driver;
    uint64_t steps_left; /* of evaluations */
};

void host_init(struct host *host, struct driver *driver);
