/* Debian's libinotifytools: GPL-2. */
#pragma once
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>

/* Swift cannot see a member without a length. */
static inline const char *inotifytools_event_name(const struct inotify_event *event) {
    return event->len ? event->name : 0;
}
