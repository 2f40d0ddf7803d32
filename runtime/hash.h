/*
 * The hash of files of weights: XXH64, with seed 0, as its specification says.  It finds what was damaged or
 * exchanged; it is no protection from somebody who wants two files of one hash.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

uint64_t inlay_hash(const void *bytes, size_t size);
