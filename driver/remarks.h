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
#include "driver/totals.h"

/*
 * The loops of all kernels of @module, which the pipeline has left: code is made of it, and thrown away, to
 * hear what becomes of them.  driver->remarks has what passes said.  False after a report.
 */
bool remarks_of_loops(struct driver *driver, struct ir_module *module,
                      const struct codegen_options *options, struct remark_items *out);

/* What FuseOps and FuseTIR said, in the order of the text. */
void remarks_of_fusion(struct driver *driver, struct remark_items *out);
/*
 * The plan of memory that @module states: what is held where most is, who lies where another one lay, and, from
 * @decisions, why those at the peak took over no storage.
 */
void remarks_of_memory(struct driver *driver, struct ir_module *module, struct sizes *sizes,
                       const struct inplace_decisions *decisions, struct remark_items *out);

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
