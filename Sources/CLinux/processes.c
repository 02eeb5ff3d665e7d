#define _GNU_SOURCE
#include "processes.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int clinux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int clinux_open_memory_file(void) { return memfd_create("", MFD_CLOEXEC); }

int clinux_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int clinux_signal_process(int descriptor, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0);
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
