// SPDX-License-Identifier: GPL-2.0-only
// Names and messages with all that hurts in them, as engines that others wrote
// read them from each format.
//
//	node engines-names.mjs MODULES DIRECTORY
//
// MODULES is a node_modules as engines.mjs says, DIRECTORY was made by
// engines-export.
import fs from 'node:fs';
import path from 'node:path';
import { byClickhouse, byDuckdb, newTap, openEngines, texts }
	from './engines.mjs';

const [modules, folder] = process.argv.slice(2);
const names = path.resolve(folder, 'names');
const engines = await openEngines(modules);
const tap = newTap();

// the same text is a process's name, and a message
const QUESTIONS = {
	ios: from => `SELECT pid, if(process IS NULL, 1, 0), process
		FROM ${from} ORDER BY pid`,
	events: from => `SELECT pid, if(text IS NULL, 1, 0), text
		FROM ${from} WHERE action = 'm' ORDER BY pid`,
};

// Each has one of csv and tsv: DuckDB knows no tsv with backslashes, and
// ClickHouse takes blanks off a text of csv without quotes, and \N for null.
const readers = {
	csv: { duckdb: file => `read_csv('${file}')` },
	tsv: { clickhouse: file => `file('${file}', TSVWithNames)` },
	jsonl: {
		duckdb: file => `read_json('${file}')`,
		clickhouse: file => `file('${file}', JSONEachRow)`,
	},
	parquet: {
		duckdb: file => `read_parquet('${file}')`,
		clickhouse: file => `file('${file}', Parquet)`,
	},
};
const ask = { duckdb: byDuckdb, clickhouse: byClickhouse };

const want = JSON.parse(fs.readFileSync(path.join(names, 'want.json'), 'utf8'))
	.map(([pid, text]) => texts([pid, text === null ? 1 : 0, text]));
for (const [table, question] of Object.entries(QUESTIONS))
	for (const [format, by] of Object.entries(readers))
		for (const [engine, from] of Object.entries(by)) {
			const file = path.join(names, `${table}.${format}`);
			await tap.compare(
				`${table} by ${engine}, from ${format}`, want,
				() => ask[engine](engines,
					question(from(file))));
		}
tap.end();
