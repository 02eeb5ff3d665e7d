#include "wakeup.h"

#include <errno.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
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

static struct timespec time_from(int64_t nanoseconds) {
    return (struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
}

void clinux_timer_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec setting = {.it_value = time_from(nanoseconds)};
    timerfd_settime(descriptor, 0, &setting, NULL);
}

static bool has_mark(const struct itimerspec *setting, int64_t mark) {
    struct timespec interval = time_from(mark);
    return setting->it_interval.tv_sec == interval.tv_sec && setting->it_interval.tv_nsec == interval.tv_nsec;
}

int clinux_timer_open_marked(int64_t mark) {
    struct itimerspec setting = {.it_interval = time_from(mark)};
    struct timespec resolution;
    if (clock_getres(CLOCK_MONOTONIC, &resolution) < 0) return -1;
    if (resolution.tv_sec > 0 || resolution.tv_nsec > 1000) {
        errno = ENOTSUP;
        return -1;
    }
    int descriptor = clinux_timer_open();
    if (descriptor >= 0) timerfd_settime(descriptor, 0, &setting, NULL);
    return descriptor;
}

bool clinux_timer_set_marked(int descriptor, int64_t mark, int64_t nanoseconds) {
    struct itimerspec setting = {.it_value = time_from(nanoseconds), .it_interval = time_from(mark)}, old;
    if (timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &setting, &old) < 0) return false;
    if (has_mark(&old, mark)) return true;
    timerfd_settime(descriptor, 0, &old, NULL);
    return false;
}

bool clinux_timer_has_mark(int descriptor, int64_t mark) {
    struct itimerspec setting;
    return timerfd_gettime(descriptor, &setting) == 0 && has_mark(&setting, mark);
}

int clinux_timer_clear(int descriptor) {
    struct itimerspec setting;
    uint64_t count;
    if (timerfd_gettime(descriptor, &setting) < 0) return -1;
    return read(descriptor, &count, sizeof count) < 0 && errno != EAGAIN ? -1 : 0;
}
