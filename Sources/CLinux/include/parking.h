/* A semaphore on which one thread sleeps until another wakes it or a moment comes. */
#pragma once
#include <semaphore.h>
#include <stdint.h>

/* Sleeps until `semaphore` is posted; 1, or 0 when CLOCK_MONOTONIC reached `deadline` (nanoseconds) before. A negative
   deadline never comes. */
int clinux_park(sem_t *semaphore, int64_t deadline);
