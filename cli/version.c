/* SPDX-License-Identifier: GPL-2.0-only */
/* Which version this is; see version.h. */
#include <stdio.h>

#include "cli/outfile.h"
#include "cli/program.h"
#include "cli/version.h"

void cli_version(const struct cli_program *p, const char *self)
{
	if (!p->release) {
		printf("%s %s\n", p->name, SUITE_VERSION);
		cli_leave();
	}
	if (p->dashed)
		fprintf(stderr, "%s -- version %s\n", p->name, p->release);
	else
		printf("%s version %s\n", self, p->release);
	cli_flush();
	fprintf(stderr, "blktrace suite %s, compatible with release %s\n",
		SUITE_VERSION, FAITHFUL_TO);
	cli_leave();
}
