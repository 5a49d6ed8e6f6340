import { reminderOf } from '@mailroom/behavior/schedule';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Directory } from '../../../core/access/directory.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Store } from '../../../core/ports/store.ts';
import { type Html, html } from '../../../http/html.ts';
import { icon } from '../pieces.ts';
import { provenBy } from './email-state.ts';
import { type Filter, search } from './filter.ts';
import { lineOf } from './rows.ts';
import { addressPath, type Root } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

/** Messages among which earlier conversations are looked for, the newest first. */
const LOOKED_AT = 50;
const MAX_EARLIER = 5;

/** What is known of who wrote a message, and what the mailbox's lists say of them. */
export interface SenderPanel {
  readonly name: string;
  /** How it is known who they are. */
  readonly evidence: string;
  /** The first message found of each earlier conversation, the newest first. */
  readonly earlier: readonly Message[];
  /** What stands for them in the mailbox's lists; undefined for who cannot be named there. */
  readonly entry: string | undefined;
  readonly blocked: boolean;
  /** The address's own page, where its owner may keep all guests out; undefined unless the sender is a guest. */
  readonly guests_at: string | undefined;
  /** Whether only some may write, and they are not among them. */
  readonly left_out: boolean;
}

interface Parts {
  readonly store: Pick<Store, 'messages'>;
  readonly directory: Directory;
  readonly mailDomain: string;
}

/** The name of the namespace from which the message was sent with a key; undefined for guests and e-mail. */
async function namespaceOf({ sender_namespace_id: id }: Message, { directory }: Parts): Promise<string | undefined> {
  return id === null ? undefined : await directory.namespaceName(id);
}

/** What stands for the sender in lists, as the API takes it; undefined for a guest, and for the mailbox's own namespace. */
export async function entryFor(message: Message, mailbox: Mailbox, parts: Parts): Promise<string | undefined> {
  const { sender_kind, sender_id, from } = message;
  if (message.kind === 'reply' || message.sender_namespace_id === mailbox.namespace_id) return undefined;
  if (sender_kind === 'email') return sender_id ?? undefined;
  if (from !== null) return fullAddress(from, parts.mailDomain);
  return sender_kind === 'key' ? namespaceOf(message, parts) : undefined;
}

/** The panel of a message's sender, for an owner of the mailbox that received it. */
export async function senderPanel(
  message: Message,
  mailbox: Mailbox,
  name: string,
  parts: Parts,
): Promise<SenderPanel> {
  const entry = await entryFor(message, mailbox, parts);
  const stored = entry?.endsWith(`.${parts.mailDomain}`) ? entry.slice(0, -parts.mailDomain.length - 1) : entry;
  const { allow, block } = mailbox.senders;
  const lists = (list: readonly string[]): boolean => stored !== undefined && list.includes(stored);
  const namespace = await namespaceOf(message, parts);
  return {
    name,
    evidence: evidenceOf(message, namespace),
    earlier: await earlierOf(message, mailbox, parts),
    entry,
    blocked: lists(block),
    guests_at: message.sender_kind === 'guest' ? `${addressPath(mailbox)}?tab=access` : undefined,
    left_out: allow.length > 0 && !lists(allow),
  };
}

function evidenceOf(message: Message, namespace: string | undefined): string {
  const { sender_kind, sender_id, sender_agent, email } = message;
  if (sender_id === null) return 'This sender was deleted.';
  if (sender_agent != null)
    return sender_kind === 'guest'
      ? `Verified: signed by the agent ${sender_agent}, without an account here.`
      : `${evidenceOf({ ...message, sender_agent: null }, namespace)} Signed by the agent ${sender_agent}.`;
  if (sender_kind === 'guest') return 'A guest on a page, without an account: it is not known who this is.';
  if (sender_kind === 'email')
    return email?.authentication === undefined ? 'An e-mail address.' : provenBy(sender_id, email.authentication);
  const whose = namespace === undefined ? 'its namespace' : `the namespace ${namespace}`;
  return `Verified: sent with a key of ${whose}.`;
}

async function earlierOf(message: Message, mailbox: Mailbox, { store }: Parts): Promise<readonly Message[]> {
  const { from, sender_kind, sender_id, thread_id } = message;
  // Each conversation of a guest has a sender of its own.
  if (sender_id === null || sender_kind === 'guest') return [];
  const of = { mailbox_id: mailbox.id, texts: 'beginning' as const, ...(from !== null && { from, scan: 1000 }) };
  const { items } = await store.messages.page(of, null, LOOKED_AT);
  const same = items.filter(
    (one) => one.sender_kind === sender_kind && one.sender_id === sender_id && one.thread_id !== thread_id,
  );
  return [...new Map(same.map((one) => [one.thread_id, one])).values()].slice(0, MAX_EARLIER);
}

interface View {
  readonly message: Message;
  readonly filter: Filter;
  readonly root: Root;
  readonly signed: Signed;
  readonly now: Millis;
}

/** Who the sender is: beside the conversation in wide windows, above it and folded elsewhere. */
export function senderAside(panel: SenderPanel, { message, filter, root, signed, now }: View): Html {
  const { name, evidence, earlier, entry, blocked, left_out, guests_at } = panel;
  const button = (what: string, label: string): Html =>
    html`<button class="button" name="do" value="${what}">${label}</button>`;
  const form = (content: Html): Html =>
    html`<form class="row" method="post" action="${root}console/senders/${message.id}${search(filter)}">${tokenField(signed)}${content}</form>`;
  return html`<details class="sender"${blocked && html` open`} data-sender><summary class="meta">About <span dir="auto">${name}</span></summary>
<p>${evidence}</p>
${
  entry !== undefined &&
  (blocked
    ? html`<p class="note bad">${icon('warn')}<span><b>Blocked.</b> <span dir="ltr">${entry}</span> cannot write to this address.</span></p>${form(button('unblock', 'Undo'))}`
    : html`${left_out && html`<p class="meta">Only some may write to this address, and <span dir="ltr">${entry}</span> is not among them.</p>`}${form(html`${left_out && button('allow', 'Allow')}${button('block', 'Block')}`)}`)
}
${guests_at !== undefined && html`<p class="meta">A guest cannot be blocked: nothing tells that the next one is the same person. <a href="${root}${guests_at}">Let only people with a key write</a> to keep all guests out.</p>`}
<h3 class="small-title">Earlier conversations</h3>
${
  earlier.length === 0
    ? html`<p class="meta">None here.</p>`
    : html`<ul>${earlier.map(
        (one) =>
          html`<li><a href="${root}console${search(filter, { message: one.id })}" dir="auto">${reminderOf(one.body) ?? lineOf(one)}</a> ${timeMark(one.created_at, now)}</li>`,
      )}</ul>`
}
</details>`;
}
