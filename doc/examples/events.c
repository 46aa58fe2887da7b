/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the events of traces, as blkparse does by
 *
 *	blkparse -q -f '%D %2c %8s %5T.%9t %5p %2a %3d %S + %n [%C]\n' NAME...
 *
 *	cc -o events events.c $(pkg-config --cflags --libs libblktrace)
 */
#include <blktrace-reader.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static void print(const struct blkt_reader *r, const struct blkt_event *e)
{
	const char *action = blkt_event_action(e);
	const char *name = blkt_process(r, e->host, e->pid);
	char rwbs[BLKT_RWBS_SIZE];

	if (!action || BLKT_CATEGORIES(e) & BLKT_NOTE)
		return;
	printf("%3u,%-3u %2u %8u %5u.%09u %5u %2s %3s %" PRIu64 " + %u [%s]\n",
	       BLKT_MAJOR(e->device), BLKT_MINOR(e->device), e->cpu,
	       e->sequence, (unsigned int)(e->time / 1000000000),
	       (unsigned int)(e->time % 1000000000), e->pid, action,
	       blkt_event_rwbs(e, rwbs), e->sector, e->bytes >> 9,
	       name ? name : "(null)");
}

int main(int argc, char **argv)
{
	const struct blkt_event *event;
	struct blkt_reader *r;
	int err = blkt_open(&r, NULL), got;

	for (int i = 1; !err && i < argc; i++)
		err = blkt_add(r, argv[i]);
	while (!err && (got = blkt_next_event(r, &event)) != 0) {
		if (got == 1)
			print(r, event);
		else if (got != -EAGAIN && got != -EINTR)
			err = got;
	}
	if (err)
		fprintf(stderr, "events: %s\n",
			r ? blkt_error(r) : blkt_strerror(err));
	blkt_close(r);
	return err != 0;
}
