// SPDX-License-Identifier: GPL-2.0-only
// Parquet files read by engines that others wrote, value by value.
//
//	node engines-parquet.mjs MODULES DIRECTORY [NAME...]
//
// MODULES is a node_modules with @duckdb/node-api, hyparquet and
// hyparquet-compressors, parquet-wasm and apache-arrow, chdb.  DIRECTORY has
// NAME.parquet and NAME.tsv of tests/export/parquet_edges.  One TAP line for
// each file and engine.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, folder, ...wanted] = process.argv.slice(2);
const fromModules = createRequire(path.resolve(modules) + '/');

function load(name) {
	return import(pathToFileURL(fromModules.resolve(name)));
}

const { DuckDBInstance } = await load('@duckdb/node-api');
const hyparquet = await load('hyparquet');
const { compressors } = await load('hyparquet-compressors');
const arrow = await load('apache-arrow');
const wasm = fromModules('parquet-wasm/node');
const chdb = fromModules('chdb');

const COLUMNS = ['wide', 'wide_null', 'slim', 'slim_null', 'word', 'word_null'];

// Rows as in NAME.tsv.  An unknown value is null there; no text needs quotes.
function lines(rows) {
	const text = v => v === null || v === undefined ? '\\N' : String(v);
	return rows.map(row => row.map(text).join('\t'));
}

const duck = await (await DuckDBInstance.create(':memory:')).connect();

async function byDuckdb(file) {
	const query = `SELECT * FROM read_parquet('${file}')`;
	return lines((await duck.runAndReadAll(query)).getRows());
}

// a bound that is wrong makes an engine skip what it should find
async function byDuckdbBounds(file) {
	const query = `SELECT count(*) FROM read_parquet('${file}') a,
		(SELECT ${COLUMNS.map(c => `min(${c}) AS low_${c},
			max(${c}) AS high_${c}`)} FROM read_parquet('${file}'))
		WHERE ${COLUMNS.map(c => `(a.${c} IS NULL OR
			a.${c} BETWEEN low_${c} AND high_${c})`)
			.join(' AND ')}`;
	return Number((await duck.runAndReadAll(query)).getRows()[0][0]);
}

async function byHyparquet(file) {
	let rows = [];
	await hyparquet.parquetRead({
		file: await hyparquet.asyncBufferFromFile(file), compressors,
		onComplete: all => { rows = all; } });
	return lines(rows);
}

function byArrow(file) {
	const table = arrow.tableFromIPC(wasm.readParquet(
		new Uint8Array(fs.readFileSync(file))).intoIPCStream());
	const columns = COLUMNS.map(c => table.getChild(c));
	return lines(Array.from({ length: table.numRows },
		(_, i) => columns.map(c => c.get(i))));
}

function byClickhouse(file) {
	const columns = COLUMNS.map(c => c.startsWith('word') ? c :
		`toString(${c})`);
	const out = chdb.query(`SELECT ${columns} FROM file('${file}', Parquet)
		SETTINGS max_threads = 1,
			input_format_parquet_preserve_order = 1`,
		'JSONCompactEachRow');
	return lines(out.split('\n').filter(l => l).map(l => JSON.parse(l)));
}

const engines = {
	duckdb: byDuckdb, hyparquet: byHyparquet, arrow: byArrow,
	clickhouse: byClickhouse,
};

let number = 0, failed = 0;

function show(good, name, why) {
	failed += !good;
	console.log(`${good ? 'ok' : 'not ok'} ${++number} - ${name}`);
	if (!good)
		console.log(`# ${why}`);
}

function difference(want, got) {
	const at = want.findIndex((line, i) => line !== got[i]);
	if (at < 0 && want.length === got.length)
		return '';
	return `${got.length} rows of ${want.length}; row ${at}: ` +
		JSON.stringify(got[at]) + ', not ' + JSON.stringify(want[at]);
}

async function check(name, engine, read, file, want) {
	try {
		const why = difference(want, await read(file));
		show(!why, `${name} by ${engine}`, why);
	} catch (e) {
		show(false, `${name} by ${engine}`, e);
	}
}

const names = wanted.length ? wanted : fs.readdirSync(folder)
	.filter(f => f.endsWith('.parquet')).map(f => f.slice(0, -8)).sort();
console.log(`1..${names.length * (Object.keys(engines).length + 1)}`);
for (const name of names) {
	const file = path.resolve(folder, name + '.parquet');
	const want = fs.readFileSync(path.join(folder, name + '.tsv'), 'utf8')
		.split('\n').slice(1, -1);
	for (const [engine, read] of Object.entries(engines))
		await check(name, engine, read, file, want);
	const inside = await byDuckdbBounds(file);
	show(inside === want.length, `${name}: bounds hold`,
		`${inside} of ${want.length}`);
}
process.exit(failed ? 1 : 0);
