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
DECODE_TEXT = (
    "The limit is that of decoding from the tree, which is another row. This includes parsing the text, and the release of"
    " the tree. 1.7× is proposed."
)
ENCODE_SMALL = (
    "2.5× is the limit of any typed root, and 1.5× that of a flat struct. This root is between them: each of its structs,"
    " lists and dictionaries makes a generic container of `Codable` for only a few values. 1.5× is proposed."
)
ENCODE_MANY = (
    "The limit was set for simpler records, encoded 3.0 to 3.7 times as fast as by `JSONEncoder` (measured once in 2026-11)."
    " These have a text of 20 bytes, a `Bool` and a `Double` each. What remains is to print the `Double`, and the generic containers that `Codable` makes for each"
    " struct. 1.75× is proposed for such records."
)
RELOAD_OF_MANY = (
    "A part of it does not depend on the number of structs, as the case with 10 keys shows: a thread is woken, reads the"
    " file and replaces the version, and what it needs is in no cache. 8× is proposed among 1,000."
)
SAVE_OF_MANY = (
    "A part of it does not depend on the number of structs, as the case with 10 keys shows: threads are woken, and what they"
    " need is in no cache. The rest compares every struct with the one before. 4× is proposed among 1,000, where the"
    " first part weighs more."
)
SAVE_OF_UNMARKED = (
    "All structs are encoded, because nothing tells which of them have changed, and what they are encoded as is compared"
    " with the version before. 1.5× is proposed: a struct that is `BytewiseEquatable` saves most of it."
)
RELOAD_JSON = (
    "The limit is meant for files whose size is most of the cost. Of 1 MB, what does not depend on the size still weighs"
    " more, as the case with 1 KB shows. 0.15× is proposed for 1 MB."
)
EDIT_TO_CALLBACK = (
    "The floor only learns that something has happened. A session then checks, reads, compares, parses and decodes the file"
    " before the callback, with code and memory that the writer may have displaced from the caches. After a rest,"
    " more of it is in no cache. The limit is an absolute time, which differs between machines. 150 µs at once and 400 µs"
    " rested are proposed for virtual machines with two processors."
)
WATCH_LINES = (
    "After a rest, the same instructions take several times as long, because what they need is no longer in the caches,"
    " nor are the addresses of its pages. The kernel needs some time to end the watch of a replaced file, and to set a timer"
    " of a virtual machine: see Where the time goes in `Benchmarks/README.md`. 300 µs are proposed after a rest."
)
UPDATE_AFTER_REST = (
    "Directly after another one, the same update takes a small part of that. Leaving out the wake of a thread saved at most"
    " a third of it (measured once in 2026-11); the rest is probably memory, and addresses of pages, that are no longer in the caches. 60 µs are"
    " proposed in memory."
)
COMMIT = (
    "A commit keeps the edits that others make meanwhile, which the bare minimum would lose, and needs more system calls for"
    " it. Both wait for the same disk, whose times differ from run to run. 0.57× is proposed."
)
REPLACE = (
    "Both wait for the same disk, whose times differ from run to run: the runs of 2026-11 lay on both sides of the limit, which"
    " stays."
)
