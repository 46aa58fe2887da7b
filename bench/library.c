/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads a trace by the library, and does next to nothing with what comes: what
 * reading by it costs.
 *
 *	library [--ios] DIRECTORY
 *
 * Prints how many there were, and what their bytes come to.
 */
#include <blktrace-reader.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* what there was, and how its reading ended */
struct result {
	int err;
	uint64_t count, bytes;
};

static struct result count_events(struct blkt_reader *r)
{
	const struct blkt_event *e;
	struct result result = { 0 };

	while ((result.err = blkt_next_event(r, &e)) == 1) {
		result.count++;
		result.bytes += e->bytes;
	}
	return result;
}

static struct result count_ios(struct blkt_reader *r)
{
	const struct blkt_io *io;
	struct result result = { 0 };

	while ((result.err = blkt_next_io(r, &io)) == 1) {
		result.count++;
		result.bytes += io->bytes;
	}
	return result;
}

int main(int argc, char **argv)
{
	struct blkt_options o = { .size = sizeof(o) };
	struct result result = { 0 };
	struct blkt_reader *r;

	o.ios = argc > 2 && !strcmp(argv[1], "--ios");
	result.err = blkt_open(&r, &o);
	if (!result.err)
		result.err = blkt_add(r, argv[argc - 1]);
	if (!result.err)
		result = o.ios ? count_ios(r) : count_events(r);
	if (result.err)
		fprintf(stderr, "library: %s\n",
			r ? blkt_error(r) : blkt_strerror(result.err));
	blkt_close(r);
	printf("%" PRIu64 " %" PRIu64 "\n", result.count, result.bytes);
	return result.err != 0;
}
