/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The progress line; see reading.h.  stderr becomes a stream that erases the
 * line, by blanks and carriage returns, and passes the text on.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/time.h"
#include "cli/reading.h"
#include "run/input.h"

/* shorter work shows nothing */
static const uint64_t PATIENCE = 2 * NS_PER_SECOND;
/* between two drawings of the line */
static const uint64_t PAUSE = NS_PER_SECOND / 4;

/* columns of a terminal that does not report them; the most used */
enum { COLUMNS = 80, LINE_MAX_COLUMNS = 200 };

int progress_fd(bool wanted)
{
	return wanted && isatty(STDERR_FILENO) ? STDERR_FILENO : -1;
}

void progress_line_start(struct progress_line *p, int fd, uint64_t now)
{
	*p = (struct progress_line){ .fd = fd, .start = now, .drawn = now };
}

/* "1.5 MiB" */
static int format_size(char *to, size_t room, double bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	size_t unit = 0;

	bytes /= 1024;
	while (bytes >= 1024 && unit < sizeof(units) / sizeof(*units) - 1) {
		bytes /= 1024;
		unit++;
	}
	return snprintf(to, room, "%.1f %s", bytes, units[unit]);
}

/* "0:07", "12:34:56" */
static int format_time(char *to, size_t room, uint64_t seconds)
{
	uint64_t minutes = seconds / 60;

	if (minutes < 60)
		return snprintf(to, room, "%" PRIu64 ":%02" PRIu64, minutes,
				seconds % 60);
	return snprintf(to, room, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
			minutes / 60, minutes % 60, seconds % 60);
}

/* A file that grows while it is read has no total. */
static int format_line(char *to, size_t room, uint64_t done, uint64_t total,
		       uint64_t elapsed)
{
	double rate = (double)done * (double)NS_PER_SECOND / (double)elapsed;
	char sofar[32], all[32], speed[32], left[32];

	format_size(sofar, sizeof(sofar), (double)done);
	format_size(speed, sizeof(speed), rate);
	if (!done || total < done)
		return snprintf(to, room, "%s: %s, %s/s",
				program_invocation_short_name, sofar, speed);
	format_size(all, sizeof(all), (double)total);
	format_time(left, sizeof(left),
		    (uint64_t)((double)(total - done) / rate + 0.5));
	return snprintf(to, room, "%s: %s of %s (%d %%), %s/s, %s left",
			program_invocation_short_name, sofar, all,
			(int)((double)done * 100 / (double)total), speed, left);
}

/* One less than the terminal has, as a full line may take two rows. */
static unsigned int columns(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS - 1;
	if (size.ws_col > LINE_MAX_COLUMNS)
		return LINE_MAX_COLUMNS;
	return size.ws_col - 1;
}

/* Replaces the line by text, in one write. */
static void draw(struct progress_line *p, const char *text, unsigned int width)
{
	char all[3 * LINE_MAX_COLUMNS];
	unsigned int blanks = p->width > width ? p->width - width : 0;
	int len = snprintf(all, sizeof(all), "\r%.*s%*s", (int)width, text,
			   (int)blanks, "");

	/* move the cursor to where the next text starts */
	if (!width)
		all[len++] = '\r';
	p->width = width;
	if (write(p->fd, all, (size_t)len) != len)
		p->fd = -1;
}

void progress_line_update(struct progress_line *p, uint64_t done,
			  uint64_t total, uint64_t now)
{
	char text[LINE_MAX_COLUMNS + 1];
	unsigned int room;
	int len;

	if (p->fd < 0 || now - p->start < PATIENCE || now - p->drawn < PAUSE)
		return;
	p->drawn = now;
	len = format_line(text, sizeof(text), done, total, now - p->start);
	room = columns(p->fd);
	draw(p, text, (unsigned int)len < room ? (unsigned int)len : room);
}

void progress_line_erase(struct progress_line *p)
{
	if (p->fd >= 0 && p->width)
		draw(p, "", 0);
}

#ifdef __GLIBC__
/* stderr's text; an error stays with the terminal */
static ssize_t pass_on(void *reading, const char *text, size_t len)
{
	struct reading *r = reading;

	progress_line_erase(&r->line);
	return (ssize_t)fwrite(text, 1, len, r->terminal);
}

/* Without the stream there is no line either. */
static void take_stderr(struct reading *r)
{
	FILE *f = fopencookie(r, "w",
			      (cookie_io_functions_t){ .write = pass_on });

	if (!f) {
		r->line.fd = -1;
		return;
	}
	setvbuf(f, NULL, _IOLBF, 0);
	r->terminal = stderr;
	stderr = f;
}

static void restore_stderr(const struct reading *r)
{
	FILE *f = stderr;

	stderr = r->terminal;
	fclose(f);
}
#else	/* which does not let stderr be set */
static void take_stderr(struct reading *r)
{
	r->line.fd = -1;
}

static void restore_stderr(const struct reading *r)
{
	(void)r;
}
#endif

void reading_start(struct reading *r, bool wanted)
{
	*r = (struct reading){ .left = PROGRESS_EVENTS };
	progress_line_start(&r->line, progress_fd(wanted), time_now());
	if (r->line.fd >= 0)
		take_stderr(r);
}

void reading_show(struct reading *r, uint64_t done, uint64_t total)
{
	r->left = PROGRESS_EVENTS;
	if (r->terminal)
		progress_line_update(&r->line, done, total, time_now());
}

void reading_show_input(struct reading *r, const struct input *in)
{
	uint64_t done = 0, total = 0;

	if (r->terminal)
		input_progress(in, &done, &total);
	reading_show(r, done, total);
}

void reading_erase(struct reading *r)
{
	if (r->terminal)
		progress_line_erase(&r->line);
}

void reading_end(struct reading *r)
{
	if (!r->terminal)
		return;
	reading_erase(r);
	restore_stderr(r);
	r->terminal = NULL;
}
