/* Losses: cross entropy, negative log likelihood and its gradient. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

const struct interp_value *interp_op_cross_entropy(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *labels = interp_operand(o, 1);
    if (!x || !labels)
        return NULL;
    if (inlay_tensor_elements(x) != inlay_tensor_elements(labels)) {
        interp_fail(o->run, INLAY_ERROR_SHAPE, "labels are not predictions");
        return NULL;
    }
    struct ir_dtype dtype = interp_tensor_dtype(x), wide = interp_compute_dtype(dtype);
    struct interp_value *result = interp_tensor_new(o->run, dtype, NULL, 0);
    struct interp_scalar sum = num(wide, 0);
    for (int64_t i = 0; i < inlay_tensor_elements(x); i++)
        sum = NUM_SUB(sum, NUM_MUL(num_load(x, i), interp_cast(num_load(labels, i), wide)));
    if (x->ndim > 1)
        sum = num_share(sum, x->shape[0]);
    if (result)
        num_store(result->tensor, 0, sum);
    return result;
}

struct nll {
    struct interp_op *o;
    const struct inlay_tensor *x, *targets, *weights;
    struct ir_dtype wide;
    int64_t ignored, classes;
    int64_t inner; /* elements of x behind the axis of classes */
    const char *reduction;
};

static bool begin(struct interp_op *o, unsigned first, struct nll *n)
{
    *n = (struct nll){.o = o, .x = interp_operand(o, first)};
    n->targets = interp_operand(o, first + 1);
    n->weights = o->count > first + 2 ? interp_operand(o, first + 2) : NULL;
    if (!n->x || !n->targets)
        return false;
    n->wide = interp_compute_dtype(interp_tensor_dtype(n->x));
    n->ignored = interp_attr_int(o, "ignore_index", -100);
    n->reduction = ir_op_attr(o->op, "reduction")->string;
    unsigned axis = n->x->ndim > 1;
    n->classes = n->x->shape[axis];
    n->inner = 1;
    for (unsigned d = axis + 1; d < (unsigned)n->x->ndim; d++)
        n->inner *= n->x->shape[d];
    return inlay_tensor_elements(n->targets) * n->classes == inlay_tensor_elements(n->x) ||
           interp_fail(o->run, INLAY_ERROR_SHAPE, "targets are not predictions");
}

/* Target number @i: its class (-1: to be ignored); false after the error is set. */
static bool class_of(const struct nll *n, int64_t i, int64_t *out)
{
    *out = num_index(n->targets, i);
    if (*out == n->ignored) {
        *out = -1;
        return true;
    }
    return (*out >= 0 && *out < n->classes) ||
           interp_fail(n->o->run, INLAY_ERROR_BOUNDS, "class %lld is out of range for %lld classes",
                       (long long)*out, (long long)n->classes);
}

static int64_t place(const struct nll *n, int64_t target, int64_t class)
{
    return (target / n->inner * n->classes + class) * n->inner + target % n->inner;
}

static struct interp_scalar weight(const struct nll *n, int64_t class)
{
    return n->weights ? interp_cast(num_load(n->weights, class), n->wide) : num(n->wide, 1);
}

const struct interp_value *interp_op_nll_loss(struct interp_op *o)
{
    struct nll n;
    if (!begin(o, 0, &n))
        return NULL;
    bool is_each = strcmp(n.reduction, "none") == 0;
    struct interp_value *result =
        interp_tensor_new(o->run, interp_tensor_dtype(n.x), n.targets->shape,
                          is_each ? (unsigned)n.targets->ndim : 0);
    struct interp_scalar sum = num(n.wide, 0), weights = num(n.wide, 0);
    for (int64_t i = 0; result && i < inlay_tensor_elements(n.targets); i++) {
        struct interp_scalar loss = num(n.wide, 0);
        int64_t class;
        if (!class_of(&n, i, &class))
            return NULL;
        if (class >= 0) {
            loss = NUM_SUB(loss, num_load(n.x, place(&n, i, class)));
            loss = NUM_MUL(loss, weight(&n, class));
            weights = NUM_ADD(weights, weight(&n, class));
        }
        sum = NUM_ADD(sum, loss);
        if (is_each)
            num_store(result->tensor, i, loss);
    }
    if (strcmp(n.reduction, "mean") == 0)
        sum = NUM_DIV(sum, weights);
    if (result && !is_each)
        num_store(result->tensor, 0, sum);
    return result;
}

const struct interp_value *interp_op_nll_loss_backward(struct interp_op *o)
{
    const struct inlay_tensor *gradient = interp_operand(o, 0);
    struct nll n;
    if (!gradient || !begin(o, 1, &n))
        return NULL;
    bool is_each = strcmp(n.reduction, "none") == 0;
    struct interp_value *result =
        interp_tensor_new(o->run, interp_tensor_dtype(n.x), n.x->shape, (unsigned)n.x->ndim);
    struct interp_scalar weights = num(n.wide, 0), zero = num(n.wide, 0);
    int64_t class;
    for (int64_t i = 0; i < inlay_tensor_elements(n.targets); i++) {
        if (!class_of(&n, i, &class))
            return NULL;
        if (class >= 0)
            weights = NUM_ADD(weights, weight(&n, class));
    }
    for (int64_t i = 0; result && i < inlay_tensor_elements(n.targets); i++) {
        if (!class_of(&n, i, &class) || class < 0)
            continue;
        struct interp_scalar value = interp_cast(num_load(gradient, is_each ? i : 0), n.wide);
        if (strcmp(n.reduction, "mean") == 0)
            value = NUM_DIV(value, weights);
        num_store(result->tensor, place(&n, i, class),
                  NUM_MUL(NUM_SUB(zero, value), weight(&n, class)));
    }
    return result;
}
