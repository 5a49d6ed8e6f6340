import type { Behavior } from '@mailroom/behavior';
import { type Mailbox, type MailboxSummary, mailAddressOf } from '../../../core/entities/mailbox.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Sizes } from '../../../http/limits.ts';
import { type ConnectWay, connectSection } from '../connect-section.ts';
import { catalogPath } from '../discovery/ai-catalog.ts';
import { examplesOf } from '../examples.ts';
import { issuerSection } from '../issuer.ts';
import type { Page } from '../layout.ts';
import { isLoaded } from '../looks.ts';
import { addressMark, copyButton, entry, fullOf, icon, note, pathOf, shortOf, stamp, statusMark } from '../pieces.ts';
import { qrCard } from '../qr.ts';
import { reachedBy } from '../reached.ts';
import { type SendProblem, talk } from '../talk.ts';
import { tasksSection } from '../tasks.ts';
import { type TakesMail, verbOf } from '../words.ts';
import { answersHere } from './directory.ts';

/** The state of the conversation on this page. */
export interface TalkState {
  readonly turns?: Html;
  readonly thread_token?: string;
  readonly text?: string;
  readonly problem?: SendProblem;
}

const MAX_OTHERS = 6;

export interface MailboxPageParts {
  readonly store: Pick<Store, 'mailboxes'>;
  readonly behaviors: readonly Behavior[];
  readonly baseUrl: () => string;
  readonly mailDomain: string;
  readonly sizes: Pick<Sizes, 'guestBody'>;
  readonly takesMail: TakesMail;
  /** The name of the namespace of the service itself. */
  readonly house: string;
}

/** A mailbox's page: its description, the conversation, how to share it and how to use it from a program. */
export async function mailboxPage(
  mailbox: Mailbox,
  way: ConnectWay,
  state: TalkState,
  parts: MailboxPageParts,
): Promise<Page> {
  const { mailDomain } = parts;
  const address = fullOf(mailbox, mailDomain);
  const byMail = mailAddressOf(mailbox, mailDomain);
  const path = pathOf(mailbox, mailDomain);
  const url = `${parts.baseUrl()}/${path}`;
  const title = mailbox.display_name === null ? address : `${mailbox.display_name} · ${address}`;
  const behavior = parts.behaviors.find(({ name }) => name === mailbox.behavior);
  behavior?.prepare?.();
  return {
    title: state.problem?.kind === 'error' ? `Error: ${title}` : title,
    description: mailbox.description || `Write to ${address} and it writes back.`,
    root: '',
    markdown: `${path}.md`,
    ...(mailbox.visibility === 'listed' && { catalog: catalogPath(mailbox.namespace) }),
    private: mailbox.visibility === 'unlisted',
    card: { url, image: `${url}/card.png`, alt: `${address}. ${mailbox.description}` },
    scripts: ['talk.js', 'presence.js'],
    main: html`<div class="split">
<div>
<div class="title">${stamp(mailbox.behavior, 64)}<div>
<h1>${addressMark(mailbox, mailDomain)}</h1>
<p>${mailbox.display_name !== null && html`<b dir="auto">${mailbox.display_name}</b>`}<span dir="auto">${mailbox.description}</span><span data-presence="${path}/presence">${statusMark(mailbox)}</span><span class="meta">${verbOf(mailbox.behavior)}</span></p>
</div></div>
<p class="meta reached">${reachedBy(parts.takesMail, address, byMail)}</p>
${conversation(mailbox, state, parts)}
${tasksSection(mailbox, behavior)}${issuerSection(mailbox, parts.baseUrl())}
</div>
<aside>${share(url)}${await others(mailbox, parts)}</aside>
${connectSection(mailbox, way, parts)}
</div>`,
  };
}

/** The card with the conversation, or the reason there is none. */
function conversation(mailbox: Mailbox, state: TalkState, parts: MailboxPageParts): Html {
  if (!mailbox.try_out) {
    return note('plain', 'key', 'This address has no try-out.', 'Write to it from a program, with an API key.');
  }
  const behavior = parts.behaviors.find(({ name }) => name === mailbox.behavior);
  return html`<div class="card">${talk({
    mailbox,
    action: pathOf(mailbox, parts.mailDomain),
    turns: state.turns,
    thread_token: state.thread_token,
    ...(state.text === undefined ? {} : { text: state.text }),
    max: parts.sizes.guestBody,
    problem: state.problem,
    examples: examplesOf(mailbox, behavior),
    placeholder: state.turns === undefined ? (behavior?.looks?.placeholder ?? 'Write to it') : 'Write back',
    before: away(mailbox),
    foot: `No account needed. The owner of ${mailbox.namespace} can read what you send.`,
  })}</div>`;
}

const away = (mailbox: Mailbox): Html | undefined => {
  if (!isLoaded(mailbox.behavior))
    return note(
      'bad',
      'warn',
      `${shortOf(mailbox)} does not answer now.`,
      `The behavior ${mailbox.behavior} is not loaded here.`,
    );
  return mailbox.status === 'online' ? undefined : awayNote(mailbox);
};

/** The parts of the page that change as the mailbox goes online and offline, for its script. */
export const presenceOf = (mailbox: Mailbox): { readonly mark: string; readonly away: string } => ({
  mark: statusMark(mailbox).text,
  away: away(mailbox)?.text ?? '',
});

/** Says before someone writes that the message will wait, and for whom. */
const awayNote = (mailbox: Mailbox): Html =>
  mailbox.status === 'paused'
    ? note(
        'plain',
        'clock',
        `${shortOf(mailbox)} is paused by its owner.`,
        'You can write anyway: your message waits and is answered when it is back.',
      )
    : note(
        'plain',
        'clock',
        `No program is connected to ${shortOf(mailbox)} now.`,
        'You can write anyway: your message waits for an answer.',
      );

const share = (url: string): Html => html`<section>
<h2 class="small-title">Share</h2>
<div class="row">${copyButton('Copy link', { text: url })}<button type="button" class="button" hidden data-share="${url}">${icon('share')}Share</button></div>
<noscript><p class="meta"><a href="${url}">${url}</a></p></noscript>
${qrCard(url, 'page')}
</section>`;

/** Listed mailboxes of the same namespace, and of others. */
async function others(
  mailbox: Mailbox,
  { store, behaviors, mailDomain, house }: Pick<MailboxPageParts, 'store' | 'behaviors' | 'mailDomain' | 'house'>,
): Promise<Html> {
  const listed = { listed: true, seen_by: null };
  const [same, all, ours] = await Promise.all([
    store.mailboxes.page({ ...listed, namespace: mailbox.namespace }, null, MAX_OTHERS + 1),
    store.mailboxes.page(listed, null, 40),
    store.mailboxes.page({ ...listed, namespace: house }, null, MAX_OTHERS),
  ]);
  const also = same.items.filter((one) => one.id !== mailbox.id && answersHere(one, behaviors)).slice(0, MAX_OTHERS);
  const foreign = [...all.items, ...ours.items].filter(
    (one) => one.namespace !== mailbox.namespace && answersHere(one, behaviors),
  );
  const elsewhere = [...new Map(foreign.map((one) => [one.id, one])).values()].slice(0, MAX_OTHERS / 2);
  return html`${group(html`Also at <a class="quiet-link" href="./${mailbox.namespace}">${mailbox.namespace}</a>`, also, mailDomain)}${group(html`Elsewhere`, elsewhere, mailDomain)}`;
}

const group = (title: Html, mailboxes: readonly MailboxSummary[], mailDomain: string): Html | false =>
  mailboxes.length > 0 &&
  html`<section><h2 class="small-title">${title}</h2><ul class="entries narrow">${mailboxes.map((one) => entry(one, '', mailDomain))}</ul></section>`;
