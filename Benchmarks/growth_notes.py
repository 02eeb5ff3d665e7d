"""Why costs grow faster than expected where this was written.

A note is shown while there is a warning. It repeats no measured number, because the table shows that.
"""

LARGE_MEMORY = (
    "The step to 100 MB: `malloc` of glibc takes blocks of more than 32 MiB from the kernel each time, page by page,"
    " and a file of that size that has changed needs several. In an experiment in 2026-11, with settings of `malloc`"
    " that keep such blocks (`glibc.malloc.mmap_threshold`, `trim_threshold` and `arena_max` in `GLIBC_TUNABLES`),"
    " neither a reload nor a save was warned of."
)
TWO_TEXTS = (
    "It compares two texts with each other, and the floor copies one. The exponent is close to the limit, and two"
    " runs of 2026-11 were on both sides of it. Beyond the floor, it is the step from 1 MB to 10 MB that is large,"
    " probably because less of two texts is in the caches. That was not investigated."
)
MANY_STRUCTS = (
    "The step to 100,000 structs: a save compares every struct with the one before, and the two roots, the tree and"
    " the text probably no longer fit in the caches. That was not investigated. In an experiment in 2026-11, with"
    " settings of `malloc` that keep large blocks instead of returning them to the kernel, the step was smaller and no"
    " warning."
)
TREE = (
    "A lookup walks a tree, whose depth grows with the logarithm of the number of keys, and among many keys its nodes"
    " no longer fit in the caches. A change copies the nodes on that path. `JSONObject` documents that a lookup among"
    " many keys takes a few times as long. Whether the depth or the caches weigh more was not investigated."
)

# By operation and axis.
NOTES = {
    ("reparse", "bytes"): TWO_TEXTS,
    **dict.fromkeys([("reload", "bytes"), ("save", "bytes")], LARGE_MEMORY),
    ("save typed root", "keys"): MANY_STRUCTS,
    **dict.fromkeys([("lookup", "keys"), ("replace", "keys"), ("insert", "keys")], TREE),
}


def note(growth):
    return NOTES.get((growth.operation, growth.axis), "")
