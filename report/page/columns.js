// SPDX-License-Identifier: GPL-2.0-only
// The columns of the file, by name.  meta.columns says of each which block it
// is in, from which byte on, how many bytes and numbers, and how encoded.

// Unpacks all blocks, whose elements' ids start with a prefix: a map of their
// names to bytes.  The elements are emptied, so that the text does not stay in
// memory beside the numbers.
async function columnsUnpack(meta, prefix)
{
	const names = new Set(Object.values(meta.columns).map((c) => c[0]));
	const blocks = new Map();

	for (const name of names) {
		const element = document.getElementById(prefix + name);
		const packed = bytesFromBase64(element.textContent.trim());

		blocks.set(name, await bytesInflate(packed));
		element.textContent = "";
	}
	return { of: meta.columns, blocks };
}

function columnsHas(columns, name)
{
	return name in columns.of;
}

// The numbers of a column as an array of Type; empty if missing.
function columnsRead(columns, name, Type)
{
	if (!columnsHas(columns, name))
		return new Type(0);
	const [block, offset, bytes, count, encoding] = columns.of[name];
	const from = columns.blocks.get(block).subarray(offset, offset + bytes);

	return BYTES_DECODERS[encoding](from, new Type(count));
}
