/* A schedule to which all work is worth a second thread, so that small programs have the loops of large ones. */
#include "passes/schedule/schedule.h"

/* The linker puts the first one in the place of what it is named after. */
double __wrap_sch_work(struct schedule *s, const struct tir_stmt *stmt);
double __real_sch_work(struct schedule *s, const struct tir_stmt *stmt);

double __wrap_sch_work(struct schedule *s, const struct tir_stmt *stmt)
{
    return __real_sch_work(s, stmt) * 1e6;
}
