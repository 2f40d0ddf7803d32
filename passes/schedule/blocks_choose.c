/*
 * Tiles and tasks of products whose columns lie in blocks of a vector (blocks.c): how many rows and blocks stay in registers,
 * and what a thread takes at a time.
 */
#include "passes/schedule/blocks.h"

enum {
    ROWS_MOST = 14,        /* of a tile */
    VECTORS_MOST = 2,      /* .. side by side */
    WAITING = 8,           /* multiply-adds that run while one of them waits for the last */
    SHARED_WORK = 200000,  /* multiply-adds of all that are worth a second thread */
    ROWS_LEAST_SHARED = 8, /* of an image, that threads share */
    TASKS_LEAST = 6,       /* even numbers of tasks that share well, .. */
    TASKS_GOOD = 16,       /* .. and odd ones */
};

/* How long a tile takes for one of k, in multiply-adds of two ports that load as many operands. */
static int64_t tile_cost(int64_t rows, int64_t vectors)
{
    int64_t sums = rows * vectors, loads = rows + vectors;
    int64_t cost = sums > loads ? sums : loads;

    return cost > WAITING ? cost : WAITING;
}

static int64_t rows_most(const struct blocks *b, int64_t vectors)
{
    int64_t most = (schedule_registers(b->s) - 1 - vectors) / vectors;

    return most < ROWS_MOST ? most : ROWS_MOST;
}

/* .. and all rows, in such tiles. */
static int64_t rows_cost(int64_t rows, int64_t tile, int64_t vectors)
{
    int64_t left = rows % tile;

    return rows / tile * tile_cost(tile, vectors) + (left ? tile_cost(left, vectors) : 0);
}

/* Blocks side by side in one register. */
static int64_t blocks_of_vector(const struct blocks *b)
{
    return schedule_lanes(b->s, b->p->c->dtype) / b->lanes;
}

static void set_tile(struct blocks *b, int64_t vectors, int64_t tile)
{
    b->vectors = vectors;
    b->tile = tile;
    b->wide = vectors % blocks_of_vector(b) == 0 ? blocks_of_vector(b) * b->lanes : b->lanes;
}

/* Groups of @vectors blocks. */
static int64_t groups_of(const struct blocks *b, int64_t vectors)
{
    return (b->count + vectors - 1) / vectors;
}

/*
 * Returns how long all of @times times so many rows take, in the best tiles of about one size.  The last group may be of
 * fewer blocks, unless @is_whole.
 */
static int64_t choose(struct blocks *b, int64_t times, bool is_whole)
{
    int64_t least = INT64_MAX, side = blocks_of_vector(b);

    for (int64_t vectors = VECTORS_MOST * side; vectors > 0; vectors /= 2) {
        int64_t registers = vectors > side ? vectors / side : 1;
        int64_t most = rows_most(b, registers), tiles = (b->rows + most - 1) / most;
        int64_t tile = (b->rows + tiles - 1) / tiles;
        if (is_whole && b->count % vectors != 0)
            continue;
        int64_t cost = times * rows_cost(b->rows, tile, registers) * groups_of(b, vectors);
        if (cost >= least)
            continue;
        least = cost;
        set_tile(b, vectors, tile);
    }
    return least;
}

void blocks_choose(struct blocks *b)
{
    (void)choose(b, 1, true);
}

/* The innermost loop around the rows whose iterations can be rows, too. */
static struct tir_stmt *outer_loop(const struct blocks *b, int64_t *out_extent)
{
    for (unsigned n = b->p->batch_count; n-- > 0;)
        if (b->p->batch[n] != b->blocks)
            return sch_constant(b->s, b->p->batch[n]->loop.extent, out_extent) && *out_extent > 1
                       ? b->p->batch[n]
                       : NULL;
    return NULL;
}

/* Tiles as above, or of several iterations of the loop around the rows, where that takes less: each element of Y serves more. */
static void choose_with_outer(struct blocks *b)
{
    int64_t extent = 1, most, width = b->rows;
    struct tir_stmt *outer = outer_loop(b, &extent);
    int64_t least = choose(b, extent, false), side = blocks_of_vector(b);

    if (!outer || extent > ROWS_MOST * ROWS_MOST)
        return;
    for (int64_t vectors = VECTORS_MOST * side; vectors > 0; vectors /= 2) {
        int64_t registers = vectors > side ? vectors / side : 1;
        most = rows_most(b, registers) / width;
        most = most < extent ? most : extent;
        if (most < 2)
            continue;
        int64_t cost = rows_cost(extent * width, most * width, registers) * groups_of(b, vectors);
        if (cost > least || (cost == least && b->outer))
            continue;
        least = cost;
        set_tile(b, vectors, most * width);
        b->outer = outer;
    }
    if (!b->outer)
        return;
    b->width = width;
    b->rows = extent * width;
}

/* Of all that is computed; not known: much. */
static double work_of(const struct blocks *b)
{
    double work = (double)b->depth * (double)b->rows * (double)(b->count * b->lanes);
    int64_t extent;

    for (unsigned n = 0; n < b->p->batch_count; n++)
        if (b->p->batch[n] != b->blocks && b->p->batch[n] != b->outer)
            work *= sch_constant(b->s, b->p->batch[n]->loop.extent, &extent) ? (double)extent : 64;
    return work;
}

/* Bytes of X; 0: not known. */
static double bytes_of_x(const struct blocks *b)
{
    const struct ir_buffer *x = b->p->x->buffer;
    double bytes = (double)ir_dtype_bytes(x->dtype);
    int64_t extent;

    for (unsigned d = 0; d < x->ndim; d++)
        bytes *= sch_constant(b->s, x->shape[d], &extent) ? (double)extent : 0;
    return bytes;
}

/*
 * Tasks are groups, unless these are few or an odd number.  Where the weights are less than X and stay in the cache, threads
 * share rows instead: so each finds those that it wrote.
 */
static void choose_tasks(struct blocks *b)
{
    int64_t groups = blocks_groups(b), extent = 0;
    double weights =
        (double)b->depth * (double)(b->count * b->lanes) * (double)ir_dtype_bytes(b->p->c->dtype);
    struct tir_stmt *loop = outer_loop(b, &extent);

    b->parts = 1;
    if (b->outer) {
        b->split = b->outer;
        extent = (b->rows + b->tile - 1) / b->tile;
    } else if (loop && groups >= BLOCKS_GROUPS_LEAST) {
        b->split = loop;
        b->is_by_parts = extent >= ROWS_LEAST_SHARED && bytes_of_x(b) >= weights &&
                         2 * weights <= (double)b->s->l2_bytes;
    } else {
        return;
    }
    int64_t least = b->is_by_parts ? 2 : 1;
    for (b->parts = least; groups * b->parts < TASKS_GOOD &&
                           (groups * b->parts < TASKS_LEAST || groups * b->parts % 2 != 0);)
        b->parts *= 2;
    /* no part without iterations */
    while (b->parts > 1 && (b->parts - 1) * blocks_part(b, extent) >= extent)
        b->parts /= 2;
    if (b->parts == 1 && groups >= BLOCKS_GROUPS_LEAST)
        b->split = NULL;
}

void blocks_plan_fetch(struct blocks *b, unsigned batch_count)
{
    int64_t passes = (b->rows + b->tile - 1) / b->tile, steps = 1, extent;

    if (!sch_reads_constants(b->s, b->p->y))
        return;
    for (unsigned n = 0; n < batch_count; n++)
        if (b->p->batch[n] != b->blocks && b->p->batch[n] != b->outer &&
            (!sch_constant(b->s, b->p->batch[n]->loop.extent, &extent) ||
             __builtin_mul_overflow(passes, extent, &passes)))
            return;
    if (b->split)
        passes = blocks_part(b, passes);
    for (unsigned n = 0; n < b->sum_count; n++)
        if (!sch_constant(b->s, b->sums[n]->loop.extent, &extent) ||
            __builtin_mul_overflow(steps, extent, &steps) || steps > INT32_MAX)
            return;
    b->fetch =
        fetch_plan(steps * b->vectors * b->lanes, ir_dtype_bytes(b->p->c->dtype), steps, passes);
}

void blocks_choose_tasks(struct blocks *b)
{
    choose_with_outer(b);
    b->is_shared = work_of(b) >= (double)SHARED_WORK;
    if (b->is_shared)
        choose_tasks(b);
    if (b->split || blocks_groups(b) >= BLOCKS_GROUPS_LEAST)
        blocks_plan_fetch(b, b->p->batch_count);
}
