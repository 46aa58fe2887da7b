/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The blk tracer; see ftrace.h.
 *
 * Devices are switched on while the ring buffer is off (tracing_on), so that
 * the mask is set before the first event, and all devices start together.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/text.h"
#include "blktrace.h"
#include "capture/from/ftrace.h"
#include "capture/from/ftrace_settings.h"
#include "capture/from/ftrace_watch.h"
#include "capture/notes.h"
#include "file/ftrace_page.h"

enum {
	TRACEFS_TYPE = 0x74726163,	/* of statfs(2) */
	PAGE_KIB = 16,
	PAGES_MIN = 64,		/* of a CPU's buffer with such pages */
};

struct ftrace {
	char *tracefs, *sysfs;
	uint32_t *devices;
	unsigned int count;
	unsigned int enabled;	/* devices switched on */
	int lock;		/* keeps other captures out */
	bool tracer;		/* we set current_tracer */
	struct settings set;
	struct ftrace_layout layout;
	bool has_layout;
	struct notes_stamp stamp;
	atomic_bool started;	/* the stamp and the watch are valid */
	atomic_bool stopped;
	struct ftrace_watch *watch;
	const struct capture_reporter *reporter;
	const char *const *names;	/* of the devices, or NULL */
	uint32_t mask;
	atomic_ullong *lost;	/* by device */
	atomic_ullong skipped;
};

/* a setting and its new value */
struct choice {
	const char *name, *value;
};

/* --- the ring buffer ------------------------------------------------------ */

/* Raises each CPU's buffer by itself. */
static int buffers_raise(struct ftrace *f, size_t kib)
{
	char path[SETTING_PATH], name[FTRACE_PATH];
	DIR *dir = opendir(settings_path(&f->set, "per_cpu", path));
	struct dirent *entry;
	int err = 0;

	if (!dir)
		return settings_fail(&f->set, -errno, path, strerror(errno));
	while (!err && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "cpu", 3) != 0)
			continue;
		snprintf(name, sizeof(name), "per_cpu/%.200s/buffer_size_kb",
			 entry->d_name);
		err = settings_raise(&f->set, name, kib);
	}
	closedir(dir);
	return err;
}

/* The file of all CPUs' size reads X if sizes differ. */
static int buffer_set(struct ftrace *f, size_t bytes)
{
	static const char all[] = "buffer_size_kb";
	size_t kib = bytes / 1024 + (bytes % 1024 != 0);
	char text[SETTING_TEXT];
	int err = settings_get(&f->set, all, text);

	if (err)
		return err;
	return *text == 'X' ? buffers_raise(f, kib) :
			      settings_raise(&f->set, all, kib);
}

/* Whether buffers of that size, which replace smaller ones, get larger pages;
 * former: the size that all have. */
static bool wants_pages(struct ftrace *f, size_t kib,
			char former[SETTING_TEXT])
{
	return kib >= PAGES_MIN * PAGE_KIB &&
	       !settings_get(&f->set, "buffer_size_kb", former) &&
	       *former != 'X' && strtoull(former, NULL, 10) <= kib;
}

/*
 * Sets the size of the ring buffer's pages, before that of the buffer.  Reading
 * a page takes as long as copying several KiB, so larger ones cost less; but
 * they are lost as a whole, so a small buffer keeps the kernel's.  The kernel
 * rounds the buffer's size with that of its pages: it is restored last.
 *
 * No failure matters: kernels before 6.8 have pages of one size.
 */
static void pages_raise(struct ftrace *f, size_t bytes)
{
	char former[SETTING_TEXT];

	if (wants_pages(f, bytes / 1024, former) &&
	    !settings_add(&f->set, "buffer_size_kb", former))
		settings_raise(&f->set, "buffer_subbuf_size_kb", PAGE_KIB);
	*f->set.why = '\0';
}

uint64_t ftrace_overrun(const struct ftrace *f, uint32_t cpu)
{
	struct ftrace_stats s;

	ftrace_stats_read(&s, f->tracefs, cpu);
	return s.overrun + s.refused;
}

/* --- other users ---------------------------------------------------------- */

/* The lock ends with the process. */
static int lock_claim(struct ftrace *f)
{
	char path[SETTING_PATH];

	f->lock = open(settings_path(&f->set, "current_tracer", path),
		       O_RDONLY | O_CLOEXEC);
	if (f->lock < 0)
		return settings_fail(&f->set, -errno, path, strerror(errno));
	if (flock(f->lock, LOCK_EX | LOCK_NB))
		return settings_fail(&f->set, -EBUSY, path,
				     "another capture holds it");
	return 0;
}

/* Whether a setting has the word among its blank-separated ones; or -errno. */
static int has_word(struct ftrace *f, const char *name, const char *word)
{
	char text[SETTING_TEXT], *save = NULL;
	int err = settings_get(&f->set, name, text);

	if (err)
		return err;
	for (char *at = strtok_r(text, " ", &save); at;
	     at = strtok_r(NULL, " ", &save))
		if (strcmp(at, word) == 0)
			return 1;
	return 0;
}

/* Both a tracer and single events would write into our buffer. */
static int check_tracer(struct ftrace *f)
{
	static const char events[] = "events/enable";
	char path[SETTING_PATH], text[SETTING_TEXT];
	int there = has_word(f, "available_tracers", "blk");

	if (there == 0)
		return settings_fail(&f->set, -EOPNOTSUPP, f->tracefs,
				     "the kernel has no blk tracer");
	if (there > 0)
		there = has_word(f, "current_tracer", "nop");
	if (there == 0)
		return settings_fail(&f->set, -EBUSY, "current_tracer",
				     "a tracer is in use");
	if (there < 0)
		return there;
	settings_path(&f->set, events, path);
	if (text_read(path, text, sizeof(text)) == 0 &&
	    strcmp(text, "0") != 0)
		return settings_fail(&f->set, -EBUSY, path,
				     "events are switched on");
	return 0;
}

/* The tracer takes events of all devices traced, by any way. */
static int check_devices(struct ftrace *f)
{
	char path[SETTING_PATH + 256], text[SETTING_TEXT];
	struct dirent *entry;
	int err = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/dev/block", f->sysfs);
	dir = opendir(path);
	if (!dir)
		return settings_fail(&f->set, -errno, path, strerror(errno));
	while (!err && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "%s/dev/block/%.200s/trace/enable",
			 f->sysfs, entry->d_name);
		if (text_read(path, text, sizeof(text)) == 0 &&
		    strcmp(text, "0") != 0)
			err = settings_fail(&f->set, -EBUSY, path,
					    "it is traced already");
	}
	closedir(dir);
	return err;
}

/* --- setting up ----------------------------------------------------------- */

/*
 * In this order: tracing_on is first, and so restored last.  The clock is that
 * of relay files.  Overwriting shows where events were lost, else only their
 * number is known.  The rest keeps text from between the records, and lets
 * poll(2) wait for more than one.
 */
static const struct choice choices[] = {
	{ "tracing_on", "0" },
	{ "trace_clock", "mono" },
	{ "buffer_percent", "25" },
	{ "options/overwrite", "1" },
	{ "options/stacktrace", "0" },
	{ "options/userstacktrace", "0" },
	{ "options/block", "0" },
	{ "options/record-cmd", "1" },
	{ "options/blk_classic", "0" },
	{ "options/bin", "1" },
	{ "options/context-info", "0" },
};

static int choices_put(struct ftrace *f)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++)
		if (!err)
			err = settings_change(&f->set, choices[i].name,
					      choices[i].value);
	return err;
}

/* Changes a setting of a device, which may be a partition. */
static int device_set(struct ftrace *f, uint32_t device, const char *name,
		      const char *value)
{
	char path[SETTING_PATH];
	int err;

	snprintf(path, sizeof(path), "%s/dev/block/%u:%u/trace/%s",
		 f->sysfs, BLK_MAJOR(device), BLK_MINOR(device), name);
	err = setting_write(path, value);
	return err ? settings_fail(&f->set, err, path, strerror(-err)) : 0;
}

/* After `enable`, which resets the mask. */
static int device_mask(struct ftrace *f, uint32_t device)
{
	char value[32];

	if (!f->mask)
		return 0;
	snprintf(value, sizeof(value), "0x%x", f->mask);
	return device_set(f, device, "act_mask", value);
}

static int device_enable(struct ftrace *f, uint32_t device)
{
	int err = device_set(f, device, "enable", "1");

	if (err)
		return err;
	f->enabled++;
	return device_mask(f, device);
}

static int devices_enable(struct ftrace *f)
{
	int err = 0;

	for (unsigned int i = 0; i < f->count && !err; i++)
		err = device_enable(f, f->devices[i]);
	return err;
}

/* Sets context-info again, as old kernels change it with the tracer. */
static int tracer_set(struct ftrace *f)
{
	int err = settings_set(&f->set, "current_tracer", "blk");

	if (err)
		return err;
	f->tracer = true;
	return settings_set(&f->set, "options/context-info", "0");
}

static int tracer_unset(struct ftrace *f)
{
	if (!f->tracer)
		return 0;
	f->tracer = false;
	return settings_set(&f->set, "current_tracer", "nop");
}

/* Checks that all is free, without changing anything. */
static int claim(struct ftrace *f)
{
	int err = lock_claim(f);

	err = err ? err : check_tracer(f);
	return err ? err : check_devices(f);
}

/* Opening `trace` for writing empties the buffer of others' events. */
static int set_up(struct ftrace *f, const struct ftrace_plan *plan)
{
	int err = claim(f);

	err = err ? err : choices_put(f);
	if (!err)
		pages_raise(f, plan->buffer);
	err = err ? err : buffer_set(f, plan->buffer);
	err = err ? err : devices_enable(f);
	err = err ? err : tracer_set(f);
	return err ? err : settings_set(&f->set, "trace", "");
}

/* --- life ----------------------------------------------------------------- */

int ftrace_find(char path[FTRACE_PATH])
{
	static const char *const places[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
	};
	struct statfs fs;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (statfs(places[i], &fs) == 0 && fs.f_type == TRACEFS_TYPE) {
			snprintf(path, FTRACE_PATH, "%s", places[i]);
			return 0;
		}
	return -ENOENT;
}

int ftrace_free(struct ftrace *f, char why[FTRACE_WHY])
{
	int first, err;

	*why = '\0';
	if (!f)
		return 0;
	*f->set.why = '\0';
	first = ftrace_stop(f);
	err = tracer_unset(f);
	first = first ? first : err;
	err = settings_restore(&f->set);
	first = first ? first : err;
	if (first)
		memcpy(why, f->set.why, FTRACE_WHY);
	if (f->lock >= 0)
		close(f->lock);
	ftrace_watch_free(f->watch);
	free(f->tracefs);
	free(f->sysfs);
	free(f->devices);
	free(f->lost);
	free(f);
	return first;
}

/* Copies the plan, and does nothing else; NULL: no memory. */
static struct ftrace *ftrace_make(const struct ftrace_plan *plan)
{
	struct ftrace *f = calloc(1, sizeof(*f));
	char unsaid[FTRACE_WHY];

	if (!f)
		return NULL;
	f->lock = -1;
	f->count = plan->count;
	f->names = plan->names;
	f->reporter = plan->reporter;
	f->mask = plan->mask;
	f->tracefs = strdup(plan->tracefs);
	f->sysfs = strdup(plan->sysfs ? plan->sysfs : "/sys");
	f->devices = calloc(plan->count + 1, sizeof(*f->devices));
	f->lost = calloc(plan->count + 1, sizeof(*f->lost));
	f->set.root = f->tracefs;
	if (!f->tracefs || !f->sysfs || !f->devices || !f->lost) {
		ftrace_free(f, unsaid);
		return NULL;
	}
	memcpy(f->devices, plan->devices, f->count * sizeof(*f->devices));
	return f;
}

static int no_memory(char why[FTRACE_WHY])
{
	snprintf(why, FTRACE_WHY, "%s", strerror(ENOMEM));
	return -ENOMEM;
}

int ftrace_check(const struct ftrace_plan *plan, char why[FTRACE_WHY])
{
	struct ftrace *f = ftrace_make(plan);
	char unsaid[FTRACE_WHY];
	int err;

	*why = '\0';
	if (!f)
		return no_memory(why);
	err = claim(f);
	memcpy(why, f->set.why, FTRACE_WHY);
	ftrace_free(f, unsaid);
	return err;
}

int ftrace_new(struct ftrace **made, const struct ftrace_plan *plan,
	       char why[FTRACE_WHY])
{
	struct ftrace *f = ftrace_make(plan);
	char unsaid[FTRACE_WHY];
	int err;

	*why = '\0';
	*made = NULL;
	if (!f)
		return no_memory(why);
	err = set_up(f, plan);
	if (!err) {
		f->has_layout = !ftrace_layout_read(&f->layout, f->tracefs);
		*made = f;
		return 0;
	}
	memcpy(why, f->set.why, FTRACE_WHY);
	ftrace_free(f, unsaid);
	return err;
}

/* For the watch, after another has disabled it; keeps f's reason. */
static int enable_again(void *ctx, unsigned int device)
{
	struct ftrace *f = ctx;
	char why[FTRACE_WHY];
	int err;

	memcpy(why, f->set.why, FTRACE_WHY);
	err = device_set(f, f->devices[device], "enable", "1");
	err = err ? err : device_mask(f, f->devices[device]);
	memcpy(f->set.why, why, FTRACE_WHY);
	return err;
}

/* After tracing is on, so that it does not report our own switch. */
static int watch_start(struct ftrace *f)
{
	const struct ftrace_watch_plan plan = {
		.tracefs = f->tracefs,
		.sysfs = f->sysfs,
		.devices = f->devices,
		.names = f->names,
		.count = f->count,
		.reporter = f->reporter,
		.start = f->stamp.time,
		.enable = enable_again,
		.ctx = f,
	};

	return ftrace_watch_new(&f->watch, &plan);
}

int ftrace_start(struct ftrace *f)
{
	int err;

	f->stamp = notes_stamp_now();
	err = settings_set(&f->set, "tracing_on", "1");
	err = err ? err : watch_start(f);
	if (!err)
		atomic_store_explicit(&f->started, true, memory_order_release);
	return err;
}

bool ftrace_started(const struct ftrace *f, struct notes_stamp *stamp)
{
	if (!atomic_load_explicit(&f->started, memory_order_acquire))
		return false;
	*stamp = f->stamp;
	return true;
}

/*
 * Not by tracing_on: where that stops the tracer, it brings context-info back
 * between the records not read yet.
 */
int ftrace_stop(struct ftrace *f)
{
	int first = 0;

	if (f->watch)
		ftrace_watch_look(f->watch, true);
	while (f->enabled) {
		uint32_t device = f->devices[--f->enabled];
		int err = device_set(f, device, "enable", "0");

		if (err != -ENOENT && err != -ENODEV)
			first = first ? first : err;
		else if (!first)
			*f->set.why = '\0';
	}
	atomic_store(&f->stopped, true);
	return first;
}

bool ftrace_stopped(const struct ftrace *f)
{
	return atomic_load(&f->stopped);
}

uint64_t ftrace_lost(const struct ftrace *f, unsigned int device)
{
	return atomic_load(&f->lost[device]);
}

uint64_t ftrace_skipped(const struct ftrace *f)
{
	return atomic_load(&f->skipped);
}

void ftrace_count_lost(struct ftrace *f, unsigned int device, uint64_t events)
{
	atomic_fetch_add(&f->lost[device], events);
}

void ftrace_count_skipped(struct ftrace *f, uint64_t bytes)
{
	atomic_fetch_add(&f->skipped, bytes);
}

struct ftrace_watch *ftrace_watch_of(const struct ftrace *f)
{
	return atomic_load_explicit(&f->started, memory_order_acquire) ?
	       f->watch : NULL;
}

const struct capture_reporter *ftrace_reporter(const struct ftrace *f)
{
	return f->reporter;
}

const struct ftrace_layout *ftrace_pages(const struct ftrace *f)
{
	return f->has_layout ? &f->layout : NULL;
}

const char *ftrace_path(const struct ftrace *f)
{
	return f->tracefs;
}

const uint32_t *ftrace_devices(const struct ftrace *f, unsigned int *count)
{
	*count = f->count;
	return f->devices;
}

/* --- after a death -------------------------------------------------------- */

/* the kernel's, the last restored first; 4 KiB become a page of the machine */
static const struct choice defaults[] = {
	{ "tracing_on", "1" },
	{ "trace_clock", "local" },
	{ "buffer_percent", "50" },
	{ "buffer_size_kb", "1408" },
	{ "buffer_subbuf_size_kb", "4" },
	{ "options/bin", "0" },
	{ "options/context-info", "1" },
};

/* Old kernels lack some. */
static int adopt_setting(struct ftrace *f, const struct choice *c)
{
	char path[SETTING_PATH];

	if (access(settings_path(&f->set, c->name, path), F_OK))
		return 0;
	return settings_add(&f->set, c->name, c->value);
}

/* As if the defaults had been found, and all were switched on. */
static int adopt(struct ftrace *f)
{
	int err = lock_claim(f), ours;

	if (err)
		return err;
	ours = has_word(f, "current_tracer", "blk");
	if (ours <= 0)
		return ours ? ours : -ENOENT;
	f->enabled = f->count;
	f->tracer = true;
	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		if (!err)
			err = adopt_setting(f, &defaults[i]);
	return err;
}

int ftrace_kill(const struct ftrace_plan *plan, char why[FTRACE_WHY])
{
	struct ftrace *f = ftrace_make(plan);
	char unsaid[FTRACE_WHY];
	int err;

	*why = '\0';
	if (!f)
		return no_memory(why);
	err = adopt(f);
	if (!err)
		return ftrace_free(f, why);
	memcpy(why, f->set.why, FTRACE_WHY);
	ftrace_free(f, unsaid);
	return err;
}
