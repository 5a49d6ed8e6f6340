import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** Bytes; a smaller answer fits one packet with or without compression. */
export const COMPRESS_FROM = 1024;

const br = promisify(brotliCompress);
const gz = promisify(gzip);
/** Brotli's default level of 11 suits files compressed once; level 4 takes about as long as gzip. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** The accepted encoding that makes text smallest (RFC 9110, section 12.5.3). */
export function encodingFor(accepted: string | undefined): 'br' | 'gzip' | undefined {
  if (accepted === undefined) return undefined;
  const taken = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip']);
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : undefined;
}

/** Compresses text off the event loop with an encoding the caller accepts; undefined when there is none. */
export async function compress(
  text: string,
  accepted: string,
): Promise<{ readonly encoding: 'br' | 'gzip'; readonly bytes: Buffer } | undefined> {
  const encoding = encodingFor(accepted);
  if (encoding === undefined) return undefined;
  return { encoding, bytes: await (encoding === 'br' ? br(text, BROTLI) : gz(text)) };
}

/** Compresses at the highest level, for text that is compressed once and sent often. */
export const compressOnce = (bytes: Buffer, encoding: 'br' | 'gzip'): Promise<Buffer> =>
  encoding === 'br'
    ? br(bytes, { params: { ...BROTLI.params, [constants.BROTLI_PARAM_QUALITY]: 11 } })
    : gz(bytes, { level: 9 });
