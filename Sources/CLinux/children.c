#include "files.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* Each slot holds a descriptor plus 1; 0 marks a free slot. */
static _Atomic int slots[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum { count = sizeof slots / sizeof *slots };

/* Runs in the child, where only the forking thread exists and no lock may be acquired. */
static void close_all(void) {
    for (int index = 0; index < count; index++) {
        int slot = atomic_exchange_explicit(&slots[index], 0, memory_order_relaxed);
        if (slot > 0) close(slot - 1);
    }
}

static void prepare(void) { pthread_atfork(NULL, NULL, close_all); }

/* Replaces one slot of the value `from` by `to`. The order of the slots has no meaning. */
static void change(int from, int to) {
    for (int index = 0; index < count; index++) {
        int expected = from;
        if (atomic_compare_exchange_strong_explicit(
                &slots[index], &expected, to, memory_order_relaxed, memory_order_relaxed))
            return;
    }
}

void clinux_children_close(int descriptor) {
    pthread_once(&once, prepare);
    change(0, descriptor + 1);
}

void clinux_children_forget(int descriptor) { change(descriptor + 1, 0); }
