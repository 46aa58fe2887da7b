/* What the user named, in time order; see input.h. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/files.h"
#include "trace/hooks.h"
#include "trace/input.h"
#include "trace/merge.h"
#include "trace/record.h"
#include "trace/reorder.h"
#include "trace/source.h"
#include "trace/stream.h"

struct input {
	const struct hooks *hooks;
	struct input_options options;
	char *sticky;		/* the last directory named, or NULL */
	struct devices devices;
	struct merge *merge;
	struct stream *as_written;	/* or NULL */
	struct stream **streams;
	size_t stream_count;
	struct reorder **lives;	/* dumps, or the one pipe */
	size_t live_count;
	bool piped;
};

struct input *input_new(const struct input_options *o,
			const struct hooks *hooks)
{
	struct input *in = calloc(1, sizeof(*in));

	if (!in)
		return NULL;
	in->hooks = hooks;
	in->options = *o;
	in->merge = merge_new();
	if (!in->merge) {
		input_free(in);
		return NULL;
	}
	return in;
}

void input_free(struct input *in)
{
	if (!in)
		return;
	for (size_t i = 0; i < in->stream_count; i++)
		stream_free(in->streams[i]);
	stream_free(in->as_written);
	for (size_t i = 0; i < in->live_count; i++)
		reorder_free(in->lives[i]);
	merge_free(in->merge);
	devices_free(&in->devices);
	free(in->streams);
	free(in->lives);
	free(in->sticky);
	free(in);
}

/* --- players of the merge ------------------------------------------------ */

static int next_of_stream(void *self, struct event **ev)
{
	return stream_next(self, ev);
}

static int next_of_live(void *self, struct event **ev)
{
	return reorder_next(self, ev);
}

static int add_stream(struct input *in, struct stream *s)
{
	struct stream **streams = NULL;
	int err = -ENOMEM;

	if (s)
		streams = realloc(in->streams, (in->stream_count + 1) *
						       sizeof(*streams));
	if (streams) {
		in->streams = streams;
		err = merge_add(in->merge,
				(struct player){ next_of_stream, s });
	}
	if (err) {
		stream_free(s);
		return err;
	}
	streams[in->stream_count++] = s;
	/* notes act in the order in which files are opened */
	stream_prime(s);
	return 0;
}

static int add_live(struct input *in, struct reorder *l)
{
	struct reorder **lives = NULL;
	int err = -ENOMEM;

	if (l)
		lives = realloc(in->lives,
				(in->live_count + 1) * sizeof(*lives));
	if (lives) {
		in->lives = lives;
		err = merge_add(in->merge, (struct player){ next_of_live, l });
	}
	if (err) {
		reorder_free(l);
		return err;
	}
	lives[in->live_count++] = l;
	return 0;
}

/* --- devices with a file per CPU ----------------------------------------- */

static void report(struct input *in, const char *file, int err)
{
	in->hooks->damage(in->hooks->ctx,
			  &(struct damage){ .file = file,
					    .what = strerror(-err) });
}

static unsigned int batch_of(const struct input *in)
{
	int batch = in->options.batch;

	/* a negative number was a huge one to the original */
	return batch ? (unsigned int)batch : STREAM_BATCH;
}

static int add_file(struct input *in, struct device *dev,
		    const struct file_entry *e)
{
	struct source *src;
	struct stream_options o = {
		.name = e->path,
		.cpu = in->options.any_cpu ? STREAM_ANY_CPU : (int)e->cpu,
		.batch = batch_of(in),
		.lane = device_cpu(&in->devices, dev, e->cpu),
	};
	int err;

	if (!o.lane)
		return -ENOMEM;
	err = files_open(e, &src);
	if (err == -EMFILE || err == -ENFILE)
		return err;
	if (err) {
		report(in, e->path, err);
		return 0;
	}
	in->hooks->added(in->hooks->ctx, e->path);
	return add_stream(in, stream_new(src, &o, in->hooks));
}

/* The device called name in dir, shown as label. */
static int add_device(struct input *in, const char *dir, const char *name)
{
	struct files files;
	struct device *dev;
	int err = files_find(&files, dir, name);

	if (err)
		return err;
	dev = device_add(&in->devices, name, 0, 0);
	err = dev ? 0 : -ENOMEM;
	for (size_t i = 0; !err && i < files.count; i++)
		if (!files.list[i].empty)
			err = add_file(in, dev, &files.list[i]);
	files_free(&files);
	return err;
}

/* --- directories and dumps ------------------------------------------------ */

static int add_directory(struct input *in, const char *path)
{
	char **names = NULL;
	int count = files_devices(path, &names), err = 0;

	if (count <= 0)
		return count ? count : -ENOENT;
	for (int i = 0; i < count; i++) {
		if (!err)
			err = add_device(in, path, names[i]);
		free(names[i]);
	}
	free(names);
	return err;
}

/* Whether the file begins as a record does, unpacked if need be. */
static bool begins_as_trace(const char *path)
{
	struct source *src;
	uint8_t head[4];
	size_t have = 0;
	ssize_t n = 1;
	unsigned int version;
	bool swapped;

	if (source_open(&src, path))
		return false;
	while (have < sizeof(head) && n > 0) {
		n = source_read(src, head + have, sizeof(head) - have);
		have += n > 0 ? (size_t)n : 0;
	}
	source_close(src);
	return have == sizeof(head) && record_magic(head, &version, &swapped);
}

static int add_dump(struct input *in, const char *path, const char *name)
{
	struct reorder_options o = { .name = name, .filtered = true };
	struct source *src;
	int err;

	if (!begins_as_trace(path))
		return -ENOENT;
	err = source_open(&src, path);
	if (err)
		return err;
	in->hooks->added(in->hooks->ctx, path);
	return add_live(in, reorder_new(src, &in->devices, &o, in->hooks));
}

int input_add_as_written(struct input *in, const char *path,
			 struct stream **s)
{
	struct stream_options o = {
		.name = path,
		.cpu = STREAM_ANY_CPU,
		.batch = STREAM_BATCH,
		.notes_stay = true,
	};
	struct source *src;
	int err = source_open(&src, path);

	if (err)
		return err;
	in->hooks->added(in->hooks->ctx, path);
	*s = in->as_written = stream_new(src, &o, in->hooks);
	return *s ? 0 : -ENOMEM;
}

/* A name that is no device: 1.3.0 has no use for it. */
static int add_other(struct input *in, const char *name)
{
	const char *dir = in->options.directory;
	char *path = NULL;
	struct stat st;
	int err = -ENOENT;

	if (asprintf(&path, "%s%s%s", dir ? dir : "", dir ? "/" : "", name) < 0)
		return -ENOMEM;
	for (size_t len = strlen(path); len > 1 && path[len - 1] == '/';)
		path[--len] = '\0';
	if (!stat(path, &st))
		err = S_ISDIR(st.st_mode) ? add_directory(in, path) :
					    add_dump(in, path, name);
	free(path);
	return err;
}

/* --- names --------------------------------------------------------------- */

/*
 * A name's own directory sticks to all that follow, as it always has; but a
 * device that is not there is looked for where it would be without that.
 */
static int add_in_place(struct input *in, const char *name)
{
	const char *dir = in->options.directory ? in->options.directory : "";
	int err = -ENOENT;

	if (in->sticky)
		err = add_device(in, in->sticky, name);
	return err == -ENOENT ? add_device(in, dir, name) : err;
}

static int add_name(struct input *in, char *name)
{
	char *copy = strdup(name), *dir;
	int err;

	if (!copy)
		return -ENOMEM;
	dir = dirname(copy);
	if (strcmp(dir, ".")) {
		free(in->sticky);
		in->sticky = strdup(dir);
		err = in->sticky ? add_device(in, in->sticky, basename(name)) :
				   -ENOMEM;
	} else {
		err = add_in_place(in, name);
	}
	free(copy);
	return err;
}

int input_add(struct input *in, const char *name)
{
	char *device = strdup(name), *cut;
	int err = -ENOMEM;

	if (device) {
		cut = strstr(device, ".blktrace.");
		if (cut)
			*cut = '\0';
		err = add_name(in, device);
	}
	free(device);
	return err == -ENOENT ? add_other(in, name) : err;
}

/* --- pipes --------------------------------------------------------------- */

bool input_is_pipe(const char *name)
{
	struct stat st;

	return !strcmp(name, "-") || (!stat(name, &st) && S_ISFIFO(st.st_mode));
}

int input_add_pipe(struct input *in, const char *name)
{
	bool is_stdin = !strcmp(name, "-");
	struct reorder_options o = {
		.name = is_stdin ? "standard input" : name,
		.events = in->options.batch < 1 ? 0 :
						  (uint32_t)in->options.batch,
	};
	struct source *src;
	int err = is_stdin ? source_fd(&src, STDIN_FILENO) :
			     source_open(&src, name);

	if (err)
		return err;
	in->piped = true;
	return add_live(in, reorder_new(src, &in->devices, &o, in->hooks));
}

int input_add_label(struct input *in, const char *label)
{
	return devices_add_label(&in->devices, label);
}

int input_use_labels(struct input *in)
{
	return devices_use_labels(&in->devices);
}

/* --- events -------------------------------------------------------------- */

int input_next(struct input *in, struct event **ev)
{
	return merge_next(in->merge, ev);
}

uint64_t input_watermark(const struct input *in)
{
	return in->piped ? reorder_watermark(in->lives[0]) : UINT64_MAX;
}

uint64_t input_late(const struct input *in)
{
	uint64_t late = 0;

	for (size_t i = 0; i < in->live_count; i++)
		late += reorder_late(in->lives[i]);
	return late;
}

const struct devices *input_devices(const struct input *in)
{
	return &in->devices;
}
