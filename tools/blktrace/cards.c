/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's cards and cgroups; see cards.h. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/cgroup_names.h"
#include "capture/cgroup_tree.h"
#include "capture/from/cgroup_switch.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/session.h"
#include "cli/version.h"
#include "tools/blktrace/cards.h"
#include "tools/blktrace/options.h"

/* --- cgroups -------------------------------------------------------------- */

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

/* --- cards ---------------------------------------------------------------- */

/* The session has the devices in the order of the command line. */
static bool add_all(struct run_cards *c, const struct options *o,
		    const struct session *s)
{
	for (unsigned int i = 0; i < session_device_count(s); i++) {
		struct stat st;

		/* a device being traced rarely disappears */
		if (stat(o->devices[i], &st))
			st.st_rdev = 0;
		if (run_cards_add(c, session_device_name(s, i), st.st_rdev))
			return false;
	}
	return true;
}

struct run_cards *cards_of(const struct options *o, const struct session *s,
			   struct cgroup_names *cgroups,
			   const struct capture_reporter *r)
{
	const struct run_cards_options co = {
		.program = "blktrace " SUITE_VERSION,
		.words = o->words,
		.word_count = (unsigned int)o->word_count,
		.via = session_via(s),
		.record_version = session_version(s),
		.base = o->output,
		.serial = !o->no_serial,
		.cgroups = cgroups,
		.reporter = r,
	};
	struct run_cards *c;

	if (run_cards_new(&c, &co) || add_all(c, o, s))
		return c;
	run_cards_free(c);
	return NULL;
}
