/*
 * What can be said of watched files: one function a word, each with the
 * command line and the exit status.
 */
#ifndef TOOLS_IOTRACER_VERBS_H
#define TOOLS_IOTRACER_VERBS_H

struct options;			/* tools/iotracer/options.h */

int verb_add(const struct options *o);
int verb_remove(const struct options *o);
int verb_list(const struct options *o);
int verb_status(const struct options *o);
int verb_log(const struct options *o);
int verb_stop(const struct options *o);
int verb_start(const struct options *o);
int verb_reset(const struct options *o);
int verb_timereset(const struct options *o);
int verb_stat(const struct options *o);
int verb_extents(const struct options *o);

#endif
