/* Notes for editors what names stand for, where somebody asks: frontend/names.h. */
#pragma once

#include "frontend/names.h"
#include "frontend/tvmscript/internal.h"

/* Called by scope.c: @name is bound, is used at @loc, goes out of scope with all that is known of it. */
unsigned names_define(struct frontend *f, enum name_kind kind, const char *text,
                      struct location loc);
void names_use(struct frontend *f, const struct name *name, struct location loc);
void names_close(struct frontend *f, const struct name *name);
/* `R.add` stands at @loc. */
void names_use_path(struct frontend *f, const char *path, struct location loc);

/* A function of the module, by its name at @loc; it is used at @use. */
void names_define_global(struct frontend *f, const struct ir_global *global,
                         enum frontend_name_kind kind, struct location loc);
void names_use_global(struct frontend *f, const struct ir_global *global, struct location use);
/* The text of a definition; of a function, a kernel, the module. */
void names_set_span(struct frontend *f, const struct ast *def, enum frontend_name_kind kind);
/* Their types, when all is translated. */
void names_close_globals(struct frontend *f);

/* A constant of the file, and a place where it stands for its value. */
void names_define_constant(struct frontend *f, const struct ast *target, const struct ast *value);
void names_use_constant(struct frontend *f, const char *text, struct location loc);

/* Sorts what was noted. */
void names_finish(struct frontend *f);

/* Takes functions with mistakes out of the module, and those that speak of them; true if others are left. */
bool names_keep_whole(struct frontend *f);
