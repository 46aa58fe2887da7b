// SPDX-License-Identifier: GPL-2.0-only
// Tables of every recorded trace, as engines that others wrote read them.
//
//	node engines-tables.mjs MODULES DIRECTORY
//
// MODULES is a node_modules as engines.mjs says, DIRECTORY was made by
// engines-export.  Each Parquet file has what the CSV file has, value by value.
import fs from 'node:fs';
import path from 'node:path';
import { byArrow, byClickhouse, byDuckdb, byHyparquet, csvRows, newTap,
	openEngines } from './engines.mjs';

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

const files = fs.readdirSync(traces).filter(f => f.endsWith('.parquet'));
for (const file of files.sort()) {
	const name = file.slice(0, -'.parquet'.length);
	const want = csvRows(path.join(traces, name + '.csv')).slice(1);
	for (const [engine, read] of Object.entries(readers))
		await tap.compare(`${name} by ${engine}, ${want.length} rows`,
			want, () => read(path.join(traces, file)));
}
tap.end();
