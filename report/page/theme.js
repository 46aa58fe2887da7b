// SPDX-License-Identifier: GPL-2.0-only
// Colours for canvases.  They stand in the style, light and dark; here they are
// read, once for each change of the theme.

const THEME_NAMES = ["card", "ink", "muted", "hair", "grid", "accent", "read",
	"write", "flush", "discard", "other", "error", "p50", "p99",
	"phase0", "phase1", "phase2", "phase3", "gap", "warning", "back",
	"side-a", "side-b"];
const THEME_OPERATIONS = ["read", "write", "flush", "discard", "other"];
const THEME_KINDS = ["read", "write", "other"];
// shades between the steps of the ramp
const THEME_SHADES = 64;
const THEME_RAMP = 7;
const THEME_DIFFERENCE = 7;
const THEME_PROCESSES = 8;

// "#rrggbb" to [r, g, b]
function themeChannels(colour)
{
	return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
}

// [r, g, b] as a pixel of ImageData, of which a 32-bit number is the reverse
function themePixel([r, g, b])
{
	return (255 << 24 | Math.round(b) << 16 | Math.round(g) << 8 |
		Math.round(r)) >>> 0;
}

function themeMix(a, b, share)
{
	return a.map((v, i) => v + (b[i] - v) * share);
}

// the ramp of density as pixels, from the least to the most
function themeShades(steps)
{
	const shades = new Uint32Array(THEME_SHADES);

	for (let i = 0; i < THEME_SHADES; i++) {
		const at = i / (THEME_SHADES - 1) * (steps.length - 1);
		const low = Math.min(steps.length - 2, Math.floor(at));

		shades[i] = themePixel(themeMix(steps[low], steps[low + 1],
			at - low));
	}
	return shades;
}

// shades of one colour upon the card, faint to full
function themeTints(card, colour)
{
	const faint = themeMix(card, colour, 0.3);

	return themeShades([faint, colour]);
}

// how many mixtures of reads and writes have a colour
const THEME_MIXES = 5;

// Colours by the name of their custom property, the ramp as pixels, and tints
// of reads to writes in THEME_MIXES steps.
function themeRead()
{
	const style = getComputedStyle(document.documentElement);
	const read = (name) => style.getPropertyValue("--" + name).trim();
	const theme = {};
	const list = (name, n) => Array.from({ length: n },
		(v, i) => read(name + i));

	for (const name of THEME_NAMES)
		theme[name] = read(name);
	const card = themeChannels(theme.card);

	theme.processes = [...list("process", THEME_PROCESSES), theme.other];
	theme.ramp = list("ramp", THEME_RAMP);
	theme.difference = list("difference", THEME_DIFFERENCE);
	theme.differences = themeShades(theme.difference.map(themeChannels));
	theme.shades = themeShades(theme.ramp.map(themeChannels));
	theme.mixes = Array.from({ length: THEME_MIXES }, (v, i) =>
		themeTints(card, themeMix(themeChannels(theme.read),
			themeChannels(theme.write), i / (THEME_MIXES - 1))));
	theme.tints = theme.processes.map((c) =>
		themeTints(card, themeChannels(c)));
	return theme;
}

// what the system asks for
function themeOfSystem()
{
	return matchMedia("(prefers-color-scheme: dark)").matches ?
		"dark" : "light";
}

// puts a theme on the page ("" for the system's) and reads its colours
function themeApply(page, name)
{
	document.documentElement.dataset.theme = name || themeOfSystem();
	page.theme = themeRead();
}

function themeCurrent()
{
	return document.documentElement.dataset.theme;
}
