/* Sets of elements: images of accesses, in isl, over the symbols of the kernel as parameters. */
#include "analysis/access/cover.h"

#include "analysis/access/presburger_internal.h"

#include <isl/id.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdio.h>

enum { PLAUSIBLE_SIZE = 1 << 30 }; /* of an axis, at most */

struct covering {
    struct access_cache *cache;
    const struct access_list *list;
    struct access_relation *relation;
    const struct ir_buffer *buffer;
    const struct ir_bindings *sizes;
    array(const struct ir_expr *) params; /* what parameters of the sets stand for */
    isl_set *certain, *possible;          /* elements that are, or may be written */
    bool is_unknown;
};

/* ---- sets of elements ---- */

static unsigned param_of(struct covering *c, const struct ir_expr *expr)
{
    for (unsigned i = 0; i < c->params.count; i++)
        if (ir_expr_equal(c->params.items[i], expr))
            return i;
    array_push(&c->params, expr);
    return (unsigned)c->params.count - 1;
}

/* @set over the variables of @p as one over the first ones, which are the element. */
static isl_set *as_elements(struct covering *c, const struct presburger *p, isl_set *set)
{
    for (unsigned i = (unsigned)p->vars.count; i-- > c->buffer->ndim;) {
        const struct presburger_var *var = &p->vars.items[i];
        unsigned param_count = set ? (unsigned)isl_set_dim(set, isl_dim_param) : 0;
        char name[32];

        if (!var->expr || var->side || var->is_defined) {
            set = isl_set_project_out(set, isl_dim_set, i, 1);
            continue;
        }
        snprintf(name, sizeof(name), "p%u", param_of(c, var->expr));
        set = isl_set_move_dims(set, isl_dim_param, param_count, isl_dim_set, i, 1);
        set = isl_set_set_dim_id(set, isl_dim_param, param_count,
                                 isl_id_alloc(presburger_context(p), name, NULL));
    }
    return set;
}

/* The element: a variable for each dimension, the first ones of the formula. */
static struct linear *add_element(struct covering *c, struct presburger *p)
{
    struct linear *element = arena_array(&p->arena, struct linear, c->buffer->ndim + 1);

    for (unsigned i = 0; i < c->buffer->ndim; i++)
        element[i] = presburger_variable(p);
    return element;
}

static bool is_symbol(const struct ir_expr *a)
{
    return a && a->kind == IR_EXPR_var && a->var->is_symbol;
}

/* 0 <= element < extent in all dimensions; false if an extent is not known. */
static bool add_box(struct covering *c, struct presburger *p, const struct access_side *side,
                    const struct linear *element)
{
    struct linear zero = linear_constant(0), extent;

    for (unsigned i = 0; i < c->buffer->ndim; i++) {
        if (!presburger_value(p, side, c->buffer->shape[i], &extent))
            return false;
        presburger_add(p, presburger_compare(p, IR_EXPR_ge, &element[i], &zero));
        presburger_add(p, presburger_compare(p, IR_EXPR_lt, &element[i], &extent));
    }
    return true;
}

static struct access_side side_of(struct covering *c, const struct access *access)
{
    struct access_side side = {.access = access};

    access_add_ranges(c->relation, &c->cache->arena, &side);
    return side;
}

/* The guard that assertion @stmt is for what follows it, outside of all else; NULL: there is none.
 */
static const struct access_frame *assertion(const struct covering *c, const struct tir_stmt *stmt)
{
    for (size_t i = 0; i < c->list->count; i++) {
        const struct access_frame *frame = c->list->items[i].frame, *found = NULL;

        for (; frame; frame = frame->parent) {
            if (frame->stmt == stmt)
                found = frame;
            else if (found && frame->stmt->kind != TIR_ASSERT)
                return NULL;
        }
        if (found)
            return found;
    }
    return NULL;
}

/* Runs in which an assertion fails end with an error.  One that is not understood tells of no
 * others. */
static void add_assertions(struct covering *c, struct presburger *p)
{
    for (size_t i = 0; i < c->list->count; i++) {
        const struct access *stop = &c->list->items[i];

        if (stop->effect != ACCESS_STOP || stop->stmt->kind != TIR_ASSERT)
            continue;
        struct access behind = {.frame = assertion(c, stop->stmt)};
        struct access_side side = side_of(c, &behind);
        presburger_add_frames(p, &side);
        c->is_unknown |= !behind.frame || !p->is_exact;
    }
}

/* All elements of the buffer; NULL: not known. */
static isl_set *box_of(struct covering *c)
{
    struct access_side nowhere = {0};
    struct presburger p;
    isl_set *result = NULL;

    presburger_start(&p, c->relation);
    struct linear *element = add_element(c, &p);
    if (add_box(c, &p, &nowhere, element)) {
        add_assertions(c, &p);
        presburger_add_facts(&p);
        result = as_elements(c, &p, presburger_all(&p));
    }
    presburger_finish(&p);
    return result;
}

/* element == where the access goes; false if that is not known */
static bool add_place(struct presburger *p, const struct access_side *side,
                      const struct linear *element)
{
    const struct access *access = side->access;
    struct linear index, total = linear_constant(0);

    for (unsigned i = 0; access->indices && i < access->root->ndim; i++) {
        if (!presburger_value(p, side, access->indices[i], &index))
            return false;
        presburger_add(p, presburger_compare(p, IR_EXPR_eq, &element[i], &index));
    }
    if (access->indices || !access->flat)
        return access->indices != NULL;
    for (unsigned i = 0; i < access->root->ndim; i++) {
        int64_t extent;

        if (!ir_expr_constant(p->relation->context, access->root->shape[i], &extent) ||
            !linear_scale(&p->arena, &total, extent, &total) ||
            !linear_add(&p->arena, &total, &element[i], 1, &total))
            return false;
    }
    if (!presburger_value(p, side, access->flat, &index))
        return false;
    presburger_add(p, presburger_compare(p, IR_EXPR_eq, &total, &index));
    return true;
}

static void add_image(struct covering *c, const struct access *write)
{
    struct access_side side = side_of(c, write);
    struct presburger p;

    presburger_start(&p, c->relation);
    p.skips_assertions = true;
    struct linear *element = add_element(c, &p);
    presburger_add_frames(&p, &side);
    bool is_known = add_place(&p, &side, element) && add_box(c, &p, &side, element);
    presburger_add_facts(&p);
    isl_set *image = is_known ? as_elements(c, &p, presburger_all(&p)) : NULL;
    if (p.is_exact && image)
        c->certain = isl_set_union(c->certain, isl_set_copy(image));
    if (image)
        c->possible = isl_set_union(c->possible, image);
    c->is_unknown |= !image;
    presburger_finish(&p);
}

/* ---- coverage ---- */

static void reset(struct covering *c)
{
    isl_ctx_reset_operations(c->cache->isl);
    isl_ctx_reset_error(c->cache->isl);
}

static int64_t coordinate(isl_point *point, unsigned i)
{
    isl_val *value = isl_point_get_coordinate_val(point, isl_dim_set, (int)i);
    int64_t result = value && isl_val_is_int(value) ? isl_val_get_num_si(value) : 0;

    isl_val_free(value);
    return result;
}

/* What parameter @i of @set stands for. */
static const struct ir_expr *param_expr(struct covering *c, isl_set *set, unsigned i)
{
    const char *name = isl_set_get_dim_name(set, isl_dim_param, i);
    unsigned number = 0;

    return name && sscanf(name, "p%u", &number) == 1 && number < c->params.count
               ? c->params.items[number]
               : NULL;
}

/* The least of @left: sizes first, then the element. */
static void name_example(struct covering *c, isl_set *left, struct access_cover *out)
{
    unsigned param_count = (unsigned)isl_set_dim(left, isl_dim_param);
    unsigned ndim = c->buffer->ndim;
    struct access_size *sizes = arena_array(&c->cache->arena, struct access_size, param_count + 1);
    int64_t *element = arena_array(&c->cache->arena, int64_t, ndim + 1);

    for (unsigned i = 0; i < param_count; i++)
        sizes[i].expr = param_expr(c, left, i);
    left = isl_set_move_dims(left, isl_dim_set, 0, isl_dim_param, 0, param_count);
    isl_set *least = isl_set_lexmin(isl_set_copy(left));
    if (!least || isl_set_is_empty(least) != isl_bool_false) {
        isl_set_free(least);
        least = isl_set_copy(left);
    }
    isl_set_free(left);
    isl_point *point = isl_set_sample_point(least);
    for (unsigned i = 0; i < param_count; i++)
        sizes[i].value = coordinate(point, i);
    for (unsigned i = 0; i < ndim; i++)
        element[i] = coordinate(point, param_count + i);
    isl_point_free(point);
    *out = (struct access_cover){ACCESS_COVERS_PART, element, sizes, param_count};
}

/* Symbols have the sizes that are given; others are at least 1: what is empty needs no elements. */
static isl_set *with_sizes(struct covering *c, isl_set *set)
{
    set = isl_set_align_params(set, isl_set_get_space(c->possible));
    for (unsigned i = 0; set && i < (unsigned)isl_set_dim(set, isl_dim_param); i++) {
        const struct ir_expr *expr = param_expr(c, set, i);
        const struct ir_expr *size =
            is_symbol(expr) && c->sizes ? ir_bindings_find(c->sizes, expr->var) : NULL;
        int64_t low = is_symbol(expr) ? 1 : INT64_MIN;

        if (size && ir_expr_constant(c->relation->context, size, &low))
            set = isl_set_upper_bound_val(set, isl_dim_param, i,
                                          isl_val_int_from_si(c->cache->isl, low));
        if (low > INT64_MIN)
            set = isl_set_lower_bound_val(set, isl_dim_param, i,
                                          isl_val_int_from_si(c->cache->isl, low));
    }
    return set;
}

/*
 * What of @left is there for sizes that tensors have: that the arithmetic of int32 fails near its end is nothing to be
 * told of, and symbols of kernels are int32 unless the script says otherwise.
 */
static isl_set *with_plausible_sizes(struct covering *c, isl_set *left)
{
    for (unsigned i = 0; left && i < (unsigned)isl_set_dim(left, isl_dim_param); i++)
        if (is_symbol(param_expr(c, left, i)))
            left = isl_set_upper_bound_val(left, isl_dim_param, i,
                                           isl_val_int_from_si(c->cache->isl, PLAUSIBLE_SIZE));
    return left;
}

static void judge(struct covering *c, isl_set *box, struct access_cover *out)
{
    reset(c);
    if (isl_set_is_subset(box, c->certain) == isl_bool_true) {
        out->coverage = ACCESS_COVERS_ALL;
        return;
    }
    if (c->is_unknown)
        return;
    reset(c);
    isl_set *left = isl_set_subtract(isl_set_copy(box), isl_set_copy(c->possible));
    left = with_plausible_sizes(c, left);
    if (isl_set_is_empty(left) == isl_bool_false)
        name_example(c, left, out);
    else
        isl_set_free(left);
}

static void collect_images(struct covering *c, unsigned param)
{
    bool has_jumps = false;

    for (size_t i = 0; i < c->list->count; i++) {
        const struct access *access = &c->list->items[i];

        has_jumps |= access->effect == ACCESS_JUMP;
        c->is_unknown |= access->effect == ACCESS_STRANGE ||
                         (access->kind == ACCESS_EXPOSE && access->param == (int)param);
        if (access->kind == ACCESS_WRITE && access->param == (int)param)
            add_image(c, access);
    }
    if (has_jumps) { /* what is behind them may not run */
        isl_set_free(c->certain);
        c->certain = isl_set_empty(isl_space_set_alloc(c->cache->isl, 0, c->buffer->ndim));
    }
}

static bool same_number(struct ir_context *context, const struct ir_expr *a,
                        const struct ir_expr *b)
{
    return ir_prove_equal(context, ir_expr_cast(context, IR_I64, a),
                          ir_expr_cast(context, IR_I64, b));
}

/* Is @write to all elements, one for each iteration of the loops around, and nothing else around?
 */
static bool covers_plainly(struct ir_context *context, const struct ir_buffer *buffer,
                           const struct access *write)
{
    unsigned found = 0, loops = write->frame ? write->frame->depth : 0;

    if (!write->indices || loops != buffer->ndim)
        return false;
    for (const struct access_frame *frame = write->frame; frame; frame = frame->parent) {
        unsigned i = 0;

        while (i < buffer->ndim &&
               !(write->indices[i]->kind == IR_EXPR_var && write->indices[i]->var == frame->var))
            i++;
        if (frame->kind != ACCESS_LOOP || i == buffer->ndim || frame->step != 1 || !frame->extent ||
            !ir_expr_is_int(frame->min, 0) ||
            !same_number(context, frame->extent, buffer->shape[i]))
            return false;
        found++;
    }
    return found == buffer->ndim;
}

static bool is_plain(const struct access_list *list, const struct ir_buffer *buffer)
{
    bool is_covered = false;

    for (size_t i = 0; i < list->count; i++) {
        const struct access *access = &list->items[i];

        if (access->effect == ACCESS_JUMP || access->effect == ACCESS_STRANGE)
            return false;
        is_covered |= access->kind == ACCESS_WRITE && access->root == buffer &&
                      covers_plainly(list->func->module->context, buffer, access);
    }
    return is_covered;
}

struct access_cover access_cover(struct access_cache *cache, const struct tir_func *func,
                                 unsigned param, const struct ir_bindings *sizes)
{
    const struct access_list *list = access_of(cache, func);
    struct covering c = {
        .cache = cache,
        .list = list,
        .buffer = func->params[param].buffer,
        .sizes = sizes,
    };
    struct access_cover cover = {.coverage = ACCESS_COVERS_UNKNOWN};

    if (is_plain(list, c.buffer)) {
        cover.coverage = ACCESS_COVERS_ALL;
        return cover;
    }
    c.relation = access_relation_new(cache, list, list, NULL);
    isl_set *box = box_of(&c);
    if (box && cache->isl) {
        c.certain = isl_set_empty(isl_space_set_alloc(cache->isl, 0, c.buffer->ndim));
        c.possible = isl_set_copy(c.certain);
        collect_images(&c, param);
        box = with_sizes(&c, box);
        judge(&c, box, &cover);
    }
    isl_set_free(box);
    isl_set_free(c.certain);
    isl_set_free(c.possible);
    array_finish(&c.params);
    access_relation_free(c.relation);
    return cover;
}
