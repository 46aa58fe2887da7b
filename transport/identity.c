/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of clients; see identity.h. */
#include <string.h>

#include "transport/identity.h"

bool identity_valid(const char *bytes, size_t len)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._!@:+-";

	if (!len || len >= IDENTITY || *bytes == '.' || *bytes == '-')
		return false;
	for (size_t i = 0; i < len; i++)
		if (!bytes[i] || !strchr(allowed, bytes[i]))
			return false;
	return true;
}

bool identity_set(char text[IDENTITY], const char *bytes, size_t len)
{
	bool valid = identity_valid(bytes, len);

	memset(text, 0, IDENTITY);
	if (valid)
		memcpy(text, bytes, len);
	return valid;
}
