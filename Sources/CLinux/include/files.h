/* What replacing files needs and Swift's Glibc does not show. */
#pragma once
#include <dirent.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Opens `path`, which begins in `folder`, unless a symbolic link is on the way or at its end (ELOOP); -1 with errno. */
int clinux_open_without_links(int folder, const char *path, int flags);

/* Opens a file without a name in `folder`, for reading and writing; -1 with errno. */
int clinux_open_unnamed(int folder, mode_t mode);

/* Gives a file that was opened without a name one; fails with EEXIST where there is that name. 0, or -1 with errno. */
int clinux_name(int descriptor, int folder, const char *name);

/* Lets two names change places; 0, or -1 with errno. */
int clinux_exchange(int folder, const char *one, const char *other);

/* Renames, unless the new name is taken (EEXIST); 0, or -1 with errno. */
int clinux_rename_to_free_name(int folder, const char *name, const char *new_name);

/* Whether this process may write to what has that name: 0, or -1 with errno. A link is not followed. */
int clinux_may_write(int folder, const char *name);

/* Swift cannot hand out the address of an array within a structure. */
static inline const char *clinux_entry_name(const struct dirent *entry) { return entry->d_name; }

/* flock(2), whose name Swift gives to a structure. */
int clinux_lock(int descriptor, int operation);

/* The largest size that this process may give a file, beyond which the kernel would kill it. */
int64_t clinux_largest_file(void);

/* Extended attributes, as in attr(7). */
ssize_t clinux_attribute_names(int descriptor, char *names, size_t capacity);
ssize_t clinux_attribute(int descriptor, const char *name, void *value, size_t capacity);
int clinux_attribute_set(int descriptor, const char *name, const void *value, size_t count);
int clinux_attribute_remove(int descriptor, const char *name);

/* Whether names of the folder can be added, but neither changed nor removed (chattr +a). */
int clinux_only_grows(int folder);

/* Closes `descriptor` in every child that this process forks until `clinux_children_forget`: a child that runs no other
   program would keep what is locked by it. Without room for one more nothing happens. */
void clinux_children_close(int descriptor);
void clinux_children_forget(int descriptor);

/* Whether every change of `folder` that somebody could have asked about gets a time of its own: Linux 6.13, and few file
   systems. */
int clinux_has_exact_times(int folder);
