#include "wakeup.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

int clinux_wakeup_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_wakeup_send(int descriptor) {
    int result;
    do result = eventfd_write(descriptor, 1);
    while (result < 0 && errno == EINTR);
    /* EAGAIN: the counter is at its maximum, so the descriptor is readable already. */
    return result < 0 && errno == EAGAIN ? 0 : result;
}

void clinux_wakeup_clear(int descriptor) {
    eventfd_t count;
    (void)!eventfd_read(descriptor, &count);
}

int clinux_timer_open(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }

static int set(int descriptor, int flags, int64_t nanoseconds) {
    struct itimerspec setting = {.it_value = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000}};
    return timerfd_settime(descriptor, flags, &setting, NULL);
}

void clinux_timer_set(int descriptor, int64_t nanoseconds) { set(descriptor, 0, nanoseconds); }

bool clinux_timer_set_at(int descriptor, int64_t nanoseconds) {
    return set(descriptor, TFD_TIMER_ABSTIME, nanoseconds) == 0;
}

bool clinux_timer_is_intact(int descriptor) {
    struct itimerspec setting;
    return timerfd_gettime(descriptor, &setting) == 0;
}

int clinux_timer_clear(int descriptor) {
    struct itimerspec setting;
    uint64_t count;
    if (timerfd_gettime(descriptor, &setting) < 0) return -1;
    return read(descriptor, &count, sizeof count) < 0 && errno != EAGAIN ? -1 : 0;
}
