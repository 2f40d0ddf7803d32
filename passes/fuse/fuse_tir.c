/*
 * FuseTIR: makes one kernel of each private function with the attribute Primitive.
 *
 *     b = cls.fused_exp_add(x, y)    =>    b = R.call_tir(cls.fused_exp_add, (x, y), out_ty=..)
 *
 * The kernel has the nests of the function's calls, one after the other, and no buffer between them
 * where the value can be computed where it is used (fuse_kernel.h, inline_buffers.h).  Where the function
 * updates an argument in place as its last step, the call is a call_tir_inplace.
 *
 * A function that is used in any other way than by calls, or has a part that is not understood, stays a
 * function and means the same.
 */
#include "base/hash.h"
#include "base/map.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "passes/fuse/fuse_kernel.h"

#include <string.h>

struct fused {
    struct ir_global *global;
    struct fused_kernel made;
    const uint64_t *key; /* what the function says; NULL: not compared */
    size_t key_count;
    size_t next;              /* index + 1 of an earlier one with the same hash */
    bool is_blocked;          /* some use is not a call that can be changed */
    struct ir_global *target; /* the kernel in the end: of @global, or an equal one */
};

struct site {
    struct ir_op *op;
    struct fused *fused;
};

struct fusion {
    struct pass_run *run;
    struct ir_context *context;
    struct map by_global; /* struct ir_global -> struct fused */
    array(struct fused *) all;
    array(struct site) sites;
    array(struct ir_value *) args; /* of the call in work */
    array(uint64_t) key;           /* of the function in work */
};

/* ---- equal functions ---- */

static void put(struct fusion *f, const void *pointer)
{
    array_push(&f->key, (uint64_t)(uintptr_t)pointer);
}

static bool is_static(void *state, const struct ir_expr *a)
{
    return a->kind == IR_EXPR_int;
}

static bool put_type(struct fusion *f, const struct ir_type *type)
{
    put(f, type); /* types are interned; symbols are each function's own, and not compared */
    return ir_type_walk_exprs(type, is_static, NULL);
}

static bool put_op(struct fusion *f, const struct ir_op *op, struct map *numbers)
{
    put(f, op->info);
    if (!put_type(f, op->result.type))
        return false;
    for (unsigned i = 0; i < op->info->attr_count; i++) {
        const struct ir_attr *attr = op->attrs[i];

        array_push(&f->key, (uint64_t)attr->kind << 32 | attr->count);
        if (attr->kind == IR_ATTR_GLOBAL)
            put(f, attr->global);
        else if (attr->kind == IR_ATTR_INT)
            array_push(&f->key, (uint64_t)attr->integer);
        else if (attr->kind == IR_ATTR_BOOL)
            array_push(&f->key, attr->boolean);
        else if (attr->kind == IR_ATTR_LIST)
            for (unsigned k = 0; k < attr->count; k++) {
                if (attr->items[k]->kind != IR_ATTR_INT)
                    return false;
                array_push(&f->key, (uint64_t)attr->items[k]->integer);
            }
        else
            return false;
    }
    array_push(&f->key, op->operand_count);
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (!map_has(numbers, value))
            return false; /* inline: a scalar, a shape */
        put(f, map_get(numbers, value));
    }
    map_set(numbers, &op->result, (void *)(uintptr_t)(numbers->count + 1)); // NOLINT
    return true;
}

/* Writes down what @function says, in f->key; false if that takes more than pointers and numbers. */
static bool make_key(struct fusion *f, const struct ir_function *function)
{
    struct map numbers = {0};
    bool is_fine = true;

    f->key.count = 0;
    for (unsigned i = 0; i < function->param_count && is_fine; i++) {
        is_fine = put_type(f, function->params[i]->type);
        map_set(&numbers, function->params[i],
                (void *)(uintptr_t)(numbers.count + 1)); // NOLINT
    }
    ir_for_each_block(block, function->body)
    {
        ir_for_each_op (op, block)
            is_fine = is_fine && op->region_count == 0 && put_op(f, op, &numbers);
    }
    map_finish(&numbers);
    return is_fine;
}

/* An earlier function that says the same as f->key, with the kernel made of it; NULL if there is none. */
static const struct fused *find_equal(const struct fusion *f, size_t at)
{
    for (; at; at = f->all.items[at - 1]->next) {
        const struct fused *other = f->all.items[at - 1];

        if (other->key_count == f->key.count && f->key.count > 0 &&
            memcmp(other->key, f->key.items, f->key.count * sizeof(f->key.items[0])) == 0)
            return other;
    }
    return NULL;
}

static const void *key_hash(const struct fusion *f)
{
    uint64_t hash = f->key.count;

    for (size_t i = 0; i < f->key.count; i++)
        hash = hash_mix(hash, f->key.items[i]);
    return hash_key(hash);
}

/* ---- uses ---- */

static bool visit_op(void *state, struct ir_op *op);

static void block_attr(struct fusion *f, const struct ir_attr *attr)
{
    if (!attr)
        return;
    if (attr->kind == IR_ATTR_GLOBAL && map_has(&f->by_global, attr->global))
        ((struct fused *)map_get(&f->by_global, attr->global))->is_blocked = true;
    if (attr->kind == IR_ATTR_FUNCTION)
        ir_region_walk(attr->function->body, visit_op, f);
    for (unsigned i = 0; i < attr->count; i++)
        block_attr(f, attr->items[i]);
}

static void block_operands(struct fusion *f, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_op *def = op->operands[i].value->def;

        if (!def || !ir_op_is_inline(def))
            continue;
        for (unsigned k = 0; k < def->info->attr_count; k++)
            block_attr(f, def->attrs[k]);
        block_operands(f, def);
    }
}

static bool visit_op(void *state, struct ir_op *op)
{
    struct fusion *f = state;
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;
    struct fused *fused = callee ? map_get(&f->by_global, callee) : NULL;

    block_operands(f, op);
    if (fused)
        array_push(&f->sites, (struct site){op, fused});
    for (unsigned i = 0; !fused && i < op->info->attr_count; i++)
        block_attr(f, op->attrs[i]);
    return true;
}

/* ---- call sites ---- */

static const struct ir_type *output_type(const struct ir_type *type, unsigned i)
{
    return type->kind == IR_TYPE_TUPLE ? type->fields[i] : type;
}

static bool is_shaped(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && (type->dims || type->ndim == 0) &&
           !ir_dtype_is_void(type->dtype);
}

static bool same_tensor(struct ir_context *context, const struct ir_type *a,
                        const struct ir_type *b)
{
    if (!is_shaped(a) || !is_shaped(b) || a->ndim != b->ndim || !ir_dtype_equal(a->dtype, b->dtype))
        return false;
    for (int d = 0; d < a->ndim; d++)
        if (!ir_prove_equal(context, a->dims[d], b->dims[d]))
            return false;
    return true;
}

static void bind_params(struct fusion *f, const struct site *site, struct ir_bindings *out)
{
    const struct ir_function *function = site->fused->global->function;

    for (unsigned i = 0; i < function->param_count; i++)
        ir_type_match(f->context, function->params[i]->type, site->op->operands[i].value->type,
                      out);
}

/* May the call become one of the kernel?  Its results then have the types that they have now. */
static bool can_change(struct fusion *f, const struct site *site)
{
    const struct fused_kernel *made = &site->fused->made;
    const struct ir_function *function = site->fused->global->function;
    const struct ir_type *result = site->op->result.type;
    struct ir_bindings bindings = {0};
    bool is_fine = site->op->operand_count == function->param_count &&
                   (result->kind == IR_TYPE_TUPLE ? result->field_count : 1) == made->output_count;

    if (is_fine)
        bind_params(f, site, &bindings);
    for (unsigned i = 0; is_fine && i < made->scalar_count; i++)
        is_fine = ir_bindings_find(&bindings, made->scalars[i]) != NULL;
    for (unsigned i = 0; is_fine && i < made->tensor_count; i++) {
        const struct ir_type *type = site->op->operands[made->tensors[i]].value->type;
        const struct ir_type *wanted = function->params[made->tensors[i]]->type;

        is_fine = type->kind == IR_TYPE_TENSOR && type->ndim == wanted->ndim &&
                  ir_dtype_equal(type->dtype, wanted->dtype);
    }
    for (unsigned i = 0; is_fine && i < made->output_count; i++) {
        is_fine = is_shaped(output_type(result, i));
        if (is_fine && made->inplace[i] >= 0)
            is_fine = same_tensor(f->context, output_type(result, i),
                                  site->op->operands[made->tensors[made->inplace[i]]].value->type);
    }
    array_finish(&bindings);
    return is_fine;
}

static struct ir_op *build_call(struct fusion *f, const struct site *site)
{
    const struct fused_kernel *made = &site->fused->made;
    struct ir_builder b = {.module = f->run->module,
                           .diag = f->run->diag,
                           .block = site->op->block,
                           .before = site->op,
                           .loc = site->op->loc};
    int64_t *indices = arena_array(&f->run->scratch, int64_t, made->output_count + 1);
    bool is_inplace = false;

    for (unsigned i = 0; i < made->output_count; i++) {
        indices[i] = made->inplace[i] < 0 ? -1 : (int64_t)made->scalar_count + made->inplace[i];
        is_inplace |= indices[i] >= 0;
    }
    const struct ir_op_info *info =
        ir_core_op(f->context, is_inplace ? IR_CORE_call_tir_inplace : IR_CORE_call_tir);
    const struct ir_attr *attrs[] = {
        ir_attr_global(f->context, site->fused->target),
        is_inplace ? ir_attr_ints(f->context, indices, made->output_count) : NULL,
        NULL,
    };
    return ir_build_declared(&b, info, f->args.items, (unsigned)f->args.count, attrs,
                             site->op->result.type);
}

static bool change(struct fusion *f, const struct site *site)
{
    const struct fused_kernel *made = &site->fused->made;
    struct ir_bindings bindings = {0};

    f->args.count = 0;
    bind_params(f, site, &bindings);
    for (unsigned i = 0; i < made->scalar_count; i++)
        array_push(&f->args,
                   ir_inline_prim(f->run->module, ir_bindings_find(&bindings, made->scalars[i])));
    for (unsigned i = 0; i < made->tensor_count; i++)
        array_push(&f->args,
                   ir_inline_copy(f->run->module, site->op->operands[made->tensors[i]].value));
    array_finish(&bindings);
    struct ir_op *call = build_call(f, site);
    if (!call)
        return false;
    call->result.name = site->op->result.name;
    call->result.loc = site->op->result.loc;
    call->places = site->op->places;
    ir_value_replace(&site->op->result, &call->result);
    ir_op_erase(site->op);
    return true;
}

/* ---- remarks ---- */

static void remark(struct fusion *f, const struct ir_global *global, struct remark what)
{
    struct remark_item item = {
        .topic = REMARK_FU, .function = global->name, .subject = "the kernel", .loc = global->loc};

    if (!f->run->remarks)
        return;
    remark_add_part(&item, NULL, f->run->pass->name, what);
    array_push(&f->run->remarks->items, item);
}

/* What was said of buffers of a kernel that is not taken. */
static void forget(struct remarks *remarks, const char *function)
{
    size_t kept = 0;

    for (size_t i = 0; i < remarks->items.count; i++)
        if (remarks->items.items[i].topic != REMARK_FU ||
            strcmp(remarks->items.items[i].function, function) != 0)
            remarks->items.items[kept++] = remarks->items.items[i];
    remarks->items.count = kept;
}

static void remark_all(struct fusion *f)
{
    for (size_t i = 0; f->run->remarks && i < f->all.count; i++) {
        const struct fused *fused = f->all.items[i];

        if (fused->is_blocked)
            forget(f->run->remarks, fused->global->name);
        remark(f, fused->global,
               fused->is_blocked ? (struct remark){.id = REMARK_FU_USES}
                                 : (struct remark){.id = REMARK_FU_MADE,
                                                   .a = fused->made.nest_count,
                                                   .b = fused->made.call_count});
    }
}

/* ---- the module ---- */

static bool is_primitive(const struct ir_global *global)
{
    if (global->kind != IR_GLOBAL_FUNCTION || !global->function->attrs ||
        !global->function->is_private || !global->function->is_pure)
        return false;
    const struct ir_attr *attr = ir_attr_dict_get(global->function->attrs, "Primitive");

    return attr && ((attr->kind == IR_ATTR_BOOL && attr->boolean) ||
                    (attr->kind == IR_ATTR_INT && attr->integer != 0) ||
                    (attr->kind == IR_ATTR_EXPR && ir_expr_is_int(attr->expr, 1)));
}

static void make_kernels(struct fusion *f)
{
    struct ir_module *module = f->run->module;
    struct map by_hash = {0}; /* hash of a key -> index + 1 of the last with it */

    for (size_t i = 0; i < module->global_count; i++) {
        struct fused fused = {.global = module->globals[i]};

        if (!is_primitive(fused.global))
            continue;
        bool has_key = make_key(f, fused.global->function);
        const void *hash = key_hash(f);
        const struct fused *equal = NULL;

        if (has_key) {
            fused.next = (uintptr_t)map_get(&by_hash, hash);
            equal = find_equal(f, fused.next);
        }
        if (equal)
            fused.made = equal->made;
        else if (!fuse_kernel_make(f->run, fused.global->function, &fused.made)) {
            remark(f, fused.global, (struct remark){.id = fused.made.why});
            continue;
        }
        struct fused *kept = arena_new(&f->run->scratch, struct fused);
        if (has_key) {
            uint64_t *key = arena_array(&f->run->scratch, uint64_t, f->key.count + 1);

            memcpy(key, f->key.items, f->key.count * sizeof(key[0]));
            fused.key = key;
            fused.key_count = f->key.count;
            map_set(&by_hash, hash, (void *)(uintptr_t)(f->all.count + 1)); // NOLINT
        }
        *kept = fused;
        map_set(&f->by_global, fused.global, kept);
        array_push(&f->all, kept);
    }
    map_finish(&by_hash);
}

/* Equal kernels are one: the first takes the place of its function in the module. */
static void install(struct fusion *f)
{
    struct map by_hash = {0}; /* hash -> list of struct fused by index in f->all + 1 */
    size_t *next = arena_array(&f->run->scratch, size_t, f->all.count + 1);

    for (size_t i = 0; i < f->all.count; i++) {
        struct fused *fused = f->all.items[i];
        const void *key = hash_key(tir_func_hash(fused->made.kernel));
        size_t at = (uintptr_t)map_get(&by_hash, key);

        if (fused->is_blocked)
            continue;
        next[i] = at;
        map_set(&by_hash, key, (void *)(uintptr_t)(i + 1)); // NOLINT
        while (at && f->all.items[at - 1]->made.kernel != fused->made.kernel &&
               !tir_func_equal(f->all.items[at - 1]->made.kernel, fused->made.kernel))
            at = next[at - 1];
        fused->target = at ? f->all.items[at - 1]->target : fused->global;
    }
    map_finish(&by_hash);
}

static void remove_functions(struct fusion *f)
{
    struct ir_module *module = f->run->module;
    size_t kept = 0;

    for (size_t i = 0; i < f->all.count; i++) {
        struct fused *fused = f->all.items[i];

        if (fused->target != fused->global)
            continue;
        fused->global->kind = IR_GLOBAL_KERNEL;
        fused->global->function = NULL;
        fused->global->type = NULL;
        fused->made.kernel->name = fused->global->name;
        fused->global->kernel = fused->made.kernel;
    }
    for (size_t i = 0; i < module->global_count; i++) {
        const struct fused *fused = map_get(&f->by_global, module->globals[i]);

        if (fused && fused->target && fused->target != fused->global)
            map_set(&module->by_name, fused->global->name, NULL);
        else
            module->globals[kept++] = module->globals[i];
    }
    module->global_count = kept;
}

enum pass_result pass_fuse_tir(struct pass_run *run)
{
    struct fusion f = {.run = run, .context = run->module->context};
    bool is_changed = false, is_fine = true;

    make_kernels(&f);
    for (size_t i = 0; f.all.count > 0 && i < run->module->global_count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(run->module->globals[i]->function->body, visit_op, &f);
    for (size_t i = 0; i < f.sites.count; i++)
        if (!f.sites.items[i].fused->is_blocked && !can_change(&f, &f.sites.items[i]))
            f.sites.items[i].fused->is_blocked = true;
    remark_all(&f);
    install(&f);
    for (size_t i = 0; i < f.sites.count; i++)
        if (f.sites.items[i].fused->target)
            is_fine &= change(&f, &f.sites.items[i]);
    for (size_t i = 0; i < f.all.count; i++)
        is_changed |= f.all.items[i]->target != NULL;
    if (is_fine)
        remove_functions(&f);
    map_finish(&f.by_global);
    array_finish(&f.all);
    array_finish(&f.sites);
    array_finish(&f.args);
    array_finish(&f.key);
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
