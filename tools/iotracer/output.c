/* SPDX-License-Identifier: GPL-2.0-only */
/* Standard output of the commands; see output.h. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/msg.h"
#include "tools/iotracer/output.h"

enum { TEXT_BUFFER = 65536 };

int output_open(struct buf *out)
{
	int err = buf_init(out, STDOUT_FILENO, TEXT_BUFFER);

	if (err)
		msg_warn("out of memory");
	return err;
}

int output_close(struct buf *out)
{
	int err = buf_flush(out);

	buf_free(out);
	if (err && err != -EPIPE)
		msg_warn("cannot write: %s", strerror(-err));
	return err != 0;
}
