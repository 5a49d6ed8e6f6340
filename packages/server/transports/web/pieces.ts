import { fullAddress, shortAddress } from '@mailroom/behavior/values/address';
import type { Mailbox, MailboxSummary } from '../../core/entities/mailbox.ts';
import { type Html, html, type Part } from '../../http/html.ts';
import { isLoaded, stampOf } from './looks.ts';

/** Icons on a 16 × 16 grid, stroked by the style sheet. */
const ICONS = {
  send: 'M8 13V3M3.5 7.5 8 3l4.5 4.5',
  eye: 'M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8ZM9.700 8a1.700 1.700 0 1 1-3.400 0 1.700 1.700 0 0 1 3.400 0Z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.500v-3h-8v8h3',
  share: 'M8 10V2M5 4.500 8 2l3 2.500M4 7.500H2.500v6h11v-6H12',
  check: 'M3 8.500 6.500 12 13 4.500',
  clock: 'M8 4.500V8l2.300 1.500M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z',
  warn: 'M8 2.500 14.500 13.500h-13ZM8 6.500v3M8 11.500v.01',
  again: 'M13 8a5 5 0 1 1-1.500-3.600M13 2v3h-3',
  right: 'M3 8h10M9 4l4 4-4 4',
  download: 'M8 2v8M4.500 7 8 10.500 11.500 7M3 13.500h10',
  inbox: 'M2 9.500 4 3h8l2 6.500V13H2ZM2 9.500h3.500L6.500 11h3l1-1.500H14',
  chart: 'M2.500 13.500h11M4.500 11V7M8 11V3M11.500 11V5.500',
  key: 'M9.700 9.500a3.300 3.300 0 1 1 1.700-6.100 3.300 3.300 0 0 1-1.700 6.100ZM7.300 8.700 2.500 13.500M4 12l1.500 1.500',
  sliders:
    'M2 5h6M11.500 5H14M2 11h2.500M8 11h6M8 3.500v3M4.500 9.500v3M9.700 5a1.700 1.700 0 1 0 0 .01M6.200 11a1.700 1.700 0 1 0 0 .01',
  out: 'M6 2.500H2.500v11H6M6 8h8M11 5l3 3-3 3',
  at: 'M10.500 8a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0v1a1.750 1.750 0 0 0 3.500 0V8a6 6 0 1 0-2.500 4.900',
  plus: 'M8 3v10M3 8h10',
  hook: 'M8 2v6.500a3 3 0 1 1-5.500-1.700M8 2 5.500 4.500M8 2l2.500 2.500M11 11.500h2.500',
  clip: 'M12.500 7.500 7.700 12.300a3 3 0 0 1-4.300-4.300l5-5a2 2 0 0 1 2.900 2.900L6.500 10.500a1 1 0 0 1-1.400-1.400L9.500 4.700',
  write: 'M3 13l.8-3.300L11 2.500l2.500 2.500-7.200 7.200ZM9.500 4 12 6.500',
  search: 'M11.500 7a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0ZM10.300 10.300 13.500 13.500',
  reply: 'M6.500 3.500 2.500 7.500l4 4M2.500 7.500h7a4 4 0 0 1 4 4v1',
  reply_all: 'M5 3.500 1.500 7.500l3.500 4M9 3.500 5 7.500l4 4M5 7.500h4.500a4 4 0 0 1 4 4v1',
  forward: 'M9.500 3.500 13.500 7.500l-4 4M13.500 7.500h-7a4 4 0 0 0-4 4v1',
  trash: 'M3 4.500h10M6.500 4.500v-2h3v2M4.500 4.500l.5 9h6l.5-9M7 7v4M9 7v4',
  bell: 'M4 11.500V7a4 4 0 0 1 8 0v4.500ZM2.500 11.500h11M6.800 13.800h2.400',
  close: 'M4 4l8 8M12 4 4 12',
  label: 'M2.500 2.500h5.500l5.500 5.500-5.500 5.500L2.500 8ZM5.500 5.500v.01',
  more: 'M3.500 8v.01M8 8v.01M12.500 8v.01',
  down: 'M4 6.500 8 10.500 12 6.500',
  person: 'M10.800 5.200a2.800 2.800 0 1 1-5.600 0 2.800 2.800 0 0 1 5.600 0ZM2.500 13.500a5.500 4.300 0 0 1 11 0',
  drafts: 'M4 2.500h5.500L12.500 5.500v8H4ZM9 2.500V6h3.500M6.500 9h4M6.500 11h2.500',
} as const;
export type IconName = keyof typeof ICONS;

/** An icon beside a word with the same meaning. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;

/** The CSS class with the color of a behavior's stamp. */
export const hueOf = (behavior: string): string => (stampOf(behavior).hue === undefined ? 'h-other' : `h-${behavior}`);

/** A behavior's perforated stamp, 30, 40 or 64 px wide. */
export const stamp = (behavior: string, size: 30 | 40 | 64 = 40): Html =>
  html`<span class="stamp s${size} ${hueOf(behavior)}" aria-hidden="true"><svg viewBox="0 0 16 16"><path d="${
    stampOf(behavior).glyph
  }"/></svg></span>`;

type Addressed = Pick<Mailbox, 'local_part' | 'namespace'>;

/** An address as a heading: its distinctive part is emphasized, and it may break at the `@` and before the domain. */
export const addressMark = ({ local_part, namespace }: Addressed, mailDomain: string): Html =>
  html`<span class="address"><b>${local_part}@<wbr>${namespace}</b><wbr><span>.${mailDomain}</span></span>`;

export const shortOf = ({ local_part, namespace }: Addressed): string => shortAddress(local_part, namespace);

export const fullOf = ({ local_part, namespace }: Addressed, mailDomain: string): string =>
  fullAddress(shortAddress(local_part, namespace), mailDomain);

/** The path of a mailbox's page, from the root. */
export const pathOf = (mailbox: Addressed, mailDomain: string): string => fullOf(mailbox, mailDomain);

const STATUS_WORDS = { online: 'Online', paused: 'Paused', offline: 'Offline' } as const;

/** The status as a dot and words, since color alone is not accessible. Without its behavior no address answers. */
export const statusMark = ({ status, behavior }: Shown): Html =>
  isLoaded(typeof behavior === 'string' ? behavior : behavior.name)
    ? html`<span class="status ${status}">${STATUS_WORDS[status]}</span>`
    : html`<span class="status offline">Does not answer</span>`;
interface Shown {
  readonly status: Mailbox['status'];
  readonly behavior: string | { readonly name: string };
}

/** An entry in a list of addresses. */
export const entry = (mailbox: MailboxSummary, root: string, mailDomain: string): Html => html`<li class="entry">
${stamp(mailbox.behavior)}
<a href="${root}./${pathOf(mailbox, mailDomain)}">${mailbox.local_part}@<wbr>${mailbox.namespace}</a>
${statusMark(mailbox)}
<p dir="auto">${mailbox.description}</p>
</li>`;

/** A tinted box: the fact in bold, then what to do about it. */
export const note = (kind: 'plain' | 'wait' | 'bad', name: IconName, fact: Part, rest: Part): Html =>
  html`<div class="note${kind === 'plain' ? '' : ` ${kind}`}">${icon(name)}<div><b>${fact}</b> ${rest}</div></div>`;

/** A button that copies a text, or the content of the element with that id; shown only where scripts run. */
export const copyButton = (label: string, from: { readonly text: string } | { readonly id: string }): Html =>
  html`<button type="button" class="button" hidden data-copy="${'text' in from ? from.text : ''}"${
    'id' in from && html` data-copy-from="${from.id}"`
  }>${icon('copy')}<span>${label}</span></button>`;

/** “1 correction”, “2 corrections”. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`;
