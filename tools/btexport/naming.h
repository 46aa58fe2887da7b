/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What hosts, devices, processes and cgroups of a run are called in exported tables:
 * as cells, in valid UTF-8 whatever the trace has.
 *
 * Texts are made once and kept in tables of fixed size, so that nothing is
 * allocated for a row.  A cell is good until the same function is called again;
 * a NUL follows its text, but for that of a container.
 */
#ifndef TOOLS_BTEXPORT_NAMING_H
#define TOOLS_BTEXPORT_NAMING_H

#include <limits.h>
#include <stdint.h>

#include "base/escape.h"
#include "emit/named_io.h"

struct cell;			/* emit/row.h */
struct device;			/* run/device.h */
struct io;			/* request/io.h */
struct naming;
struct reader;			/* run/reader.h */

/* "4095:1048575" with its NUL, and what base/num may write behind it */
enum { NAMING_DEV = 32 };

/* what naming_disk() has, with its NUL, at most */
enum { NAMING_DISK = UTF8_MAX * NAME_MAX + NAMING_DEV };

/*
 * host, copied, is the name of a run of one host: host_of_run().  Runs of
 * several have names of their own, of r, which stays the caller's.  0 and *n,
 * or -ENOMEM.
 */
int naming_new(struct naming **n, const struct reader *r, const char *host);

/* the host with that number: only [A-Za-z0-9._-] */
const struct cell *naming_host(struct naming *n, uint16_t origin);

/*
 * The id of the trace of that host: its name and the time of day at which the
 * trace starts, as "db1.20261122T010000.123456789"; "db1.unknown" where the
 * trace does not have that.  The same in all tables of a run, whichever part
 * of a trace is exported.
 */
const struct cell *naming_trace(struct naming *n, uint16_t origin);

/* what the user calls a device, or as naming_dev() the number that it has */
const struct cell *naming_disk(struct naming *n, const struct device *disk,
			       uint32_t number);

/* the name of a process, or null as long as none is known */
const struct cell *naming_process(struct naming *n, uint16_t origin,
				  uint32_t pid);

/* the path of a cgroup, or null: no card has it */
const struct cell *naming_cgroup(struct naming *n, uint16_t origin,
				 uint64_t id);

/* the id of the container that a cgroup belongs to, or null */
const struct cell *naming_container(struct naming *n, uint16_t origin,
				    uint64_t id);

/* a device's number, as "8:0", with a NUL; its length */
uint32_t naming_dev(char to[NAMING_DEV], uint32_t number);

/* all of these for an io: *to is good until the next call of any of them */
void naming_io(struct naming *n, const struct io *io, struct named_io *to);

/* frees n; NULL is fine */
void naming_free(struct naming *n);

#endif
