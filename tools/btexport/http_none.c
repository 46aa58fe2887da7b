/* SPDX-License-Identifier: GPL-2.0-only */
/* Built without libcurl; see http.h. */
#include <errno.h>

#include "tools/btexport/http.h"

bool http_is_built(void)
{
	return false;
}

int http_new(struct http **h, const volatile sig_atomic_t *stop)
{
	(void)stop;
	*h = NULL;
	return -ENOSYS;
}

int http_post(struct http *h, const char *url, const struct http_files *files,
	      const char *text, char **answer, char why[HTTP_WHY])
{
	(void)h, (void)url, (void)files, (void)text;
	*answer = NULL;
	*why = '\0';
	return -ENOSYS;
}

char *http_escaped(struct http *h, const char *text)
{
	(void)h, (void)text;
	return NULL;
}

void http_free(struct http *h)
{
	(void)h;
}
