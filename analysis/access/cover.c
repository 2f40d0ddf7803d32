/* Sets of elements: images of accesses, in isl, over the symbols of the kernel as parameters. */
#include "analysis/access/cover.h"

#include "analysis/access/points_internal.h"

#include <isl/space.h>

struct covering {
    struct points points; /* elements */
    const struct access_list *list;
    const struct ir_buffer *buffer;
    isl_set *certain, *possible; /* elements that are, or may be written */
    bool is_unknown;
};

/* ---- sets of elements ---- */

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
        struct access_side side = points_side(&c->points, &behind);
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

    presburger_start(&p, c->points.relation);
    struct linear *element = points_variables(&c->points, &p);
    if (add_box(c, &p, &nowhere, element)) {
        add_assertions(c, &p);
        presburger_add_facts(&p);
        result = points_of(&c->points, &p, presburger_all(&p));
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
    struct access_side side = points_side(&c->points, write);
    struct presburger p;

    presburger_start(&p, c->points.relation);
    p.skips_assertions = true;
    struct linear *element = points_variables(&c->points, &p);
    presburger_add_frames(&p, &side);
    bool is_known = add_place(&p, &side, element) && add_box(c, &p, &side, element);
    presburger_add_facts(&p);
    isl_set *image = is_known ? points_of(&c->points, &p, presburger_all(&p)) : NULL;
    if (p.is_exact && image)
        c->certain = isl_set_union(c->certain, isl_set_copy(image));
    if (image)
        c->possible = isl_set_union(c->possible, image);
    c->is_unknown |= !image;
    presburger_finish(&p);
}

/* ---- coverage ---- */

static void judge(struct covering *c, isl_set *box, struct access_cover *out)
{
    points_reset(&c->points);
    if (isl_set_is_subset(box, c->certain) == isl_bool_true) {
        out->coverage = ACCESS_COVERS_ALL;
        return;
    }
    if (c->is_unknown)
        return;
    points_reset(&c->points);
    isl_set *left = isl_set_subtract(isl_set_copy(box), isl_set_copy(c->possible));
    left = points_plausible(&c->points, left);
    if (isl_set_is_empty(left) == isl_bool_false) {
        out->coverage = ACCESS_COVERS_PART;
        out->element = points_least(&c->points, left, &out->sizes, &out->size_count);
    }
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
        c->certain = isl_set_empty(isl_space_set_alloc(c->points.cache->isl, 0, c->buffer->ndim));
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
    const struct ir_buffer *buffer = func->params[param].buffer;
    struct covering c = {
        .points = {.cache = cache, .sizes = sizes, .ndim = buffer->ndim},
        .list = list,
        .buffer = buffer,
    };
    struct access_cover cover = {.coverage = ACCESS_COVERS_UNKNOWN};

    if (is_plain(list, buffer)) {
        cover.coverage = ACCESS_COVERS_ALL;
        return cover;
    }
    c.points.relation = access_relation_new(cache, list, list, NULL);
    isl_set *box = box_of(&c);
    if (box && cache->isl) {
        c.certain = isl_set_empty(isl_space_set_alloc(cache->isl, 0, buffer->ndim));
        c.possible = isl_set_copy(c.certain);
        collect_images(&c, param);
        box = points_of_sizes(&c.points, box, c.possible);
        judge(&c, box, &cover);
    }
    isl_set_free(box);
    isl_set_free(c.certain);
    isl_set_free(c.possible);
    array_finish(&c.points.params);
    access_relation_free(c.points.relation);
    return cover;
}
