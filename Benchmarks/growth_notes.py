"""Why costs grow faster than expected where this was written.

A note is shown while there is a warning. It repeats no measured number, because the table shows that.
"""

UNKNOWN = "**No reason is written down.**"
LARGE_MEMORY = (
    "Mostly the step to 100 MB. `malloc` of glibc takes blocks of more than 32 MiB from the kernel each time, page by"
    " page: outside of the library, a copy into such memory took seven times as long as one into memory that was in"
    " use before, and with smaller blocks there was no difference. The floor contains one such block, and a file that"
    " has changed probably needs more than one. How much of the step this is was not measured."
)
TWO_TEXTS = (
    "It compares two texts with each other, and the floor copies one. Beyond the floor, the step from 1 MB to 10 MB"
    " is larger than the last one: two texts of 1 MB fit in the caches of a processor where this was written, those of"
    " 10 MB do not. Whether this is the reason was not investigated."
)
MANY_STRUCTS = (
    "A save compares every struct with the one before, and the two roots, the tree and the text of 100,000 no longer"
    " fit in the caches. An update alone, whose floor is a copy of the dictionary, has an even larger last step. How"
    " much each of them contributes was not investigated."
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
    return NOTES.get((growth.operation, growth.axis), UNKNOWN)
