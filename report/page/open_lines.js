// SPDX-License-Identifier: GPL-2.0-only
// I/Os in flight at the end of the trace in the graphs: drawn from their start
// to the end, in the colour of errors.
//
// One that may have completed, as records of it may be missing, is drawn in
// grey, and is not in flight in depths from when that is not sure.

// lines drawn at most
const OPEN_LINES = 50;
// a curve's next point, px
const OPEN_STEP = 3;

// the drawn ones of a list, evenly spread
function openSome(list)
{
	const step = Math.ceil(list.length / OPEN_LINES);

	return list.filter((v, i) => i % step === 0);
}

function openColour(page, row)
{
	return openSure(page.sources.rows.rows, row, page.meta) ?
		page.theme.error : page.theme.muted;
}

// items of a legend for those of the filter that are drawn
function openLegend(page)
{
	const colours = new Set(openRows(page.sources.rows).map((row) =>
		openColour(page, row)));

	return [[page.theme.error, "in flight at the end"],
		[page.theme.muted, "in flight, or its end is missing"]]
		.filter(([colour]) => colours.has(colour))
		.map(([colour, name]) => ({ key: name, shape: "dash", name,
			colour }));
}

// A dashed line through points; where the end of the trace is in view, it goes
// on as an arrow.
function openLine(page, paint, row, points, arrow)
{
	const [x, y] = points[points.length - 1];

	paint.strokeStyle = openColour(page, row);
	paint.fillStyle = paint.strokeStyle;
	paint.lineWidth = 1.5;
	paint.setLineDash([5, 3]);
	paint.beginPath();
	for (const point of points)
		paint.lineTo(...point);
	paint.stroke();
	paint.setLineDash([]);
	if (!arrow)
		return;
	paint.beginPath();
	paint.moveTo(x - 7, y - 4);
	paint.lineTo(x, y);
	paint.lineTo(x - 7, y + 4);
	paint.fill();
}

// where a time of the trace is on an axis that is shown in part
function openX(axis, t)
{
	return Math.max(axis.left, Math.min(axis.left + axis.px,
		axisX(axis, t)));
}

// How old an I/O was at each moment that is shown, as points
function openCurve(axis, scale, since, end)
{
	const x0 = openX(axis, since);
	const x1 = Math.max(openX(axis, end), x0 + 1);
	const points = [];

	for (let x = x0; x < x1; x += OPEN_STEP)
		points.push([x, scale.place(axisTime(axis, x) - since)]);
	points.push([x1, scale.place(Math.min(end, axis.t1) - since)]);
	return points;
}

// Of the latency graph: their age, as it grows up to the end.
function openLatency(page, card, paint, axis)
{
	const end = page.meta.duration;
	const ages = openAges(page, page.view.latency);
	const shown = ages.filter(([, since]) => since < axis.t1 &&
		end >= axis.t0);

	paint.save();
	paint.beginPath();
	paint.rect(axis.left, 0, axis.px + 1, card.scale.height);
	paint.clip();
	card.bars = openSome(shown).flatMap(([row, since]) => {
		const points = openCurve(axis, card.scale, since, end);

		openLine(page, paint, row, points, end < axis.t1);
		return openBars(row, points);
	});
	paint.restore();
	if (shown.length)
		openLabel(page, card, paint, axis, shown,
			openText(openCount(page, ages), shown[0][2],
				openAllSure(page)));
}

// where the pointer finds a line
function openBars(row, points)
{
	return points.slice(1).map(([x, y], i) => ({ row, open: true,
		x0: points[i][0], x1: x, y0: y, y1: points[i][1] }));
}

// Of the depth graph: how many of a device's are in flight and stay so, as
// steps up to the end.
function openDepth(page, paint, axis, device, place)
{
	const { rows, model } = page.sources.rows;
	const since = openRows(page.sources.rows).filter((row) =>
		model.device[rows.stream[row]] === device &&
		model.operation[rows.stream[row]] !== MODEL_FLUSH &&
		openSure(rows, row, page.meta) &&
		openCounts(page.sources.rows, row))
		.map((row) => rowsIssue(rows, row)).sort((a, b) => a - b);
	const x1 = openX(axis, page.meta.duration);

	if (!since.length)
		return;
	paint.beginPath();
	paint.moveTo(openX(axis, since[0]), place(0));
	since.forEach((t, i) => {
		paint.lineTo(openX(axis, t), place(i));
		paint.lineTo(openX(axis, t), place(i + 1));
	});
	paint.lineTo(x1, place(since.length));
	paint.lineTo(x1, place(0));
	paint.fillStyle = page.theme.error;
	paint.globalAlpha = 0.22;
	paint.fill();
	paint.globalAlpha = 1;
}

// the words below the lines, left of the end
function openLabel(page, card, paint, axis, shown, text)
{
	const { scale } = card;
	const end = openX(axis, page.meta.duration);
	const youngest = Math.max(...shown.map(([, since]) => since));

	paint.font = `650 ${PAINT_FONT}`;
	const x = Math.max(axis.left + 4, end - paint.measureText(text).width -
		8);
	const y = scale.place(Math.max(1, axisTime(axis, x) - youngest)) + 14;

	paintHalo(paint, text, x, Math.max(10, Math.min(scale.height - 10, y)),
		page.theme.error, page.theme.card);
	paint.font = PAINT_FONT;
}

// Of the offsets graph as a map: lines where they are on their device.
function openOffsets(page, card, paint, axis)
{
	const { rows, model } = page.sources.rows;
	const end = page.meta.duration;
	const lanes = new Map(card.lanes.map((l) => [l.device, l]));

	card.bars = [];
	for (const row of openSome(openRows(page.sources.rows))) {
		const lane = lanes.get(model.device[rows.stream[row]]);
		const y = lane && offsetsY(lane, rows.sector[row]);

		if (!lane || !rows.blocks[row] || y < lane.y ||
		    y > lane.y + lane.height || rows.start[row] >= axis.t1 ||
		    end < axis.t0)
			continue;
		const points = [[openX(axis, rows.start[row]), y],
			[openX(axis, end), y]];

		card.bars.push(...openBars(row, points));
		openLine(page, paint, row, points, end < axis.t1);
	}
}

// Of the offsets graph with bars: high as its size.
function openSpan(page, paint, axis, { row, x0, x1, y0, y1 })
{
	paint.fillStyle = openColour(page, row);
	paint.globalAlpha = 0.22;
	paint.fillRect(x0, y0, x1 - x0, y1 - y0);
	paint.globalAlpha = 1;
	openLine(page, paint, row, [[x0, (y0 + y1) / 2],
		[x1, (y0 + y1) / 2]], page.meta.duration < axis.t1);
}
