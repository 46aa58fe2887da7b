// SPDX-License-Identifier: GPL-2.0-only
// What meta says, in the shape that the graphs need: streams as columns, and
// its operations, devices and processes.  A stream is (device,
// operation, process); every filter and every row of a table is a sum over
// streams.

const MODEL_READ = 0;
const MODEL_WRITE = 1;
const MODEL_FLUSH = 2;
// how graphs that only tell three kinds apart number them
const MODEL_KINDS = [0, 1, 2, 2, 2];
const MODEL_LATENCIES = {
	q2c: { name: "Total", code: "Q2C" },
	d2c: { name: "Device", code: "D2C" },
	q2d: { name: "Waiting", code: "Q2D" },
};

// a column of the streams
function modelColumn(meta, which)
{
	return Uint16Array.from(meta.streams, (s) => s[which]);
}

// whether I/Os of a stream read or write: discards and zeroes move no data
function modelMovesData(model, stream)
{
	return model.operation[stream] <= MODEL_WRITE;
}

// I/Os of each operation, by the tables of the whole trace
function modelCounts(meta)
{
	const counts = meta.operations.map(() => 0);

	for (const row of meta.tables.operations)
		counts[row.operation] += row.n;
	return counts;
}

function modelMake(meta)
{
	const occurs = meta.operations.map(() => false);

	for (const [, operation] of meta.streams)
		occurs[operation] = true;
	return {
		meta,
		device: modelColumn(meta, 0),
		operation: modelColumn(meta, 1),
		process: modelColumn(meta, 2),
		streams: meta.streams.length,
		/* the last event is inside; one moment lasts a second */
		duration: meta.duration > 0 ? meta.duration + 1 : 1e9,
		counts: modelCounts(meta),
		occurs,
		latencies: Object.keys(MODEL_LATENCIES)
			.filter((name) => meta.has[name]),
	};
}

// the filter that a page begins with: all but flushes, on devices that count
function modelFilter(model)
{
	const meta = model.meta;

	return {
		operations: meta.operations.map((o, i) => i !== MODEL_FLUSH),
		devices: meta.devices.map((d) => d.on),
		processes: meta.processes.map(() => true),
	};
}

// which streams pass a filter, 1 or 0 each
function modelPassing(model, filter)
{
	const on = new Uint8Array(model.streams);

	for (let s = 0; s < model.streams; s++)
		on[s] = filter.operations[model.operation[s]] &&
			filter.devices[model.device[s]] &&
			filter.processes[model.process[s]] ? 1 : 0;
	return on;
}

// whether a filter is the one the page begins with
function modelIsDefault(model, filter)
{
	const usual = modelFilter(model);

	return Object.keys(usual).every((key) =>
		usual[key].every((on, i) => on === filter[key][i]));
}

// I/Os of each device: those that completed, and those in flight at the end
function modelUsed({ meta })
{
	const used = meta.queueDepth.map((d) => ({ device: d.device,
		n: d.inFlight }));

	for (const row of meta.tables.devices)
		used[row.device].n += row.n;
	return used;
}

// devices that pass the filter and have I/Os, the busiest first
function modelBusiest(model, filter)
{
	return modelUsed(model).filter((row) => row.n &&
		filter.devices[row.device]).sort((a, b) => b.n - a.n);
}

// Devices of which graphs have a lane or a line, at most so many, in the order
// of the tree.
function modelDevices(model, filter, most)
{
	return modelBusiest(model, filter).slice(0, most)
		.map((row) => row.device).sort((a, b) => a - b);
}

// items of a legend that say how many devices are left out
function modelOthers(model, filter, most)
{
	const n = modelBusiest(model, filter).length - most;

	return n > 0 ? [{ key: "others", shape: "none",
		name: `and ${n} more devices` }] : [];
}
