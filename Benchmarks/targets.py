"""The performance targets. One that is missed fails nothing, because a busy machine misses absolute times."""

from json_targets import coding_targets, object_targets, parse_targets
from session_targets import (
    command_targets,
    latency_targets,
    read_targets,
    reload_targets,
    replace_targets,
    save_targets,
    store_targets,
    stored_targets,
    watch_targets,
)

SUITES = (
    parse_targets, object_targets, coding_targets, read_targets, reload_targets, stored_targets, latency_targets,
    watch_targets, command_targets, replace_targets, save_targets, store_targets,
)  # fmt: skip


def all_targets(results):
    return [target for suite in SUITES for target in suite(results)]
