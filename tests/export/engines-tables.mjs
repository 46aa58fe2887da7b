// SPDX-License-Identifier: GPL-2.0-only
// Tables of every recorded trace, as engines that others wrote read them.
//
//	node engines-tables.mjs MODULES DIRECTORY
//
// MODULES is a node_modules as engines.mjs says, DIRECTORY was made by
// engines-export.  Each Parquet file has what the CSV file has, value by value.
import fs from 'node:fs';
import path from 'node:path';
import { byArrow, byClickhouse, byDuckdb, byHyparquet, newTap, openEngines }
	from './engines.mjs';

const [modules, folder] = process.argv.slice(2);
const traces = path.resolve(folder, 'traces');
const engines = await openEngines(modules);
const tap = newTap();

const readers = {
	hyparquet: file => byHyparquet(engines, file),
	arrow: file => byArrow(engines, file),
	duckdb: file =>
		byDuckdb(engines, `SELECT * FROM read_parquet('${file}')`),
	clickhouse: file =>
		byClickhouse(engines, `SELECT * FROM file('${file}', Parquet)`),
};

// Rows of CSV, without that of the names.  A cell is in quotes, in which two
// are one, or has none.
function csvRows(text) {
	const cells = /("(?:[^"]|"")*"|[^,\n]*)([,\n])/gy;
	const rows = [];
	let row = [];

	for (const [, cell, behind] of text.matchAll(cells)) {
		row.push(!cell ? '\\N' : cell[0] !== '"' ? cell :
			cell.slice(1, -1).replaceAll('""', '"'));
		if (behind === '\n') {
			rows.push(row);
			row = [];
		}
	}
	return rows.slice(1);
}

const files = fs.readdirSync(traces).filter(f => f.endsWith('.parquet'));
for (const file of files.sort()) {
	const name = file.slice(0, -'.parquet'.length);
	const want = csvRows(fs.readFileSync(
		path.join(traces, name + '.csv'), 'utf8'));
	for (const [engine, read] of Object.entries(readers))
		await tap.compare(`${name} by ${engine}, ${want.length} rows`,
			want, () => read(path.join(traces, file)));
}
tap.end();
