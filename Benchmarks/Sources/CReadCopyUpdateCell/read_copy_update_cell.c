#include "CReadCopyUpdateCell.h"

#include <stdlib.h>

static struct rcu_cell_version *new_version(long port) {
    struct rcu_cell_version *version = malloc(sizeof *version);
    if (!version) abort();
    version->port = port;
    return version;
}

rcu_cell *rcu_cell_create(long port) {
    rcu_cell *cell = malloc(sizeof *cell);
    if (!cell) abort();
    cell->version = new_version(port);
    return cell;
}

void rcu_cell_publish(rcu_cell *cell, long port) {
    struct rcu_cell_version *replaced = rcu_xchg_pointer(&cell->version, new_version(port));
    urcu_bp_synchronize_rcu();
    free(replaced);
}
