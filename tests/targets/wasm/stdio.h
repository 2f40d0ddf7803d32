/* What test programs of artifacts use of a C library, where there is none: run.js has it. */
#pragma once

int printf(const char *format, ...);
