/* SPDX-License-Identifier: GPL-2.0-only */
/* The sources of lines; see backend.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#include "bpf/bpf.h"
#include "bpf/syscall.h"
#include "tools/iotracer/backend.h"

_Static_assert((int)BACKEND_ITER == (int)BPF_PROBED,
	       "the programs call it the same");

const char backend_names[3][8] = { "auto", "iter", "syscall" };

/* --- system calls ------------------------------------------------------ */

/* For the programs, as numbers differ between machines. */
static const struct {
	uint32_t number, kind;
} calls[] = {
	{ SYS_read, CALL_PLAIN },
	{ SYS_write, CALL_PLAIN | CALL_WRITES },
	{ SYS_pread64, CALL_PLAIN | CALL_AT },
	{ SYS_pwrite64, CALL_PLAIN | CALL_AT | CALL_WRITES },
	{ SYS_readv, CALL_VECTOR },
	{ SYS_writev, CALL_VECTOR | CALL_WRITES },
	{ SYS_preadv, CALL_VECTOR | CALL_AT },
	{ SYS_pwritev, CALL_VECTOR | CALL_AT | CALL_WRITES },
	{ SYS_preadv2, CALL_VECTOR | CALL_AT },
	{ SYS_pwritev2, CALL_VECTOR | CALL_AT | CALL_WRITES | CALL_FLAGS },
	{ SYS_io_submit, CALL_SUBMIT },
	{ SYS_sendfile, CALL_SENDFILE },
	{ SYS_splice, CALL_BETWEEN },
	{ SYS_copy_file_range, CALL_BETWEEN },
	{ SYS_fsync, CALL_OTHER | CALL_SYNC(SYNC_FSYNC) },
	{ SYS_fdatasync, CALL_OTHER | CALL_SYNC(SYNC_FDATASYNC) },
	{ SYS_sync_file_range,
	  CALL_OTHER | CALL_RANGE | CALL_SYNC(SYNC_RANGE) },
	{ SYS_msync, CALL_MAPPED | CALL_OTHER | CALL_SYNC(SYNC_MSYNC) },
	{ SYS_fallocate, CALL_OTHER },
	{ SYS_ftruncate, CALL_OTHER },
};

/* Attaches all calls, or only those that sync, which writes may. */
static int attach_calls(struct bpf *b, bool only_sync)
{
	int err = 0;

	b->config->open_direct = O_DIRECT;
	b->config->open_sync = O_DSYNC;
	for (size_t i = 0; !err && i < sizeof(calls) / sizeof(*calls); i++) {
		uint32_t kind = calls[i].kind;

		if (only_sync && !CALL_SYNC_OF(kind) && !(kind & CALL_WRITES))
			continue;
		if (only_sync)
			kind |= CALL_OTHER;
		err = bpf_map_set(b->maps[BPF_MAP_CALLS], &calls[i].number,
				  &kind);
	}
	if (err) {
		snprintf(b->why, sizeof(b->why), "the list of system calls");
		return err;
	}
	return bpf_attach(b, BPF_CALLS);
}

int backend_syncs(struct bpf *b)
{
	int err = attach_calls(b, true);

	return err ? err : bpf_attach(b, BPF_URING);
}

int backend_calls(struct bpf *b)
{
	int err = attach_calls(b, false);

	return err ? err : bpf_attach(b, BPF_URING);
}

/* --- functions --------------------------------------------------------- */

static bool is_probed(const struct bpf_config *c, uint64_t address)
{
	for (unsigned int i = 0; i < c->probed_count; i++)
		if (c->probed[i] == address)
			return true;
	return false;
}

static int probe_one(struct bpf *b, enum bpf_probe probe, uint64_t address)
{
	struct bpf_config *c = b->config;
	int err;

	if (!address || is_probed(c, address))
		return 0;
	if (c->probed_count == BPF_PROBED_MAX) {
		snprintf(b->why, sizeof(b->why), "files of too many kinds of"
			 " filesystems");
		return -ENOSPC;
	}
	err = bpf_attach_probe(b, probe, address);
	if (!err)
		c->probed[c->probed_count++] = address;
	return err;
}

static int probe_file(struct bpf *b, const struct bpf_found *found)
{
	int err;

	if (!found->read_iter && !found->write_iter) {
		snprintf(b->why, sizeof(b->why), "no functions are known by"
			 " which files there are read and written");
		return -ENOENT;
	}
	err = probe_one(b, BPF_READ_ITER, found->read_iter);
	if (!err)
		err = probe_one(b, BPF_WRITE_ITER, found->write_iter);
	if (!err)
		err = probe_one(b, BPF_SPLICE_READ, found->splice_read);
	return err;
}

int backend_add(struct bpf *b, enum backend wanted,
		const struct bpf_found *found)
{
	struct bpf_config *c = b->config;
	bool first = c->backend == BACKEND_AUTO;
	int err;

	if (c->backend == BACKEND_SYSCALL)
		return 0;
	if (!first || wanted != BACKEND_SYSCALL) {
		err = probe_file(b, found);
		if (!err)
			c->backend = BACKEND_ITER;
		if (!err || !first || wanted == BACKEND_ITER)
			return err;
		/* a part of the probes would repeat a part of the lines */
		bpf_detach(b);
		c->probed_count = 0;
	}
	c->backend = BACKEND_SYSCALL;
	return backend_calls(b);
}

/*
 * Programs of tracepoints may be preempted since Linux 6.19.  Before, the probe
 * would print several lines for a bio that is split.
 */
static bool tracepoints_miss(void)
{
	unsigned int major, minor;
	struct utsname name;

	return !uname(&name) &&
		sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
		(major > 6 || (major == 6 && minor >= 19));
}

static int attach_bios(struct bpf *b, enum backend wanted)
{
	if (wanted != BACKEND_SYSCALL && tracepoints_miss() &&
	    !bpf_attach_submit(b))
		return 0;
	return bpf_attach(b, BPF_BIOS);
}

int backend_levels(struct bpf *b, enum backend wanted, uint32_t levels)
{
	int err = 0;

	if (levels & LEVEL_BIT(LEVEL_BLK))
		err = attach_bios(b, wanted);
	if (!err && levels & LEVEL_BIT(LEVEL_MAP))
		err = bpf_attach_faults(b);
	if (!err && levels & LEVEL_BIT(LEVEL_SYNC) &&
	    b->config->backend != BACKEND_SYSCALL)
		err = backend_syncs(b);
	return err;
}
