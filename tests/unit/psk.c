/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of shared keys, and what identities may be. */
#include <errno.h>

#include "scratch.h"
#include "transport/identity.h"
#include "transport/psk.h"

#define KEY "000102030405060708090a0b0c0d0e0f"

/* what psk_read() says of a file with that text and mode; NULL: nothing */
static const char *told(const char *text, mode_t mode)
{
	static char why[PSK_WHY];
	struct psk_list l;
	int err;

	put("keys", text);
	assert_int_equal(chmod("keys", mode), 0);
	err = psk_read(&l, NULL, "keys", why);
	assert_true(err <= 0);
	if (!err)
		psk_free(&l);
	assert_null(l.keys);
	return err ? why : NULL;
}

static void test_keys(void **state)
{
	static const uint8_t key[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
				       12, 13, 14, 15 };
	const struct psk_key *k;
	char why[PSK_WHY];
	struct psk_list l;

	(void)state;
	put("keys", "web1:" KEY "\n\na:b:FFFFFFFFFFFFFFFFffffffffffffffffaB\r\n"
	    "last:" KEY);
	assert_int_equal(chmod("keys", 0600), 0);
	assert_int_equal(psk_read(&l, NULL, "keys", why), 0);
	assert_int_equal(l.count, 3);
	k = psk_find(&l, NULL);
	assert_string_equal(k->identity, "web1");
	assert_int_equal(k->len, sizeof(key));
	assert_memory_equal(k->key, key, sizeof(key));
	k = psk_find(&l, "a:b");
	assert_int_equal(k->len, 17);
	assert_int_equal(k->key[16], 0xab);
	assert_string_equal(psk_find(&l, "last")->identity, "last");
	assert_null(psk_find(&l, "web"));
	psk_free(&l);
	psk_free(&l);
}

static void test_mistakes(void **state)
{
	static const char *const bad[][2] = {
		{ "", "keys: no key in it" },
		{ "\n\n", "keys: no key in it" },
		{ "web1\n", "keys: line 1: no identity:key" },
		{ "a:" KEY "\nb:" KEY "0\n",
		  "keys: line 2: half a byte at the end of the key" },
		{ "a:" KEY "xx\n",
		  "keys: line 1: a key that is not hexadecimal" },
		{ "a:000102030405060708090a0b0c0d0e\n",
		  "keys: line 1: a key below 16 bytes (32 digits)" },
		{ "a:" KEY KEY KEY KEY "00\n",
		  "keys: line 1: a key above 64 bytes (128 digits)" },
		{ "\na:" KEY "\na:" KEY "\n",
		  "keys: line 3: an identity for the second time" },
		{ ":" KEY "\n", "keys: line 1: a bad identity" },
		{ "a/b:" KEY "\n", "keys: line 1: a bad identity" },
		{ "#6162:" KEY "\n", "keys: line 1: a bad identity" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_string_equal(told(bad[i][0], 0600), bad[i][1]);
	assert_null(told("a:" KEY KEY KEY KEY "\n", 0600));
}

/* keys that others know are none */
static void test_modes(void **state)
{
	char why[PSK_WHY];
	struct psk_list l;

	(void)state;
	assert_null(told("a:" KEY, 0400));
	assert_null(told("a:" KEY, 0640));
	assert_string_equal(told("a:" KEY, 0644), "keys: others can read or"
			    " change it (mode 0644): chmod 600");
	assert_non_null(told("a:" KEY, 0602));
	assert_non_null(told("a:" KEY, 0660));
	assert_int_equal(psk_read(&l, NULL, "none", why), -EACCES);
	assert_string_equal(why, "none: No such file or directory");
	assert_int_equal(psk_read(&l, NULL, ".", why), -EACCES);
}

/* more than fits into the first buffer, and far more than is ever needed */
static void test_long(void **state)
{
	struct bytes *b = bytes_new();
	char line[64], why[PSK_WHY];
	struct psk_list l;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		sprintf(line, "host%d:" KEY "\n", i);
		add_bytes(b, line, strlen(line));
	}
	put_bytes("keys", b->data, b->len);
	assert_int_equal(chmod("keys", 0600), 0);
	assert_int_equal(psk_read(&l, NULL, "keys", why), 0);
	assert_int_equal(l.count, 1000);
	assert_non_null(psk_find(&l, "host999"));
	psk_free(&l);
	assert_int_equal(truncate("keys", 9 << 20), 0);
	assert_int_equal(psk_read(&l, NULL, "keys", why), -EACCES);
	assert_string_equal(why, "keys: File too large");
	free(b);
}

static void test_identities(void **state)
{
	static const char *const good[] = { "a", "web1.example", "10.0.0.7",
					    "fe80::1", "a@b+c_d-e!" };
	static const char *const bad[] = { "", ".", "..", ".a", "-rf", "a/b",
					   "a b", "a\n", "\x1b[2J", "\xe4",
					   "a%b", "$(id)", "*.example" };
	char text[IDENTITY], longest[IDENTITY + 1];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(identity_set(text, good[i], strlen(good[i])));
		assert_string_equal(text, good[i]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_false(identity_set(text, bad[i], strlen(bad[i])));
		assert_string_equal(text, "");
	}
	memset(longest, 'x', sizeof(longest));
	assert_true(identity_valid(longest, 64));
	assert_false(identity_valid(longest, 65));
	/* as a certificate may have it */
	assert_false(identity_valid("good\0evil", 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SCRATCH(test_keys), IN_SCRATCH(test_mistakes),
		IN_SCRATCH(test_modes), IN_SCRATCH(test_long),
		cmocka_unit_test(test_identities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
