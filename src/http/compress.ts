import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** Smaller answers fit one packet either way, in bytes. */
export const COMPRESS_FROM = 1024;

const br = promisify(brotliCompress);
const gz = promisify(gzip);
/** Brotli's default of 11 is for files that are compressed once; 4 takes about as long as gzip. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** The text in an encoding the caller takes, the smaller one first (RFC 9110, section 12.5.3), off the event loop; undefined for none. */
export async function compress(
  text: string,
  accepted: string,
): Promise<{ readonly encoding: 'br' | 'gzip'; readonly bytes: Buffer } | undefined> {
  const taken = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip']);
  if (taken.includes('br')) return { encoding: 'br', bytes: await br(text, BROTLI) };
  if (taken.includes('gzip')) return { encoding: 'gzip', bytes: await gz(text) };
  return undefined;
}
