#include "files.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* A descriptor and 1, so that 0 is a free place. */
static _Atomic int places[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { count = sizeof places / sizeof *places };

/* Runs in the child, where nothing but the forking thread is left and no lock may be waited for. */
static void close_all(void) {
    for (int index = 0; index < count; index++) {
        int place = atomic_exchange_explicit(&places[index], 0, memory_order_relaxed);
        if (place > 0) close(place - 1);
    }
}

static void prepare(void) { pthread_atfork(NULL, NULL, close_all); }

/* What one descriptor leaves free another takes, wherever in the table: the order says nothing. */
static void change(int from, int to) {
    for (int index = 0; index < count; index++) {
        int expected = from;
        if (atomic_compare_exchange_strong_explicit(
                &places[index], &expected, to, memory_order_relaxed, memory_order_relaxed))
            return;
    }
}

void clinux_children_close(int descriptor) {
    pthread_once(&once, prepare);
    change(0, descriptor + 1);
}

void clinux_children_forget(int descriptor) { change(descriptor + 1, 0); }
