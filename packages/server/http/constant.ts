import { COMPRESS_FROM, compressOnce, encodingFor } from './compress.ts';

const shared = new WeakSet<object>();

/** Buffers that are in memory once and shared by all answers. */
export const isShared = (payload: unknown): boolean => Buffer.isBuffer(payload) && shared.has(payload);

/** A document that is the same for every caller; its bytes and their encoded forms are made once. */
export class Constant {
  readonly bytes: Buffer;
  readonly #encoded = new Map<'br' | 'gzip', Promise<Buffer>>();

  constructor(text: string | Buffer) {
    this.bytes = typeof text === 'string' ? Buffer.from(text) : text;
    shared.add(this.bytes);
  }

  /** The document in an encoding that `Accept-Encoding` allows; `encoding` is undefined for none. */
  async as(
    accepted: string | undefined,
  ): Promise<{ readonly encoding: 'br' | 'gzip' | undefined; readonly bytes: Buffer }> {
    const encoding = this.bytes.length < COMPRESS_FROM ? undefined : encodingFor(accepted);
    if (encoding === undefined) return { encoding, bytes: this.bytes };
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = compressOnce(this.bytes, encoding);
      this.#encoded.set(encoding, encoded);
    }
    const bytes = await encoded;
    shared.add(bytes);
    return { encoding, bytes };
  }
}
