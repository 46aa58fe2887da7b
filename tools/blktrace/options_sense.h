/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether options go together. */
#ifndef TOOLS_BLKTRACE_OPTIONS_SENSE_H
#define TOOLS_BLKTRACE_OPTIONS_SENSE_H

struct options;			/* tools/blktrace/options.h */

/* does not return if they do not */
void options_refuse_nonsense(const struct options *o);

#endif
