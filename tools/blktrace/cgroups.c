/* SPDX-License-Identifier: GPL-2.0-only */
/* The cgroups of a run; see cgroups.h. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "capture/cgroup_names.h"
#include "capture/cgroup_tree.h"
#include "capture/from/cgroup_switch.h"
#include "capture/reporter.h"
#include "tools/blktrace/cgroups.h"

static void learn_names(struct run_cgroups *g, const struct capture_reporter *r)
{
	struct cgroup_tree tree;
	int err = cgroup_tree_find(&tree, NULL);

	if (!err)
		err = cgroup_names_start(&g->names, &tree);
	if (err)
		reporter_write(r, "cgroups will have ids only: %s",
			       err == -ENOENT ? "no tree of them is mounted" :
						strerror(-err));
}

int run_cgroups_begin(struct run_cgroups *g, bool names,
		      const struct capture_reporter *r)
{
	int err = cgroup_switch_on(&g->on, NULL);

	if (err)
		reporter_write(r, "--cgroup: cannot switch the kernel's option"
			       " blk_cgroup on: %s", err == -EOPNOTSUPP ?
			       "it was built without CONFIG_BLK_CGROUP" :
			       strerror(-err));
	else if (names)
		learn_names(g, r);
	return err;
}

void run_cgroups_end(struct run_cgroups *g, const struct capture_reporter *r)
{
	int err = cgroup_switch_off(g->on);

	g->on = NULL;
	if (err)
		reporter_write(r, "the kernel's option blk_cgroup is still on:"
			       " %s", strerror(-err));
}

void run_cgroups_free(struct run_cgroups *g)
{
	cgroup_names_free(g->names);
	g->names = NULL;
}
