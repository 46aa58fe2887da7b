// SPDX-License-Identifier: GPL-2.0-only
// Bytes of the file: base64 to bytes, one zlib stream to bytes, and numbers in
// LEB128 (seven bits a byte, the lowest first) out of them.

// what each character of base64 stands for
function bytesAlphabet()
{
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" +
		"0123456789+/";
	const value = new Uint8Array(128);

	for (let i = 0; i < letters.length; i++)
		value[letters.charCodeAt(i)] = i;
	return value;
}

// The bytes that a text of base64 stands for.  By hand, as atob() makes a
// string of them first.
function bytesFromBase64(text)
{
	const value = bytesAlphabet();
	const end = text.indexOf("=") < 0 ? text.length : text.indexOf("=");
	const bytes = new Uint8Array(Math.floor(end * 3 / 4));
	let held = 0;
	let bits = 0;
	let to = 0;

	for (let i = 0; i < end; i++) {
		held = (held << 6 | value[text.charCodeAt(i)]) & 0xffff;
		bits += 6;
		if (bits < 8)
			continue;
		bits -= 8;
		bytes[to++] = held >> bits;
	}
	return bytes;
}

// Unpacks a zlib stream; rejected if the browser cannot.
async function bytesInflate(bytes)
{
	const packed = new Blob([bytes]).stream();
	const plain = packed.pipeThrough(new DecompressionStream("deflate"));

	return new Uint8Array(await new Response(plain).arrayBuffer());
}

// Reads count LEB128 numbers into out.  Beyond 28 bits by multiplication, as
// the operators on bits end at 32.
function bytesNumbers(bytes, out)
{
	let at = 0;

	for (let i = 0; i < out.length; i++) {
		let byte = bytes[at++];
		let v = byte & 127;

		for (let by = 128; byte > 127; by *= 128) {
			byte = bytes[at++];
			v += (byte & 127) * by;
		}
		out[i] = v;
	}
	return out;
}

// each number is the difference to the one before
function bytesSums(out)
{
	for (let i = 1; i < out.length; i++)
		out[i] += out[i - 1];
	return out;
}

// 0, -1, 1, -2, 2 ... were written as 0, 1, 2, 3, 4
function bytesUnzigzag(out)
{
	for (let i = 0; i < out.length; i++)
		out[i] = out[i] % 2 ? -(out[i] + 1) / 2 : out[i] / 2;
	return out;
}

const BYTES_DECODERS = {
	u: (bytes, out) => bytesNumbers(bytes, out),
	d: (bytes, out) => bytesSums(bytesNumbers(bytes, out)),
	dz: (bytes, out) => bytesSums(bytesUnzigzag(bytesNumbers(bytes, out))),
	u8: (bytes, out) => (out.set(bytes), out),
};
