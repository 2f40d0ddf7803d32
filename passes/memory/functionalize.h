/* Shared by the files of Functionalize: what each piece of storage holds, as the walk goes on. */
#pragma once

#include "ir/edit/make.h"
#include "passes/memory/effects.h"
#include "passes/pass.h"

/* What a root holds at the place in work. */
struct content {
    struct ir_value *value; /* NULL: what it was made with */
    unsigned since;         /* names made before are out of date */
};

/* A content that was replaced. */
struct change {
    unsigned root;
    struct content old;
};

struct change_list {
    struct change *items;
    size_t count, capacity; /* an array() */
};

struct walk {
    struct pass_run *run;
    struct effects effects;
    struct content *contents; /* by root */
    unsigned *numbers;        /* by root: of names that were given */
    struct change_list trail;
    struct map made;  /* ir_value -> when it was made */
    struct map roots; /* new ir_value -> root + 1 */
    unsigned *marks;  /* by root: the last branch that was taken back with it */
    unsigned last_mark, now;
    bool is_fine, is_changed;
};

/* --- contents.c --- */
/* @value is made now. */
void contents_note(struct walk *w, const struct ir_value *value);
/* @value is made now, is new, and lives in @root. */
void contents_note_new(struct walk *w, struct ir_value *value, unsigned root);
/* The only root that @value lives in, or STORAGE_ROOT_NONE. */
unsigned contents_root(const struct walk *w, const struct ir_value *value);
/* @root holds @value from here on. */
void contents_set(struct walk *w, unsigned root, struct ir_value *value);
/* The same of a new value, which gets a name. */
void contents_take(struct walk *w, unsigned root, struct ir_value *value);
/* Operands of @op that are out of date become what their storage holds. */
void contents_update(struct walk *w, struct ir_op *op);
/* @value in the shape of @type; NULL with is_fine false after a report. */
struct ir_value *contents_shaped(struct walk *w, struct ir_builder *b, struct ir_value *value,
                                 const struct ir_type *type);
struct ir_builder contents_builder(struct walk *w, struct ir_op *before);

/* --- functionalize_if.c --- */
/* Walks the branches of @op, and lets it give what they write. */
void functionalize_if(struct walk *w, struct ir_op *op);

/* --- functionalize.c --- */
void functionalize_region(struct walk *w, struct ir_region *region);
