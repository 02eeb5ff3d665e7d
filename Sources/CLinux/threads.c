#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>
#include <signal.h>

void clinux_name_this_thread(const char *name) { (void)pthread_setname_np(pthread_self(), name); }

void clinux_block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, 0);
}
