/* System calls for replacing files that Swift's Glibc module does not export. */
#pragma once
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* Opens `path` relative to `directory`; fails with ELOOP if any component is a symbolic link. -1 with errno. */
int clinux_open_without_links(int directory, const char *path, int flags);

/* Creates an unnamed file in `directory` for reading and writing; -1 with errno. */
int clinux_open_unnamed(int directory, mode_t mode);

/* Links an unnamed file under `name`; fails with EEXIST if the name is in use. 0, or -1 with errno. */
int clinux_link_unnamed(int descriptor, int directory, const char *name);

/* Exchanges two names; 0, or -1 with errno. */
int clinux_exchange(int directory, const char *one, const char *other);

/* Renames a file; fails with EEXIST if the new name is in use. 0, or -1 with errno. */
int clinux_rename_to_unused(int directory, const char *name, const char *new_name);

/* Checks whether this process may write to the file; does not follow a symbolic link. 0, or -1 with errno. */
int clinux_may_write(int directory, const char *name);

/* Returns the name in a directory entry. Swift cannot take the address of an array within a structure. */
static inline const char *clinux_entry_name(const struct dirent *entry) { return entry->d_name; }

/* Sets the access time of an open file to now, and also the modification time if asked to. */
int clinux_times_update(int descriptor, int is_modified);

/* flock(2); in Swift, the name belongs to the structure. */
int clinux_lock(int descriptor, int operation);

/* The file size limit of this process; the kernel kills it for writing beyond. */
int64_t clinux_largest_file(void);

/* Extended attributes, as in xattr(7). */
ssize_t clinux_attribute_names(int descriptor, char *names, size_t capacity);
ssize_t clinux_attribute(int descriptor, const char *name, void *value, size_t capacity);
int clinux_attribute_set(int descriptor, const char *name, const void *value, size_t count);
int clinux_attribute_remove(int descriptor, const char *name);

/* Removes a name of a file unless the file changed after `moment`. 0: removed, and no process has the file open;
   1: removed, and a process has the file open, or that is unknown; 2: changed, and not removed; -1 with errno. */
int clinux_remove_if_unchanged(int directory, const char *name, struct timespec moment);

/* Returns whether names in the directory can be added, but neither changed nor removed (chattr +a). */
int clinux_is_append_only(int directory);

/* Closes `descriptor` in every child that this process forks until `clinux_children_forget`. A child that runs no other
   program would keep its lock otherwise. Does nothing if the table of descriptors is full. */
void clinux_children_close(int descriptor);
void clinux_children_forget(int descriptor);

/* Returns whether any two observable changes of `directory` have different times: Linux 6.13, and few file systems. */
int clinux_has_exact_times(int directory);

/* Returns whether this process, run by `user`, can override the permissions and owners of files. The kernel is asked
   once for each user: a process that drops its capabilities without changing the user still counts as privileged. */
bool clinux_overrides_permissions(uid_t user);
