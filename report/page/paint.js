// SPDX-License-Identifier: GPL-2.0-only
// Painting on canvases: sizes, text, grid lines, and rasters of cells.

const PAINT_FONT = "12px system-ui, sans-serif";

// Gives a canvas its size in pixels of the screen, empties it, and returns its
// context in pixels of the page.
function paintBegin(canvas, width, height, ratio)
{
	const w = Math.round(width * ratio);
	const h = Math.round(height * ratio);
	const paint = canvas.getContext("2d");

	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.height = height + "px";
	}
	paint.setTransform(ratio, 0, 0, ratio, 0, 0);
	paint.clearRect(0, 0, width, height);
	paint.font = PAINT_FONT;
	paint.lineWidth = 1;
	return paint;
}

function paintText(paint, text, x, y, colour, align)
{
	paint.fillStyle = colour;
	paint.textAlign = align || "left";
	paint.textBaseline = "middle";
	paint.fillText(text, x, y);
}

// text that can be read on anything
function paintHalo(paint, text, x, y, colour, card)
{
	paint.strokeStyle = card;
	paint.lineWidth = 3;
	paint.lineJoin = "round";
	paint.textAlign = "left";
	paint.textBaseline = "middle";
	paint.strokeText(text, x, y);
	paintText(paint, text, x, y, colour);
}

function paintLine(paint, x0, y0, x1, y1, colour)
{
	paint.strokeStyle = colour;
	paint.lineWidth = 1;
	paint.beginPath();
	paint.moveTo(x0, y0);
	paint.lineTo(x1, y1);
	paint.stroke();
}

// a hairline that fills whole pixels
function paintAcross(paint, x0, x1, y, colour)
{
	paint.fillStyle = colour;
	paint.fillRect(x0, Math.round(y), x1 - x0, 1);
}

function paintDown(paint, x, y0, y1, colour)
{
	paint.fillStyle = colour;
	paint.fillRect(Math.round(x), y0, 1, y1 - y0);
}

// more marks than these would hide others
const PAINT_MARKS = 100;

// the vertical lines of the time axis, and of marks
function paintTimes(page, paint, axis, height)
{
	const marks = page.meta.marks.filter(([t]) =>
		t >= axis.t0 && t < axis.t1);

	for (const t of page.ticks.at)
		paintDown(paint, axisX(axis, t), 0, height, page.theme.grid);
	if (marks.length > PAINT_MARKS)
		return;
	for (const [t] of marks)
		paintDown(paint, axisX(axis, t), 0, height, page.theme.muted);
}

// Ticks of a value axis: lines over the plot and labels left of it.  place(v)
// is the pixel of a value.
function paintValues(page, paint, axis, at, labels, place)
{
	at.forEach((v, i) => {
		const y = place(v);

		paintAcross(paint, axis.left, axis.left + axis.px, y,
			page.theme.grid);
		paintText(paint, labels[i], axis.left - 6, Math.max(6, y),
			page.theme.muted, "right");
	});
}

// stripes over the times around lost records
function paintGaps(page, paint, axis, height)
{
	paint.strokeStyle = page.theme.gap;
	paint.lineWidth = 1;
	for (const [t0, t1] of page.meta.gaps) {
		const x0 = Math.max(axis.left, axisX(axis, t0) - 2);
		const x1 = Math.min(axis.left + axis.px, axisX(axis, t1) + 2);

		if (x1 > x0)
			paintStripes(paint, x0, x1, height);
	}
}

// From when on not all CPUs' records are there, as the tile has it in words.
function paintCut(page, paint, axis, height)
{
	const { complete, duration } = page.meta;

	if (complete === null || complete >= duration)
		return;
	const x0 = Math.max(axis.left, axisX(axis, complete));
	const x1 = Math.min(axis.left + axis.px, axisX(axis, duration));

	if (x1 <= x0)
		return;
	paint.strokeStyle = page.theme.gap;
	paint.globalAlpha = 0.16;
	paintStripes(paint, x0, x1, height);
	paint.globalAlpha = 1;
	paintDown(paint, x0, 0, height, page.theme.gap);
	if (x1 - x0 > 90)
		paintHalo(paint, "incomplete", x0 + 5, 8, page.theme.gap,
			page.theme.card);
}

// The time after the end of the shorter run is no part of it.
function paintEnd(page, paint, axis, height)
{
	const x = Math.max(axis.left, axisX(axis, page.model.duration));
	const px = axis.left + axis.px - x;

	if (px < 1)
		return;
	paint.fillStyle = page.theme.back;
	paint.fillRect(x, 0, px, height);
	paintDown(paint, x, 0, height, page.theme.hair);
	if (px > 90)
		paintText(paint, "the trace ends here", x + 8, height / 2,
			page.theme.muted);
}

function paintStripes(paint, x0, x1, height)
{
	paint.save();
	paint.beginPath();
	paint.rect(x0, 0, x1 - x0, height);
	paint.clip();
	paint.beginPath();
	for (let x = x0 - height; x < x1; x += 6) {
		paint.moveTo(x, height);
		paint.lineTo(x + height, 0);
	}
	paint.stroke();
	paint.restore();
}

// A raster of cells that one line of pixels after the other is put into.  Its
// pixels are the screen's; others stay clear.
function paintRaster(paint, x, y, width, height, ratio)
{
	const left = Math.round(x * ratio);
	const top = Math.round(y * ratio);
	const w = Math.max(1, Math.round((x + width) * ratio) - left);
	const h = Math.max(1, Math.round((y + height) * ratio) - top);
	const image = paint.createImageData(w, h);

	return { image, left, top, w, h, ratio,
		pixels: new Uint32Array(image.data.buffer) };
}

// the start pixels of columns of a grid in a raster
function paintColumns(raster, grid, axis)
{
	return Int32Array.from({ length: grid.n + 1 }, (v, c) => {
		const x = axisX(axis, (grid.first + c) * grid.width);

		return Math.max(0, Math.min(raster.w,
			Math.round(x * raster.ratio) - raster.left));
	});
}

// Repeats the line of pixels at y from there to below `end`.
function paintRepeat(raster, y, end)
{
	const { pixels, w } = raster;

	for (let line = y + 1; line < end; line++)
		pixels.copyWithin(line * w, y * w, (y + 1) * w);
}

// Puts the raster on the canvas, over its contents: clear pixels
// leave it.
function paintRasterEnd(page, paint, raster)
{
	const canvas = page.scratch;

	canvas.width = raster.w;
	canvas.height = raster.h;
	canvas.getContext("2d").putImageData(raster.image, 0, 0);
	paint.drawImage(canvas, raster.left / raster.ratio,
		raster.top / raster.ratio, raster.w / raster.ratio,
		raster.h / raster.ratio);
}
