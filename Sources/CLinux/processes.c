#define _GNU_SOURCE
#include "processes.h"

#include <stdatomic.h>
#include <sys/auxv.h>

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

static atomic_bool is_forked_child;

void clinux_mark_forked_child(void) {
    atomic_store_explicit(&is_forked_child, true, memory_order_relaxed);
}

bool clinux_is_forked_child(void) {
    return atomic_load_explicit(&is_forked_child, memory_order_relaxed);
}

bool clinux_is_privileged(void) {
    return getauxval(AT_SECURE) != 0;
}
