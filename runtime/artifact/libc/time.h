/* A clock, of Linux. */
#pragma once

struct timespec {
    long tv_sec, tv_nsec;
};

enum { CLOCK_MONOTONIC = 1 };

int clock_gettime(int clock, struct timespec *time);
int nanosleep(const struct timespec *time, struct timespec *rest);
