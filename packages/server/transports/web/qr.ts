import { encode } from 'uqr';
import { type Html, html } from '../../http/html.ts';
import { isLoopback } from '../../net/loopback.ts';

/** The quiet zone around the code, in modules (ISO/IEC 18004, section 5.3.8). */
const QUIET = 4;

/** A code that opens a page elsewhere, and what it does; none for a page of this machine, which no phone reaches. */
export function qrCard(url: string, what: string): Html | false {
  const { hostname } = new URL(url);
  if (isLoopback(hostname) || hostname.endsWith('.localhost')) return false;
  return html`<div class="qr">${qrSvg(url)}<p class="meta">Scan this code to open the ${what} on your phone.</p></div>`;
}

/**
 * A QR code of `text` (ISO/IEC 18004), dark on white in both themes, as readers require. Holds up to 2,331 bytes at its
 * error correction level; throws beyond that.
 */
function qrSvg(text: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code for ${text}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path fill="#1a1814" d="${runs.join('')}"/></svg>`;
}
