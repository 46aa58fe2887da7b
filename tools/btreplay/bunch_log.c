/* SPDX-License-Identifier: GPL-2.0-only */
/* The log of every bunch; see bunch_log.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "replay/bunch.h"
#include "tools/btreplay/bunch_log.h"

enum { BUFFER = 65536 };

struct bunch_log {
	struct buf out;
};

int bunch_log_open(struct bunch_log **out, const char *path)
{
	struct bunch_log *d = calloc(1, sizeof(*d));
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int err = fd < 0 ? -errno : d ? buf_init(&d->out, fd, BUFFER) : -ENOMEM;

	if (!err) {
		*out = d;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	free(d);
	return err;
}

int bunch_log_close(struct bunch_log *d)
{
	int err;

	if (!d)
		return 0;
	err = buf_flush(&d->out);
	close(d->out.fd);
	buf_free(&d->out);
	free(d);
	return err;
}

void bunch_log_write_cpu(struct bunch_log *d, unsigned int cpu,
			 unsigned int online)
{
	buf_printf(&d->out, "Pinned to CPU %02u ", cpu);
	for (unsigned int i = 0; i < online; i++)
		buf_append(&d->out, i == cpu ? "1" : "0", 1);
	buf_append(&d->out, "\n", 1);
}

void bunch_log_write_iteration(struct bunch_log *d, unsigned int left)
{
	buf_printf(&d->out, "\n=== %u ===\n", left);
}

/* 1.3.0: reads, writes, and writes sent as reads. */
static void show_packet(struct bunch_log *d, const struct packet *p, bool write)
{
	static const char letters[PACKET_KINDS] = {
		[PACKET_DATA] = 'W',
		[PACKET_FLUSH] = 'F',
		[PACKET_DISCARD] = 'D',
		[PACKET_ZEROES] = 'Z',
	};
	bool turned = !p->read && !write;

	buf_printf(&d->out, "\t%10llu + %10u %c%c\n",
		   (unsigned long long)p->sector, p->bytes / 512,
		   p->read || turned ? 'R' : letters[p->kind],
		   turned ? '!' : ' ');
}

/* seconds and nanoseconds, as arguments of a format */
#define SECONDS(ns)                                                 \
	(unsigned long long)(ns) / NS_PER_SECOND,                   \
		(unsigned long long)(ns) % NS_PER_SECOND

static void show_stall(struct bunch_log *d, uint64_t due, uint64_t now)
{
	buf_printf(&d->out, "   stall(%llu.%09llu, %llu.%09llu)\n",
		   SECONDS(due), SECONDS(now));
	if (now < due)
		buf_printf(&d->out, "++ stall(%llu.%09llu) ++\n",
			   SECONDS(due - now));
}

void bunch_log_write(struct bunch_log *d, const struct bunch_log_entry *e)
{
	for (unsigned int i = 0; i < e->count; i++)
		show_packet(d, &e->packets[i], e->write);
	if (e->stalls)
		show_stall(d, e->due, e->now);
	buf_printf(&d->out, "submit(%u)\n", e->count);
}
