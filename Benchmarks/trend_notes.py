"""Why ratios became worse, for those that were looked into or at least seen.

A note is shown while its ratio is worse than in earlier runs. It repeats no measured number, because the table shows that.
"""

ORDER = (
    "The step is between the runs of b99a586 and ec1b2e1. Between them, 2762211 changed the benchmark: each implementation"
    " begins equally often. Before, ours always came directly before the bare minimum, which its pending work can delay. So"
    " earlier ratios cannot be compared with later ones. Whether anything else has changed was not investigated."
)
OTHER_MACHINE = (
    "The step is between the runs of ec1b2e1 and e2b4563. Both became faster then, as nearly all cases did, and ours by"
    " less: probably another machine, which the history did not record. Not investigated further."
)
SHORTER_UPDATE = (
    "The step is between the runs of e2b4563 and 1286a59. Between them, an update became shorter, so that what a stored value"
    " adds to it weighs more; a set became no slower."
)
# The start of a case, a contender, and the note.
NOTES = (
    ("replace/1KB/fast/", "bare minimum", ORDER),
    ("scale/save one of the sessions/", "bare minimum", ORDER),
    ("command/get/", "jq", OTHER_MACHINE),
    ("read/session.port/alone", "actor", OTHER_MACHINE),
    ("scale/save typed root/10 keys", "JSONEncoder", OTHER_MACHINE),
    ("load/1KB/median", "JSONDecoder", OTHER_MACHINE),
    ("stored/set until visible", "session.update", SHORTER_UPDATE),
    ("parse/deep/1KB", "JSON.parse of bytes", OTHER_MACHINE),
)


def note(trend):
    found = (text for start, contender, text in NOTES if trend.case.startswith(start) and trend.contender == contender)
    return next(found, "")
