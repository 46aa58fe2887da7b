// SPDX-License-Identifier: GPL-2.0-only
// What the programs by which engines of others read our exports have in common:
// the modules, whole tables as each engine reads them, lines of TAP.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// A node_modules with @duckdb/node-api, chdb, hyparquet and
// hyparquet-compressors, parquet-wasm and apache-arrow.
export async function openEngines(modules) {
	const from = createRequire(path.resolve(modules) + '/');
	const load = name => import(pathToFileURL(from.resolve(name)));
	const { DuckDBInstance } = await load('@duckdb/node-api');
	const { compressors } = await load('hyparquet-compressors');
	const base = await DuckDBInstance.create(':memory:');

	return {
		duck: await base.connect(), chdb: from('chdb'), compressors,
		hyparquet: await load('hyparquet'),
		arrow: await load('apache-arrow'),
		wasm: from('parquet-wasm/node'),
	};
}

// Cells as texts.  An unknown value is null or is not there.
export function texts(row) {
	return row.map(v => v === null || v === undefined ? '\\N' : String(v));
}

// rows of a SELECT
export async function byDuckdb(engines, query) {
	const got = await engines.duck.runAndReadAll(query);
	return got.getRows().map(texts);
}

// Numbers of 64 bits come in quotes, so that none is rounded; rows of a file in
// its order.
const CLICKHOUSE = ` SETTINGS output_format_json_quote_64bit_integers = 1,
	max_threads = 1, input_format_parquet_preserve_order = 1`;

export function byClickhouse(engines, query) {
	const out = engines.chdb.query(query + CLICKHOUSE,
		'JSONCompactEachRow');
	return out.split('\n').filter(line => line)
		.map(line => texts(JSON.parse(line)));
}

// rows of a file, its columns in their order
export async function byHyparquet(engines, file) {
	let rows = [];
	await engines.hyparquet.parquetRead({
		file: await engines.hyparquet.asyncBufferFromFile(file),
		compressors: engines.compressors,
		onComplete: all => { rows = all; } });
	return rows.map(texts);
}

export function byArrow(engines, file) {
	const { arrow, wasm } = engines;
	const bytes = new Uint8Array(fs.readFileSync(file));
	const table = arrow.tableFromIPC(
		wasm.readParquet(bytes).intoIPCStream());
	const columns = table.schema.fields.map((_, i) => table.getChildAt(i));
	return Array.from({ length: table.numRows },
		(_, i) => texts(columns.map(c => c.get(i))));
}

// Rows of a CSV file, that of the names first.  A cell is in quotes, in which
// two are one, or has none.
export function csvRows(file) {
	const cells = /("(?:[^"]|"")*"|[^,\n]*)([,\n])/gy;
	const rows = [];
	let row = [];

	for (const [, cell, behind] of
	     fs.readFileSync(file, 'utf8').matchAll(cells)) {
		row.push(!cell ? '\\N' : cell[0] !== '"' ? cell :
			cell.slice(1, -1).replaceAll('""', '"'));
		if (behind === '\n') {
			rows.push(row);
			row = [];
		}
	}
	return rows;
}

// the first difference of two tables in words, or nothing
export function difference(want, got) {
	const lines = [want, got].map(rows => rows.map(r => r.join('\t')));
	const at = lines[0].findIndex((line, i) => line !== lines[1][i]);

	if (at < 0 && want.length === got.length)
		return '';
	return `${got.length} rows of ${want.length}; row ${at}: ` +
		JSON.stringify(lines[1][at]) + ', not ' +
		JSON.stringify(lines[0][at]);
}

// Lines of TAP: show() one with what is wrong, or nothing; end() says how many
// there were, and ends the program.
export function newTap() {
	let number = 0, failed = 0;

	function show(name, why) {
		failed += why !== '';
		console.log(`${why ? 'not ok' : 'ok'} ${++number} - ${name}`);
		if (why)
			console.log(why.replace(/^/gm, '# '));
	}
	return {
		show,
		// whether these are the rows that read() gives
		async compare(name, want, read) {
			try {
				show(name, difference(want, await read()));
			} catch (e) {
				show(name, String(e));
			}
		},
		end() {
			console.log(`1..${number}`);
			process.exit(failed || !number ? 1 : 0);
		},
	};
}
