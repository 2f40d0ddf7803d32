/*
 * The words of ops/elementwise.def and ops/reduce.def as C, for one class of numbers.  Included with
 *
 *   NAME(x)   x with the suffix of the class
 *   T         the C type that holds a number
 *   IS_REAL   1 for floats: which side of BY_CLASS
 *
 * and, for classes of integers, WRAP(x) to the width row->bits; the words that differ by class stand
 * where this file is included.
 */
#define A               x[0]
#define B               x[1]
#define C               x[2]
#define ATTR(name)      ((T)interp_attr_float(row->op, #name))
#define LT(x, y)        NAME(less)(x, y)
#define LE(x, y)        NAME(less_equal)(x, y)
#define GT(x, y)        NAME(less)(y, x)
#define GE(x, y)        NAME(less_equal)(y, x)
#define EQ(x, y)        ((T)((x) == (y)))
#define NE(x, y)        ((T)((x) != (y)))
#define AND(x, y)       ((T)((x) != 0 && (y) != 0))
#define OR(x, y)        ((T)((x) != 0 || (y) != 0))
#define NOT(x)          ((T)((x) == 0))
#define TRUTH(x)        ((T)((x) != 0))
#define FROM_BOOL(b)    (b)
#define SELECT(c, x, y) ((c) != 0 ? (x) : (y))
#define MIN(x, y)       NAME(smaller)(x, y)
#define MAX(x, y)       NAME(larger)(x, y)

static T NAME(less)(T x, T y)
{
    return (T)(x < y);
}

static T NAME(less_equal)(T x, T y)
{
    return (T)(x <= y);
}

T NAME(interp_elementwise)(enum op_id id, const struct interp_row *row, const T *x)
{
    switch (id) {
#define ELEMENTWISE(id, name, signature, domain, result, traits, sem, doc, ...) \
    case OP_##id:                                                               \
        return sem;
#include "ops/ops.def"
    default:
        UNREACHABLE("no such elementwise operator");
    }
}

#define ACC      acc
#define MEAN     mean
#define SHARE(x) DIV(x, (T)row->count)

T NAME(interp_reduce_begin)(enum op_id id, const struct interp_row *row)
{
    switch (id) {
#define REDUCTION(id, name, domain, init, step, finish, doc, ...) \
    case OP_##id:                                                 \
        return init;
#include "ops/ops.def"
    default:
        UNREACHABLE("no such reduction");
    }
}

T NAME(interp_reduce_step)(enum op_id id, const struct interp_row *row, T acc, T element, T mean)
{
    const T *x = &element;
    switch (id) {
#define REDUCTION(id, name, domain, init, step, finish, doc, ...) \
    case OP_##id:                                                 \
        return step;
#include "ops/ops.def"
    default:
        UNREACHABLE("no such reduction");
    }
}

T NAME(interp_reduce_end)(enum op_id id, const struct interp_row *row, T acc)
{
    switch (id) {
#define REDUCTION(id, name, domain, init, step, finish, doc, ...) \
    case OP_##id:                                                 \
        return finish;
#include "ops/ops.def"
    default:
        UNREACHABLE("no such reduction");
    }
}
