// SPDX-License-Identifier: GPL-2.0-only
// Axes: places of times and values in pixels, and where ticks go.

// a time axis: [t0, t1) from pixel left on, over px pixels
function axisMake(t0, t1, left, px)
{
	return { t0, t1, left, px };
}

function axisX(axis, t)
{
	return axis.left + (t - axis.t0) / (axis.t1 - axis.t0) * axis.px;
}

function axisTime(axis, x)
{
	return axis.t0 + (x - axis.left) / axis.px * (axis.t1 - axis.t0);
}

const AXIS_STEPS = [1, 2, 2.5, 5, 10];
// of times no 2.5, as their labels have as many digits as the step's first
const AXIS_TIME_STEPS = [1, 2, 5, 10];

// the least of the steps x 10^n that is not below v
function axisStep(v, steps)
{
	const power = 10 ** Math.floor(Math.log10(v) + 1e-9);

	return steps.find((m) => m * power >= v * (1 - 1e-9)) * power;
}

// multiples of a round step in [lo, hi], at most about n
function axisTicks(lo, hi, n, steps)
{
	if (!(hi > lo))
		return { step: 1, at: [] };
	const step = axisStep((hi - lo) / Math.max(1, n), steps || AXIS_STEPS);
	const at = [];

	for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi * (1 + 1e-12);
	     k++)
		at.push(k * step);
	return { step, at };
}

function axisTimeTicks(t0, t1, n)
{
	return axisTicks(t0, t1, n, AXIS_TIME_STEPS);
}

const AXIS_MINORS = [1, 2, 5];

// ticks of a log axis between two values: powers of ten, and 2 and 5 times them
// where there are few
function axisLogTicks(lo, hi)
{
	const at = [];
	const decades = Math.log10(hi / lo);
	const minors = decades < 2.2 ? AXIS_MINORS : [1];

	if (decades < 0.5)
		return axisTicks(lo, hi, 5).at;
	for (let p = Math.floor(Math.log10(lo)); p <= Math.log10(hi); p++)
		for (const m of minors)
			if (m * 10 ** p >= lo && m * 10 ** p <= hi)
				at.push(m * 10 ** p);
	return at;
}

// ticks at round numbers of the unit that fits the largest value
function axisUnitTicks(lo, hi, n, units)
{
	const [factor] = numberUnit(Math.max(Math.abs(lo), Math.abs(hi)),
		units);
	const { step, at } = axisTicks(lo / factor, hi / factor, n);

	return { step: step * factor, at: at.map((v) => v * factor) };
}

// labels of ticks in the unit that fits the largest
function axisLabels(ticks, units)
{
	const top = Math.max(...ticks.at.map(Math.abs), ticks.step);
	const [factor, name] = numberUnit(top, units);
	const step = ticks.step / factor;
	const decimals = step >= 1 && Number.isInteger(step) ? 0 :
		Math.min(6, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)) +
			(/^25/.test(String(step).replace(/[0.]/g, "")) ?
				1 : 0));

	return ticks.at.map((v) => v === 0 ? "0" :
		(Math.abs(v) / factor).toFixed(Math.min(decimals, 6)) +
		(name && units !== NUMBER_COUNTS ? NUMBER_THIN : "") + name);
}

// the share of columns that a scale must hold, and how far above that the
// largest may be before it is cut
const AXIS_USUAL = 0.985;
const AXIS_BURST = 2.2;

// The top of a linear scale for values, so that one burst does not flatten the
// rest: { top, cut: whether values are above it }.  wish: "full", a number, or
// undefined for what fits.
function axisTop(values, wish)
{
	const used = Float64Array.from(values).filter((v) => v > 0).sort();
	const max = used.length ? used[used.length - 1] : 0;
	const usual = used.length ?
		used[Math.floor((used.length - 1) * AXIS_USUAL)] : 0;

	if (typeof wish === "number")
		return { top: wish, cut: max > wish };
	if (wish === "full" || used.length < 8 || max <= AXIS_BURST * usual)
		return { top: max || 1, cut: false };
	return { top: usual * 1.25, cut: true };
}
