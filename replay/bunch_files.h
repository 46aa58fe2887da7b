/*
 * Where replay files are: DIR/NAME.BASE.CPU.
 */
#ifndef REPLAY_SHELF_H
#define REPLAY_SHELF_H

#include <stdint.h>

/* CPU numbers are below, as in traces */
enum { SHELF_CPUS = 8192 };

/* the path of a replay file, the caller's to free; NULL: no memory */
char *shelf_path(const char *dir, const char *name, const char *base,
		 uint32_t cpu);

/*
 * The next CPU from cpu on that has a readable file, or SHELF_CPUS: there is
 * none.  CPUs without a file in between do not matter.
 */
uint32_t shelf_next_cpu(const char *dir, const char *name, const char *base,
			uint32_t cpu);

/*
 * The names of all devices that have files of that base in dir, sorted as
 * people count.  Returns their number, or -errno; *names and each of them are
 * the caller's to free.
 */
int shelf_names(const char *dir, const char *base, char ***names);

#endif
