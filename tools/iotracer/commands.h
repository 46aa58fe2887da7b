/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands, each a function of the command line that returns the exit
 * status. */
#ifndef TOOLS_IOTRACER_COMMANDS_H
#define TOOLS_IOTRACER_COMMANDS_H

struct options;			/* tools/iotracer/options.h */

int command_add(const struct options *o);
int command_remove(const struct options *o);
int command_list(const struct options *o);
int command_status(const struct options *o);
int command_log(const struct options *o);
int command_stop(const struct options *o);
int command_start(const struct options *o);
int command_reset(const struct options *o);
int command_timereset(const struct options *o);
int command_stat(const struct options *o);
int command_extents(const struct options *o);

#endif
