// SPDX-License-Identifier: GPL-2.0-only
// Parquet files read by engines that others wrote, value by value.
//
//	node engines-parquet.mjs MODULES DIRECTORY [NAME...]
//
// MODULES is a node_modules as engines.mjs says.  DIRECTORY has NAME.parquet
// and NAME.tsv of tests/export/parquet_edges.  One TAP line for each file and
// engine.
import fs from 'node:fs';
import path from 'node:path';
import { byArrow, byClickhouse, byDuckdb, byHyparquet, newTap, openEngines }
	from './engines.mjs';

const [modules, folder, ...wanted] = process.argv.slice(2);
const engines = await openEngines(modules);
const tap = newTap();

const COLUMNS = ['wide', 'wide_null', 'slim', 'slim_null', 'word', 'word_null'];

// a bound that is wrong makes an engine skip what it should find
function inBounds(file) {
	const bounds = COLUMNS.map(c => `min(${c}) AS low_${c},
		max(${c}) AS high_${c}`);
	const within = COLUMNS.map(c => `(a.${c} IS NULL OR
		a.${c} BETWEEN low_${c} AND high_${c})`);

	return byDuckdb(engines, `SELECT count(*)
		FROM read_parquet('${file}') a,
		(SELECT ${bounds} FROM read_parquet('${file}'))
		WHERE ${within.join(' AND ')}`);
}

const readers = {
	duckdb: file =>
		byDuckdb(engines, `SELECT * FROM read_parquet('${file}')`),
	hyparquet: file => byHyparquet(engines, file),
	arrow: file => byArrow(engines, file),
	clickhouse: file =>
		byClickhouse(engines, `SELECT * FROM file('${file}', Parquet)`),
};

const names = wanted.length ? wanted : fs.readdirSync(folder)
	.filter(f => f.endsWith('.parquet')).map(f => f.slice(0, -8)).sort();
for (const name of names) {
	const file = path.resolve(folder, name + '.parquet');
	const want = fs.readFileSync(path.join(folder, name + '.tsv'), 'utf8')
		.split('\n').slice(1, -1).map(line => line.split('\t'));
	for (const [engine, read] of Object.entries(readers))
		await tap.compare(`${name} by ${engine}`, want,
			() => read(file));
	await tap.compare(`${name}: bounds hold`, [[String(want.length)]],
		() => inBounds(file));
}
tap.end();
