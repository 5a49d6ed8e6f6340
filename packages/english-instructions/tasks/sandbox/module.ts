import { readFile } from 'node:fs/promises';

/** Bytes of a page of WebAssembly memory. */
export const PAGE = 65_536;
const MEMORY_SECTION = 5;

/**
 * The compiled engine with a maximum size of its memory, which holds even if the engine's own accounting fails. Compiled
 * once; threads receive the module.
 */
export async function compileEngine(max_memory: number): Promise<WebAssembly.Module> {
  const bytes = await readFile(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm')));
  return await WebAssembly.compile(withMaximum(bytes, Math.ceil(max_memory / PAGE)));
}

/** The same module with a maximum of `pages` for its memory (WebAssembly core specification 1.0, section 5.5.8). */
function withMaximum(wasm: Uint8Array, pages: number): Uint8Array<ArrayBuffer> {
  let offset = 8;
  while (offset < wasm.length) {
    const id = wasm[offset];
    const size = unsigned(wasm, offset + 1);
    if (id === MEMORY_SECTION) {
      const count = unsigned(wasm, size.end);
      const limits = unsigned(wasm, count.end);
      const least = unsigned(wasm, limits.end);
      if (count.value !== 1 || limits.value > 1 || least.value > pages) break;
      const body = [1, 1, ...encoded(least.value), ...encoded(pages)];
      const section = [MEMORY_SECTION, ...encoded(body.length), ...body];
      return Buffer.concat([wasm.subarray(0, offset), Buffer.from(section), wasm.subarray(size.end + size.value)]);
    }
    offset = size.end + size.value;
  }
  throw new Error('This module has no memory that can be limited so.');
}

function unsigned(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = from;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end };
  }
}

function encoded(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}
