"""Why something in the report is not as it should be."""

import collections

from markup import Paragraph

UNKNOWN = "**No reason is written down.**"


def paragraphs(what, reasons, separator="; "):
    """One for each reason, with all names that it belongs to. `reasons` are pairs of a name and a reason, which may be
    empty."""
    names = collections.defaultdict(list)
    for name, reason in reasons:
        names[reason or UNKNOWN].append(name)
    return [Paragraph(f"{what}: {separator.join(found)}. {reason}") for reason, found in names.items()]
