/* Threads of libc, with more room than any libc takes for what it describes by them. */
#pragma once

#include <sched.h>
#include <signal.h>

typedef unsigned long pthread_t;
typedef union {
    char room[128];
    long long alignment;
} pthread_mutex_t, pthread_cond_t;

int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *state);
int pthread_join(pthread_t thread, void **result);
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *cores);
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_cond_init(pthread_cond_t *condition, const void *attributes);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_destroy(pthread_cond_t *condition);
