/*
 * An artifact with threads of its own, loaded: they come with the first loop, go with the library, are made again by a
 * child of a fork, and are nobody's trouble when several threads of the host call at once.
 *
 * usage: own LIBRARY CORES      how many cores may be used
 */
#include "t.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLERS = 4, CALLS = 50, ROWS = 1000, COUNT = 64000 };
enum { ARENA = (T_SQUARES_ARENA_BYTES + T_SUMMED_ARENA_BYTES + 64) / 64 * 64 };

static __typeof__(t_squares) *squares;
static __typeof__(t_summed) *summed;
static float x[COUNT], wanted[COUNT], wanted_sums[ROWS];

static void demand(int is_true, const char *what)
{
    if (!is_true) {
        printf("%s\n", what);
        exit(1);
    }
}

static void *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    demand(library != NULL, "it cannot be loaded");
    void *door = dlsym(library, "t_squares");
    memcpy(&squares, &door, sizeof(door));
    door = dlsym(library, "t_summed");
    memcpy(&summed, &door, sizeof(door));
    return library;
}

static int tasks(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = -2; /* . and .. */

    demand(folder != NULL, "there is no /proc");
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Joined threads are gone from there a moment later. */
static int tasks_at_last(int count)
{
    for (int i = 0; i < 1000 && tasks() != count; i++)
        usleep(1000);
    return tasks();
}

static int is_right(float *y, float *sums, void *arena)
{
    return squares(x, y, arena) == 0 && memcmp(y, wanted, sizeof(wanted)) == 0 &&
           summed(x, sums, arena) == 0 && memcmp(sums, wanted_sums, sizeof(wanted_sums)) == 0;
}

static void *call(void *state)
{
    float *y = calloc(COUNT, sizeof(float)), *sums = calloc(ROWS, sizeof(float));
    void *arena = aligned_alloc(64, ARENA);
    int *is_good = state;

    *is_good = y && sums && arena;
    for (int i = 0; *is_good && i < CALLS; i++)
        *is_good = is_right(y, sums, arena);
    free(y);
    free(sums);
    free(arena);
    return NULL;
}

static void call_at_once(void)
{
    pthread_t threads[CALLERS];
    int is_good[CALLERS];

    for (int i = 0; i < CALLERS; i++)
        demand(pthread_create(&threads[i], NULL, call, &is_good[i]) == 0, "no threads");
    for (int i = 0; i < CALLERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < CALLERS; i++)
        demand(is_good[i], "a call beside others was wrong");
}

static void call_in_child(int cores)
{
    int status = 0, is_good = 0;
    pid_t child = fork();

    if (child == 0) {
        alarm(60);
        (void)call(&is_good);
        _exit(is_good && (cores < 2 || tasks() > 1) ? 0 : 1);
    }
    demand(child > 0 && waitpid(child, &status, 0) == child && status == 0,
           "a child of fork got something else, or no threads");
}

/* A fork beside calls: the child finds the pool in use, by a thread that it has not. */
static void fork_beside_calls(int cores)
{
    pthread_t thread;
    int is_good = 0;

    demand(pthread_create(&thread, NULL, call, &is_good) == 0, "no threads");
    for (int i = 0; i < 8; i++)
        call_in_child(cores);
    pthread_join(thread, NULL);
    demand(is_good, "a call beside forks was wrong");
}

int main(int argc, char **argv)
{
    int cores = argc > 2 ? atoi(argv[2]) : 1, is_good = 0;

    demand(argc > 2, "usage: own LIBRARY CORES");
    for (int i = 0; i < COUNT; i++)
        x[i] = (float)(i * 37 % 1009) * 0.01f;
    for (int round = 0; round < 3; round++) {
        void *library = load(argv[1]);
        demand(tasks_at_last(1) == 1, "there are threads before the first loop");
        if (round ==
            0) { /* what it gives first is what it has to give; threads.c compares that with others */
            void *arena = aligned_alloc(64, ARENA);
            demand(arena && squares(x, wanted, arena) == 0 && summed(x, wanted_sums, arena) == 0,
                   "a call failed");
            free(arena);
        }
        (void)call(&is_good);
        demand(is_good, "a call was wrong");
        demand(cores < 2 ? tasks() == 1 : tasks() > 1 && tasks() <= 4, "not so many threads");
        call_at_once();
        call_in_child(cores);
        fork_beside_calls(cores);
        dlclose(library);
        demand(tasks_at_last(1) == 1, "threads stayed behind the library");
    }
    printf("fine\n");
    return 0;
}
