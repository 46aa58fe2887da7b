/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words into the traces that run; see mark.h.
 *
 * The kernel writes them where it has a file for that.  Where it has none a
 * blktrace that runs takes them, and the two never have the same trace.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/text.h"
#include "capture/blkdev.h"
#include "capture/mark_port.h"
#include "capture/mark_queue.h"
#include "capture/reporter.h"
#include "run/marks.h"
#include "tools/blktrace/mark.h"
#include "tools/blktrace/options.h"

/* --- mark file ------------------------------------------------------------ */

/*
 * Where the kernel takes marks: debugfs' block/NAME/msg, which is there while
 * a device is traced through relay files, by whichever program.
 *
 * Without the category notify in a trace's mask the kernel takes a mark and
 * writes nothing: such a file is as good as none.
 */

/* Whether the trace's mask leaves messages out; as far as sysfs tells. */
static bool is_masked(const char *name)
{
	char path[512], mask[256];

	snprintf(path, sizeof(path), "/sys/class/block/%s/trace/act_mask",
		 name);
	return !text_read(path, mask, sizeof(mask)) &&
	       strcmp(mask, "disabled") && !strstr(mask, "notify");
}

/*
 * Writes len bytes of text into a device's trace, by its name there: 1; 0: it
 * is not traced in this way; or -errno.
 */
static int mark_file_write(const char *debugfs, const char *name,
			   const char *text, size_t len)
{
	char path[512];
	int fd, err;

	snprintf(path, sizeof(path), "%s/block/%s/msg", debugfs, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	/* a kernel in lockdown refuses it with EPERM */
	if (fd < 0)
		return errno == ENOENT || errno == EPERM || errno == ENOTDIR ?
		       0 : -errno;
	err = write(fd, text, len) < 0 ? -errno : !is_masked(name);
	close(fd);
	return err;
}

/* the same into all traces: how many these were, or -errno if there is none */
static int mark_file_write_all(const char *debugfs, const char *text,
			       size_t len)
{
	char path[512];
	int marked = 0, err = 0;
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof(path), "%s/block", debugfs);
	d = opendir(path);
	if (!d)
		return errno == EACCES ? -EACCES : 0;
	while ((e = readdir(d))) {
		int got = *e->d_name == '.' ?
			  0 : mark_file_write(debugfs, e->d_name, text, len);

		if (got > 0)
			marked++;
		else if (got < 0)
			err = got;
	}
	closedir(d);
	return marked ? marked : err;
}

/* --- mark ----------------------------------------------------------------- */

static void print_line(void *ctx, const char *text)
{
	(void)ctx;
	msg_warn("%s", text);
}

static const struct capture_reporter to_stderr = { .line = print_line };

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

	if (blkdev_find(path, &number, name, &to_stderr))
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
