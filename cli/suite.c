/* SPDX-License-Identifier: GPL-2.0-only */
/* The suite's other programs; see suite.h. */
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/suite.h"

char *suite_program(const char *name)
{
	static const char *const places[] = { "", "../bin/", "../sbin/" };
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash, *path;

	self[len < 0 ? 0 : len] = '\0';
	slash = strrchr(self, '/');
	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++) {
		if (text_print(&path, "%.*s/%s%s", (int)(slash - self), self,
			       places[i], name) < 0)
			return NULL;
		if (!access(path, X_OK))
			return path;
		free(path);
	}
	return strdup(name);
}
