/*
 * A search for the fastest pipeline of a script, on this machine.
 *
 * From the best one so far, a few others are made by random choices of a space
 * (tune_space.h).  Those that are refused, compute something else, or make a module that was seen
 * before fall out.  The others race with the best one, in rounds (runner.h), and who is slower for
 * certain falls out early, as in F-Race (Birattari, Stuetzle, Paquete and Varrentrapp, GECCO 2002),
 * by the tests of sample.h.  Only one that is faster for certain takes the place of the best.  At the
 * end each difference from the start is taken back, one after the other, and only what is worth
 * something stays; and the best one is held against the start once more, with as many rounds as it
 * takes: if it is not faster for certain, the start is the answer.
 */
#pragma once

#include "driver/runner.h"
#include "driver/sample.h"
#include "driver/tune_space.h"

/* What became of one choice, over all that were made with it. */
struct tune_effect {
    const char *what;
    unsigned tried, refused, different, same; /* same: the module was known */
    array(double) ratios; /* times as long as the best one then, of those measured */
};
/* A difference of the answer from the start. */
struct tune_worth {
    const char *what;
    double ratio; /* times as long without it */
};

struct tune {
    struct session *session;
    const struct runner_case *of;
    const struct tune_space *space;
    const struct pass_watch *watch;
    double budget_ms;
    uint64_t random;

    struct tune_pipeline start, best;
    struct runner start_runner, best_runner;
    array(const char *) seen_texts;
    array(const char *) seen_modules; /* hashes */
    array(struct tune_effect) effects;
    array(struct tune_worth) worths;
    unsigned tried, refused, different, same, measured;
    double begin_ms, spent_ms;
    struct sample start_sample, best_sample; /* of the last race */
    double probability;                      /* that the best one only seems to be faster */
    bool is_better;                          /* else the answer is the start */
};

/* Searches from @passes on; false after a report, if that itself cannot be run. */
bool tune_search(struct tune *tune, const char *passes);
void tune_finish(struct tune *tune);
