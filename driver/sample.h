/*
 * Statistics of measured times, which are no normal distribution: nothing here assumes one.
 *
 *   quartiles              Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician
 *                          50 (1996), type 7, as in R and NumPy
 *   interval of a median   order statistics with binomial confidence, as Hoefler and Belli ask for in "Scientific
 *                          Benchmarking of Parallel Computing Systems", SC 2015
 *   are two different      the signed-rank test of Wilcoxon, "Individual Comparisons by Ranking Methods",
 *                          Biometrics Bulletin 1 (1945), of pairs that were measured one behind the other; exact up
 *                          to 60 pairs, also with ties
 *   of several             the correction of Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
 *                          Scandinavian Journal of Statistics 6 (1979)
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SAMPLE_LEVEL 0.05 /* below which two are called different, */
#define SAMPLE_MARGIN \
    1.01 /* if they differ by more than where memory lies makes of the same code */

struct sample {
    size_t count;
    double least, lower, median, upper, most; /* the quartiles */
    double low,
        high; /* the median is between them with a probability of 95 %, if there are 6 or more */
};

struct sample sample_of(const double *values, size_t count);

/*
 * How probable differences as those of a[i] and b[i] are if neither is larger: both ways counted.
 */
double sample_compare(const double *a, const double *b, size_t count);

/*
 * The same of times, by their ratios: a time that was disturbed is long by itself, and says as much
 * as others.
 */
double sample_compare_times(const double *a, const double *b, size_t count);

/* Corrects @count such probabilities of one question each. */
void sample_correct(double *probabilities, size_t count);
