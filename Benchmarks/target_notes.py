"""Why targets are missed where this was written, and which limits would be right.

A note is shown while its target is missed. It repeats no number of the table. Other measured numbers have the
month they were measured in.
"""

# Of absolute times and speeds.
ABSOLUTE = (
    "An absolute time or speed, on a virtual machine whose speed differs within an hour. Ratios to other implementations in"
    " the same run say more."
)
MEMORY_OF_KEYS = (
    "In an object of more than 32 members, each takes up to 48 bytes beside its text, instead of 32, because such an object"
    " finds its keys by their hashes: see Memory in `Limitations.md`. The text of a short member is less than half of that."
    " What it takes does not depend on the run. 3.25× is proposed."
)
STRINGS = (
    "Much of the time goes to branches that no processor predicts: ten copies of the text of 100 KB were"
    " parsed nearly twice as fast as 1 MB without a repetition (measured once in 2026-11). 6.5× is proposed."
)
MUTEX = (
    "A read takes as long as `rcu_dereference` in C, so that it can hardly become shorter. A mutex that no other thread"
    " holds costs only two atomic exchanges. With two threads, the cache line of the mutex moves between processors, and what"
    " that costs depends on the machine; the read writes to no shared cache line. 2.2× alone and 10× with two threads are"
    " proposed."
)
SAVE_OF_MANY = (
    "A part of it does not depend on the number of structs, as the case with 10 keys shows: a save has about fifty system"
    " calls, see `save/1 KB` in `Baseline/counts.json`, and the bare replacement a few. It locks the file, reads it again, and"
    " keeps its owner, mode and attributes. The rest compares every struct with the one before. 4× is proposed among 1,000,"
    " where the first part weighs more."
)
SAVE_OF_UNMARKED = (
    "All structs are encoded, because nothing tells which of them have changed, and what they are encoded as is compared"
    " with the version before. 1.5× is proposed: a struct that is `BytewiseEquatable` saves most of it."
)
RESIZED = (
    "With another number of members or elements, the list of them is made anew, though not what they contain, and the text"
    " is walked from the start of the list to its end. 2.5× is proposed."
)
RELOAD_JSON = (
    "The limit is meant for files whose size is most of the cost. Of 1 MB, what does not depend on the size still weighs"
    " more, as the case with 1 KB shows. 0.15× is proposed for 1 MB."
)
EDIT_TO_CALLBACK = (
    "The floor only learns that something has happened. A reload of 1 KB has about ten system calls more, and instructions in"
    " all threads, see `reload/1 KB` in `Baseline/counts.json`, that take longer than the limit even at three in a nanosecond:"
    " it checks, reads, compares, parses, decodes and publishes. After a rest, less of what they need is in the caches. The"
    " limit is an absolute time, which differs between machines. 100 µs at once and 200 µs rested are proposed for virtual"
    " machines with two processors."
)
EDIT_OF_MANY = (
    "A part of it does not depend on the number of structs, as the case with 1 KB shows, and reading and comparing the text"
    " does. 0.16 of the time of `JSONDecoder` is proposed among 1,000 structs, and 0.1 among 10,000."
)
WATCH_LINES = (
    "After a rest, the same instructions take several times as long, because what they need is no longer in the caches,"
    " nor are the addresses of its pages. The kernel needs some time to end the watch of a replaced file, and to set a timer"
    " of a virtual machine: see Where the time goes in `Benchmarks/README.md`. 250 µs are proposed after a rest."
)
UPDATE_AFTER_REST = (
    "Directly after another one, the same update takes a small part of that. Leaving out the wake of a thread saved at most"
    " a third of it (measured once in 2026-11); the rest is probably memory, and addresses of pages, that are no longer in"
    " the caches. 60 µs are proposed in memory."
)
COMMIT = (
    "A commit keeps the edits that others make meanwhile, which the bare minimum would lose, and needs more system calls for"
    " it. Both wait for the same disk, whose times differ from run to run. 0.57× is proposed."
)
REPLACE = (
    "Both wait for the same disk, whose times differ from run to run: the runs of 2026-11 lay on both sides of the limit,"
    " which stays."
)
