/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What -l may take, in all or with "/source" from each sender.  Each is a
 * cli_option's set() of struct options, and does not return from a mistake.
 */
#ifndef TOOLS_BLKTRACE_OPTIONS_LIMITS_H
#define TOOLS_BLKTRACE_OPTIONS_LIMITS_H

void options_set_max_clients(void *options, const char *text);
void options_set_max_runs(void *options, const char *text);
void options_set_max_bytes(void *options, const char *text);
void options_set_max_files(void *options, const char *text);

#endif
