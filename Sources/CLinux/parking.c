#define _GNU_SOURCE
#include "parking.h"

#include <errno.h>
#include <time.h>

int clinux_park(sem_t *semaphore, int64_t deadline) {
    struct timespec moment = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
    int result;
    do result = deadline < 0 ? sem_wait(semaphore) : sem_clockwait(semaphore, CLOCK_MONOTONIC, &moment);
    while (result < 0 && errno == EINTR);
    return result == 0;
}
