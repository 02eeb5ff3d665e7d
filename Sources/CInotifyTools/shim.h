/* Debian's libinotifytools: GPL-2. */
#pragma once
#include <inotifytools/inotify.h>
#include <inotifytools/inotifytools.h>
