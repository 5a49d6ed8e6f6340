import type { Behavior } from '@mailroom/behavior';
import type { Directory } from '../../../core/access/directory.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { SearchCaller } from '../../../core/ports/search.ts';
import type { Store } from '../../../core/ports/store.ts';
import { asCorrections, type Corrections } from '../../../core/values/corrections.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Sizes } from '../../../http/limits.ts';
import { renderMarkdown } from '../../../http/markdown.ts';
import { correctedText } from '../corrections.ts';
import { catalogPath } from '../discovery/ai-catalog.ts';
import { examplesOf } from '../examples.ts';
import type { Page } from '../layout.ts';
import { addressMark, pathOf, stamp, statusMark } from '../pieces.ts';
import { talk } from '../talk.ts';
import { yourTurn } from '../turns.ts';
import { reachedMany, type TakesMail } from '../words.ts';
import { type DirectoryQuery, directory, findListed } from './directory.ts';

const SENTENCE = 'E-mail addresses that answer.';
const DESCRIPTION =
  'Write to one and it writes back in a second. Make your own in about a minute and share it as a link.';

export interface HomeParts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly directory: Directory;
  readonly behaviors: readonly Behavior[];
  readonly baseUrl: () => string;
  readonly sizes: Pick<Sizes, 'guestBody'>;
  readonly mailDomain: string;
  readonly takesMail: TakesMail;
  /** The name of the namespace of the service itself. */
  readonly house: string;
}

/** The home page: what the service is, an example, a mailbox to try, the directory, and how to make an address. */
export async function homePage(wanted: DirectoryQuery, parts: HomeParts, caller: SearchCaller): Promise<Page> {
  const [listed, tried] = await Promise.all([findListed(wanted, parts, caller), tryable(parts)]);
  const url = `${parts.baseUrl()}/`;
  return {
    title: `Mailroom: ${SENTENCE.slice(0, -1)}`,
    description: DESCRIPTION,
    root: '',
    markdown: 'index.md',
    catalog: catalogPath(undefined),
    card: { url, image: `${url}static/card.png`, alt: `Mailroom. ${SENTENCE}` },
    scripts: ['talk.js'],
    main: html`<div class="hero">
<div><h1>${SENTENCE}</h1><p class="lead">${DESCRIPTION}</p>
<div class="row"><a class="button ink large" href="new">Make your own</a><a class="button quiet large" href="#run">Run it yourself</a></div>
<p class="meta reached">${reachedMany(parts.takesMail)}</p></div>
${tried !== undefined && (await showcase(tried, parts))}
</div>
${directory(listed, wanted, './', parts)}
${start(parts)}
<section class="section" id="run"><h2>Run it yourself</h2>
<div class="code start"><pre tabindex="0" aria-label="Command"><code>npm ci &amp;&amp; npm start   <span class="c"># no database to install, nothing to configure</span></code></pre></div></section>`,
  };
}

/** The service's own address of the behavior that is shown off; without one, any listed mailbox with an open try-out. */
async function tryable({
  store,
  directory,
  behaviors,
  house,
}: Pick<HomeParts, 'store' | 'directory' | 'behaviors' | 'house'>): Promise<Mailbox | undefined> {
  const behavior = behaviors.find(({ looks }) => looks?.showcase !== undefined)?.name;
  const preferred = { listed: true, seen_by: null, namespace: house, ...(behavior !== undefined && { behavior }) };
  const own = await store.mailboxes.page(preferred, null, 1);
  const found = own.items.length > 0 ? own : await store.mailboxes.page({ listed: true, seen_by: null }, null, 10);
  const first = found.items.find((mailbox) => mailbox.try_out);
  return first && directory.mailboxById(first.id);
}

async function showcase(mailbox: Mailbox, parts: Pick<HomeParts, 'behaviors' | 'mailDomain' | 'sizes'>): Promise<Html> {
  const behavior = parts.behaviors.find(({ name }) => name === mailbox.behavior);
  behavior?.prepare?.();
  return html`<section class="card" aria-label="Try it">
<div class="card-head">${stamp(mailbox.behavior, 30)}<a class="address-link" href="./${pathOf(mailbox, parts.mailDomain)}">${addressMark(mailbox, parts.mailDomain)}</a>${statusMark(mailbox)}</div>
${talk({
  mailbox,
  action: pathOf(mailbox, parts.mailDomain),
  max: parts.sizes.guestBody,
  turns: undefined,
  before:
    behavior?.example &&
    html`<div class="example" data-example><p class="meta">An example. Yours goes below.</p>${await exchange(mailbox, behavior.example)}</div>`,
  examples: examplesOf(mailbox, behavior),
  placeholder: behavior?.looks?.showcase ?? behavior?.looks?.placeholder ?? 'Write to it',
  foot: 'No account needed. We can read what you send.',
})}
</section>`;
}

/** A real exchange: a test compares each behavior's example with its answer. */
async function exchange(
  mailbox: Mailbox,
  example: { readonly body: string; readonly reply: string; readonly data?: unknown },
): Promise<Html> {
  const corrections: Corrections | undefined = asCorrections(example.data, example.body);
  return html`${yourTurn(example.body)}
<div class="answer">${stamp(mailbox.behavior, 30)}<div class="who"><b>${mailbox.local_part}</b></div>
<div class="said">${
    corrections === undefined
      ? html`<div class="prose">${await renderMarkdown(example.reply)}</div>`
      : correctedText(example.body, corrections, 'example')
  }</div></div>`;
}

const start = ({
  mailDomain,
}: Pick<HomeParts, 'mailDomain'>): Html => html`<section class="section"><h2>Make your own in about a minute</h2>
<form class="start" action="new">
<div class="address-box"><label class="sr" for="local">Name before the @</label><input id="local" name="local" value="hello" maxlength="64" autocapitalize="none" autocomplete="off" spellcheck="false">@<label class="sr" for="name">Name after the @</label><input id="name" name="name" placeholder="yourname" maxlength="63" autocapitalize="none" autocomplete="off" spellcheck="false"><span>.${mailDomain}</span></div>
<button class="button ink large">Make it</button></form>
<ol class="steps">
<li><b>Pick the address</b>See while you type whether it is free.</li>
<li><b>Choose how it answers</b>Try it before it exists.</li>
<li><b>Share the link</b>A page, a QR code and an API, ready at once.</li>
</ol></section>`;
