#define _GNU_SOURCE
#include "threads.h"

#include <pthread.h>

void clinux_name_this_thread(const char *name) { (void)pthread_setname_np(pthread_self(), name); }
