import { createHash } from 'node:crypto';
import { renderAsync } from '@resvg/resvg-js';
import { formatHex } from 'culori';
import type { Mailbox } from '../../core/entities/mailbox.ts';
import { type Html, html } from '../../http/html.ts';
import { coverKinds, stampOf } from './looks.ts';
import { fitAddress, type Line, wrap } from './share/fit.ts';
import { FONT, isDrawable, textWidth } from './share/text.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const LEFT = 80;
const ROOM = WIDTH - 2 * LEFT;
const TRACKING = -0.035;
/** The font size, line height and baseline of the last line, in pixels. */
const TEXT = { size: 34, line: 48, last: 480 };
const ABOVE_TEXT = 71;

/** A color as `#rrggbb`, since the renderer supports no OKLCH. */
const oklch = (l: number, c: number, h: number): string => formatHex({ mode: 'oklch', l, c, h });

/** The colors of the light theme. */
const COLOR = {
  bg: oklch(0.982, 0.004, 75),
  ink: oklch(0.21, 0.008, 75),
  ink2: oklch(0.43, 0.01, 75),
  ink3: oklch(0.52, 0.01, 75),
  post: oklch(0.87, 0.165, 94),
  on_post: oklch(0.24, 0.04, 94),
  online: oklch(0.69, 0.15, 152),
  blue: oklch(0.53, 0.19, 262),
  red: oklch(0.59, 0.16, 27),
} as const;

/**
 * The preview picture of a shared link (Open Graph): its version, and a function that renders its PNG of 1200 × 630.
 */
export interface ShareImage {
  /** The `ETag` of the picture, the same for equal pictures. */
  readonly etag: string;
  png(): Promise<Uint8Array>;
}

type Shown = Pick<Mailbox, 'local_part' | 'namespace' | 'behavior' | 'description' | 'status'>;

const SAYS: Readonly<Record<Mailbox['status'], string>> = {
  online: 'Write to it and it answers.',
  paused: 'Paused. It will answer when it is back.',
  offline: 'Offline. It will answer when it is back.',
};

/** The picture of a mailbox: its stamp, its address as large as fits, its description and status. */
export function shareImage(mailbox: Shown, mailDomain: string): ShareImage {
  const { local_part, namespace, behavior, description, status } = mailbox;
  const text = textLines(description, 2);
  const address = hero(local_part, namespace, mailDomain, text);
  return picture(html`${stamp(behavior, LEFT, 72, 144)}${address}${statusLine(SAYS[status], status === 'online')}`);
}

/** The picture of a namespace: the stamps of its mailboxes, its name, and how many addresses it has. */
export function namespaceImage(
  namespace: { readonly name: string; readonly display_name: string | null },
  behaviors: readonly string[],
  count: number,
  mailDomain: string,
): ShareImage {
  const kinds = [...new Set(behaviors)].slice(0, 5);
  const text = textLines(namespace.display_name ?? '', 1);
  const says = count === 1 ? 'One address that answers.' : `${count.toLocaleString('en-US')} addresses that answer.`;
  return picture(
    html`${kinds.map((kind, at) => stamp(kind, LEFT + at * 136, 84, 112))}${hero('', namespace.name, mailDomain, text)}${statusLine(count === 0 ? 'No shared addresses yet.' : says, count > 0)}`,
  );
}

/** The picture of the service itself. */
export function homeImage(): ShareImage {
  const kinds = coverKinds();
  const line = (text: string, y: number): Html =>
    html`<text x="${LEFT - 4}" y="${y}" font-size="100" font-weight="600" letter-spacing="-4.2" fill="${COLOR.ink}">${text}</text>`;
  return picture(
    html`${kinds.map((kind, at) => stamp(kind, LEFT + at * 88, 84, 72))}${line('E-mail addresses', 318)}${line('that answer.', 420)}${paragraph(['Write to one and it writes back.'])}${statusLine('Make your own in about a minute.', true)}`,
  );
}

function textLines(text: string, max: number): readonly string[] {
  // A text that the font cannot draw completely is left out.
  return isDrawable(text) ? wrap(text, ROOM, max, (part) => textWidth(part, 400, TEXT.size)) : [];
}

/** The address, and the text below it. */
function hero(local: string, namespace: string, domain: string, text: readonly string[]): Html {
  const { lines, size } = fitAddress(
    local,
    namespace,
    domain,
    ROOM,
    (part) => textWidth(part, 600, 1, TRACKING),
    (part) => textWidth(part, 400, 1, TRACKING),
  );
  const below =
    lines.length > 2 ? text.slice(0, 1).map((line, at) => (text.length > at + 1 ? `${line}…` : line)) : text;
  const last = below.length === 0 ? TEXT.last : TEXT.last - (below.length - 1) * TEXT.line - ABOVE_TEXT;
  const at = (index: number): number => last - (lines.length - 1 - index) * size * 1.05;
  return html`${lines.map((line, index) => addressLine(line, at(index), size))}${paragraph(below)}`;
}

const addressLine = ({ strong, faint }: Line, y: number, size: number): Html =>
  html`<text x="${LEFT}" y="${y.toFixed(1)}" font-size="${size}" letter-spacing="${(size * TRACKING).toFixed(2)}"><tspan font-weight="600" fill="${COLOR.ink}">${strong}</tspan><tspan fill="${COLOR.ink3}">${faint}</tspan></text>`;

const paragraph = (lines: readonly string[]): readonly Html[] =>
  lines.map(
    (line, at) =>
      html`<text x="${LEFT}" y="${TEXT.last - (lines.length - 1 - at) * TEXT.line}" font-size="${TEXT.size}" fill="${COLOR.ink2}">${line}</text>`,
  );

const statusLine = (text: string, online: boolean): Html => {
  const dot = online ? html`fill="${COLOR.online}"` : html`fill="none" stroke="${COLOR.ink3}" stroke-width="3"`;
  return html`<circle cx="88" cy="555" r="${online ? 8 : 6.5}" ${dot}/><text x="109" y="564" font-size="26" fill="${COLOR.ink2}">${text}</text>`;
};

/** The hue of stamps without one, which are nearly gray. */
const OTHER_HUE = 75;

/** A behavior's stamp with its glyph at half its size. */
function stamp(behavior: string, x: number, y: number, size: number): Html {
  const { glyph, hue = OTHER_HUE } = stampOf(behavior);
  const chroma = stampOf(behavior).hue === undefined ? 0.15 : 1;
  const scale = size / 32;
  const start = `${(x + size / 4).toFixed(2)} ${(y + size / 4).toFixed(2)}`;
  return html`${perforated(x, y, size, size / 8, oklch(0.9, 0.07 * chroma, hue))}<path transform="translate(${start}) scale(${scale})" d="${glyph}" fill="none" stroke="${oklch(0.37, 0.09 * chroma, hue)}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/>`;
}

function perforated(x: number, y: number, size: number, period: number, color: string): Html {
  const holes: string[] = [];
  const radius = period * 0.33;
  for (let along = 0; along <= size + 0.1; along += period) {
    for (const [cx, cy] of [
      [along, 0],
      [along, size],
      [0, along],
      [size, along],
    ] as const) {
      const left = (x + cx - radius).toFixed(2);
      const round = `a${radius} ${radius} 0 1 0`;
      holes.push(`M${left} ${(y + cy).toFixed(2)}${round} ${2 * radius} 0${round} ${-2 * radius} 0z`);
    }
  }
  return html`<rect x="${x}" y="${y}" width="${size}" height="${size}" fill="${color}"/><path fill="${COLOR.bg}" d="${holes.join('')}"/>`;
}

const LOGO = html`${perforated(929, 84, 48, 6, COLOR.post)}<text x="953" y="117" font-size="27" font-weight="600" text-anchor="middle" fill="${COLOR.on_post}">@</text><text x="1120" y="118" font-size="30" font-weight="600" letter-spacing="-.6" text-anchor="end" fill="${COLOR.ink}">Mailroom</text>`;

/** A border like that of an airmail envelope. */
const STRIPE = Array.from(
  { length: 21 },
  (_, at) => html`<path fill="${at % 2 === 0 ? COLOR.blue : COLOR.red}" d="M${at * 60 - 20} 616h42l-14 14h-42z"/>`,
);

/** The number of pictures in the cache, of about 50 KB each. */
const MAX_KEPT = 80;
const MAX_RENDERS = 2;
const kept = new Map<string, Promise<Uint8Array>>();
let rendering = 0;
const waiting: (() => void)[] = [];

function picture(content: Html): ShareImage {
  const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="Geist"><rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOR.bg}"/>${content}${LOGO}${STRIPE}</svg>`;
  const hash = createHash('sha256').update(svg.text).digest('base64url').slice(0, 22);
  return { etag: `"${hash}"`, png: () => cached(hash, svg.text) };
}

/** Evicts the least recently used picture; failures are not cached. */
function cached(hash: string, svg: string): Promise<Uint8Array> {
  const cachedImage = kept.get(hash);
  kept.delete(hash);
  const image = cachedImage ?? render(svg);
  kept.set(hash, image);
  if (cachedImage === undefined) image.catch(() => kept.delete(hash));
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return image;
}

/** Renders off the event loop, limited so that other work keeps some threads of the pool. */
async function render(svg: string): Promise<Uint8Array> {
  if (rendering >= MAX_RENDERS) await new Promise<void>((resolve) => waiting.push(resolve));
  else rendering++;
  try {
    return (await renderAsync(svg, { font: FONT })).asPng();
  } finally {
    // Passes the slot to the next in the queue.
    const next = waiting.shift();
    if (next === undefined) rendering--;
    else next();
  }
}
