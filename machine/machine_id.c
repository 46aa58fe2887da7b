/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine's id, hashed; see machine_id.h.
 *
 * The first 16 bytes of the HMAC-SHA256 of the application's id, keyed with the
 * machine's, marked as a random UUID.
 */
#include <nettle/hmac.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "machine/machine_id.h"

enum { ID = 16 };		/* bytes */

/* exactly 32 digits */
static bool parse(uint8_t id[ID], const char *text)
{
	if (strlen(text) != 2 * ID ||
	    strspn(text, "0123456789abcdef") != 2 * ID)
		return false;
	for (unsigned int i = 0; i < ID; i++)
		if (sscanf(text + 2 * i, "%2hhx", &id[i]) != 1)
			return false;
	return true;
}

static void hash(uint8_t to[ID], const uint8_t machine[ID],
		 const uint8_t application[ID])
{
	struct hmac_sha256_ctx ctx;

	hmac_sha256_set_key(&ctx, ID, machine);
	hmac_sha256_update(&ctx, ID, application);
	hmac_sha256_digest(&ctx, ID, to);
	to[6] = (to[6] & 0x0f) | 0x40;
	to[8] = (to[8] & 0x3f) | 0x80;
}

bool machine_id(char id[MACHINE_ID])
{
	uint8_t machine[ID], application[ID], hashed[ID];
	char text[64];

	*id = '\0';
	if (text_read("/etc/machine-id", text, sizeof(text)) ||
	    !parse(machine, text) ||
	    !parse(application, MACHINE_ID_APPLICATION))
		return false;
	hash(hashed, machine, application);
	for (unsigned int i = 0; i < ID; i++)
		snprintf(id + 2 * i, 3, "%02x", hashed[i]);
	return true;
}
