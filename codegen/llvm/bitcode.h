/* The runtime of artifacts (runtime/artifact/), compiled when Inlay is built. */
#pragma once

#include <stddef.h>

struct cg_bitcode {
    const char *arch; /* as triples begin: "x86_64" */
    const char *name; /* of the source, without .c */
    const unsigned char *data;
    size_t size;
};
extern const struct cg_bitcode cg_bitcode[]; /* ends with a row of nothing */
