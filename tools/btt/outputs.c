/* Where the texts go; see outputs.h. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/msg.h"
#include "tools/btt/options.h"
#include "tools/btt/outputs.h"

enum { BUFFER = 32768 };

/* One more file, NAME + suffix. */
static struct buf *open_file(struct outputs *out, const struct options *o,
			     const char *suffix, const char *what)
{
	struct buf *b = &out->files[out->count];
	char **path = &out->paths[out->count];
	int fd;

	if (asprintf(path, "%s%s", o->output, suffix) < 0)
		msg_die("out of memory");
	fd = open(*path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		msg_die("cannot write %s:", *path);
	if (buf_init(b, fd, BUFFER))
		msg_die("out of memory");
	out->count++;
	if (o->verbose)
		buf_printf(&out->standard, "Sending %s to %s\n", what, *path);
	return b;
}

void btt_outputs_open(struct outputs *out, const struct options *o)
{
	*out = (struct outputs){ .count = 0 };
	if (buf_init(&out->standard, STDOUT_FILENO, BUFFER))
		msg_die("out of memory");
	out->report = out->ranges = out->messages = &out->standard;
	if (!o->output)
		return;
	out->ranges = open_file(out, o, ".dat", "range data");
	out->report = open_file(out, o, ".avg", "stats data");
	out->messages = open_file(out, o, ".msg", "K messages");
	if (o->easy_parse)
		out->easy = open_file(out, o, ".xvg", "EZ stats data");
}

/* Nobody reads on: we end as SIGPIPE would have ended us. */
static void end_silently(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	_exit(1);
}

static bool finish(struct buf *b, const char *path)
{
	int err = -buf_flush(b);

	if (path && close(b->fd) && !err)
		err = errno;
	buf_free(b);
	if (!err)
		return true;
	if (err == EPIPE)
		end_silently();
	errno = err;
	msg_warn("cannot write %s, it ends early:", path ? path :
						      "standard output");
	return false;
}

bool btt_outputs_close(struct outputs *out)
{
	bool fine = finish(&out->standard, NULL);

	for (int i = 0; i < out->count; i++) {
		fine = finish(&out->files[i], out->paths[i]) && fine;
		free(out->paths[i]);
	}
	return fine;
}
