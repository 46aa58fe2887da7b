/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * feed FROM TO SIZE TIME_MS KEEP LEVEL|pack STEP_MS
 *
 * Hands the traces in directory FROM to the sink that blktrace --rotate has,
 * as recorded.h does; each CPU is looked at every STEP_MS of their time.  TO
 * becomes a directory of segments.  Status 2: FROM cannot be fed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "base/time.h"
#include "capture/sink.h"
#include "capture/to/sink_rotate.h"
#include "tests/rotate/recorded.h"

int main(int argc, char **argv)
{
	struct sink *s;
	int err;

	if (argc != 8)
		msg_die("feed FROM TO SIZE TIME_MS KEEP LEVEL|pack STEP_MS");
	recorded_open(argv[1]);
	err = sink_rotate_new(&s, &(struct sink_rotate_options){
		.pack = !strcmp(argv[6], "pack"),
		.files = { argv[2], NULL, atoi(argv[6]), &recorded_reporter,
			   NULL },
		.size = strtoull(argv[3], NULL, 10),
		.time = strtoull(argv[4], NULL, 10) * NS_PER_MS,
		.keep = (unsigned int)atoi(argv[5]),
		.now = recorded_now });
	if (err)
		msg_die("the sink: %s", strerror(-err));
	recorded_begin(s);
	recorded_feed(s, strtoull(argv[7], NULL, 10) * NS_PER_MS);
	recorded_end(s);
	s->ops->free(s);
	recorded_free();
	return 0;
}
