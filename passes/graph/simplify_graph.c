/*
 * SimplifyGraph: rewrites by the rules of rules.def, by default those that give the same bits and are
 * never slower.
 *
 *     t = R.permute_dims(x); y = R.permute_dims(t)    =>    uses of y become uses of x
 *
 * rules="reshape_of_reshape,multiply_by_one" applies only these, in this order where two fit.
 */
#include "passes/graph/rules.h"

enum pass_result pass_simplify_graph(struct pass_run *run)
{
    return rules_run(run, pass_option_string(run, "rules"));
}
