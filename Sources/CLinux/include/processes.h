/* System calls for processes that Swift's Glibc module does not provide. */
#pragma once
#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/* Adds an action that closes all descriptors from `first` on in the new process. Returns 0, or the error number. */
int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first);

/* Makes this process the parent of the orphans among its descendants, so that it can wait for them. Returns 0, or -1 with
   errno. */
int clinux_adopt_orphans(void);

/* Opens an empty unnamed file in memory, which programs started here do not inherit. Returns its descriptor, or -1 with
   errno. */
int clinux_open_memory_file(void);

/* Opens a descriptor that stands for a process, and for no later one with the same number (pidfd_open). Returns -1 with
   errno. */
int clinux_open_process(pid_t process);

/* Sends a signal to the process of a descriptor from `clinux_open_process`. Returns 0, or -1 with errno. */
int clinux_signal_process(int descriptor, int signal);

/* Marks this process as the child of a fork, in a handler of pthread_atfork. A variable of C, because Swift initializes
   its own at the first access, which another thread of the parent may have begun. */
void clinux_mark_forked_child(void);

/* Whether the process was marked. */
bool clinux_is_forked_child(void);

/* Whether the process has privileges that the user who started it does not have, as after executing a set-user-ID
   program (AT_SECURE). */
bool clinux_is_privileged(void);
