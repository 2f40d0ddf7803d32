/* See numbers.h.  Decimal digits that fit 53 bits, with a power of ten up to 22, are rounded once; all others by strtod. */
#include "frontend/python/numbers.h"

#include <stdlib.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Digits of a number on the way. */
struct digits {
    uint64_t value;
    unsigned count; /* that are in the value */
    bool is_whole;  /* no digit was left out */
};

static const char *read_digits(const char *at, struct digits *d)
{
    for (; is_digit(*at); at++) {
        if (d->count >= 18) {
            d->is_whole = false;
            continue;
        }
        d->value = d->value * 10 + (uint64_t)(*at - '0');
        d->count += d->value != 0;
    }
    return at;
}

/* The exponent of ten at @at, if one is there; NULL: an `e` without digits. */
static const char *read_exponent(const char *at, int *out)
{
    *out = 0;
    if (*at != 'e' && *at != 'E')
        return at;
    bool is_negative = at[1] == '-';
    at += 1 + (at[1] == '-' || at[1] == '+');
    if (!is_digit(*at))
        return NULL;
    for (; is_digit(*at); at++)
        *out = *out < 10000 ? *out * 10 + (*at - '0') : *out;
    *out = is_negative ? -*out : *out;
    return at;
}

/* Returns the end of the number at @at; NULL: none, or none that is plain. */
static const char *read_number(const char *at, struct plain_number *out)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    struct digits d = {.is_whole = true};
    const char *begin = at, *first;
    int exponent, places = 0;

    *out = (struct plain_number){.begin = at, .is_negative = *at == '-'};
    first = at += *at == '-';
    if (!is_digit(*at))
        return NULL;
    at = read_digits(at, &d);
    bool has_zero = *first == '0' && at - first > 1;
    out->is_float = *at == '.' || *at == 'e' || *at == 'E';
    if (*at == '.') {
        first = ++at;
        at = read_digits(at, &d);
        places = at - first > 10000 ? 10000 : (int)(at - first);
    }
    if (!(at = read_exponent(at, &exponent)) || (has_zero && !out->is_float) ||
        (!d.is_whole && !out->is_float))
        return NULL;
    out->end = at;
    out->magnitude = d.value;
    exponent -= places;
    if (d.is_whole && d.value <= UINT64_C(1) << 53 && exponent >= -22 && exponent <= 22)
        out->real =
            exponent < 0 ? (double)d.value / powers[-exponent] : (double)d.value * powers[exponent];
    else
        out->real = strtod(begin + out->is_negative, NULL);
    out->real = out->is_negative ? -out->real : out->real;
    if (!out->is_float) {
        out->is_negative = out->is_negative && d.value != 0; /* -0 of integers is 0 */
        out->real = out->is_negative ? -(double)d.value : (double)d.value;
    }
    return at;
}

bool numbers_measure(const char *text, struct numbers *out)
{
    int64_t counts[NUMBERS_NDIM_LIMIT + 1] = {0};
    struct plain_number number;
    unsigned depth = 0;

    *out = (struct numbers){0};
    for (const char *at = text;;) {
        while (is_blank(*at))
            at++;
        if (*at == '[') {
            if (depth == NUMBERS_NDIM_LIMIT || (out->ndim && depth == out->ndim))
                return false;
            counts[++depth] = 0;
            at++;
            continue;
        }
        if ((out->ndim && depth != out->ndim) || depth == 0 || !(at = read_number(at, &number)))
            return false;
        out->ndim = depth;
        out->has_float |= number.is_float;
        for (counts[depth]++;;) {
            while (is_blank(*at))
                at++;
            if (*at != ']')
                break;
            at++;
            int64_t *extent = &out->shape[depth - 1];
            if (*extent && *extent != counts[depth])
                return false;
            *extent = counts[depth--];
            if (depth == 0) {
                out->end = at;
                return true;
            }
            counts[depth]++;
        }
        if (*at++ != ',')
            return false;
    }
}

const char *numbers_next(const char *at, struct plain_number *out)
{
    while (*at == '[' || *at == ']' || *at == ',' || is_blank(*at))
        at++;
    return read_number(at, out);
}
