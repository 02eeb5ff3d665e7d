/* System calls for processes that Swift's Glibc module does not provide. */
#pragma once
#include <spawn.h>
#include <stdbool.h>

/* Adds an action that closes all descriptors from `first` on in the new process. Returns 0, or the error number. */
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/* Marks this process as the child of a fork, in a handler of pthread_atfork. A variable of C, because Swift initializes
   its own at the first access, which another thread of the parent may have begun. */
void clinux_mark_forked_child(void);

/* Whether the process was marked. */
bool clinux_is_forked_child(void);

/* Whether the process has privileges that the user who started it does not have, as after executing a set-user-ID
   program (AT_SECURE). */
bool clinux_is_privileged(void);
