/* SPDX-License-Identifier: GPL-2.0-only */
/* The pins; see pins.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/msg.h"
#include "bpf/syscall.h"
#include "tools/iotracer/paths.h"
#include "tools/iotracer/pins.h"

#define BPFFS "/sys/fs/bpf"
#define PINS BPFFS "/iotracer"
/* pinned last: if missing, a process died while pinning */
#define PATHS PINS "/paths"

/* Opened only for its lock, which ends with us. */
static int take_lock(struct pins *p)
{
	int err;

	p->lock = open(BPFFS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (p->lock >= 0 && !flock(p->lock, LOCK_EX))
		return 0;
	err = -errno;
	msg_warn("cannot lock " BPFFS ":");
	return err;
}

/* Another kind of filesystem would take our files, and keep nothing. */
static int check_mount(void)
{
	struct statfs fs;

	if (geteuid()) {
		msg_warn("only root may watch files beyond the life of a"
			 " process");
		return -EPERM;
	}
	if (!statfs(BPFFS, &fs) && (uint32_t)fs.f_type == BPF_FS_MAGIC)
		return 0;
	msg_warn("no BPF filesystem at " BPFFS
		 ": mount -t bpf bpf " BPFFS);
	return -ENODEV;
}

int pins_open(struct pins *p)
{
	int err;

	*p = (struct pins){ .paths = -1, .lock = -1 };
	err = check_mount();
	if (!err)
		err = take_lock(p);
	if (err)
		return err;
	p->paths = bpf_pin_open(PATHS);
	if (p->paths < 0)
		return -ENOENT;
	err = bpf_open(&p->bpf, PINS);
	if (err)
		msg_warn("%s; the pins are another release's: remove them by"
			 " rm -r " PINS, p->bpf.why);
	p->open = !err;
	/* -ENOENT means no pins */
	return err == -ENOENT ? -EINVAL : err;
}

int pins_new(struct pins *p)
{
	int err;

	/* left by a process killed while pinning */
	pins_remove();
	err = bpf_load(&p->bpf, false);
	if (err) {
		msg_warn("%s", p->bpf.why);
		return err;
	}
	p->open = p->fresh = true;
	p->paths = paths_new();
	if (p->paths < 0)
		msg_warn("the list of paths: %s", strerror(-p->paths));
	return p->paths < 0 ? p->paths : 0;
}

/* The paths last, as the mark that all the rest is pinned. */
static int keep_all(struct pins *p)
{
	int err;

	if (mkdir(PINS, 0700)) {
		err = -errno;
		msg_warn("cannot make " PINS ":");
		return err;
	}
	err = bpf_pin_all(&p->bpf, PINS);
	if (err)
		return err;
	err = bpf_pin_add(p->paths, PATHS);
	if (err)
		snprintf(p->bpf.why, sizeof(p->bpf.why), PATHS ": %s",
			 strerror(-err));
	return err;
}

int pins_write(struct pins *p)
{
	int err = p->fresh ? keep_all(p) : bpf_pin_links(&p->bpf, PINS);

	if (err)
		msg_warn("cannot pin %s", p->bpf.why);
	if (err && p->fresh)
		pins_remove();
	p->fresh = p->fresh && err;
	return err;
}

void pins_remove(void)
{
	DIR *dir = opendir(PINS);
	struct dirent *d;

	/* first the mark of complete pins */
	unlink(PATHS);
	while (dir && (d = readdir(dir)))
		if (d->d_name[0] != '.')
			unlinkat(dirfd(dir), d->d_name, 0);
	if (dir)
		closedir(dir);
	rmdir(PINS);
}

void pins_close(struct pins *p)
{
	if (p->open)
		bpf_free(&p->bpf);
	if (p->paths >= 0)
		close(p->paths);
	if (p->lock >= 0)
		close(p->lock);
	p->open = false;
}
