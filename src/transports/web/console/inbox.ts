import type { Rights } from '../../../core/access/caller.ts';
import { rightsOn, searchCaller } from '../../../core/access/caller.ts';
import type { Decision } from '../../../core/delivery/approve.ts';
import { mayDecide } from '../../../core/delivery/approve.ts';
import { resend } from '../../../core/delivery/resend.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Message } from '../../../core/entities/message.ts';
import { AppError } from '../../../core/values/error.ts';
import { isId, isReplyId, justBefore, messageIdOf } from '../../../core/values/ids.ts';
import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { route } from '../../../http/route.ts';
import { countResend } from '../../../http/sends.ts';
import { PAGE_HEADERS } from '../headers.ts';
import { pageAnswer } from '../layout.ts';
import { hidden } from '../routes.ts';
import { knownTasks } from '../tasks.ts';
import { MAX_REASON } from './approval.ts';
import type { Context } from './context.ts';
import { conversationView, noConversation, shownOf } from './conversation.ts';
import { filterOf, inboxPage, search } from './filter.ts';
import { inboxMain } from './inbox-page.ts';
import { lineOf } from './rows.ts';
import { Senders } from './senders.ts';
import type { Root } from './shell.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedIn, signedPage } from './sign-in-form.ts';
import { isSignInNote, signInPage } from './sign-in-page.ts';

/** How many messages of a conversation are shown. */
const MAX_TURNS = 20;
/** How many characters of messages and replies a conversation shows. */
const MAX_CHARACTERS = 256 * 1024;

/** Served as plain text, so that browsers never run what a message contains. */
const TEXT_HEADERS = {
  ...PAGE_HEADERS,
  ...PRIVATE,
  'content-type': 'text/plain; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

const OTHER_BEHAVIOR =
  'The behavior of this address has changed, so it cannot carry out this plan. Choose the earlier behavior again to approve it, or refuse it.';
const OTHER_PLAN = 'The plan has changed. This is the current one: review it and decide again.';
const DECIDED = 'Someone has already decided on this. Nothing was changed.';

interface Ours {
  readonly message: Message;
  /** The recipient. */
  readonly mailbox: Mailbox;
  readonly rights: Rights;
}

/** A part of a conversation. */
interface Neighbors {
  readonly thread: readonly Message[];
  /** The cursor of earlier messages, if there are any. */
  readonly earlier: string | undefined;
  /** The id of the first later message, if there is one. */
  readonly later: string | undefined;
  /** The newest message, where it is not shown. */
  readonly newest: string | undefined;
}

/** The first messages that fit on one page; at least one. */
function fitting(messages: readonly Message[]): readonly Message[] {
  let left = MAX_CHARACTERS;
  const over = messages.findIndex((message, at) => {
    left -= shownOf(message.body).length + shownOf(message.reply_body ?? '').length;
    return at > 0 && left < 0;
  });
  return over < 0 ? messages : messages.slice(0, over);
}

/** The pages of the inbox and of its conversations. */
export function inboxRoutes(context: Context): readonly Route[] {
  const { parts } = context;
  const { store, directory, sealed, mailDomain, clock } = parts;

  /** A message that one of this namespace's mailboxes received or sent. AppError `message_not_found`. */
  async function ofOurs(id: string, { caller }: Signed): Promise<Ours> {
    const message = isId('msg', id)
      ? ((await store.messages.byId(id)) ?? (await store.messages.byId(messageIdOf(id))))
      : undefined;
    const mailbox = message && (await directory.mailboxById(message.mailbox_id));
    const rights = message && (await rightsOn(message, caller, directory));
    const ours = rights?.recipient === true || rights?.runsSender === true;
    if (message === undefined || mailbox === undefined || mailbox.deleted_at !== null || !ours) {
      throw new AppError('message_not_found', 'This message does not exist, or it was deleted.');
    }
    return { message, mailbox, rights };
  }

  async function openConversation(
    id: string,
    call: SignedCall,
    root: Root,
    signed: Signed,
    wrong?: string,
  ): Promise<Html> {
    const filter = filterOf(call.query);
    const { message, mailbox, rights } = await ofOurs(id, signed);
    const { before: asked } = call.query;
    const before = typeof asked === 'string' && isId('msg', asked) ? asked : undefined;
    const { thread: stored, ...rest } = await neighbors(message, mailbox, before);
    // One-time secrets of another owner's mailbox stay closed.
    const thread = rights.recipientSigns
      ? await Promise.all(stored.map((one) => sealed.open(one, 'recipient')))
      : stored;
    const senders = await named(thread, new Senders(store, signed.session.namespace.id));
    const now = clock();
    const behavior = parts.behaviors.find(({ name }) => name === mailbox.behavior);
    // Settings of another namespace's mailbox are private.
    const settings = rights.recipient ? mailbox.settings : {};
    const tasks = new Map(knownTasks(behavior, settings).map((task) => [task.name, task]));
    const shown = { message, thread, ...rest, mailbox, senders, filter, root, mailDomain, now, signed };
    return conversationView({ ...shown, tasks, wrong });
  }

  /**
   * The last messages of the thread, or the last ones before `before`; the part beginning with the message where it is
   * not among them.
   */
  async function neighbors(message: Message, mailbox: Mailbox, before: string | undefined): Promise<Neighbors> {
    const { id, thread_id } = message;
    // The reply in our mailbox's inbox stands alone: the message that it answers belongs to the other mailbox.
    if (isReplyId(id)) return { thread: [message], earlier: undefined, later: undefined, newest: undefined };
    const own = (one: Message): boolean => one.mailbox_id === mailbox.id;
    const end = await store.messages.threadEnd(thread_id, before ?? null, MAX_TURNS);
    const last = fitting(end.items.filter(own).toReversed()).toReversed();
    if (before !== undefined || last.some((one) => one.id === id)) {
      const cut = last.length < end.items.filter(own).length;
      const { items } = before === undefined ? { items: [] } : await store.messages.threadEnd(thread_id, null, 1);
      const earlier = cut ? last[0]?.id : (end.next ?? undefined);
      return { thread: last, earlier, later: before, newest: items[0]?.id };
    }
    const page = await store.messages.thread(thread_id, justBefore(id), MAX_TURNS);
    const all = page.items.filter(own);
    const thread = fitting(all);
    const [next] = page.next === null ? [] : (await store.messages.thread(thread_id, page.next, 1)).items;
    const { items } = await store.messages.threadEnd(thread_id, id, 1);
    const later = all[thread.length]?.id ?? next?.id;
    return { thread, earlier: items.length > 0 ? id : undefined, later, newest: later && last.at(-1)?.id };
  }

  async function inbox(call: SignedCall, signed: Signed) {
    const { namespace } = signed.session;
    // Read before anything else, so that the stream also reports what changes meanwhile.
    const place = await parts.feed.now(namespace.id);
    const filter = filterOf(call.query);
    const side = await context.side(signed);
    const mailbox = await context.mailbox(signed, filter.mailbox);
    const mailboxesOf = (messages: readonly Message[]) => context.byId(messages.map(({ mailbox_id }) => mailbox_id));
    const caller = searchCaller(signed.caller, call.gone());
    const page = await inboxPage({ inbox: context.inbox, store }, namespace.id, filter, mailbox, mailboxesOf, caller);
    const plain = filter.span === '24h' && mailbox === undefined;
    const open = typeof call.query.message === 'string' ? call.query.message : undefined;
    const view = {
      filter,
      page,
      senders: await named(page.items, new Senders(store, namespace.id)),
      mailboxes: await mailboxesOf(page.items),
      first: side.mailboxes[0],
      mailbox,
      asking: side.asking,
      statistic: plain ? side.day : await context.statistics.of(namespace.id, filter.span, mailbox?.id),
      place,
      open,
      conversation:
        open === undefined ? noConversation(page.items.length > 0) : await openConversation(open, call, '', signed),
      name: namespace.name,
      mailDomain,
      baseUrl: parts.baseUrl(),
      now: clock(),
    };
    const title = mailbox === undefined ? 'Inbox' : `Inbox of ${mailbox.local_part}`;
    const of = { title, root: '', tab: 'inbox', address: filter.mailbox, wide: true, main: inboxMain(view) } as const;
    return context.answer(200, of, signed, side);
  }

  /** A conversation on a page of its own. `wrong`: why the decision that was just made was not accepted. */
  async function conversation(status: number, call: SignedCall, signed: Signed, wrong?: string): Promise<Answer> {
    const { id = '' } = call.params;
    const { message } = await ofOurs(id, signed);
    const shown = await openConversation(id, call, '../../', signed, wrong);
    const main = html`<h1 class="sr">A message to ${message.to}</h1><div class="inbox alone">${shown}</div>`;
    const title = `${wrong === undefined ? '' : 'Error: '}${lineOf(message)}`;
    return context.answer(status, { title, root: '../../', tab: 'inbox', wide: true, main }, signed);
  }

  /** Applies the owner's decision to the plan that the form showed; a plan that changed since is refused. */
  async function decide(decision: Decision, message: Message, call: SignedCall, signed: Signed): Promise<Answer> {
    const reason = (call.form.get('reason') ?? '').trim().slice(0, MAX_REASON) || undefined;
    const plan_sha256 = call.form.get('plan_sha256') ?? '';
    try {
      await parts.decisions.decide(message, { decision, plan_sha256, reason });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code } = error;
      if (code === 'validation_error') return conversation(422, call, signed, OTHER_PLAN);
      if (code === 'not_waiting') {
        // It still waits when its mailbox has another behavior than the plan.
        const { message: now } = await ofOurs(message.id, signed);
        return conversation(409, call, signed, now.waiting_for === 'approval' ? OTHER_BEHAVIOR : DECIDED);
      }
      throw error;
    }
    return seeOther(`../../console${search(filterOf(call.query), { message: message.id })}`);
  }

  const again = async ({ message, rights }: Ours, call: SignedCall, signed: Signed) => {
    const key = (call.form.get('once') ?? '').slice(0, 64);
    const asked = { id: message.id };
    const idempotency =
      key === '' ? undefined : idempotencyFor(key, asked, signed.caller, 'try again in the console', clock);
    await countResend(signed.caller, parts);
    return resend(message, { caller: signed.caller, rights }, idempotency, parts);
  };

  return [
    route({
      ...hidden('GET', '/console'),
      async handle(call) {
        const signed = await signedIn(call, parts);
        if (signed !== undefined) return inbox(call as unknown as SignedCall, signed);
        const { cookie: header } = call.headers;
        const ended = parts.cookie.isThere(header === undefined ? undefined : String(header), call.secure);
        const said = (call as Pick<Call, 'query'>).query.note;
        const note = isSignInNote(said) ? said : ended ? 'ended' : undefined;
        const headers = { ...PRIVATE, ...(ended ? { 'set-cookie': parts.cookie.clear(call.secure) } : {}) };
        return pageAnswer(ended ? 403 : 200, signInPage({ root: '', note }), headers);
      },
    }),
    signedPage('/console/messages/{id}', parts, (call, signed) => conversation(200, call, signed)),
    // The whole of a text of which a conversation shows only the beginning.
    signedPage('/console/texts/{id}', parts, async ({ params, query }, signed) => {
      const { message } = await ofOurs(params.id ?? '', signed);
      const body = query.of === 'reply' ? (message.reply_body ?? '') : message.body;
      return { status: 200, body, headers: TEXT_HEADERS };
    }),
    signedForm('/console/messages/{id}', parts, async (call, signed) => {
      const ours = await ofOurs(call.params.id ?? '', signed);
      const { message, rights } = ours;
      const what = call.form.get('do');
      if (what === 'approve' || what === 'refuse') {
        if (!mayDecide(message, rights)) throw new AppError('access_denied', 'Another owner decides on this.');
        return decide(what, message, call, signed);
      }
      const left = what === 'cancel' ? await parts.post.cancel(message) : (await again(ours, call, signed)).message;
      return seeOther(`../../console${search(filterOf(call.query), { message: left.id })}`);
    }),
  ];
}

async function named(messages: readonly Message[], senders: Senders): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const message of messages) names.set(message.id, await senders.of(message));
  return names;
}
