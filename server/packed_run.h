/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The packed file of a run, DEVICE.btz or with several devices blktrace.btz:
 * what else would be NAME.blktrace.CPU files and cards are its members.
 *
 * Records are gathered, and put as blocks once there are PACKED_RUN_GATHER
 * bytes, or when the caller asks for it; then a killed server leaves them.  The
 * file is made with its first block.
 */
#ifndef SERVER_PACKED_RUN_H
#define SERVER_PACKED_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct packed_member;
struct packed_run;
struct packer;			/* pack/packer.h */
struct sender;			/* server/senders.h */
struct sender_limits;
struct store_dir;		/* server/store.h */
struct unpacker;		/* pack/unpacker.h */

enum {
	PACKED_RUN_GATHER = 4 << 20,
	/* bytes at a file's end that are checked after a loss of power */
	PACKED_RUN_CHECKED = 16 << 20,
};

/* all must outlive the run */
struct packed_run_options {
	struct store_dir *dir;
	/* of all runs, as each call leaves them free */
	struct packer *packer;
	struct unpacker *unpacker;
	struct sender *sender;	/* whose limits count, or NULL */
	const struct sender_limits *each;
	/* all that was gathered is put, or cannot be; or NULL */
	void (*flushed)(void *ctx);
	void *ctx;
};

/* 0 and *p, or -ENOMEM; -EOPNOTSUPP: built without libzstd */
int packed_run_new(struct packed_run **p, const struct packed_run_options *o);

/*
 * Goes on with the file of this name: its whole blocks stay.  suspect: after a
 * loss of power, only those near its end that can be unpacked.  0 or -errno.
 */
int packed_run_resume(struct packed_run *p, const char *name, bool suspect);

/* the member of a device and CPU, or for NET_CPU_CARD its card, added if it is
 * new; NULL: no memory */
struct packed_member *packed_run_member(struct packed_run *p,
					const char *device, uint32_t cpu);

/*
 * Appends to a member; its last `tail` bytes are no whole record yet, and wait
 * for the rest.  0; or -errno, as of all calls from then on: -EDQUOT: a limit
 * of bytes; -ENOBUFS: too many wait.
 */
int packed_run_add(struct packed_member *m, const uint8_t *bytes, size_t len,
		   size_t tail);

/* drops the bytes that wait for the rest of their record */
void packed_run_drop(struct packed_member *m);

/* bytes of a member that were put */
uint64_t packed_run_length(const struct packed_member *m);

/* puts all of a member, half a record too, so that it is known at least; 0 or
 * -errno */
int packed_run_put(struct packed_member *m);

/* puts a whole card in place of the last one; 0 or -errno */
int packed_run_card(struct packed_member *m, const void *bytes, size_t len);

/* puts the whole records of all members; 0 or -errno */
int packed_run_flush(struct packed_run *p);

/* whether whole records are gathered that no block has */
bool packed_run_waits(const struct packed_run *p);

/* 0, or the -errno that has ended the writing */
int packed_run_error(const struct packed_run *p);

/* Puts whole records, and the index; after that it may go on.  0 or -errno. */
int packed_run_end(struct packed_run *p);

/* drops what was not put; p may be NULL */
void packed_run_free(struct packed_run *p);

#endif
