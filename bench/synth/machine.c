/* SPDX-License-Identifier: GPL-2.0-only */
/* The simulated machine, set up and torn down; see machine.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/msg.h"
#include "bench/synth/machine.h"

enum { EVENT_GAP = 5000 };	/* mean ns between two events, without a rate */

static void *allocate(size_t count, size_t size)
{
	void *p = calloc(count, size);

	if (!p)
		msg_die("machine:");
	return p;
}

/* --- CPUs ----------------------------------------------------------------- */

/* Where names of disks lead; the last entry takes everything else. */
static const struct major {
	const char *prefix;
	unsigned major;
	unsigned minors;	/* from one disk to the next */
} majors[] = {
	{ "nvme", 259, 8 }, { "vd", 254, 16 }, { "dm-", 253, 1 },
	{ "nullb", 252, 1 }, { "md", 9, 1 }, { "", 8, 16 },
};

/* Major and minor as the disk's name suggests. */
static uint32_t device_number(const char *name, unsigned index)
{
	const struct major *j = majors;

	while (strncmp(name, j->prefix, strlen(j->prefix)) != 0)
		j++;
	return BLK_DEVICE(j->major, index * j->minors);
}

static void name_tasks(struct cpu *c, unsigned number)
{
	snprintf(c->idle.comm, TASK_COMM, "swapper/%u", number % CPUS_MAX);
	c->kworker.pid = 20 + 6 * number;
	if (c->kworker.pid >= TASK_PIDS)	/* beyond the users' */
		c->kworker.pid += 100000;
	snprintf(c->kworker.comm, TASK_COMM, "kworker/%u:1H",
		 number % CPUS_MAX);
}

/* CPUs start within moments of each other, all of them idle. */
static void make_cpus(struct machine *m)
{
	uint32_t moment = (uint32_t)(4 * m->mean_gap);

	m->cpus = allocate(m->plan.cpus, sizeof(*m->cpus));
	for (unsigned i = 0; i < m->plan.cpus; i++) {
		struct cpu *c = &m->cpus[i];

		*c = (struct cpu){ .number = i, .now = m->start };
		c->current = &c->idle;
		name_tasks(c, i);
		agenda_add(&m->agenda, (struct item){
			.when = m->start + dice_pick(&m->dice, moment),
			.deed = SUBMIT, .cpu = i });
		if (m->plan.pipe)
			agenda_add(&m->agenda, (struct item){
				.when = m->start +
					dice_pick(&m->dice,
						  (uint32_t)m->plan.lag),
				.deed = WRITE_OUT, .cpu = i });
	}
}

/* --- streams -------------------------------------------------------------- */

/* Every CPU has its file, also one that stays empty. */
static int create(const struct plan *p, unsigned cpu, unsigned disk)
{
	char path[4096];
	int fd;

	if (p->pipe)
		return STDOUT_FILENO;
	snprintf(path, sizeof(path), "%s/%s.blktrace.%u", p->directory,
		 p->names[disk], cpu);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		msg_die("%s:", path);
	return fd;
}

static void open_streams(struct machine *m)
{
	const struct plan *p = &m->plan;
	unsigned n = p->cpus * p->disks;

	limit_open_files();
	if (!p->pipe && mkdir(p->directory, 0777) < 0 && errno != EEXIST)
		msg_die("%s:", p->directory);
	m->streams = allocate(n, sizeof(*m->streams));
	for (unsigned i = 0; i < n; i++)
		m->streams[i].fd = create(p, i / p->disks, i % p->disks);
}

uint64_t machine_clock(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

/* --- all of it ------------------------------------------------------------ */

/* The fixed start of an unpaced trace makes it repeatable. */
static void set_clock(struct machine *m)
{
	const struct plan *p = &m->plan;

	m->mean_gap = p->rate ? p->cpus * SECOND / p->rate + 1 :
				p->cpus * (uint64_t)EVENT_GAP;
	m->start = machine_is_paced(m) ? machine_clock(CLOCK_MONOTONIC) :
					 5000 * SECOND;
	m->silent_from = m->start + (uint64_t)(p->silent_start * SECOND);
	m->silent_to = m->silent_from + (uint64_t)(p->silent_length * SECOND);
}

void machine_set_up(struct machine *m)
{
	const struct plan *p = &m->plan;

	dice_seed(&m->dice, p->seed);
	m->left = p->events;
	m->drops_left = p->drop;
	set_clock(m);
	for (unsigned d = 0; d < p->disks; d++)
		m->devices[d] = device_number(p->names[d], d);
	open_streams(m);
	task_make_users(m->users, &m->dice, p->disks);
	make_cpus(m);
}

void machine_tear_down(struct machine *m)
{
	for (unsigned i = 0; i < m->plan.cpus * m->plan.disks; i++)
		if (!m->plan.pipe && close(m->streams[i].fd) < 0)
			msg_die("close:");
	agenda_free(&m->agenda);
	free(m->streams);
	free(m->cpus);
}
