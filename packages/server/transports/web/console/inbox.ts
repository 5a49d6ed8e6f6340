import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import { type Rights, searchCaller } from '../../../core/access/caller.ts';
import type { Message } from '../../../core/entities/message.ts';
import type { Drafts } from '../../../core/messages/drafts.ts';
import { resend } from '../../../core/messages/resend.ts';
import type { Submitter } from '../../../core/messages/submit.ts';
import type { EventFeed } from '../../../core/notify/event-feed.ts';
import type { Finding } from '../../../core/reports/finding.ts';
import type { Waiting } from '../../../core/reports/waiting.ts';
import { type Decision, mayDecide } from '../../../core/runs/approve.ts';
import { attachmentAnswer } from '../../../http/attachment-answer.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import { pageRoute } from '../../../http/page-route.ts';
import type { Answer, Call, Route } from '../../../http/route.ts';
import { countSend, type SendLimits } from '../../../http/sends.ts';
import { PAGE_HEADERS } from '../headers.ts';
import { pageAnswer } from '../layout.ts';
import { fullOf } from '../pieces.ts';
import { actOn, inTrash } from './acts.ts';
import { type AnswerPageParts, answerRoute } from './answers.ts';
import { MAX_REASON } from './approval.ts';
import type { Context } from './context.ts';
import { noConversation } from './conversation.ts';
import { conversationForms } from './conversation-forms.ts';
import { type ConversationParts, Conversations, mayControl } from './conversations.ts';
import { figuresOf } from './failures.ts';
import { type Filter, filterOf, search } from './filter.ts';
import { forwardRoute } from './forwards.ts';
import { type InboxPage, inboxPage } from './inbox-list.ts';
import { inboxMain } from './inbox-page.ts';
import { labelRoute } from './labels.ts';
import { listTab, listTitle } from './list-head.ts';
import { type ListRow, ListRows } from './list-rows.ts';
import { originalPages } from './mail-views.ts';
import { narrowings } from './narrowing.ts';
import { removeConversation } from './removing.ts';
import { senderRoute } from './sender-lists.ts';
import { Senders } from './senders.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedIn, signedPage } from './sign-in-form.ts';
import { isSignInNote, signInPage } from './sign-in-page.ts';
import { threadRoute } from './threads.ts';
import { toastOf, undoQuery, undoRoutes } from './undo.ts';

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

/** Messages of a conversation among which another one to show is looked for. */
const MAX_OTHERS = 50;
const notYours = (): AppError =>
  new AppError('access_denied', 'Only who received or sent it may put it into the trash.');

interface InboxParts
  extends SendLimits,
    ConversationParts,
    Pick<AnswerPageParts, 'answering' | 'answerAll' | 'writers'> {
  readonly post: Submitter;
  readonly drafts: Pick<Drafts, 'find'>;
  readonly waiting: Waiting;
  readonly finding: Finding;
  readonly feed: EventFeed;
  readonly baseUrl: () => string;
}

/** The pages of the inbox and of its conversations. */
export function inboxRoutes(context: Context, parts: InboxParts): readonly Route[] {
  const { store, labels, heldSends, undo_ms, mailDomain, clock } = parts;
  const conversations = new Conversations(context, parts);
  const listRows = new ListRows(parts);

  async function inbox(call: SignedCall, signed: Signed) {
    const { namespace } = signed.session;
    // Read before anything else, so that the stream also reports what changes meanwhile.
    const place = await parts.feed.now(namespace.id);
    const filter = filterOf(call.query);
    const open = typeof call.query.message === 'string' ? call.query.message : undefined;
    // Before the list is read, because what is opened is no longer unread.
    const conversation = open === undefined ? undefined : await conversations.open(open, call, '', signed);
    const side = await context.side(signed);
    const mailbox = await context.mailbox(signed, filter.mailbox);
    const mailboxesOf = (messages: readonly Message[]) => context.byId(messages.map(({ mailbox_id }) => mailbox_id));
    const caller = searchCaller(signed.caller, call.gone());
    const reads = {
      inbox: context.inbox,
      finding: parts.finding,
      waiting: parts.waiting,
      store,
      desk: parts.conversationDesk,
      labels,
      signed,
      caller,
      mailDomain,
      mailboxesOf,
    };
    const page = await inboxPage(reads, filter, mailbox);
    const senders = new Senders(parts, namespace.id);
    const spans = filter.query === undefined ? undefined : parts.finding.spans(filter.query);
    const hitsOf = spans && ((message: Message) => ({ spans, highlights: page.highlights?.get(message.id) ?? [] }));
    const rows = await listRows.of(page.items, { filter, mailbox, senders, signed, hitsOf, mailboxesOf });
    const [first] = side.mailboxes;
    const members = await parts.conversationDesk.members(namespace.id);
    const view = {
      filter,
      page: { items: rows, next: page.next, next_cursor: page.next_cursor },
      refused: page.refused,
      narrow: narrowsBy(filter, page, rows),
      until: page.until,
      now: clock(),
      first: first && { ...first, behavior: first.behavior.name },
      mailbox,
      side,
      members: members.filter(
        ({ mailbox_ids: ids }) => ids === null || (mailbox !== undefined && ids.includes(mailbox.id)),
      ),
      ...(await figuresOf(signed, filter, mailbox && fullOf(mailbox, mailDomain), clock())),
      messages:
        page.items.length > 0 ||
        (await context.inbox.page(namespace.id, { texts: 'beginning' }, null, 1)).items.length > 0,
      place,
      open,
      thread: open === undefined ? undefined : await store.messages.byId(open),
      conversation: conversation ?? noConversation(page.items.length > 0),
      name: namespace.name,
      mailDomain,
      baseUrl: parts.baseUrl(),
      toast: await toastOf(call.query, filter, signed, conversations, parts),
      signed,
    };
    const title = mailbox === undefined ? listTitle(filter) : `${listTitle(filter)} of ${mailbox.local_part}`;
    const consoleFields = {
      title,
      root: '',
      tab: listTab(filter),
      address: filter.mailbox,
      label: filter.label,
      wide: true,
      frames: true,
      main: inboxMain(view),
    } as const;
    return context.answer(200, consoleFields, signed, side);
  }

  /** What narrows a search; an empty list for lists that are none, or that the index did not find. */
  const narrowsBy = (filter: Filter, { until, next }: InboxPage, rows: readonly ListRow[]) =>
    filter.query === undefined || filter.cursor !== undefined || until === undefined
      ? []
      : narrowings(filter.query, rows, next !== null);

  /** Applies the owner's decision to the plan that the form showed; a plan that changed since is refused. */
  async function decide(decision: Decision, message: Message, call: SignedCall, signed: Signed): Promise<Answer> {
    const reason = (call.form.get('reason') ?? '').trim().slice(0, MAX_REASON) || undefined;
    const plan_sha256 = call.form.get('plan_sha256') ?? '';
    try {
      const params = { id: message.id };
      if (decision === 'approve')
        await heldSends.approve(signed.session.key, { kind: 'plan', ...params, hash: plan_sha256 }, undo_ms);
      else await signed.api.json('refuseMessage', { params, body: { plan_sha256, ...(reason && { reason }) } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code } = error;
      if (code === 'validation_error') return conversations.page(422, call, signed, { wrong: OTHER_PLAN });
      if (code === 'not_waiting') {
        // It still waits when its mailbox has another behavior than the plan.
        const { message: now } = await conversations.find(message.id, signed);
        const wrong = now.waiting_for === 'approval' ? OTHER_BEHAVIOR : DECIDED;
        return conversations.page(409, call, signed, { wrong });
      }
      throw error;
    }
    return seeOther(`../../console${search(filterOf(call.query), { message: message.id })}`);
  }

  const again = async ({ message, rights }: { message: Message; rights: Rights }, call: SignedCall, signed: Signed) => {
    const key = (call.form.get('once') ?? '').slice(0, 64);
    const asked = { id: message.id };
    const idempotency =
      key === '' ? undefined : idempotencyFor(key, asked, signed.caller, 'try again in the console', clock);
    await countSend(signed.caller, parts);
    return resend(message, { caller: signed.caller, rights }, idempotency, parts);
  };

  /** What is shown of a conversation of which one message was moved: what was open, else another that is not in the trash. */
  async function openAfter({ id, thread_id }: Message, what: string, call: SignedCall): Promise<string | undefined> {
    const open = call.form.get('open') ?? id;
    if (open !== id || what === 'restore-one') return open;
    const { items } = await store.messages.threadEnd(thread_id, null, MAX_OTHERS, 'beginning');
    return items.findLast((one) => one.id !== id && !inTrash(one))?.id;
  }

  return [
    pageRoute('GET', '/console', {
      async handle(call) {
        const signed = await signedIn(call, context);
        if (signed !== undefined) return inbox(call as unknown as SignedCall, signed);
        const { cookie: header } = call.headers;
        const ended = context.cookie.isThere(header === undefined ? undefined : String(header), call.secure);
        const said = (call as Pick<Call, 'query'>).query.note;
        const note = isSignInNote(said) ? said : ended ? 'ended' : undefined;
        const headers = { ...PRIVATE, ...(ended ? { 'set-cookie': context.cookie.clear(call.secure) } : {}) };
        return pageAnswer(ended ? 403 : 200, signInPage({ root: '', note }), headers);
      },
    }),
    signedPage('/console/messages/{id}', context, (call, signed) => conversations.page(200, call, signed)),
    signedPage('/console/attachments/{id}', context, async ({ params, headers, request_id }, signed) => {
      const id = params.id ?? '';
      const attachment = isId('att', id) ? await store.attachments.byId(id) : undefined;
      if (attachment === undefined) throw new AppError('not_found', 'There is no such attachment.');
      const { owner_id } = attachment;
      if (isId('drf', owner_id)) await parts.drafts.find(signed.session.key, owner_id);
      else await conversations.find(owner_id, signed);
      return attachmentAnswer(attachment, store.blobs, headers, request_id);
    }),
    // The whole of a text of which a conversation shows only the beginning.
    signedPage('/console/texts/{id}', context, async ({ params, query }, signed) => {
      const { message } = await conversations.find(params.id ?? '', signed);
      const body = query.of === 'reply' ? (message.reply?.body ?? '') : message.body;
      return { status: 200, body, headers: TEXT_HEADERS };
    }),
    conversationForms(context, conversations, parts),
    labelRoute(context, conversations, parts),
    answerRoute(context, conversations, parts),
    threadRoute(context, conversations),
    forwardRoute(context, conversations, parts),
    ...undoRoutes(context, conversations, parts),
    ...originalPages(context),
    senderRoute(context, conversations, parts),
    signedForm('/console/messages/{id}', context, async (call, signed) => {
      const ours = await conversations.find(call.params.id ?? '', signed);
      const { message, rights } = ours;
      const what = call.form.get('do');
      if (what === 'approve' || what === 'refuse') {
        if (!mayDecide(message, rights)) throw new AppError('access_denied', 'Another owner decides on this.');
        return decide(what, message, call, signed);
      }
      if (what === 'delete') {
        await removeConversation(message, signed, parts);
        return seeOther(`../../console${search({ ...filterOf(call.query), cursor: undefined })}`);
      }
      if (what === 'trash-one' || what === 'restore-one') {
        const filter = filterOf(call.query);
        if (!(await actOn(what, message, signed, filter.mailbox, parts))) throw notYours();
        const open = await openAfter(message, what, call);
        return seeOther(
          `../../console${search(filter, { ...(open && { message: open }), ...undoQuery(what, [message.id]) })}`,
        );
      }
      if (what === 'trash' || what === 'restore') {
        const filter = { ...filterOf(call.query), cursor: undefined };
        if (!(await actOn(what, message, signed, filter.mailbox, parts))) throw notYours();
        return seeOther(`../../console${search(filter, undoQuery(what, [message.id]))}`);
      }
      if (!mayControl(rights)) throw new AppError('access_denied', 'Only the key that sent this message may do this.');
      const left = what === 'cancel' ? await parts.post.cancel(message) : (await again(ours, call, signed)).message;
      return seeOther(`../../console${search(filterOf(call.query), { message: left.id })}`);
    }),
  ];
}
