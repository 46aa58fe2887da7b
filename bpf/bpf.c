/* SPDX-License-Identifier: GPL-2.0-only */
/* The BPF programs; see bpf.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bpf/bpf.h"
#include "bpf/programs.lskel"
#include "bpf/syscall.h"

/* --- probe ---------------------------------------------------------------- */

/*
 * Probes on functions of the kernel by perf_event_open(2), if the kernel has
 * and allows kprobes: a link, or -errno; -EOPNOTSUPP: no probes here.
 */

#define PMU "/sys/bus/event_source/devices/kprobe/"

/* The number after a text in a file of the PMU; -EOPNOTSUPP: none. */
static int number_in(const char *path, const char *format)
{
	FILE *f = fopen(path, "re");
	int n = -EOPNOTSUPP;

	if (!f)
		return -EOPNOTSUPP;
	if (fscanf(f, format, &n) != 1 || n < 0)
		n = -EOPNOTSUPP;
	fclose(f);
	return n;
}

static int event_open(uint64_t address, const char *name, bool exit)
{
	int type = number_in(PMU "type", "%d");
	int bit = number_in(PMU "format/retprobe", "config:%d");
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.config1 = (uintptr_t)name,	/* kprobe_func */
		.config2 = name ? 0 : address,	/* offset, or kprobe_addr */
		.sample_period = 1,
		.wakeup_events = 1,
	};
	long fd;

	if (type < 0 || bit < 0 || bit > 63)
		return -EOPNOTSUPP;
	attr.type = (uint32_t)type;
	attr.config = exit ? 1ull << bit : 0;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : (int)fd;
}

/* The link keeps the event. */
static int link_event(int prog, int event, uint64_t cookie)
{
	int link;

	if (event < 0)
		return event;
	link = bpf_event_link_new(prog, event, cookie);
	close(event);
	return link;
}

/* Attaches prog to the function at address, or of that name.  The program gets
 * `cookie`, to distinguish its probes. */
static int bpf_probe_open(int prog, uint64_t address, const char *name,
			  uint64_t cookie)
{
	return link_event(prog, event_open(address, name, false), cookie);
}

/* The same for its return, by address only. */
static int bpf_probe_return(int prog, uint64_t address)
{
	return link_event(prog, event_open(address, NULL, true), 0);
}

/* --- bpf ------------------------------------------------------------------ */

/* descriptors in the generated struct */
#define MAP_AT(name) offsetof(struct programs, maps.name.map_fd)
#define PROGRAM_AT(name) offsetof(struct programs, progs.name.prog_fd)

static int fd_at(const struct programs *p, size_t offset)
{
	return *(const int *)((const char *)p + offset);
}

/* --- names ------------------------------------------------------------- */

/* also their names as pins */
static const struct {
	const char *name;
	size_t at;
	uint32_t key, value;	/* bytes */
} maps[BPF_MAP_NAMES] = {
	[BPF_MAP_CONFIG] = { "config", MAP_AT(config), 4,
			     sizeof(struct bpf_config) },
	[BPF_MAP_FILES] = { "files", MAP_AT(files), 4,
			    sizeof(struct bpf_file) },
	[BPF_MAP_WATCH] = { "watch", MAP_AT(watch), sizeof(struct bpf_key),
			    4 },
	[BPF_MAP_LOGS] = { "logs", MAP_AT(logs), 4, 4 },
	[BPF_MAP_RINGS] = { "rings", MAP_AT(rings), 4, 4 },
	[BPF_MAP_DEVICES] = { "devices", MAP_AT(devices), 4,
			      sizeof(struct bpf_device) },
	[BPF_MAP_CALLS] = { "calls", MAP_AT(calls), 4, 4 },
	[BPF_MAP_TREES] = { "trees", MAP_AT(trees), 8,
			    sizeof(struct bpf_tree) },
	[BPF_MAP_RUNNING] = { "running", MAP_AT(running), 8,
			      sizeof(struct bpf_running) },
};

/* programs that a process may attach after opening the pins */
static const struct {
	const char *name;
	size_t at, into;
} kept[] = {
	{ "find_files", PROGRAM_AT(find_files),
	  offsetof(struct bpf, iterator) },
	{ "enter", PROGRAM_AT(function_enter),
	  offsetof(struct bpf, probe_enter) },
	{ "exit", PROGRAM_AT(function_exit), offsetof(struct bpf, probe_exit) },
};

/* The programs of each group.  A named tracepoint is missing in some kernels,
 * and skipped there. */
static const struct {
	enum bpf_group group;
	const char *name;
	size_t at;
	bool second;		/* records what the previous one misses */
} tracepoints[] = {
	{ BPF_BIOS, NULL, PROGRAM_AT(bio_queue), false },
	{ BPF_CALLS, NULL, PROGRAM_AT(call_exit), false },
	{ BPF_CALLS, NULL, PROGRAM_AT(call_enter), false },
	{ BPF_URING, "io_uring_submit_req", PROGRAM_AT(uring_submit), false },
	{ BPF_URING, "io_uring_submit_sqe", PROGRAM_AT(uring_submit), false },
	{ BPF_URING, "io_uring_complete", PROGRAM_AT(uring_complete), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(bio_queue), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_backmerge), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_frontmerge), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_bio_complete), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_split), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_bio_remap), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_rq_remap), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_getrq), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_plug), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_unplug), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_insert), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_issue), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(nested_issue), true },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_merge), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_requeue), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(record_complete), false },
	{ BPF_RECORDS, NULL, PROGRAM_AT(nested_complete), true },
};

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

static int fail(struct bpf *b, int err, const char *what)
{
	snprintf(b->why, sizeof(b->why), "%s: %s", what, strerror(-err));
	return err;
}

/* --- loading ----------------------------------------------------------- */

/* Older kernels are tried, too, as some have backported features. */
static bool is_old(const char *release)
{
	unsigned int major, minor;

	return sscanf(release, "%u.%u", &major, &minor) == 2 &&
	       (major < 5 || (major == 5 && minor < 17));
}

/* Explains the usual reasons; NULL: another one. */
static const char *usual_reason(int err, bool old)
{
	if (err == -EPERM && geteuid())
		return "only root may load programs into the kernel";
	if (old)
		return NULL;
	if (err == -EPERM)
		return "this kernel does not allow loading programs: lockdown,"
		       " a container, or a missing capability (CAP_BPF,"
		       " CAP_PERFMON)";
	if (err == -ENOSYS)
		return "this kernel has no bpf(2): it must be built with"
		       " CONFIG_BPF_SYSCALL";
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return "this kernel does not describe its types"
		       " (/sys/kernel/btf/vmlinux): it must be built with"
		       " CONFIG_DEBUG_INFO_BTF";
	return NULL;
}

void bpf_explain(char why[BPF_WHY], int err)
{
	struct utsname kernel = { .release = "" };
	const char *usual;
	bool old;

	uname(&kernel);
	old = is_old(kernel.release);
	usual = usual_reason(err, old);
	if (usual)
		snprintf(why, BPF_WHY, "%s", usual);
	else
		snprintf(why, BPF_WHY,
			 "the kernel %s does not take the programs (%s)%s",
			 kernel.release, strerror(-err),
			 old ? ": 5.17 or later is needed" : "");
}

static void *map_values(int fd, size_t size)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

/* After loading or opening. */
static int map_memory(struct bpf *b)
{
	void *config = map_values(b->maps[BPF_MAP_CONFIG],
				  sizeof(*b->config));
	void *files = map_values(b->maps[BPF_MAP_FILES],
				 BPF_FILES_MAX * sizeof(*b->files));

	if (config != MAP_FAILED)
		b->config = config;
	if (files != MAP_FAILED)
		b->files = files;
	return b->config && b->files ? 0 :
		fail(b, -errno, "the programs' memory");
}

/* Sets all descriptors to -1, as 0 is valid. */
static void blank(struct bpf *b)
{
	*b = (struct bpf){ .iterator = -1, .probe_enter = -1,
			   .probe_exit = -1 };
	for (size_t i = 0; i < BPF_MAP_NAMES; i++)
		b->maps[i] = -1;
}

static int *kept_fd(struct bpf *b, size_t i)
{
	return (int *)((char *)b + kept[i].into);
}

/* Copies the descriptors, so that loaded and opened b are freed alike. */
static int take_descriptors(struct bpf *b)
{
	int bad = 0;

	for (size_t i = 0; i < BPF_MAP_NAMES; i++) {
		b->maps[i] = fcntl(fd_at(b->programs, maps[i].at),
				   F_DUPFD_CLOEXEC, 3);
		bad |= b->maps[i] < 0;
	}
	for (size_t i = 0; i < COUNT(kept); i++) {
		*kept_fd(b, i) = fcntl(fd_at(b->programs, kept[i].at),
				       F_DUPFD_CLOEXEC, 3);
		bad |= *kept_fd(b, i) < 0;
	}
	return bad ? fail(b, -EMFILE, "descriptors") : 0;
}

int bpf_load(struct bpf *b, bool directories)
{
	int err;

	blank(b);
	b->programs = programs__open();
	if (!b->programs)
		return fail(b, -ENOMEM, "the programs");
	if (directories)
		b->programs->maps.members.max_entries = BPF_MEMBERS_MAX;
	err = programs__load(b->programs);
	if (err)
		bpf_explain(b->why, err);
	if (!err)
		err = take_descriptors(b);
	if (!err)
		err = map_memory(b);
	if (err)
		bpf_free(b);
	else
		b->config->wake = UINT32_MAX;
	return err;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Keeps b->why. */
void bpf_free(struct bpf *b)
{
	bpf_detach(b);
	if (b->config)
		munmap(b->config, sizeof(*b->config));
	if (b->files)
		munmap(b->files, BPF_FILES_MAX * sizeof(*b->files));
	for (size_t i = 0; i < BPF_MAP_NAMES; i++)
		close_if_open(b->maps[i]);
	for (size_t i = 0; i < COUNT(kept); i++)
		close_if_open(*kept_fd(b, i));
	if (b->programs)
		programs__destroy(b->programs);
	b->config = NULL;
	b->files = NULL;
	b->programs = NULL;
}

/* --- what is wanted ---------------------------------------------------- */

/* Reads entries up to the one of fd. */
static int read_found(int iterator, int fd, struct bpf_found *found)
{
	struct bpf_found list[64];
	ssize_t got;

	while ((got = read(iterator, list, sizeof(list))) > 0)
		for (size_t i = 0; i < (size_t)got / sizeof(*list); i++)
			if (list[i].fd == (uint32_t)fd) {
				*found = list[i];
				return 0;
			}
	return got < 0 ? -errno : -ENOENT;
}

int bpf_file_find(struct bpf *b, int fd, struct bpf_found *found)
{
	int iterator = bpf_files_open(b->iterator, (uint32_t)getpid());
	int err;

	if (iterator < 0)
		return fail(b, iterator, "the kernel's list of our files");
	err = read_found(iterator, fd, found);
	close(iterator);
	return err ? fail(b, err, "the kernel's list of our files") : 0;
}

/* The programs' first check of any file. */
static void note_alike(struct bpf *b)
{
	uint64_t alike = 0;

	for (int i = 0; i < BPF_FILES_MAX; i++)
		if (b->files[i].used)
			alike |= 1ull << (b->files[i].key.inode % 64);
	b->config->alike = alike;
}

int bpf_file_add(struct bpf *b, const struct bpf_file *f, uint32_t *number)
{
	uint32_t n = 0;
	int err;

	if (!bpf_map_get(b->maps[BPF_MAP_WATCH], &f->key, number))
		return -EEXIST;
	while (n < BPF_FILES_MAX && b->files[n].used)
		n++;
	if (n == BPF_FILES_MAX)
		return fail(b, -ENOSPC, "the list of watched files");
	b->files[n] = *f;
	b->files[n].used = 1;
	*number = n;
	note_alike(b);
	err = bpf_map_set(b->maps[BPF_MAP_WATCH], &f->key, &n);
	if (err)
		b->files[n].used = 0;
	return err ? fail(b, err, "the list of watched files") : 0;
}

void bpf_file_remove(struct bpf *b, uint32_t number)
{
	struct bpf_file *f = &b->files[number];

	bpf_map_remove(b->maps[BPF_MAP_WATCH], &f->key);
	memset(f, 0, sizeof(*f));
	note_alike(b);
}

/* Marks its filesystem, so that the programs look at files there. */
static int note_superblock(struct bpf *b, const struct bpf_found *found,
			   uint32_t number)
{
	int map = b->maps[BPF_MAP_TREES];
	struct bpf_tree tree = { .file = NO_FILE };

	bpf_map_get(map, &found->superblock, &tree);
	tree.below++;
	if (found->root)
		tree.file = number;
	return bpf_map_set(map, &found->superblock, &tree);
}

int bpf_tree_add(struct bpf *b, const struct bpf_found *found, uint32_t number)
{
	const struct bpf_tree tree = { .file = number };
	int err = bpf_map_set(b->maps[BPF_MAP_TREES], &found->inode, &tree);

	if (!err)
		err = note_superblock(b, found, number);
	if (err)
		return fail(b, err, "the list of watched directories");
	b->config->trees++;
	return 0;
}

int bpf_trace_device(struct bpf *b, uint32_t disk,
		     const struct bpf_device *device)
{
	int err = bpf_map_add(b->maps[BPF_MAP_DEVICES], &disk, device);

	return err ? fail(b, err, "the list of devices") : 0;
}

/* --- beginning and end ------------------------------------------------- */

static int link_keep(struct bpf *b, int link)
{
	int *links = realloc(b->links, (b->link_count + 1) * sizeof(*links));

	if (!links) {
		close(link);
		return -ENOMEM;
	}
	b->links = links;
	links[b->link_count++] = link;
	return 0;
}

/* -ENOENT, without a reason: no tracepoint of that name. */
static int attach_tracepoint(struct bpf *b, size_t at, const char *name)
{
	int link = bpf_tracepoint_open(fd_at(b->programs, at), name);

	if (link == -ENOENT && name)
		return -ENOENT;
	if (link >= 0)
		link = link_keep(b, link);
	return link < 0 ? fail(b, link, name ? name : "a tracepoint") : 0;
}

int bpf_attach(struct bpf *b, enum bpf_group group)
{
	for (size_t i = 0; i < COUNT(tracepoints); i++) {
		int err;

		if (tracepoints[i].group != group)
			continue;
		err = attach_tracepoint(b, tracepoints[i].at,
					tracepoints[i].name);
		if (err && !(err == -ENOENT && tracepoints[i].name))
			return err;
	}
	return 0;
}

/* A kernel function's entry, by address or name. */
static int attach_entry(struct bpf *b, enum bpf_probe probe, uint64_t address,
			const char *name)
{
	int link = bpf_probe_open(b->probe_enter, address, name, probe);

	return link < 0 ? link : link_keep(b, link);
}

int bpf_attach_submit(struct bpf *b)
{
	int link = attach_entry(b, BPF_SUBMIT, 0, "submit_bio_noacct");

	return link < 0 ? fail(b, link, "probing submit_bio_noacct") : 0;
}

int bpf_attach_faults(struct bpf *b)
{
	int err = attach_tracepoint(b, PROGRAM_AT(fault_page),
				    "mm_filemap_fault");
	int link;

	if (!err)
		return attach_tracepoint(b, PROGRAM_AT(fault_pages),
					 "mm_filemap_map_pages");
	if (err != -ENOENT)
		return err;
	link = attach_entry(b, BPF_FAULT, 0, "filemap_fault");
	return link < 0 ? fail(b, link, "probing filemap_fault") : 0;
}

/* Probes its return first, so that no entry lacks its return. */
int bpf_attach_probe(struct bpf *b, enum bpf_probe probe, uint64_t address)
{
	int link = bpf_probe_return(b->probe_exit, address);

	if (link >= 0)
		link = link_keep(b, link);
	if (link >= 0)
		link = attach_entry(b, probe, address, NULL);
	return link < 0 ? fail(b, link, "probing the filesystem") : 0;
}

void bpf_detach(struct bpf *b)
{
	while (b->link_count)
		close(b->links[--b->link_count]);
	free(b->links);
	b->links = NULL;
}

/* Calls whose return was missed, as the number of probed returns is limited. */
static uint64_t missed_returns(const struct bpf *b)
{
	const uint64_t *at = NULL;
	int map = b->maps[BPF_MAP_RUNNING];
	struct bpf_running running;
	uint64_t key, n = 0;

	for (; !bpf_map_next(map, at, &key); at = &key)
		n += !bpf_map_get(map, &key, &running) && !running.kind;
	return n;
}

uint64_t bpf_lost(const struct bpf *b)
{
	return b->config->lost + missed_returns(b);
}

uint64_t bpf_missed(const struct bpf *b)
{
	uint64_t missed = 0, seconded, n;

	for (size_t i = 0; b->programs && i < COUNT(tracepoints); i++) {
		int prog = fd_at(b->programs, tracepoints[i].at);

		/* io_uring's is listed twice */
		if (tracepoints[i].name || tracepoints[i].second)
			continue;
		bpf_program_get_misses(prog, &n);
		missed += n;
	}
	/* read last, as a replaced run was first counted as missed */
	seconded = __atomic_load_n(&b->config->seconded, __ATOMIC_ACQUIRE);
	return missed > seconded ? missed - seconded : 0;
}

/* --- pins -------------------------------------------------------------- */

/* DIR/KIND_NAME */
static int pin(struct bpf *b, int fd, const char *dir, const char *kind,
	       const char *name)
{
	char path[256];
	int err;

	snprintf(path, sizeof(path), "%s/%s_%s", dir, kind, name);
	err = bpf_pin_add(fd, path);
	return err ? fail(b, err, path) : 0;
}

/* By the first free name. */
int bpf_pin_links(struct bpf *b, const char *dir)
{
	unsigned int number = 0;
	int err = 0;

	for (unsigned int i = 0; !err && i < b->link_count; i++) {
		do {
			char name[16];

			snprintf(name, sizeof(name), "%u", number++);
			err = pin(b, b->links[i], dir, "link", name);
		} while (err == -EEXIST);
	}
	return err;
}

int bpf_pin_all(struct bpf *b, const char *dir)
{
	int err = 0;

	for (size_t i = 0; !err && i < BPF_MAP_NAMES; i++)
		err = pin(b, b->maps[i], dir, "map", maps[i].name);
	for (size_t i = 0; !err && i < COUNT(kept); i++)
		err = pin(b, *kept_fd(b, i), dir, "program", kept[i].name);
	return err ? err : bpf_pin_links(b, dir);
}

static int adopt_one(struct bpf *b, int *fd, const char *dir, const char *kind,
		     const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s_%s", dir, kind, name);
	*fd = bpf_pin_open(path);
	return *fd < 0 ? fail(b, *fd, path) : 0;
}

/* Another release's maps may have the same names and other contents. */
static int adopt_map(struct bpf *b, size_t i, const char *dir)
{
	int err = adopt_one(b, &b->maps[i], dir, "map", maps[i].name);
	uint32_t key, value;

	if (!err)
		err = bpf_map_get_sizes(b->maps[i], &key, &value);
	if (!err && (key != maps[i].key || value != maps[i].value)) {
		snprintf(b->why, sizeof(b->why), "%s/map_%s has another"
			 " layout", dir, maps[i].name);
		err = -EINVAL;
	}
	return err;
}

int bpf_open(struct bpf *b, const char *dir)
{
	int err = 0;

	blank(b);
	for (size_t i = 0; !err && i < BPF_MAP_NAMES; i++)
		err = adopt_map(b, i, dir);
	for (size_t i = 0; !err && i < COUNT(kept); i++)
		err = adopt_one(b, kept_fd(b, i), dir, "program",
				kept[i].name);
	if (!err)
		err = map_memory(b);
	if (err)
		bpf_free(b);
	return err;
}
