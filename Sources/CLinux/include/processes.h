/* System calls for processes that Swift's Glibc module does not provide. */
#pragma once
#include <spawn.h>
#include <stdbool.h>

/* Adds an action that closes all descriptors from `first` on in the new process. Returns 0, or the error number. */
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/* Whether the process has privileges that the user who started it does not have, as after executing a set-user-ID
   program (AT_SECURE). */
bool clinux_is_privileged(void);
