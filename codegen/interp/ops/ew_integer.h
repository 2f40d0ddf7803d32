/* Words of elementwise.def that all classes of integers share: on int64_t or uint64_t as T. */
#define K(v)           ((T)(v))
#define BY_CLASS(i, f) (i)
#define ISNAN(x)       ((T)0)
#define FN(f, x)       NAME(undefined)(x)
#define POW(x, y)      NAME(power)(row, x, y)
#define FN2(f, x, y)   ((void)(y), NAME(undefined)(x))

/* Functions of analysis are refused for integers before anything runs. */
static T NAME(undefined)(T x)
{
    return x;
}

static T NAME(smaller)(T x, T y)
{
    return x < y ? x : y;
}

static T NAME(larger)(T x, T y)
{
    return x > y ? x : y;
}
