#define _GNU_SOURCE
#include "leases.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clinux_lease_set(int descriptor, int kind) { return fcntl(descriptor, F_SETLEASE, kind); }

int clinux_lease(int descriptor) { return fcntl(descriptor, F_GETLEASE); }

int clinux_signals_to_this_thread(int descriptor) {
    struct f_owner_ex owner = {.type = F_OWNER_TID, .pid = (pid_t)syscall(SYS_gettid)};
    return fcntl(descriptor, F_SETOWN_EX, &owner);
}

int clinux_signals_to_nobody(int descriptor) { return fcntl(descriptor, F_SETOWN, 0); }

int clinux_signal_choose(int descriptor, int signal) { return fcntl(descriptor, F_SETSIG, signal); }

int clinux_signal_take(int descriptor, int signal, int was_held) {
    struct timespec now = {0};
    siginfo_t info;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    if (sigtimedwait(&set, &info, &now) != signal) return 0;
    if (info.si_code > 0 && info.si_code < SI_KERNEL && info.si_fd == descriptor) return 1;
    /* The signal has another source: queue it again with its data. A program that blocks it in all threads may accept it
       in any of them, so then it is queued for the process. */
    if (was_held) syscall(SYS_rt_sigqueueinfo, getpid(), signal, &info);
    else syscall(SYS_rt_tgsigqueueinfo, getpid(), (pid_t)syscall(SYS_gettid), signal, &info);
    return 0;
}
