import { TRASH } from '../../../core/entities/label.ts';
import type { MailboxSummary } from '../../../core/entities/mailbox.ts';
import type { Member } from '../../../core/entities/member.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import type { PlaceCounts } from '../../../core/ports/places.ts';
import type { Overview } from '../../../core/reports/overview.ts';
import { WAITING, type WaitingKind } from '../../../core/reports/waiting.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Page } from '../layout.ts';
import { type IconName, icon } from '../pieces.ts';
import { personFace } from './faces.ts';
import { makesAddresses, opens } from './page-scopes.ts';
import { ROLE_WORDS } from './role-words.ts';
import { type SettingsTab, settingsHead } from './settings-tabs.ts';
import { type Signed, tokenField } from './sign-in-form.ts';

export type Root = '' | '../' | '../../';

/** The lists of conversations; those that the inbox consists of below it. */
const LISTS = [
  ['inbox', 'Inbox', 'inbox', 'console'],
  ['answer', 'To answer', '', 'console?status=answer'],
  ['approve', 'To approve', '', 'console/reviews'],
  ['failed', 'Failed', '', 'console?status=failed'],
  ['asked', 'Asked back', '', 'console?status=asked'],
  ['mine', 'Mine', 'person', 'console?assignee=me'],
  ['later', 'Later', 'clock', 'console?state=later'],
  ['all', 'All', 'at', 'console?direction=all'],
  ['sent', 'Sent', 'send', 'console?direction=sent'],
  ['drafts', 'Drafts', 'drafts', 'console/drafts'],
  ['trash', 'Trash', 'trash', 'console?direction=all&label=trash'],
] as const satisfies readonly (readonly [string, string, IconName | '', string])[];
const PAGES = [
  ['activity', 'Activity', 'chart', 'console/activity'],
  ['settings', 'Settings', 'sliders', 'console/settings'],
] as const satisfies readonly (readonly [string, string, IconName, string])[];
/** Tabs that only phones show, in the bar at the bottom; `#side` is the whole side column. */
const BAR = [
  ['inbox', 'Inbox', 'inbox', 'console'],
  ['approve', 'To approve', 'check', 'console/reviews'],
  ['addresses', 'Addresses', 'at', 'console/addresses'],
  ['more', 'More', 'more', '#side'],
] as const satisfies readonly (readonly [string, string, IconName, string])[];
export type Tab = (typeof LISTS | typeof PAGES | typeof BAR)[number][0] | 'write';

/** The side column of every page of the console. */
export interface Side extends Overview {
  /** Other namespaces of the account that is signed in. */
  readonly others: readonly string[];
  readonly places: PlaceCounts;
  /** The account of the reader; null for a key of no member. */
  readonly me: string | null;
  /** The member who reads; undefined for a key of none. */
  readonly person: Pick<Member, 'name' | 'role'> | undefined;
}

/** What each kind of what waits for a person is called. */
export const WAITING_WORDS: Readonly<Record<WaitingKind, string>> = {
  answer: 'To answer',
  approve: 'To approve',
  failed: 'Failed',
  asked: 'Asked back',
};
const countsOf = ({ to_answer: answer, to_approve: approve, failed, asked_back: asked }: Side) => ({
  answer,
  approve,
  failed,
  asked,
});

/** How many conversations of this kind wait: “3”, “100+”; empty for none. */
export const waitingText = (side: Side, kind: WaitingKind): string => {
  const { count, more } = countsOf(side)[kind];
  return count === 0 ? '' : `${count}${more && count >= MAX_UNREAD ? '+' : ''}`;
};

/** How many wait for a person in all; empty for none. */
export function waitingTotal(side: Side): string {
  const all = Object.values(countsOf(side));
  const total = all.reduce((sum, { count }) => sum + count, 0);
  return total === 0 ? '' : `${total}${all.some(({ count, more }) => more && count >= MAX_UNREAD) ? '+' : ''}`;
}

/** The lists whose number waits for no person. */
const PLACES = ['drafts', 'sent', 'trash', 'mine', 'later'] as const;
const placeText = ({ places, me }: Side, place: (typeof PLACES)[number]): string => {
  return countText(place === 'mine' ? (places.assigned[me ?? ''] ?? 0) : places[place]);
};
/** A number beside a list that calls no one; empty for none. */
export const countText = (count: number): string => (count === 0 ? '' : capped(count));

/** A count before a title. */
const counted = (total: string): string => (total === '' ? '' : `(${total}) `);

/** The numbers of what waits, by the places that show them. */
export const waitingTexts = (side: Side): Readonly<Record<string, string>> => ({
  all: waitingTotal(side),
  ...Object.fromEntries(WAITING.map((kind) => [kind, waitingText(side, kind)])),
  ...Object.fromEntries(PLACES.map((place) => [place, placeText(side, place)])),
});

/** The style sheets of pages with a list or a conversation. */
const CONVERSATIONS = ['list.css', 'conversation.css'];

export interface ConsolePage {
  readonly title: string;
  readonly root: Root;
  readonly tab: Tab | undefined;
  /** The local part of the address that this page is about. */
  readonly address?: string | undefined;
  /** The label that the list is narrowed to. */
  readonly label?: string | undefined;
  readonly main: Html;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  /** The page uses the full width of the window. */
  readonly wide?: boolean;
  /** Which page of the namespace's settings it is. */
  readonly settings?: SettingsTab;
  /** It shows mails in frames. */
  readonly frames?: boolean;
}

/** A page of the console with its navigation. */
export function consolePage(page: ConsolePage, side: Side, signed: Signed): Page {
  const { root, tab, main, wide = false } = page;
  const { name } = signed.session.namespace;
  const may = (path: string): boolean => opens(signed.session.key, path);
  return {
    title: `${wide && !page.title.startsWith('Error: ') ? counted(waitingTotal(side)) : ''}${page.title} · ${name} · Mailroom`,
    root,
    private: true,
    styles: [...(page.styles ?? []), 'console.css', 'composer.css', ...(wide ? CONVERSATIONS : ['console-pages.css'])],
    scripts: ['console.js', ...(page.scripts ?? [])],
    frame: 'bare',
    main: html`<div class="console">
<header class="side" id="side">
<div class="top"><a class="brand" href="${root}console" aria-label="${name}: inbox"><span class="stamp s30 h-post" aria-hidden="true">@</span><span>${name}</span></a>${switcher(side, root)}<a class="button quiet phone" href="#main">Close</a></div>
${may('console/write') && html`<a class="button ink write" href="${root}console/write"${tab === 'write' && html` aria-current="page"`}>${icon('write')}Write</a>`}
<nav class="tabs" aria-label="Conversations">${links(
      LISTS.filter(([, , , path]) => may(path)),
      root,
      tab,
      side,
    )}</nav>
<nav class="addresses" aria-labelledby="addresses">
<h2 class="small-title" id="addresses">Addresses</h2>
<ul data-nav>${addressList(side, root, page.address)}</ul>
${allAddresses(side, root)}
${makesAddresses(signed.session.key) && html`<a class="new" href="${root}console/addresses/new">${icon('plus')}New address</a>`}
</nav>
${labelList(side, root, page.label)}
<nav class="tabs last-tabs" aria-label="Console">${links(
      PAGES.filter(([, , , path]) => may(path)),
      root,
      tab,
      side,
    )}${!may('console/settings') && html`<a href="${root}console/settings?tab=sessions">${icon('sliders')}Your sessions</a>`}</nav>
<button type="button" class="tab" hidden data-palette>${icon('search')}Commands <span class="nav-state"><kbd>Ctrl K</kbd></span></button>
<div class="out">${whoReads(side)}<form method="post" action="${root}console/sign-out">${tokenField(signed)}<button class="tab">${icon('out')}Sign out</button></form></div>
</header>
<main id="main" tabindex="-1"${!wide && html` class="column"`}>
${storageWarning(side, root)}${page.settings !== undefined && settingsHead(name, page.settings, root, may)}${main}${tab !== 'write' && may('console/write') && html`<a class="write-round" href="${root}console/write" aria-label="Write">${icon('write')}</a>`}
</main>
<nav class="bar" aria-label="Console, short">${links(
      BAR.filter(([, , , path]) => may(path)),
      root,
      tab,
      side,
    )}</nav>
</div>`,
  };
}

/** Who is signed in. */
const whoReads = ({ person }: Side): Html =>
  person === undefined
    ? html`<p class="you meta">${icon('key')}Opened with a key</p>`
    : html`<p class="you">${personFace(person.name, ' member')}<span><bdi>${person.name}</bdi><span class="meta">${ROLE_WORDS[person.role][0]}</span></span></p>`;

const links = (
  all: readonly (readonly [string, string, IconName | '', string])[],
  root: Root,
  tab: string | undefined,
  side: Side,
): readonly Html[] =>
  all.map(([id, word, sign, path]) => {
    const href = `${path.startsWith('#') ? '' : root}${path}`;
    return html`<a href="${href}"${sign === '' && html` class="sub"`}${id === tab && html` aria-current="page"`}>${sign !== '' && icon(sign)}${word} ${countOf(id, side)}</a>`;
  });

/** The number beside a list: what waits for a person, what is unread among all, or what is in the others. */
function countOf(id: string, side: Side): Html | false {
  const waiting = (kind: string, text: string, call = true): Html =>
    html`<span class="count${call && ' call'}" data-waiting="${kind}">${text}</span>`;
  if (id === 'inbox') return waiting('all', waitingTotal(side));
  if (id === 'all') return html`<span data-unread-count>${unreadCount(side)}</span>`;
  const place = PLACES.find((one) => one === id);
  if (place !== undefined) return waiting(place, placeText(side, place), false);
  const kind = WAITING.find((one) => one === id);
  return kind !== undefined && waiting(kind, waitingText(side, kind));
}

/** How much of its storage a namespace uses. */
export const storageText = ({ storage: { bytes, max_bytes } }: Side): string =>
  `${Math.floor((100 * bytes) / max_bytes)} % of ${bytesInWords(max_bytes)}`;

/** On every page, once a namespace is nearly full. */
const storageWarning = (side: Side, root: Root): Html | false =>
  side.storage.nearly_full &&
  html`<p class="note bad" role="status">${icon('warn')}<span><b>Nearly full.</b> This namespace stores ${storageText(side)}. When it is full, it takes and sends no more messages. <a href="${root}console/settings#storage">What to do</a></span></p>`;

/** Unread conversations are counted up to this number. */
const MAX_UNREAD = 99;
const capped = (count: number): string => (count > MAX_UNREAD ? `${MAX_UNREAD}+` : String(count));

/** The number of unread conversations of all addresses. */
export const unreadCount = ({ unread }: Side): Html | '' =>
  unread === 0 ? '' : html`<span class="count">${capped(unread)}<span class="sr"> unread</span></span>`;

/** Leads to the other namespaces of the account that is signed in. */
const switcher = ({ others }: Side, root: Root): Html | false =>
  others.length > 0 &&
  html`<details class="switch"><summary aria-label="Other names">${icon('down')}</summary><form method="post" action="${root}console/enter">${others.map((name) => html`<button class="tab" name="name" value="${name}">${name}</button>`)}</form></details>`;

const labelList = ({ labels: all }: Side, root: Root, current: string | undefined): Html | false => {
  const labels = all.filter((label) => label !== TRASH);
  return (
    labels.length > 0 &&
    html`<nav class="addresses by-label" aria-labelledby="label-names"><h2 class="small-title" id="label-names">Labels</h2>
<ul>${labels.map((label) => html`<li><a href="${root}console?direction=all&amp;label=${encodeURIComponent(label)}"${label === current && html` aria-current="true"`}>${icon('label')}<span class="name">${label}</span></a></li>`)}</ul></nav>`
  );
};

/** A link to all addresses, where a list does not show all. */
export const allAddresses = ({ mailboxes, mailbox_count }: Side, root: Root, kind = 'new'): Html | false =>
  mailbox_count > mailboxes.length &&
  html`<a class="${kind}" href="${root}console/addresses">All ${mailbox_count.toLocaleString('en-US')} addresses</a>`;

/** Addresses with their unread conversations, the busiest first. */
export function addressList({ mailboxes }: Side, root: Root, current?: string): Html {
  return html`${mailboxes.map(({ local_part, status, unread: count }) => {
    const state = status === 'online' ? '' : status === 'paused' ? 'Paused' : 'Offline';
    return html`<li><a href="${root}console?mailbox=${encodeURIComponent(local_part)}"${local_part === current && html` aria-current="true"`}><span class="status ${status}"><span class="name">${local_part}</span></span> ${
      state !== '' && html`<span class="nav-state">${state}</span> `
    }${count > 0 && html`<span class="count">${capped(count)}<span class="sr"> unread</span></span>`}</a></li>`;
  })}`;
}

/** The path of an address's own page. One called `new` has another path than the form for a new address. */
export const addressPath = ({ local_part, namespace }: Pick<MailboxSummary, 'local_part' | 'namespace'>): string =>
  `console/addresses/${local_part === 'new' ? `new@${namespace}` : local_part}`;

/** The path of another page of an address, such as `rules`. */
export const mailboxPath = (page: string, { local_part }: Pick<MailboxSummary, 'local_part'>): string =>
  `console/${page}/${local_part}`;

/** The heading of a page: its name, the confirmation of the last action, and more. */
export const heading = (title: Html | string, done: string | undefined, rest?: Html): Html =>
  html`<div class="head"><h1>${title}</h1>${rest}</div>
${doneLine(done)}`;

/** The confirmations of a page, by the names that its links have as `?done=`. */
export function doneTexts(texts: Readonly<Record<string, string>>): (name: unknown) => string | undefined {
  const byName = new Map(Object.entries(texts));
  return (name) => byName.get(String(name));
}

/** The confirmation of the last action. */
export const doneLine = (done: string | undefined): Html | false =>
  done !== undefined && html`<p class="done" role="status">${icon('check')}${done}</p>`;
