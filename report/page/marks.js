// SPDX-License-Identifier: GPL-2.0-only
// Each I/O as a mark, where at most LATENCY_MARKS are in view: a disc for a
// read, a square for a write, a diamond for others, a cross for an error; a
// whisker goes back to its start.

const MARKS_SIZE = 2.5;
// a mark this near to the pointer is the one meant, px
const MARKS_NEAR = 14;

// places of rows.ended that are shown, each with its place on the canvas
function marksPlaces(page, source, axis, scale)
{
	const { ended, start } = source.rows;
	const { view } = page;
	const values = ended[view.latency];
	const [a, b] = rowsEnded(source.rows, view.t0, view.t1);
	const marks = [];

	for (let i = a; i < b; i++) {
		if (!source.on[ended.stream[i]] || values[i] < 0)
			continue;
		const row = ended.row[i];

		marks.push({ row, x: axisX(axis, ended.time[i]),
			y: scale.place(values[i]),
			from: axisX(axis, start[row]) });
	}
	return marks;
}

const MARKS_SHAPES = [
	(path, x, y, r) => {
		path.moveTo(x + r, y);
		path.arc(x, y, r, 0, 2 * Math.PI);
	},
	(path, x, y, r) => path.rect(x - r, y - r, 2 * r, 2 * r),
	(path, x, y, r) => {
		path.moveTo(x, y - r * 1.4);
		path.lineTo(x + r * 1.4, y);
		path.lineTo(x, y + r * 1.4);
		path.lineTo(x - r * 1.4, y);
		path.closePath();
	},
];

// a colour and a shape per operation: one path for each that occurs
function marksPaths(source, marks)
{
	const { rows, model } = source;
	const paths = new Map();

	for (const mark of marks) {
		const operation = model.operation[rows.stream[mark.row]];
		const key = rows.error[mark.row] ? -1 : operation;

		if (!paths.has(key))
			paths.set(key, { shapes: new Path2D(),
				whiskers: new Path2D() });
		const { shapes, whiskers } = paths.get(key);

		if (key < 0)
			marksCross(shapes, mark);
		else
			MARKS_SHAPES[MODEL_KINDS[key]](shapes, mark.x, mark.y,
				MARKS_SIZE);
		if (mark.x - mark.from > 4) {
			whiskers.moveTo(mark.from, mark.y);
			whiskers.lineTo(mark.x, mark.y);
		}
	}
	return paths;
}

function marksCross(path, { x, y })
{
	const r = 4;

	path.moveTo(x - r, y - r);
	path.lineTo(x + r, y + r);
	path.moveTo(x - r, y + r);
	path.lineTo(x + r, y - r);
}

function marksPaint(page, paint, paths)
{
	const { theme } = page;

	for (const [key, { shapes, whiskers }] of paths) {
		const colour = key < 0 ? theme.error :
			theme[THEME_OPERATIONS[key]];

		paint.globalAlpha = 0.55;
		paint.strokeStyle = colour;
		paint.lineWidth = 1;
		paint.stroke(whiskers);
		paint.globalAlpha = 1;
		paint.fillStyle = colour;
		paint.lineWidth = 2;
		if (key < 0)
			paint.stroke(shapes);
		else
			paint.fill(shapes);
	}
}

const MARKS_LEGEND = ["disc", "square", "diamond", "diamond", "diamond"];

function marksLegend(page, card, paths)
{
	const items = [...paths.keys()].sort((a, b) => a - b).map((key) =>
		key < 0 ? { key: "E", name: "Error", shape: "square",
			colour: page.theme.error } :
			{ key, name: labelOperation(page.meta, key),
				shape: MARKS_LEGEND[key],
				colour: page.theme[THEME_OPERATIONS[key]] });

	items.push(...openLegend(page), { key: "what",
		name: "each mark is one I/O",
		shape: "none" });
	cardLegend(card, items);
}

function marksDraw(page, card, paint, axis, source)
{
	card.marks = marksPlaces(page, source, axis, card.scale);
	paint.save();
	paint.beginPath();
	paint.rect(axis.left - 4, 0, axis.px + 8, card.scale.height);
	paint.clip();
	const paths = marksPaths(source, card.marks);

	marksPaint(page, paint, paths);
	paint.restore();
	marksChosen(page, paint, axis, source.rows, card.marks);
	marksLegend(page, card, paths);
}

// the one that a row of the slowest has led to: a ring, and its name
function marksChosen(page, paint, axis, rows, marks)
{
	const mark = marks.find(({ row }) => slowestChosen(page,
		[rows.start[row], rows.stream[row], rows.sector[row]]));

	if (!mark)
		return;
	const { x, y, row } = mark;
	const text = `${numberTime(rows.done[row] - rows.start[row])}, ` +
		page.meta.pidnames[rows.pid[row]];
	const px = paint.measureText(text).width;

	paint.strokeStyle = page.theme.ink;
	paint.lineWidth = 1.5;
	paint.beginPath();
	paint.arc(x, y, 7, 0, 2 * Math.PI);
	paint.stroke();
	paintHalo(paint, text, x + 12 + px < axis.left + axis.px ? x + 12 :
		x - 12 - px, Math.max(8, y), page.theme.ink, page.theme.card);
}

// the mark nearest to a place, or null
function marksNear(card, x, y)
{
	let best = null;
	let least = MARKS_NEAR ** 2;

	for (const mark of card.marks || []) {
		const far = (mark.x - x) ** 2 + (mark.y - y) ** 2;

		if (far < least) {
			least = far;
			best = mark;
		}
	}
	return best;
}
