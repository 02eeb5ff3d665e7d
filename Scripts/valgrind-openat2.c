/* Preloaded into a program under valgrind, which does not know openat2: without this, the program would open each file in
   the way for kernels from before 2020, component by component, and what is recorded or counted would be that.

   openat stands for it. It follows symbolic links where the program asks openat2 not to. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdarg.h>
#include <sys/syscall.h>

long syscall(long number, ...) {
    long argument[6];
    va_list list;
    va_start(list, number);
    for (int index = 0; index < 6; index++) argument[index] = va_arg(list, long);
    va_end(list);
    if (number == SYS_openat2) {
        const struct open_how *how = (const struct open_how *)argument[2];
        return openat((int)argument[0], (const char *)argument[1], (int)how->flags, (mode_t)how->mode);
    }
    static long (*next)(long, ...);
    if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return next(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}
