/* Ownership of bytes while a run goes on; see watch.h. */
#include "runtime/watch.h"

#include "runtime/internal.h"
#include "runtime/poison.h"

#include <stdlib.h>
#include <string.h>

/* Under AddressSanitizer, dead bytes and guards are poisoned. */
enum { FRONT_GUARD = INLAY_BLOCK_HEADER - sizeof(struct inlay_block), GUARD_BYTE = 0xA5 };

_Static_assert(FRONT_GUARD >= 8, "some bytes of the header are left for the guard");

enum kind { VALUE, BORROWED, ENDED };

struct owner {
    const char *value;
    uint32_t line;
    enum kind kind;
};

/* Pieces do not overlap, and are sorted by address. */
struct piece {
    uintptr_t begin, end;
    int32_t owner;
    uint64_t sum; /* of the bytes, unless they are ENDED */
};

struct inlay_watch {
    struct piece *pieces;
    size_t piece_count, piece_room;
    struct owner *owners; /* owner n is the one before place n */
    size_t owner_count, owner_room;
};

struct inlay_watch *inlay_watch_create(void)
{
    return calloc(1, sizeof(struct inlay_watch));
}

void inlay_watch_destroy(struct inlay_watch *watch)
{
    if (!watch)
        return;
    free(watch->pieces);
    free(watch->owners);
    free(watch);
}

/* --- owners and pieces --- */

static int32_t no_memory(struct inlay_frame *frame, uint32_t line)
{
    return inlay_fail(frame, INLAY_ERROR_MEMORY, line, "no memory is left to check memory with");
}

/* Room for @more items behind @count of *@items, which has room for *@room. */
static void *grown(void *items, size_t *room, size_t count, size_t more, size_t size)
{
    if (count + more <= *room)
        return items;
    size_t wanted = (count + more) * 2;
    void *larger = realloc(items, wanted * size);
    if (larger)
        *room = wanted;
    return larger;
}

static int32_t new_owner(struct inlay_frame *frame, const char *value, enum kind kind,
                         uint32_t line)
{
    struct inlay_watch *watch = frame->watch;
    struct owner *owners =
        grown(watch->owners, &watch->owner_room, watch->owner_count, 1, sizeof(*watch->owners));
    if (!owners || watch->owner_count >= INT32_MAX)
        return no_memory(frame, line);
    watch->owners = owners;
    owners[watch->owner_count++] = (struct owner){.value = value, .line = line, .kind = kind};
    return (int32_t)watch->owner_count;
}

static const struct owner *owner_of(const struct inlay_watch *watch, const struct piece *piece)
{
    return &watch->owners[piece->owner - 1];
}

/* FNV-1a, eight bytes at a time. */
static uint64_t sum_of(uintptr_t begin, uintptr_t end)
{
    const unsigned char *at = (const unsigned char *)begin;
    uint64_t sum = 0xcbf29ce484222325U, word;
    size_t left = end - begin;
    for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        sum = (sum ^ word) * 0x100000001b3U;
        sum ^= sum >> 29;
    }
    for (; left > 0; left--)
        sum = (sum ^ *at++) * 0x100000001b3U;
    return sum;
}

/* The first piece that ends behind @at. */
static size_t find(const struct inlay_watch *watch, uintptr_t at)
{
    size_t low = 0, high = watch->piece_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (watch->pieces[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes @at a border of pieces; there must be room for one piece more. */
static void cut(struct inlay_watch *watch, uintptr_t at)
{
    size_t i = find(watch, at);
    struct piece *piece = &watch->pieces[i];
    if (i == watch->piece_count || piece->begin >= at)
        return;
    memmove(piece + 1, piece, (watch->piece_count - i) * sizeof(*piece));
    watch->piece_count++;
    piece[0].end = piece[1].begin = at;
    for (unsigned k = 0; k < 2 && owner_of(watch, piece)->kind != ENDED; k++)
        piece[k].sum = sum_of(piece[k].begin, piece[k].end);
}

/* @owner owns these bytes, and nobody else does. */
static int32_t take(struct inlay_frame *frame, uintptr_t begin, uintptr_t end, int32_t owner)
{
    struct inlay_watch *watch = frame->watch;
    struct piece *pieces =
        grown(watch->pieces, &watch->piece_room, watch->piece_count, 3, sizeof(*watch->pieces));
    if (!pieces)
        return no_memory(frame, watch->owners[owner - 1].line);
    watch->pieces = pieces;
    cut(watch, begin);
    cut(watch, end);
    size_t first = find(watch, begin), last = first;
    while (last < watch->piece_count && pieces[last].begin < end)
        last++;
    memmove(&pieces[first + 1], &pieces[last], (watch->piece_count - last) * sizeof(*pieces));
    watch->piece_count -= last - first;
    watch->piece_count++;
    pieces[first] = (struct piece){.begin = begin, .end = end, .owner = owner};
    if (owner_of(watch, &pieces[first])->kind != ENDED)
        pieces[first].sum = sum_of(begin, end);
    return 0;
}

/* Has the text ended all that lay there? */
static bool is_ended(const struct inlay_watch *watch, uintptr_t begin, uintptr_t end)
{
    bool is_known = false, is_alive = false;
    for (size_t i = find(watch, begin); i < watch->piece_count && watch->pieces[i].begin < end;
         i++) {
        is_known = true;
        is_alive |= owner_of(watch, &watch->pieces[i])->kind != ENDED;
    }
    return is_known && !is_alive;
}

/* --- what is wrong --- */

static int32_t fail_foreign(struct inlay_frame *frame, const struct piece *piece, uintptr_t at,
                            const char *value, const char *reader, uint32_t line)
{
    const struct owner *owner = owner_of(frame->watch, piece);
    long long byte = (long long)(at - piece->begin), from = (long long)owner->line;
    if (owner->kind == ENDED)
        return inlay_fail(frame, INLAY_ERROR_OWNER, line,
                          "`%s` reads `%s`, whose storage was given back with `%s` (line %lld)",
                          reader, value, owner->value, from);
    return inlay_fail(
        frame, INLAY_ERROR_OWNER, line,
        "`%s` reads `%s`, but finds byte %lld of `%s` there, which took the storage in "
        "line %lld",
        reader, value, byte, owner->value, from);
}

static int32_t fail_changed(struct inlay_frame *frame, const struct piece *piece,
                            const char *reader, uint32_t line)
{
    const struct owner *owner = owner_of(frame->watch, piece);
    return inlay_fail(
        frame, INLAY_ERROR_OWNER, line,
        "the %lld bytes of `%s` (line %lld) were changed by somebody else before `%s` "
        "read them",
        (long long)(piece->end - piece->begin), owner->value, (long long)owner->line, reader);
}

/* Nobody may write what the caller only lent. */
static int32_t check_written(struct inlay_frame *frame, uintptr_t begin, uintptr_t end,
                             const char *writer, uint32_t line)
{
    const struct inlay_watch *watch = frame->watch;
    for (size_t i = find(watch, begin); i < watch->piece_count && watch->pieces[i].begin < end; i++)
        if (owner_of(watch, &watch->pieces[i])->kind == BORROWED)
            return inlay_fail(frame, INLAY_ERROR_OWNER, line,
                              "`%s` is written to storage of `%s`, which is only borrowed", writer,
                              owner_of(watch, &watch->pieces[i])->value);
    return 0;
}

/* --- what compiled code tells --- */

int32_t inlay_watch_write(struct inlay_frame *frame, const void *data, int64_t bytes,
                          const char *value, uint32_t line)
{
    uintptr_t begin = (uintptr_t)data, end = begin + (uintptr_t)bytes;
    if (!frame->watch || bytes <= 0)
        return 0;
    int32_t owner = new_owner(frame, value, VALUE, line);
    ASAN_UNPOISON_MEMORY_REGION(data, (size_t)bytes);
    if (owner < 0 || check_written(frame, begin, end, value, line) < 0 ||
        take(frame, begin, end, owner) < 0)
        return -1;
    return owner;
}

int32_t inlay_watch_ask(struct inlay_frame *frame, const void *data, int64_t bytes,
                        const char *writer, uint32_t line)
{
    uintptr_t begin = (uintptr_t)data;
    if (!frame->watch || bytes <= 0)
        return 0;
    return check_written(frame, begin, begin + (uintptr_t)bytes, writer, line);
}

int32_t inlay_watch_read(struct inlay_frame *frame, const void *data, int64_t bytes, int32_t owner,
                         const char *value, const char *reader, uint32_t line)
{
    const struct inlay_watch *watch = frame->watch;
    uintptr_t at = (uintptr_t)data, end = at + (uintptr_t)bytes;
    if (!watch || bytes <= 0 || owner <= 0)
        return 0;
    for (size_t i = find(watch, at); at < end; at = watch->pieces[i++].end) {
        const struct piece *piece = i < watch->piece_count ? &watch->pieces[i] : NULL;
        if (!piece || piece->begin > at)
            return inlay_fail(frame, INLAY_ERROR_OWNER, line,
                              "`%s` reads `%s` where no storage was taken", reader, value);
        if (piece->owner != owner)
            return fail_foreign(frame, piece, at, value, reader, line);
        if (piece->sum != sum_of(piece->begin, piece->end))
            return fail_changed(frame, piece, reader, line);
    }
    return 0;
}

int32_t inlay_watch_owner(const struct inlay_frame *frame, const void *data, int64_t bytes)
{
    const struct inlay_watch *watch = frame->watch;
    uintptr_t at = (uintptr_t)data, end = at + (uintptr_t)bytes;
    int32_t owner = 0;
    if (!watch || bytes <= 0)
        return 0;
    for (size_t i = find(watch, at); at < end; at = watch->pieces[i++].end) {
        const struct piece *piece = i < watch->piece_count ? &watch->pieces[i] : NULL;
        if (!piece || piece->begin > at || (owner && piece->owner != owner))
            return 0;
        owner = piece->owner;
    }
    return owner;
}

void inlay_watch_change(struct inlay_frame *frame, const void *data, int64_t bytes)
{
    struct inlay_watch *watch = frame->watch;
    uintptr_t begin = (uintptr_t)data, end = begin + (uintptr_t)bytes;
    if (!watch || bytes <= 0)
        return;
    for (size_t i = find(watch, begin); i < watch->piece_count && watch->pieces[i].begin < end; i++)
        if (owner_of(watch, &watch->pieces[i])->kind == VALUE)
            watch->pieces[i].sum = sum_of(watch->pieces[i].begin, watch->pieces[i].end);
}

int32_t inlay_watch_given(struct inlay_frame *frame, const void *data, int64_t bytes,
                          const char *value, int32_t is_donated, uint32_t line)
{
    struct inlay_watch *watch = frame->watch;
    uintptr_t begin = (uintptr_t)data, end = begin + (uintptr_t)bytes;
    if (!watch || bytes <= 0)
        return 0;
    int32_t known = inlay_watch_owner(frame, data, bytes);
    size_t i = find(watch, begin);
    bool is_new = i == watch->piece_count || watch->pieces[i].begin >= end;
    if (known || !is_new || inlay_is_nested(frame))
        return known; /* arguments from outside may overlap: what overlaps is borrowed already */
    int32_t owner = new_owner(frame, value, is_donated ? VALUE : BORROWED, line);
    return owner < 0 || take(frame, begin, end, owner) < 0 ? -1 : owner;
}

int32_t inlay_watch_room(struct inlay_frame *frame, const void *data, int64_t bytes, int32_t owner)
{
    uintptr_t begin = (uintptr_t)data;
    if (!frame->watch || bytes <= 0 || owner <= 0)
        return 0;
    return take(frame, begin, begin + (uintptr_t)bytes, owner);
}

int32_t inlay_watch_end(struct inlay_frame *frame, void *data, int64_t bytes, const char *value,
                        uint32_t line)
{
    uintptr_t begin = (uintptr_t)data, end = begin + (uintptr_t)bytes;
    /* what has another name that ended may not be there any more */
    if (!frame->watch || bytes <= 0 || is_ended(frame->watch, begin, end))
        return 0;
    int32_t owner = new_owner(frame, value, ENDED, line);
    if (owner < 0 || take(frame, begin, end, owner) < 0)
        return -1;
    ASAN_UNPOISON_MEMORY_REGION(data, (size_t)bytes);
    memset(data, 0xFF, (size_t)bytes);
    ASAN_POISON_MEMORY_REGION(data, (size_t)bytes);
    return 0;
}

int32_t inlay_watch_leave(struct inlay_frame *frame, const char *function, uint32_t line)
{
    const struct inlay_watch *watch = frame->watch;
    if (!watch || inlay_is_nested(frame))
        return 0;
    for (size_t i = 0; i < watch->piece_count; i++) {
        const struct piece *piece = &watch->pieces[i];
        if (owner_of(watch, piece)->kind == BORROWED &&
            piece->sum != sum_of(piece->begin, piece->end))
            return inlay_fail(frame, INLAY_ERROR_OWNER, line,
                              "`%s` has changed `%s`, which is only borrowed", function,
                              owner_of(watch, piece)->value);
    }
    return 0;
}

/* --- blocks --- */

static unsigned char *front_guard(struct inlay_block *block)
{
    return (unsigned char *)(block + 1);
}

static unsigned char *back_guard(struct inlay_block *block)
{
    return (unsigned char *)block + INLAY_BLOCK_HEADER + block->bytes;
}

void inlay_watch_block(struct inlay_block *block)
{
    memset(front_guard(block), GUARD_BYTE, FRONT_GUARD);
    memset((unsigned char *)block + INLAY_BLOCK_HEADER, 0xFF, block->bytes);
    memset(back_guard(block), GUARD_BYTE, INLAY_BLOCK_GUARD);
    ASAN_POISON_MEMORY_REGION(back_guard(block), INLAY_BLOCK_GUARD);
}

/* The block is to be used by others. */
void inlay_watch_unpoison(struct inlay_block *block)
{
    ASAN_UNPOISON_MEMORY_REGION((char *)block + INLAY_BLOCK_HEADER,
                                block->bytes + INLAY_BLOCK_GUARD);
}

static bool is_whole(const unsigned char *guard, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (guard[i] != GUARD_BYTE)
            return false;
    return true;
}

static int32_t check_guards(struct inlay_frame *frame, struct inlay_block *block, const char *op,
                            uint32_t line)
{
    const struct inlay_watch *watch = frame->watch;
    bool is_front = !is_whole(front_guard(block), FRONT_GUARD);
    ASAN_UNPOISON_MEMORY_REGION(back_guard(block), INLAY_BLOCK_GUARD);
    bool is_back = !is_whole(back_guard(block), INLAY_BLOCK_GUARD);
    ASAN_POISON_MEMORY_REGION(back_guard(block), INLAY_BLOCK_GUARD);
    if (!is_front && !is_back)
        return 0;
    uintptr_t begin = (uintptr_t)block + INLAY_BLOCK_HEADER;
    size_t i = find(watch, begin);
    bool is_known = i < watch->piece_count && watch->pieces[i].begin <= begin;
    return inlay_fail(frame, INLAY_ERROR_OWNER, line,
                      "`%s` wrote %s the %lld bytes of the storage that `%s` lies in", op,
                      is_front ? "in front of" : "behind", (long long)block->bytes,
                      is_known ? owner_of(watch, &watch->pieces[i])->value : "scratch of a kernel");
}

void inlay_watch_free(struct inlay_frame *owner, struct inlay_block *block)
{
    unsigned char *data = (unsigned char *)block + INLAY_BLOCK_HEADER;
    uintptr_t begin = (uintptr_t)data;
    (void)check_guards(owner, block, "a kernel", 0);
    if (!is_ended(owner->watch, begin, begin + block->bytes))
        (void)inlay_watch_end(owner, data, (int64_t)block->bytes, "its block", 0);
    inlay_watch_unpoison(block);
}

int32_t inlay_watch_guards(struct inlay_frame *frame, const char *op, uint32_t line)
{
    if (!frame->watch)
        return 0;
    for (struct inlay_block *block = frame->blocks.next; block != &frame->blocks;
         block = block->next)
        if (check_guards(frame, block, op, line) < 0)
            return -1;
    return frame->error.kind == INLAY_ERROR_NONE ? 0 : -1;
}
