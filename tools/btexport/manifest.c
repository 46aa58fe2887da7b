/* SPDX-License-Identifier: GPL-2.0-only */
/* The manifest of a folder of tables; see manifest.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/array.h"
#include "base/fnv.h"
#include "base/folder.h"
#include "base/json.h"
#include "cli/outfile.h"
#include "file/files.h"
#include "file/location.h"
#include "file/source_chain.h"
#include "tools/btexport/manifest.h"

enum { MANIFEST = 1, BUFFER = 65536, KEY = 64, FORMAT = 16 };

/* --- files that were read ------------------------------------------------- */

static void add_file(struct inputs_print *p, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	struct stat st;
	char text[64];

	if (stat(path, &st) || S_ISFIFO(st.st_mode)) {
		p->known = false;
		return;
	}
	snprintf(text, sizeof(text), "/%lld/%lld.%09ld", (long long)st.st_size,
		 (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	p->print = fnv_text(p->print, name);
	p->print = fnv_bytes(p->print, text, strlen(text) + 1);
	p->files++;
	p->bytes += (uint64_t)st.st_size;
}

static void add_device(struct inputs_print *p, const struct location *at)
{
	struct files f;

	if (location_files(at, &f)) {
		p->known = false;
		return;
	}
	for (size_t i = 0; i < f.count; i++) {
		const struct file_entry *e = &f.list[i];

		for (size_t k = 0; k < e->link_count; k++)
			add_file(p, e->links[k].path);
		if (!e->links)
			add_file(p, e->path);
	}
	files_free(&f);
}

void inputs_print_find(struct inputs_print *p, const char *directory,
		       const char *const *names, size_t count)
{
	struct locations l = { 0 };

	*p = (struct inputs_print){ .known = true,
				    .print = FNV_BASIS };
	for (size_t i = 0; i < count; i++)
		if (location_is_pipe(names[i]) ||
		    locations_add(&l, directory, names[i]))
			p->known = false;
	for (size_t i = 0; p->known && i < l.count; i++)
		if (l.list[i].name)
			add_device(p, &l.list[i]);
		else
			add_file(p, l.list[i].path);
	locations_free(&l);
}

/* --- writing -------------------------------------------------------------- */

static void put_hex(struct json *j, const char *name, int digits, uint64_t v)
{
	char text[32];

	snprintf(text, sizeof(text), "%0*" PRIx64, digits, v);
	json_put_string(j, name, text);
}

static void put_sums(struct json *j, const struct manifest_table *t)
{
	char text[32];

	json_put_array(j, "sums");
	for (int i = 0; i < ROW_TABLE_SUMS && t->columns[i]; i++) {
		json_put_object(j, NULL);
		json_put_string(j, "column", t->columns[i]);
		snprintf(text, sizeof(text), "%" PRIu64, t->sums[i]);
		json_put_string(j, "sum", text);
		json_put_object_end(j);
	}
	json_put_array_end(j);
}

static void put_table(struct json *j, const struct manifest_table *t)
{
	json_put_object(j, NULL);
	json_put_string(j, "table", t->table);
	json_put_string(j, "file", t->file);
	json_put_number(j, "rows", t->rows);
	json_put_number(j, "bytes", t->bytes);
	put_hex(j, "crc32", 8, t->checksum);
	put_sums(j, t);
	json_put_object_end(j);
}

static void put_inputs(struct json *j, const struct inputs_print *p)
{
	json_put_object(j, "inputs");
	json_put_number(j, "files", p->files);
	json_put_number(j, "bytes", p->bytes);
	put_hex(j, "print", 16, p->print);
	json_put_object_end(j);
}

static void put_all(struct buf *b, const struct manifest *m)
{
	struct json j = { .b = b };

	json_put_object(&j, NULL);
	json_put_number(&j, "manifest", MANIFEST);
	json_put_number(&j, "table_schema", ROW_TABLE_SCHEMA);
	json_put_string(&j, "host", m->host);
	json_put_string(&j, "trace", m->trace);
	json_put_number(&j, "segment", (uint64_t)m->segment);
	json_put_string(&j, "format", m->format);
	json_put_string(&j, "compress", m->packed ? "gzip" : "none");
	json_put_bool(&j, "selected", m->selected);
	if (m->inputs.known)
		put_inputs(&j, &m->inputs);
	json_put_array(&j, "tables");
	for (unsigned int i = 0; i < m->count; i++)
		put_table(&j, &m->tables[i]);
	json_put_array_end(&j);
	json_put_object_end(&j);
	buf_append(b, "\n", 1);
}

bool manifest_write(const struct manifest *m, const struct opener *o,
		    const char *path)
{
	struct outfile f;

	if (!outfile_open_whole(&f, o, path, BUFFER))
		return false;
	put_all(&f.buf, m);
	outfile_flush(&f, "");
	return outfile_close(&f);
}

/* --- reading -------------------------------------------------------------- */

static uint64_t hex_of(const char *text)
{
	return text ? strtoull(text, NULL, 16) : 0;
}

static void read_sums(struct manifest_table *t, const struct card *c,
		      unsigned int table)
{
	char key[KEY];

	for (int i = 0; i < ROW_TABLE_SUMS; i++) {
		const char *sum;

		snprintf(key, sizeof(key), "tables.%u.sums.%d.column", table,
			 i);
		t->columns[i] = card_text(c, key);
		snprintf(key, sizeof(key), "tables.%u.sums.%d.sum", table, i);
		sum = card_text(c, key);
		t->sums[i] = sum ? strtoull(sum, NULL, 10) : 0;
		if (!sum)
			t->columns[i] = NULL;
	}
}

/* A file's name may not lead out of the folder. */
static bool is_below(const char *file)
{
	return *file && *file != '/' && !strstr(file, "..");
}

/* false: there is none, or it lacks something */
static bool read_table(struct manifest_table *t, const struct card *c,
		       unsigned int i)
{
	char key[KEY];

	*t = (struct manifest_table){ .rows = 0 };
	snprintf(key, sizeof(key), "tables.%u.table", i);
	t->table = card_text(c, key);
	snprintf(key, sizeof(key), "tables.%u.file", i);
	t->file = card_text(c, key);
	snprintf(key, sizeof(key), "tables.%u.crc32", i);
	t->checksum = (uint32_t)hex_of(card_text(c, key));
	snprintf(key, sizeof(key), "tables.%u.rows", i);
	if (!card_number(c, key, &t->rows) || !t->table || !t->file ||
	    !is_below(t->file))
		return false;
	snprintf(key, sizeof(key), "tables.%u.bytes", i);
	read_sums(t, c, i);
	return card_number(c, key, &t->bytes);
}

static int read_all(struct manifest *m, struct card *c, char why[CARD_WHY])
{
	uint64_t version = 0, schema = 0, segment = 0, files = 0;
	const char *compress = card_text(c, "compress");

	if (!card_number(c, "manifest", &version) || version != MANIFEST) {
		snprintf(why, CARD_WHY, "no manifest that this release knows");
		return -EBADMSG;
	}
	m->host = card_text(c, "host");
	m->trace = card_text(c, "trace");
	m->format = card_text(c, "format");
	card_number(c, "table_schema", &schema);
	m->schema = (unsigned int)schema;
	card_number(c, "segment", &segment);
	m->segment = (int32_t)segment;
	m->packed = compress && !strcmp(compress, "gzip");
	m->selected = card_flag(c, "selected");
	m->inputs.known = card_number(c, "inputs.files", &files);
	m->inputs.files = (uint32_t)files;
	card_number(c, "inputs.bytes", &m->inputs.bytes);
	m->inputs.print = hex_of(card_text(c, "inputs.print"));
	while (m->count < TABLES &&
	       read_table(&m->tables[m->count], c, m->count))
		m->count++;
	if (m->host && m->trace && m->format && m->count)
		return 0;
	snprintf(why, CARD_WHY, "not all that a manifest has is there");
	return -EBADMSG;
}

int manifest_read(struct manifest *m, const char *path, char why[CARD_WHY])
{
	int err;

	*m = (struct manifest){ .card = NULL };
	err = card_read(&m->card, path, why);
	if (err == -ENOENT)
		snprintf(why, CARD_WHY, "%s", strerror(ENOENT));
	if (!err)
		err = read_all(m, m->card, why);
	if (err)
		manifest_free(m);
	return err;
}

bool manifest_has(const char *folder, const struct manifest_table *t)
{
	struct stat st;
	bool there;
	char *path;

	if (asprintf(&path, "%s/%s", folder, t->file) < 0)
		return false;
	there = !stat(path, &st) && (uint64_t)st.st_size == t->bytes;
	free(path);
	return there;
}

int manifest_measure(int fd, uint64_t *bytes, uint32_t *checksum)
{
	uLong crc = crc32(0, NULL, 0);
	uint8_t piece[BUFFER];
	ssize_t n;

	*bytes = 0;
	while ((n = pread(fd, piece, sizeof(piece), (off_t)*bytes)) > 0) {
		crc = crc32(crc, piece, (uInt)n);
		*bytes += (uint64_t)n;
	}
	*checksum = (uint32_t)crc;
	return n < 0 ? -errno : 0;
}

static bool is_sent(const char *path)
{
	char *sent;
	bool there;

	if (asprintf(&sent, "%s" MANIFEST_SENT, path) < 0)
		return false;
	there = !access(sent, F_OK);
	free(sent);
	return there;
}

/* HH-TRACE-NUMBER.ENDING was joined with others: HH-TRACE.ENDING is there. */
static bool is_joined(const char *path)
{
	const char *number = strrchr(path, '-');
	size_t digits = number ? strspn(number + 1, "0123456789") : 0;
	bool there;
	char *hour;

	if (!digits || asprintf(&hour, "%.*s%s", (int)(number - path), path,
				number + 1 + digits) < 0)
		return false;
	there = !access(hour, F_OK);
	free(hour);
	return there;
}

bool manifest_is_there(const char *path)
{
	return !access(path, F_OK) || is_sent(path) || is_joined(path);
}

void manifest_free(struct manifest *m)
{
	card_free(m->card);
	*m = (struct manifest){ .card = NULL };
}

/* --- a folder's ----------------------------------------------------------- */

struct walk {
	const char *folder;
	char **paths;		/* of manifests, owned */
	int count;
};

static size_t whole_name(const char *file, const void *ending)
{
	size_t len = strlen(file), its = strlen(ending);

	return *file != '.' && len > its &&
	       !strcmp(file + len - its, ending) ? len : 0;
}

static size_t part_name(const char *file, const void *begin)
{
	return !strncmp(file, begin, strlen(begin)) ? strlen(file) : 0;
}

/* Appends dir/name of each of count names, which it frees, to w's paths. */
static int keep_paths(struct walk *w, const char *dir, char **names, int count)
{
	char **paths = realloc(w->paths, ((size_t)w->count + (size_t)count + 1)
				       * sizeof(*paths));
	int err = paths ? 0 : -ENOMEM;

	if (paths)
		w->paths = paths;
	for (int i = 0; !err && i < count; i++) {
		if (asprintf(&paths[w->count], "%s/%s", dir, names[i]) < 0)
			err = -ENOMEM;
		else
			w->count++;
	}
	folder_free(names, count);
	return err;
}

/* Lists what a level of folders has. */
static int list(struct walk *w, const char *dir, folder_stem *stem,
		const char *word)
{
	char **names = NULL;
	int count = folder_names(dir, folder_walk_directory, stem, word,
				 &names, 0);

	if (count < 0)
		return count == -ENOMEM ? count : 0;
	return keep_paths(w, dir, names, count);
}

/* The next level below each of the paths. */
static int descend(struct walk *w, folder_stem *stem, const char *word)
{
	struct walk below = { .folder = w->folder };
	int err = 0;

	for (int i = 0; !err && i < w->count; i++)
		err = list(&below, w->paths[i], stem, word);
	folder_free(w->paths, w->count);
	*w = below;
	return err;
}

static int find_manifests(struct walk *w)
{
	char *dir;
	int err;

	if (asprintf(&dir, "%s/manifest", w->folder) < 0)
		return -ENOMEM;
	err = list(w, dir, part_name, "host=");
	free(dir);
	if (!err)
		err = descend(w, part_name, "date=");
	if (!err)
		err = descend(w, whole_name, ".json");
	return err;
}

int manifests_walk(const char *folder,
		   bool (*each)(void *ctx, const char *path,
				const struct manifest *m, int err,
				const char *why),
		   void *ctx)
{
	struct walk w = { .folder = folder };
	struct stat st;
	int err = stat(folder, &st) ? -errno : find_manifests(&w);

	bool more = !err;

	for (int i = 0; more && i < w.count; i++) {
		char why[CARD_WHY] = "";
		struct manifest m;
		int its = manifest_read(&m, w.paths[i], why);

		more = each(ctx, w.paths[i], &m, its, why);
		manifest_free(&m);
	}
	folder_free(w.paths, w.count);
	return err;
}

/* --- what a folder has ---------------------------------------------------- */

struct known {
	uint64_t print, bytes;
	unsigned int tables;	/* bits: those whose files exist */
	bool packed;
	char format[FORMAT];
};

struct manifests {
	const char *folder;
	struct known *list;
	size_t count, size;
};

/* Without memory, what is known is exported again. */
static bool keep(void *ctx, const char *path, const struct manifest *m,
		 int err, const char *why)
{
	struct manifests *all = ctx;
	struct known *list, k;

	(void)path;
	(void)why;
	if (err || m->selected || !m->inputs.known ||
	    m->schema != ROW_TABLE_SCHEMA)
		return true;
	list = array_reserve(all->list, all->count, &all->size, 64,
			     sizeof(*list));
	if (!list)
		return true;
	all->list = list;
	k = (struct known){ .print = m->inputs.print,
			    .bytes = m->inputs.bytes, .packed = m->packed };
	snprintf(k.format, sizeof(k.format), "%s", m->format);
	for (unsigned int i = 0; i < m->count; i++)
		if (manifest_has(all->folder, &m->tables[i]))
			k.tables |= 1u << tables_find(m->tables[i].table);
	list[all->count++] = k;
	return true;
}

struct manifests *manifests_load(const char *folder)
{
	struct manifests *all = calloc(1, sizeof(*all));

	if (!all)
		return NULL;
	all->folder = folder;
	manifests_walk(folder, keep, all);
	return all;
}

bool manifests_have(const struct manifests *all, const struct inputs_print *p,
		    unsigned int tables, const char *format, bool packed)
{
	for (size_t i = 0; p->known && all && i < all->count; i++) {
		const struct known *k = &all->list[i];

		if (k->print == p->print && k->bytes == p->bytes &&
		    k->packed == packed && !strcmp(k->format, format) &&
		    !(tables & ~k->tables))
			return true;
	}
	return false;
}

void manifests_free(struct manifests *all)
{
	if (all)
		free(all->list);
	free(all);
}
