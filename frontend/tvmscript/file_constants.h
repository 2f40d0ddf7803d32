/* Constants of a file, `N = 16` in front of its module; see file_constants.c. */
#pragma once

#include "frontend/tvmscript/internal.h"

enum file_constant {
    FILE_CONSTANT_NONE, /* it is no constant: not reported */
    FILE_CONSTANT_ADDED,
    FILE_CONSTANT_WRONG, /* its value does not exist: reported */
};

/* If the statement @a gives names the values of literals, or what is computed of them, they stand for these from here on. */
enum file_constant file_constants_add(struct frontend *f, struct ast *a) MUST_USE;
/* Puts literals in place of the constants in @a, and computes what is made of them; false after a report. */
bool file_constants_replace(struct frontend *f, struct ast *a) MUST_USE;
/* Are all constants that the caller gives values in the file?  False after reports. */
bool file_constants_check_given(struct frontend *f) MUST_USE;
