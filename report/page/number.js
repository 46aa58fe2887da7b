// SPDX-License-Identifier: GPL-2.0-only
// Numbers as people read them: three significant digits at most, thin spaces,
// which break no line, between groups of three and before the unit, but not
// before %; as in report/markup.c.

const NUMBER_THIN = "\u202f";
const NUMBER_NONE = "\u2013";
const NUMBER_TIMES = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];
const NUMBER_BYTES = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"],
	[2 ** 10, "KiB"], [1, "B"]];
const NUMBER_COUNTS = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];

// a whole number, all of its digits
function numberWhole(n)
{
	return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, NUMBER_THIN);
}

// three significant digits at most, and no exponent
function numberShort(v)
{
	if (!Number.isFinite(v))
		return NUMBER_NONE;
	if (Math.abs(v) >= 999.5)
		return numberWhole(v);
	if (Math.abs(v) < 0.001)
		return v ? "<0.001" : "0";
	return String(Number(v.toPrecision(3)));
}

// the largest unit of a table that v reaches: [factor, name]
function numberUnit(v, units)
{
	const fits = units.find(([factor]) => v >= factor * 0.9995);

	return fits || units[units.length - 1];
}

// v in the unit that fits, as [digits, unit]
function numberParts(v, units)
{
	const [factor, name] = numberUnit(v, units);

	return [numberShort(v / factor), name];
}

function numberWith(v, units)
{
	if (v === null || !Number.isFinite(v))
		return NUMBER_NONE;
	const [digits, unit] = numberParts(v, units);

	return unit ? digits + NUMBER_THIN + unit : digits;
}

function numberTime(ns)
{
	return numberWith(ns, NUMBER_TIMES);
}

function numberBytes(n)
{
	return numberWith(n, NUMBER_BYTES);
}

function numberPerSecond(n)
{
	return Number.isFinite(n) ? numberShort(n) + "/s" : NUMBER_NONE;
}

// a count where there is little room: 25.3k
function numberCount(n)
{
	if (n < 10000)
		return numberWhole(n);
	const [digits, unit] = numberParts(n, NUMBER_COUNTS);

	return digits + unit;
}

function numberPercent(part, whole)
{
	if (!(whole > 0))
		return NUMBER_NONE;
	const v = part / whole * 100;

	return numberShort(v) + "%";
}

// how many decimals of a second show differences of step ns
function numberDecimals(step)
{
	return Math.max(0, Math.min(9, Math.ceil(9 - Math.log10(step) - 1e-9)));
}

// a moment in seconds, as exact as a step in ns needs
function numberMoment(t, step)
{
	return (t / 1e9).toFixed(numberDecimals(step));
}

// the same as time of day, if the trace says when it began
function numberClock(meta, t, step)
{
	if (!meta.wall)
		return "";
	const ns = meta.wall[1] + t;
	const at = new Date((meta.wall[0] + Math.floor(ns / 1e9)) * 1000);
	const rest = (ns % 1e9) / 1e9;
	const digits = rest.toFixed(numberDecimals(step)).slice(1);

	return at.toISOString().slice(11, 19) + digits + " UTC";
}
