/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters I/Os; see filter.h. */
#include "expr/expr.h"
#include "expr/filter.h"
#include "expr/matcher.h"
#include "run/cgroups.h"
#include "run/device.h"
#include "run/reader.h"

static const char *device_of(void *filter, const struct io *io)
{
	struct filter *f = filter;

	if (io->disk->label)
		return io->disk->label;
	device_text(io->disk, f->device, sizeof(f->device));
	return f->device;
}

static const char *process_of(void *filter, const struct io *io)
{
	const struct filter *f = filter;

	return reader_process(f->reader, io->origin, io->pid);
}

static const char *cgroup_of(void *filter, const struct io *io)
{
	const struct filter *f = filter;
	const struct cgroups *c = reader_cgroups(f->reader);
	int64_t number = cgroups_find(c, io->origin, io->cgroup);

	return number < 0 ? NULL : cgroups_path(c, (uint64_t)number);
}

static const char *host_of(void *filter, const struct io *io)
{
	const struct filter *f = filter;

	return reader_host(f->reader, io->origin);
}

void filter_init(struct filter *f, uint32_t mask, struct expr *where,
		 const struct reader *reader)
{
	const struct expr_names names = { .ctx = f, .device = device_of,
					  .process = process_of,
					  .cgroup = cgroup_of,
					  .host = host_of };

	f->mask = mask;
	f->where = where;
	f->reader = reader;
	if (where)
		expr_set_names(where, &names);
}

/* A flush without data is neither read nor write, whatever its bits. */
static uint32_t categories(const struct io *io)
{
	const uint32_t ways = BLK_TC_BIT(BLK_TC_READ) |
			      BLK_TC_BIT(BLK_TC_WRITE);

	return io->op == IO_FLUSH_OP ? io->categories & ~ways : io->categories;
}

bool filter_match(struct filter *f, const struct io *io, uint64_t now)
{
	if (f->mask != UINT32_MAX && !(categories(io) & f->mask))
		return false;
	return !f->where || expr_matches(f->where, io, now);
}
