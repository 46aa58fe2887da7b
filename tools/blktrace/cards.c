/* SPDX-License-Identifier: GPL-2.0-only */
/* A run's cards; see cards.h. */
#include <stdbool.h>
#include <sys/stat.h>

#include "capture/run_cards.h"
#include "capture/session.h"
#include "cli/version.h"
#include "tools/blktrace/cards.h"
#include "tools/blktrace/options.h"

/* The session has the devices in the order of the command line. */
static bool add_all(struct run_cards *c, const struct options *o,
		    const struct session *s)
{
	for (unsigned int i = 0; i < session_device_count(s); i++) {
		struct stat st;

		/* it is being traced, so that it was there just now */
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
