/* SPDX-License-Identifier: GPL-2.0-only */
/* What a killed run has left; see kill.h. */
#include <errno.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/msg.h"
#include "blktrace.h"
#include "capture/doctor.h"
#include "capture/from/ftrace.h"
#include "capture/kernel.h"
#include "tools/blktrace/kill.h"
#include "tools/blktrace/options.h"

static int fail(const struct options *o, const char *path, enum stage stage,
		int err)
{
	const struct patient p = { .path = path, .debugfs = o->debugfs,
				   .why = "" };
	char text[DOCTOR_TEXT];

	doctor_explain(text, &p, stage, -err);
	msg_warn("%s", text);
	return err;
}

/* The switches of tracefs, as they were found; -ENOENT: none is ours. */
static int put_back(uint32_t number)
{
	char tracefs[FTRACE_PATH], why[FTRACE_WHY] = "";
	const struct ftrace_plan plan = { .tracefs = tracefs,
					  .devices = &number, .count = 1 };
	int err = ftrace_find(tracefs);

	if (!err)
		err = ftrace_kill(&plan, why);
	/* with one that lives, or that is none of ours, all is well */
	if (err && err != -ENOENT && err != -EBUSY && *why)
		msg_warn("not all of tracefs' settings are back: %s", why);
	return err;
}

/*
 * The device's ioctl ends a trace of either way, but of ftrace it leaves the
 * tracer: so that goes first.
 */
static int end_one(const struct options *o, const char *path)
{
	struct kernel_trace t;
	struct stat st;
	int err = kernel_open(&t, path), by_ftrace;

	if (!err && fstat(t.fd, &st))
		err = -errno;
	if (!err && !S_ISBLK(st.st_mode))
		err = -ENOTBLK;
	if (err) {
		kernel_close(&t);
		return fail(o, path, STAGE_OPEN, err);
	}
	by_ftrace = put_back(BLK_DEVICE(major(st.st_rdev),
					minor(st.st_rdev)));
	err = kernel_kill(&t);
	kernel_close(&t);
	if (err == -EINVAL && !by_ftrace)
		return 0;
	return err ? fail(o, path, STAGE_KILL, err) : 0;
}

int kill_leftovers(const struct options *o)
{
	int failed = 0;

	for (int i = 0; i < o->device_count; i++)
		failed |= end_one(o, o->devices[i]) != 0;
	return failed;
}
