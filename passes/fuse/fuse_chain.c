#include "passes/fuse/fuse_chain.h"

#include "analysis/perfect_nest.h"
#include "base/array.h"
#include "ir/module.h"
#include "passes/fuse/fuse_product.h"

enum {
    MEMBERS_MOST = 12,
    RANK_MOST = 8,
    COLUMNS_LEAST = 32 /* of fewer, the scores are no more than the queries are */
};

/* ---- kernels ---- */

/* A kernel whose nests go over rows: axis variables that index all dimensions but the last. */
struct rows {
    const struct tir_func *func;
    const struct perfect_nest *nests;
    size_t nest_count;
    const struct ir_buffer *param;            /* NULL: none is asked about */
    const struct ir_var *row_vars[RANK_MOST]; /* of the nest that is looked at */
    unsigned leading;
    bool is_read;
};

static bool is_stored(const struct rows *r, const struct ir_buffer *buffer)
{
    for (size_t n = 0; n < r->nest_count; n++)
        for (unsigned i = 0; i < r->nests[n].body_count; i++)
            if (r->nests[n].body[i]->kind == TIR_STORE &&
                r->nests[n].body[i]->store.buffer == buffer)
                return true;
    return false;
}

static bool is_row(const struct rows *r, const struct ir_expr *const *indices, unsigned count)
{
    if (count != r->leading && count != r->leading + 1)
        return false;
    for (unsigned d = 0; d < r->leading; d++)
        if (indices[d]->kind != IR_EXPR_var || indices[d]->var != r->row_vars[d])
            return false;
    return true;
}

static bool loads_row(void *state, const struct ir_expr *a)
{
    struct rows *r = state;

    if (a->kind != IR_EXPR_load)
        return true;
    r->is_read |= a->buffer == r->param;
    return (a->buffer != r->param && !is_stored(r, a->buffer)) ||
           is_row(r, a->operands, a->operand_count);
}

static bool loads_row_in(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, loads_row, state);
}

static bool keeps_row(void *state, struct tir_stmt *stmt)
{
    const struct rows *r = state;

    return (stmt->kind != TIR_STORE ||
            (!stmt->store.predicate && is_row(r, stmt->store.indices, stmt->store.index_count))) &&
           tir_stmt_walk_exprs(stmt, loads_row_in, state);
}

/* Takes the row of the first store of @nest. */
static bool take_row(struct rows *r, const struct perfect_nest *nest)
{
    const struct tir_stmt *store = nest->body_count ? nest->body[nest->body_count - 1] : NULL;

    if (!store || store->kind != TIR_STORE || store->store.index_count < r->leading)
        return false;
    for (unsigned d = 0; d < r->leading; d++) {
        const struct ir_expr *index = store->store.indices[d];
        const struct nest_axis *axis =
            index->kind == IR_EXPR_var ? perfect_nest_axis(nest, index->var) : NULL;

        if (!axis || axis->is_reduce)
            return false;
        for (unsigned k = 0; k < d; k++)
            if (r->row_vars[k] == index->var)
                return false;
        r->row_vars[d] = index->var;
    }
    return true;
}

static bool keeps_rows(struct rows *r)
{
    for (size_t n = 0; n < r->nest_count; n++) {
        const struct perfect_nest *nest = &r->nests[n];

        if (!take_row(r, nest) || (nest->init && !tir_stmt_walk(nest->init, keeps_row, r)))
            return false;
        for (unsigned i = 0; i < nest->body_count; i++)
            if (!tir_stmt_walk(nest->body[i], keeps_row, r))
                return false;
    }
    return r->is_read || !r->param;
}

/* C[.., i, j] += X * Y, of which one load has i; *@out_x: that one.  False: it is none. */
static bool read_product(struct rows *r, const struct ir_expr **out_x)
{
    const struct perfect_nest *nest = &r->nests[r->nest_count - 1];
    const struct perfect_nest *before = r->nest_count > 1 ? nest - 1 : NULL;
    const struct ir_expr *x, *y;

    if (r->nest_count > 2 || !fuse_read_product(nest, before, &x, &y) || !take_row(r, nest))
        return false;
    const struct ir_expr *column = nest->body[0]->store.indices[r->leading];
    const struct ir_var *row = r->row_vars[r->leading - 1];
    if (!ir_expr_uses_var(x, row)) {
        const struct ir_expr *other = x;
        x = y;
        y = other;
    }
    *out_x = x;
    return column->kind == IR_EXPR_var && ir_expr_uses_var(x, row) && !ir_expr_uses_var(y, row) &&
           ir_expr_uses_var(y, column->var) && !ir_expr_uses_var(x, column->var);
}

/* ---- what is asked of a kernel ---- */

enum answer { NOT_ASKED, NO, YES };

struct facts {
    uint8_t is_product;
    uint8_t *keeps_rows; /* by parameter: reads rows of it, to make the same rows of its results */
    uint8_t *multiplies; /* the same, as the factor that has the rows */
};

static struct facts *facts_of(struct fuse_chains *c, const struct tir_func *func)
{
    struct facts *facts = map_get(&c->kernels, func);

    if (facts)
        return facts;
    facts = arena_new(c->scratch, struct facts);
    facts->keeps_rows = arena_array(c->scratch, uint8_t, func->param_count + 1);
    facts->multiplies = arena_array(c->scratch, uint8_t, func->param_count + 1);
    map_set(&c->kernels, func, facts);
    return facts;
}

/* The kernel of @op if its one result is a matrix at least; or NULL. */
static const struct tir_func *kernel_of(const struct ir_op *op)
{
    const struct ir_global *callee;

    if (!ir_op_is(op, IR_CORE_call_tir) && !ir_op_is(op, IR_CORE_call_tir_inplace))
        return NULL;
    callee = ir_op_callee(op);
    return callee && callee->kind == IR_GLOBAL_KERNEL && op->result.type->kind == IR_TYPE_TENSOR &&
                   op->result.type->dims && op->result.type->ndim >= 2 &&
                   op->result.type->ndim <= RANK_MOST
               ? callee->kernel
               : NULL;
}

static bool ask(const struct ir_op *op, const struct tir_func *func, const struct ir_buffer *param,
                bool is_product)
{
    struct arena scratch = {0};
    struct perfect_nests nests = {0};
    struct rows r = {.func = func, .param = param, .leading = (unsigned)op->result.type->ndim - 1};
    const struct ir_expr *x;
    bool is_it = perfect_nests_of(&scratch, func, &nests) && nests.count > 0 &&
                 (!param || param->ndim == r.leading + 1);

    r.nests = nests.items;
    r.nest_count = nests.count;
    if (is_it && is_product)
        is_it = read_product(&r, &x) && (param ? x->buffer == param : nests.count == 1);
    is_it = is_it && (is_product && !param ? true : keeps_rows(&r));
    array_finish(&nests);
    arena_finish(&scratch);
    return is_it;
}

static bool known(uint8_t *answer, const struct ir_op *op, const struct tir_func *func,
                  const struct ir_buffer *param, bool is_product)
{
    if (*answer == NOT_ASKED)
        *answer = ask(op, func, param, is_product) ? YES : NO;
    return *answer == YES;
}

/* Weights are packed when the program is compiled, by the kernel of one product. */
static bool multiplies_constant(const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++)
        if (op->operands[i].value->def && ir_op_is(op->operands[i].value->def, IR_CORE_constant))
            return true;
    return false;
}

/* .. or of an open number. */
static bool is_at_least(const struct ir_expr *extent, int64_t least)
{
    return extent->kind != IR_EXPR_int || extent->int_value >= least;
}

/* May @node begin a chain: a product of enough rows and columns? */
static bool begins(struct fuse_chains *c, const struct fuse_node *node)
{
    const struct tir_func *func = kernel_of(node->op);

    if (!func || node->is_extern || !node->edges || node->pattern != PATTERN_OUT_EWISE_FUSABLE ||
        multiplies_constant(node->op))
        return false;
    const struct ir_expr *const *matrix =
        node->op->result.type->dims + node->op->result.type->ndim - 2;
    return is_at_least(matrix[0], PATTERN_ROWS_LEAST) && is_at_least(matrix[1], COLUMNS_LEAST) &&
           known(&facts_of(c, func)->is_product, node->op, func, NULL, true);
}

/* ---- chains ---- */

struct chain {
    unsigned
        members[MEMBERS_MOST]; /* the first product in front, the last behind all that reads it */
    unsigned count;
    unsigned end; /* node + 1 of the second product; 0: not met */
    bool has_sum; /* along rows, as softmax has */
};

static bool is_in(const struct chain *chain, unsigned node)
{
    for (unsigned i = 0; i < chain->count; i++)
        if (chain->members[i] == node)
            return true;
    return false;
}

/* Does the reader of @edge take rows of what it reads?  It is a member then, or the end. */
static bool follow(struct fuse_chains *c, const struct fuse_graph *graph, struct chain *chain,
                   const struct fuse_edge *edge)
{
    const struct fuse_node *node = &graph->nodes.items[edge->to];
    const struct tir_func *func = kernel_of(node->op);
    int param =
        func && edge->operand != FUSE_NO_OPERAND ? fuse_param_of(node->op, edge->operand) : -1;

    if (param < 0 || node->pattern == PATTERN_OPAQUE)
        return false;
    struct facts *facts = facts_of(c, func);
    const struct ir_buffer *buffer = func->params[param].buffer;
    if (known(&facts->multiplies[param], node->op, func, buffer, true)) {
        bool is_one = (!chain->end || chain->end == edge->to + 1) && !multiplies_constant(node->op);
        chain->end = edge->to + 1;
        return is_one && !is_in(chain, edge->to);
    }
    if (chain->end == edge->to + 1 ||
        !known(&facts->keeps_rows[param], node->op, func, buffer, false))
        return false;
    chain->has_sum |= node->pattern >= PATTERN_COMM_REDUCE;
    if (is_in(chain, edge->to))
        return true;
    if (chain->count == MEMBERS_MOST || node->is_extern || !node->edges)
        return false;
    chain->members[chain->count++] = edge->to;
    return true;
}

static bool find_chain(struct fuse_chains *c, const struct fuse_graph *graph, unsigned first,
                       struct chain *chain)
{
    *chain = (struct chain){.members = {first}, .count = 1};
    for (unsigned i = 0; i < chain->count; i++)
        for_each_edge(edge, graph, chain->members[i])
        {
            if (!follow(c, graph, chain, edge))
                return false;
        }
    return chain->end && chain->has_sum;
}

/* The node that alone reads what @node makes, to put rows to other places; or @node. */
static unsigned moved(const struct fuse_graph *graph, unsigned node)
{
    const struct fuse_node *from = &graph->nodes.items[node], *to;
    const struct fuse_edge *edge = from->edges ? &graph->edges.items[from->edges - 1] : NULL;

    if (!edge || edge->next || from->is_extern || edge->operand == FUSE_NO_OPERAND)
        return node;
    to = &graph->nodes.items[edge->to];
    const struct tir_func *func = to->pattern == PATTERN_INJECTIVE ? kernel_of(to->op) : NULL;
    return func && fuse_moves_rows(func) ? edge->to : node;
}

static void note(struct fuse_graph *graph, const struct chain *chain)
{
    unsigned last = moved(graph, chain->end - 1);

    array_push(&graph->chains, chain->count + (last != chain->end - 1));
    for (unsigned i = 0; i < chain->count; i++)
        array_push(&graph->chains, chain->members[i]);
    if (last != chain->end - 1)
        array_push(&graph->chains, chain->end - 1);
    array_push(&graph->chains, last);
}

void fuse_chains_find(struct fuse_chains *chains, struct fuse_graph *graph)
{
    struct chain chain;

    for (unsigned i = 0; i < graph->nodes.count; i++)
        if (begins(chains, &graph->nodes.items[i]) && find_chain(chains, graph, i, &chain))
            note(graph, &chain);
}

void fuse_chains_finish(struct fuse_chains *chains)
{
    map_finish(&chains->kernels);
}
