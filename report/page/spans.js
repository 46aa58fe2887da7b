// SPDX-License-Identifier: GPL-2.0-only
// The offsets graph where few I/Os are in view: each is a bar from its
// start to its end, high as its size; one that is in flight goes on to the
// end of the trace, dashed, and of one whose end was lost, a stub.

const SPANS_STUB = 12;

// the colour of a row's bar
function spansColour(page, source, row)
{
	const { rows, model } = source;
	const s = rows.stream[row];
	const { theme } = page;

	if (rows.error[row])
		return theme.error;
	if (page.view.offsets === "proc")
		return theme.processes[Math.min(THEME_PROCESSES,
			model.process[s])];
	return theme[THEME_OPERATIONS[model.operation[s]]];
}

// where a row's bar is: { row, x0, x1, y0, y1, open }
function spansBar(source, axis, lane, row)
{
	const { rows } = source;
	const open = rows.done[row] < 0;
	const x0 = openX(axis, rows.start[row]);
	const x1 = rows.open[row] ? openX(axis, source.meta.duration) :
		open ? x0 + SPANS_STUB : openX(axis, rows.done[row]);
	const y1 = offsetsY(lane, rows.sector[row]);
	const y0 = offsetsY(lane, rows.sector[row] + rows.blocks[row]);

	return { row, open, x0, x1: Math.max(x1, x0 + 2),
		y0: Math.min(y0, y1 - 2), y1 };
}

function spansDraw(page, card, paint, axis, source, rows)
{
	const { model } = source;
	const lanes = new Map(card.lanes.map((l) => [l.device, l]));

	card.bars = [];
	paint.save();
	paint.beginPath();
	paint.rect(axis.left, 0, axis.px, card.graph.height);
	paint.clip();
	for (const row of rows) {
		const lane = lanes.get(
			model.device[source.rows.stream[row]]);

		if (!lane)
			continue;
		const bar = spansBar(source, axis, lane, row);

		if (bar.y1 < lane.y - 2 || bar.y0 > lane.y + lane.height)
			continue;
		card.bars.push(bar);
		if (source.rows.open[row])
			openSpan(page, paint, axis, bar);
		else
			spansPaint(page, paint, source, bar);
	}
	paint.restore();
}

function spansPaint(page, paint, source, bar)
{
	const colour = spansColour(page, source, bar.row);
	const { x0, x1, y0, y1 } = bar;

	paint.fillStyle = colour;
	paint.globalAlpha = bar.open ? 0.25 : 0.85;
	paint.fillRect(x0, y0, x1 - x0, y1 - y0);
	paint.globalAlpha = 1;
	if (!bar.open)
		return;
	paint.strokeStyle = colour;
	paint.setLineDash([3, 3]);
	paint.strokeRect(x0, y0, x1 - x0, y1 - y0);
	paint.setLineDash([]);
}

// the bar nearest to a place, or null
function spansNear(card, x, y)
{
	let best = null;
	let least = MARKS_NEAR;

	for (const bar of card.bars || []) {
		const dx = Math.max(bar.x0 - x, 0, x - bar.x1);
		const dy = Math.max(bar.y0 - y, 0, y - bar.y1);

		if (Math.max(dx, dy) < least) {
			least = Math.max(dx, dy);
			best = bar;
		}
	}
	return best;
}
