/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the kernel takes marks; see mark_file.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "capture/mark_file.h"

/* Whether the trace's mask leaves messages out; as far as sysfs tells. */
static bool is_masked(const char *name)
{
	char path[512], mask[256];

	snprintf(path, sizeof(path), "/sys/class/block/%s/trace/act_mask",
		 name);
	return !text_read(path, mask, sizeof(mask)) &&
	       strcmp(mask, "disabled") && !strstr(mask, "notify");
}

int mark_file_write(const char *debugfs, const char *name, const char *text,
		    size_t len)
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

int mark_file_write_all(const char *debugfs, const char *text, size_t len)
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
