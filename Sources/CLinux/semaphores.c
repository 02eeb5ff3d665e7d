#define _GNU_SOURCE
#include "semaphores.h"

#include <errno.h>
#include <time.h>

int clinux_semaphore_wait(sem_t *semaphore, int64_t deadline) {
    struct timespec time = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
    int result;
    do result = deadline < 0 ? sem_wait(semaphore) : sem_clockwait(semaphore, CLOCK_MONOTONIC, &time);
    while (result < 0 && errno == EINTR);
    return result == 0;
}
