#define _GNU_SOURCE
#include "processes.h"

#include <sys/auxv.h>

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

bool clinux_is_privileged(void) {
    return getauxval(AT_SECURE) != 0;
}
