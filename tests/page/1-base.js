// SPDX-License-Identifier: GPL-2.0-only
// What tests/page.t asks of a page: window.page.  Most of its functions return
// what they have to complain of, one text each.  Here is what all of them use.
"use strict";
window.page = (() => {
	const b = window.btreport;
	const inner = b.page;

	return {
		b, inner, meta: inner.meta, model: inner.model,
		rows: inner.sources.rows.rows,
		all: (css, of) => [...(of || document).querySelectorAll(css)],
		card: (id) => inner.cards.find((c) => c.id === id),
		digits: (text) => text.replace(/\D/g, ""),
		widths: () => [document.documentElement.scrollWidth,
			document.documentElement.clientWidth],
	};
})();
