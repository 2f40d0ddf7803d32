/*
 * The search for a plan of a given height, for parts that are connected in time.
 *
 * It is branch and bound over canonical plans, as MiniMalloc's authors describe it.  Whatever plan there is,
 * each part can sink until it rests: at 0, on a part that was there before, or on a fixed one.
 * Of such plans each is found once, by placing parts in the order of offset and, at one offset, of a rank:
 *
 *  - The part whose least offset is lowest goes there; or, the other branch, it does not, and then must
 *    rest on one that is still to come and begins below where it would have ended (else it could
 *    sink to there): so its least offset is at least the lowest end of these.
 *  - What is still to come in a section must fit above the least of its least offsets.
 *  - Parts that are not connected any more are searched apart, and what is found for one group is not
 *    looked at again where there is nothing for another.
 *
 * Work is counted, and limited by count, so that the result does not depend on the machine.
 */
#pragma once

#include "analysis/pack/pack_internal.h"

enum pack_verdict {
    PACK_FOUND,
    PACK_NONE,    /* proved */
    PACK_UNKNOWN, /* the limit of work came first, or the clock */
};

/* What ends all searches: work, and the clock as a guard. */
struct pack_budget {
    uint64_t work, most_work;
    double end; /* on pack_clock() */
    bool is_out_of_time;
};

enum { PACK_BASIC_RANKS = 4 };

double pack_clock(void); /* seconds */

struct pack_search;

/*
 * A search for the parts [begin, end) of @problem, which share no section with others.  NULL if it would
 * need too much memory.  It lives in @scratch, but for what pack_search_destroy() frees.
 */
struct pack_search *pack_search_create(const struct pack_problem *problem, uint32_t begin,
                                       uint32_t end, struct arena *scratch);
void pack_search_destroy(struct pack_search *search); /* accepts NULL */

/*
 * Looks for a plan of height @capacity, with so much @work at most; sets the offsets of its parts if there
 * is one.  @rank is any number: it says which of two parts goes first where both could be placed at one offset, by
 * width, by what is alive, by time, then by these blurred.  How long a search takes hangs on it, and nothing says how.
 */
enum pack_verdict pack_search_run(struct pack_search *search, int64_t capacity, unsigned rank,
                                  uint64_t work, struct pack_budget *budget, int64_t *offsets);
