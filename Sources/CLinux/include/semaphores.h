/* Waiting on a semaphore with a deadline of CLOCK_MONOTONIC. */
#pragma once
#include <semaphore.h>
#include <stdint.h>

/* Waits until `semaphore` is posted and returns 1; or until CLOCK_MONOTONIC reaches `deadline` (in nanoseconds) and
   returns 0. A negative deadline means no deadline. */
int clinux_semaphore_wait(sem_t *semaphore, int64_t deadline);
