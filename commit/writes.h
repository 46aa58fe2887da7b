/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The latest writes and flushes, and the journal commits that they belong to.
 *
 * A journal commit is what a journal's process writes up to a write with a flush
 * or FUA; if the device has no volatile cache, so that the kernel has taken these
 * flags away, up to a block by itself just behind the others (ext4).
 */
#ifndef COMMIT_WRITES_H
#define COMMIT_WRITES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct device;			/* run/device.h */
struct io;			/* request/io.h */

enum {
	WRITES_MAX = 1 << 16,	/* kept: 4 MiB */
	UNITS_MAX = 1 << 12
};

enum write_kind {
	WRITE_PLAIN,
	WRITE_JOURNAL,		/* of a journal */
	WRITE_BACK,		/* of a kernel's worker, no journal's */
	WRITE_FLUSHER		/* the kernel's own flush request */
};

/* times in ns */
struct write {
	uint64_t from, to;	/* a flusher's: from its issue */
	uint64_t flushed;	/* end of its flush before data, else from */
	uint64_t written;	/* start of its flush after data, else to */
	uint64_t unit;		/* its journal commit's number, from 1; 0: none */
	uint32_t thread;	/* its process's id, or for which a worker of
				 * io_uring's works */
	uint32_t device;	/* as recorded */
	uint32_t bytes;
	uint16_t origin;
	uint8_t kind;		/* enum write_kind */
	bool ends_unit;
	bool unsure;
};

/* a journal commit */
struct unit {
	uint64_t from, to;
	uint64_t bytes;
	uint64_t end_sector;	/* of its latest write */
	uint32_t thread, device;
	uint16_t origin;
	const struct device *disk;	/* its device */
	bool ended;
};

struct writes {
	struct write *list;	/* a ring, by their ends */
	uint64_t count;		/* ever added */
	struct unit *units;	/* a ring */
	uint64_t unit_count;	/* ever begun: the latest's number */
	struct hash open;	/* by device and process: the commit not ended */
};

/* 0 or -ENOMEM; free it anyway */
int writes_init(struct writes *w);
void writes_free(struct writes *w);

/* whether it is one: a write or flush that has completed, or a read of metadata */
bool writes_want(const struct io *io);

/*
 * Keeps such an I/O, in order of ends; name: of its process, or NULL.  *ended is a journal commit that it ends, valid
 * until the next call, or NULL.  0 or -ENOMEM.
 */
int writes_add(struct writes *w, const struct io *io, const char *name,
	       const struct unit **ended);

/* the latest but n, or NULL: fewer were added, or it is forgotten */
const struct write *writes_get(const struct writes *w, uint64_t n);

/* a journal commit by its number, or NULL: forgotten */
const struct unit *writes_unit(const struct writes *w, uint64_t number);

#endif
