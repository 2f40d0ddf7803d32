/* Sets of points over the symbols of the kernel: see points_internal.h. */
#include "analysis/access/points_internal.h"

#include <isl/id.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdio.h>

enum { PLAUSIBLE_SIZE = 1 << 30 }; /* of an axis, at most */

struct linear *points_variables(const struct points *points, struct presburger *p)
{
    struct linear *result = arena_array(&p->arena, struct linear, points->ndim + 1);

    for (unsigned i = 0; i < points->ndim; i++)
        result[i] = presburger_variable(p);
    return result;
}

struct access_side points_side(const struct points *points, const struct access *access)
{
    struct access_side side = {.access = access};

    access_add_ranges(points->relation, &points->cache->arena, &side);
    return side;
}

/* ---- parameters ---- */

static unsigned param_of(struct points *points, const struct ir_expr *expr)
{
    for (unsigned i = 0; i < points->params.count; i++)
        if (ir_expr_equal(points->params.items[i], expr))
            return i;
    array_push(&points->params, expr);
    return (unsigned)points->params.count - 1;
}

/* What parameter @i of @set stands for. */
static const struct ir_expr *param_expr(const struct points *points, isl_set *set, unsigned i)
{
    const char *name = isl_set_get_dim_name(set, isl_dim_param, i);
    unsigned number = 0;

    return name && sscanf(name, "p%u", &number) == 1 && number < points->params.count
               ? points->params.items[number]
               : NULL;
}

static bool is_symbol(const struct ir_expr *a)
{
    return a && a->kind == IR_EXPR_var && a->var->is_symbol;
}

struct around {
    const struct access_list *list;
};

/* No variable of a loop: one is the same on all sides where they are in one iteration of it. */
static bool is_outside(void *state, const struct ir_expr *a)
{
    const struct around *around = state;

    for (size_t i = 0; a->kind == IR_EXPR_var && i < around->list->count; i++)
        for (const struct access_frame *f = around->list->items[i].frame; f; f = f->parent)
            if (f->var == a->var && f->depth > 0)
                return false;
    return true;
}

static bool is_param(const struct points *points, const struct presburger_var *var)
{
    struct around around = {points->relation->first};

    return var->expr && !var->side && !var->is_defined &&
           ir_expr_walk(var->expr, is_outside, &around);
}

isl_set *points_of(struct points *points, const struct presburger *p, isl_set *all)
{
    isl_set *set = all;

    for (unsigned i = (unsigned)p->vars.count; i-- > points->ndim;) {
        unsigned param_count = set ? (unsigned)isl_set_dim(set, isl_dim_param) : 0;
        char name[32];

        if (!is_param(points, &p->vars.items[i])) {
            set = isl_set_project_out(set, isl_dim_set, i, 1);
            continue;
        }
        snprintf(name, sizeof(name), "p%u", param_of(points, p->vars.items[i].expr));
        set = isl_set_move_dims(set, isl_dim_param, param_count, isl_dim_set, i, 1);
        set = isl_set_set_dim_id(set, isl_dim_param, param_count,
                                 isl_id_alloc(presburger_context(p), name, NULL));
    }
    return set;
}

/* ---- sizes ---- */

/* What is known of parameter @i of @set, which is a symbol; or NULL. */
static const struct ir_expr *size_of(const struct points *points, isl_set *set, unsigned i)
{
    const struct ir_expr *expr = param_expr(points, set, i);

    return is_symbol(expr) && points->sizes ? ir_bindings_find(points->sizes, expr->var) : NULL;
}

isl_set *points_of_sizes(const struct points *points, isl_set *set, isl_set *like)
{
    isl_ctx *isl = points->cache->isl;

    set = isl_set_align_params(set, isl_set_get_space(like));
    for (unsigned i = 0; set && i < (unsigned)isl_set_dim(set, isl_dim_param); i++) {
        const struct ir_expr *expr = param_expr(points, set, i);
        const struct ir_expr *size = size_of(points, set, i);
        int64_t low = is_symbol(expr) ? 1 : INT64_MIN;

        if (size && ir_expr_constant(points->relation->context, size, &low))
            set = isl_set_upper_bound_val(set, isl_dim_param, i, isl_val_int_from_si(isl, low));
        if (low > INT64_MIN)
            set = isl_set_lower_bound_val(set, isl_dim_param, i, isl_val_int_from_si(isl, low));
        for (unsigned k = 0; set && size && k < i; k++) {
            const struct ir_expr *other = size_of(points, set, k);
            if (other && ir_prove_equal(points->relation->context, size, other))
                set = isl_set_equate(set, isl_dim_param, (int)i, isl_dim_param, (int)k);
        }
    }
    return set;
}

isl_set *points_plausible(const struct points *points, isl_set *set)
{
    for (unsigned i = 0; set && i < (unsigned)isl_set_dim(set, isl_dim_param); i++)
        if (is_symbol(param_expr(points, set, i)))
            set = isl_set_upper_bound_val(set, isl_dim_param, i,
                                          isl_val_int_from_si(points->cache->isl, PLAUSIBLE_SIZE));
    return set;
}

/* ---- questions ---- */

void points_reset(const struct points *points)
{
    isl_ctx_reset_operations(points->cache->isl);
    isl_ctx_reset_error(points->cache->isl);
}

static int64_t coordinate(isl_point *point, unsigned i)
{
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)i);
    int64_t result = value && isl_val_is_int(value) ? isl_val_get_num_si(value) : 0;

    isl_val_free(value);
    return result;
}

const int64_t *points_least(const struct points *points, isl_set *set,
                            const struct access_size **out_sizes, unsigned *out_size_count)
{
    unsigned param_count = (unsigned)isl_set_dim(set, isl_dim_param);
    struct arena *arena = &points->cache->arena;
    struct access_size *sizes = arena_array(arena, struct access_size, param_count + 1);
    int64_t *result = arena_array(arena, int64_t, points->ndim + 1);

    for (unsigned i = 0; i < param_count; i++)
        sizes[i].expr = param_expr(points, set, i);
    set = isl_set_move_dims(isl_set_copy(set), isl_dim_set, 0, isl_dim_param, 0, param_count);
    isl_set *least = isl_set_lexmin(isl_set_copy(set));
    if (!least || isl_set_is_empty(least) != isl_bool_false) {
        isl_set_free(least);
        least = isl_set_copy(set);
    }
    isl_set_free(set);
    isl_point *point = isl_set_sample_point(least);
    for (unsigned i = 0; i < param_count; i++)
        sizes[i].value = coordinate(point, i);
    for (unsigned i = 0; i < points->ndim; i++)
        result[i] = coordinate(point, param_count + i);
    isl_point_free(point);
    *out_sizes = sizes;
    *out_size_count = param_count;
    return result;
}
