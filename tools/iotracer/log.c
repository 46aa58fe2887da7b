/* SPDX-License-Identifier: GPL-2.0-only */
/* The log of a file; see log.h. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <unistd.h>

#include "bpf/bpf.h"
#include "bpf/syscall.h"
#include "tools/iotracer/log.h"

int log_new(struct bpf *b, uint32_t file, uint64_t room)
{
	int log = bpf_map_new(BPF_MAP_TYPE_ARRAY, sizeof(uint32_t),
			      sizeof(struct bpf_line), (uint32_t)room,
			      BPF_F_INNER_MAP);
	int err;

	if (log < 0)
		return log;
	err = bpf_map_set(b->maps[BPF_MAP_LOGS], &file, &log);
	close(log);
	return err;
}

void log_remove(struct bpf *b, uint32_t file)
{
	bpf_map_remove(b->maps[BPF_MAP_LOGS], &file);
}

/* The numbers, from 1, of the first and last line held. */
static void bounds(const struct bpf_file *f, uint64_t *first, uint64_t *last)
{
	uint64_t forgotten = f->forgotten;

	*last = __atomic_load_n(&f->logged, __ATOMIC_ACQUIRE);
	*first = *last > f->room ? *last - f->room : 0;
	if (*first < forgotten)
		*first = forgotten;
	++*first;
}

uint64_t log_get_count(const struct bpf *b, uint32_t file)
{
	uint64_t first, last;

	bounds(&b->files[file], &first, &last);
	return last + 1 - first;
}

/* Its map; a map of maps returns an id, which only root may open. */
static int log_fd(const struct bpf *b, uint32_t file)
{
	uint32_t id;
	int err = bpf_map_get(b->maps[BPF_MAP_LOGS], &file, &id);

	return err ? err : bpf_map_open(id);
}

/* Lines come at a call's return, with the time of its start. */
static int by_time(const void *a, const void *b)
{
	const struct bpf_line *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

/* Reads the lines from first to last that are not overwritten. */
static int64_t read_lines(int fd, uint64_t room, uint64_t first, uint64_t last,
			  struct bpf_line *lines)
{
	int64_t n = 0;

	for (uint64_t order = first; order <= last; order++) {
		uint32_t at = (uint32_t)((order - 1) % room);
		int err = bpf_map_get(fd, &at, &lines[n]);

		if (err)
			return err;
		n += lines[n].order == order && lines[n].level < LEVEL_COUNT;
	}
	return n;
}

int64_t log_read(const struct bpf *b, uint32_t file, struct bpf_line **lines)
{
	uint64_t first, last;
	int fd = log_fd(b, file);
	int64_t n;

	if (fd < 0)
		return fd;
	bounds(&b->files[file], &first, &last);
	*lines = calloc(last + 2 - first, sizeof(**lines));
	n = *lines ? read_lines(fd, b->files[file].room, first, last, *lines) :
		     -ENOMEM;
	close(fd);
	if (n < 0)
		free(*lines);
	else
		qsort(*lines, (size_t)n, sizeof(**lines), by_time);
	return n;
}

void log_reset(struct bpf *b, uint32_t file)
{
	struct bpf_file *f = &b->files[file];

	f->forgotten = __atomic_load_n(&f->logged, __ATOMIC_ACQUIRE);
}
