/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words into the traces that run; see mark.h.
 *
 * The kernel writes them where it has a file for that.  Where it has none a
 * blktrace that runs takes them, and the two never have the same trace.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "capture/blkdev.h"
#include "capture/mark_file.h"
#include "capture/mark_port.h"
#include "capture/mark_queue.h"
#include "capture/reporter.h"
#include "run/marks.h"
#include "tools/blktrace/mark.h"
#include "tools/blktrace/options.h"

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter reporter = { .line = print_line };

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	return false;
}

static void check_text(const char *text)
{
	size_t len = strlen(text);

	if (!len || len > MARK_BYTES)
		msg_die("--mark takes 1 to %d bytes, not %zu", MARK_BYTES, len);
	if (has_control(text))
		msg_die("--mark takes one line, without control characters");
	if (mark_is_foreign(text, len))
		msg_die("--mark: \"%s\" would be taken for a driver's message;"
			" begin with another word", text);
}

/* how many traces have it of both ways; the first failure, if none */
static int join(int by_kernel, int by_us)
{
	int marked = (by_kernel > 0 ? by_kernel : 0) + (by_us > 0 ? by_us : 0);

	if (marked)
		return marked;
	return by_us < 0 ? by_us : by_kernel;
}

/* whether it has been written; else that is reported, for what */
static bool report(int marked, const char *what)
{
	if (marked == -EAGAIN)
		msg_warn("%s: its capture has no time to write marks: fewer,"
			 " please", what);
	else if (marked == -EACCES || (!marked && geteuid()))
		msg_warn("%s: no trace that may be marked: that is for those"
			 " who may trace, as root", what);
	else if (marked < 0)
		msg_warn("%s: %s", what, strerror(-marked));
	else if (!marked)
		msg_warn("%s: not traced now, so there is nothing to mark;"
			 " start blktrace first", what);
	return marked > 0;
}

static bool mark_device(const struct options *o, const char *path)
{
	char name[BLKDEV_NAME];
	size_t len = strlen(o->mark);
	uint32_t number;

	if (blkdev_find(path, &number, name, &reporter))
		return false;
	return report(join(mark_file_write(o->debugfs, name, o->mark, len),
			   mark_port_call(MARK_PORT_DIR, number, o->mark, len)),
		      path);
}

static bool mark_all(const struct options *o)
{
	size_t len = strlen(o->mark);

	return report(join(mark_file_write_all(o->debugfs, o->mark, len),
			   mark_port_call(MARK_PORT_DIR, 0, o->mark, len)),
		      "all devices");
}

int mark_running(const struct options *o)
{
	bool good = true;

	check_text(o->mark);
	if (!o->device_count)
		good = mark_all(o);
	for (int i = 0; i < o->device_count; i++)
		good &= mark_device(o, o->devices[i]);
	return !good;
}
