/*
 * Remarks for people and for programs: on loops, fusion and memory, beside in-place decisions (explain.h).
 *
 * What is shown was recorded where it was decided (analysis/remark.h, passes and code generation); here it is
 * put in order and given its form.
 */
#pragma once

#include "analysis/remark.h"
#include "base/text.h"
#include "driver/driver.h"

/* One of the parts of an item: what became of it, or why not something else. */
struct remark_part {
    const char *role; /* NULL: what became of it; "lanes", "threads", ..: why there are none */
    const char *pass; /* that decided */
    struct remark remark;
};

enum { REMARK_PARTS = 4 };

/* A loop, a pair of calls, a value: what remarks are about. */
struct remark_item {
    enum remark_topic topic;
    const char *function; /* the kernel, or the function of the graph */
    const char *subject;  /* "i" */
    struct location loc;
    unsigned depth; /* of a loop, in others */
    struct remark_part parts[REMARK_PARTS];
    unsigned part_count;
};

struct remark_items {
    struct remark_item *items;
    size_t count, capacity; /* an array() */
};

void remark_add_part(struct remark_item *item, const char *role, const char *pass,
                     struct remark remark);

/*
 * The loops of all kernels of @module, which the pipeline has left: code is made of it, and thrown away, to
 * hear what becomes of them.  driver->remarks has what passes said.  False after a report.
 */
bool remarks_of_loops(struct driver *driver, struct ir_module *module,
                      const struct codegen_options *options, struct remark_items *out);

/* What to show. */
struct remark_choice {
    size_t limit; /* messages at most; 0: all */
    bool has_color;
};

/* Messages in the look of diagnostics: what is missed comes first where there is a limit. */
void remarks_put(struct ir_context *context, const struct remark_items *items,
                 const struct remark_choice *choice, struct text *out);
/* An array; docs/remarks.schema.json has the keys. */
void remarks_put_json(struct ir_context *context, const struct remark_items *items,
                      struct text *out);
/* LLVM's optimisation records: a YAML document for each part. */
void remarks_put_yaml(struct ir_context *context, const struct remark_items *items,
                      struct text *out);
