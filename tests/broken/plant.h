/* Shared by the files that plant mistakes; see plants.def. */
#pragma once

#include "passes/pass.h"

/* A mistake is looked for; the one at @site is made. */
struct planter {
    struct pass_run *run;
    const char *bug;
    unsigned site, count;
    bool is_done;
    struct map order; /* struct ir_op -> place in its function, from 1 */
};

/*
 * Each plant calls this once for each place where it could be made, and makes it where this is
 * true.
 */
bool plant_here(struct planter *p);
uintptr_t plant_order(const struct planter *p, const struct ir_op *op);

/* Calls @visit with each op of all functions and nested ones, until the mistake is made. */
typedef void plant_visit_fn(struct planter *p, struct ir_op *op);
void plant_walk(struct planter *p, plant_visit_fn *visit);

/* How two values share storage. */
enum plant_bond {
    BOND_RENAME = 1,
    BOND_VIEW = 2,
    BOND_CAST = 4,
    BOND_FIELD = 8,
    BOND_OBJECT = 16, /* a tuple on the way is an R.Object */
    BOND_IF = 32,
    BOND_CALL = 64,
    BOND_UPDATE = 128, /* a result in place */
    BOND_REGION = 256, /* bytes of it */
};

/* A value that may share storage with another one, and by what. */
struct plant_name {
    struct ir_value *value;
    unsigned bonds;
};
typedef array(struct plant_name) plant_names;
/*
 * All values that may lie in the storage of @value, itself first; by names, and through calls in
 * place if @has_updates, whether that is right or not.
 */
void plant_names_of(struct ir_value *value, bool has_updates, plant_names *out);
/* Does @op look at what is in storage, and not only name it or end it? */
bool plant_reads(const struct ir_op *op);

pass_fn pass_plant; /* the row is in broken.def */

#define PLANT(name, function, doc) void plant_##function(struct planter *p);
#include "tests/broken/plants.def"
