/* Balanced trees of spans; see spans.h.  The height is below 1.5 times the logarithm of their number. */
#include "analysis/storage/spans.h"

static struct storage_span *at(const struct storage_spans *spans, unsigned node)
{
    return &spans->items.items[node - 1];
}

static unsigned height(const struct storage_spans *spans, unsigned node)
{
    return node ? at(spans, node)->height : 0;
}

static void add_below(struct storage_span *span, const struct storage_span *below)
{
    if (span->highest < below->highest)
        span->highest = below->highest;
    if (span->latest < below->latest)
        span->latest = below->latest;
    if (span->height <= below->height)
        span->height = below->height + 1;
}

static void update(struct storage_spans *spans, unsigned node)
{
    struct storage_span *span = at(spans, node);

    span->highest = span->high;
    span->latest = span->last_read;
    span->height = 1;
    if (span->left)
        add_below(span, at(spans, span->left));
    if (span->right)
        add_below(span, at(spans, span->right));
}

/* The left or right node comes to the top. */
static unsigned rotate(struct storage_spans *spans, unsigned node, bool is_left)
{
    struct storage_span *span = at(spans, node);
    unsigned top = is_left ? span->left : span->right;

    if (is_left) {
        span->left = at(spans, top)->right;
        at(spans, top)->right = node;
    } else {
        span->right = at(spans, top)->left;
        at(spans, top)->left = node;
    }
    update(spans, node);
    update(spans, top);
    return top;
}

static unsigned balance(struct storage_spans *spans, unsigned node)
{
    struct storage_span *span = at(spans, node);
    unsigned left = height(spans, span->left), right = height(spans, span->right);
    bool is_left = left > right;

    update(spans, node);
    if (left <= right + 1 && right <= left + 1)
        return node;
    unsigned *side = is_left ? &span->left : &span->right;
    const struct storage_span *below = at(spans, *side);
    unsigned inner = is_left ? below->right : below->left;
    unsigned outer = is_left ? below->left : below->right;

    if (height(spans, inner) > height(spans, outer))
        *side = rotate(spans, *side, !is_left);
    return rotate(spans, node, is_left);
}

static unsigned insert(struct storage_spans *spans, unsigned top, unsigned node)
{
    if (!top)
        return node;
    struct storage_span *span = at(spans, top);

    if (at(spans, node)->low < span->low)
        span->left = insert(spans, span->left, node);
    else
        span->right = insert(spans, span->right, node);
    return balance(spans, top);
}

unsigned storage_spans_add(struct storage_spans *spans, unsigned top, struct storage_span span)
{
    array_push(&spans->items, span);
    unsigned node = (unsigned)spans->items.count;

    update(spans, node);
    return insert(spans, top, node);
}

bool storage_spans_find(const struct storage_spans *spans, unsigned top, int64_t low, int64_t high,
                        unsigned position, storage_span_fn *visit, void *state)
{
    if (!top)
        return false;
    const struct storage_span *span = at(spans, top);

    if (span->latest <= position + 1 || span->highest <= low)
        return false;
    if (storage_spans_find(spans, span->left, low, high, position, visit, state))
        return true;
    if (span->low >= high)
        return false;
    if (span->high > low && span->last_read > position + 1 && visit(state, span->origin))
        return true;
    return storage_spans_find(spans, span->right, low, high, position, visit, state);
}

void storage_spans_finish(struct storage_spans *spans)
{
    array_finish(&spans->items);
    array_finish(&spans->trees);
}
