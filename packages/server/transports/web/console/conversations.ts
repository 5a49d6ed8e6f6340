import type { Behavior } from '@mailroom/behavior';
import { addressOf } from '@mailroom/behavior/mailbox';
import { isOutgoing } from '@mailroom/behavior/message';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { firstOf, isId, isReplyId, justBefore, messageIdOf } from '@mailroom/behavior/values/ids';
import { mayOn, type Rights, rightsOn } from '../../../core/access/caller.ts';
import type { Directory } from '../../../core/access/directory.ts';
import type { MessageLabels } from '../../../core/access/message-labels.ts';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import type { TakingOver } from '../../../core/answers/taking-over.ts';
import { hasScope } from '../../../core/entities/key.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { isSettled, type Message } from '../../../core/entities/message.ts';
import type { RawMails } from '../../../core/files/raw-mails.ts';
import type { Uploads } from '../../../core/files/uploads.ts';
import { type AnswerDrafts, repliesSeen } from '../../../core/messages/answer-drafts.ts';
import type { HeldSends } from '../../../core/messages/held-sends.ts';
import { mayRemove } from '../../../core/messages/remove-message.ts';
import type { EventFeed } from '../../../core/notify/event-feed.ts';
import type { Store } from '../../../core/ports/store.ts';
import { withEmailStates } from '../../../core/reports/email-states.ts';
import type { Finding } from '../../../core/reports/finding.ts';
import type { OneTimeSecrets } from '../../../core/runs/one-time-secrets.ts';
import { othersOf } from '../../../core/submission/many-fields.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Answer } from '../../../http/route.ts';
import { knownTasks } from '../tasks.ts';
import { type Answerable, type AnswerError, modeOf } from './answer-form.ts';
import { callsOf } from './calls.ts';
import type { Context } from './context.ts';
import { conversationView } from './conversation.ts';
import type { DeskError, DeskView } from './conversation-desk.ts';
import { shownOf } from './conversation-view.ts';
import { deliveriesOf } from './deliveries.ts';
import { noneFor } from './fields.ts';
import { filterOf, isHeld, isToAnswer } from './filter.ts';
import type { LabelError } from './label-form.ts';
import { askedMail } from './mail-views.ts';
import { meanwhileOf, readSeen, type Seen, seenFirst, seenOf } from './meanwhile.ts';
import { ownerName } from './owner-names.ts';
import { namesIn } from './participants.ts';
import { conversationTitle } from './rows.ts';
import { senderPanel } from './sender-panel.ts';
import { Senders } from './senders.ts';
import type { Root } from './shell.ts';
import { type DeskPlace, deskMailbox, labelMailbox, markRead, setLabels } from './shown-labels.ts';
import type { Signed, SignedCall } from './sign-in-form.ts';
import { turnReviews } from './turn-reviews.ts';

/** How many messages of a conversation are shown. */
const MAX_TURNS = 20;
/** How many characters of messages and replies a conversation shows. */
const MAX_CHARACTERS = 256 * 1024;

export interface Ours {
  readonly message: Message;
  /** The recipient. */
  readonly mailbox: Mailbox;
  readonly rights: Rights;
}

/** What was not accepted of a form on the conversation. */
export interface Refused {
  /** Why the decision that was just made was not accepted. */
  readonly wrong?: string | undefined;
  readonly label?: LabelError | undefined;
  readonly answer?: AnswerError | undefined;
  readonly desk?: DeskError | undefined;
}

/** A text that is being written to a message, by the author of a window or of a form that was not accepted. */
interface WrittenAnswer {
  readonly id: string;
  readonly seen: Seen;
}

interface Target {
  readonly message: Message;
  readonly mailbox: Mailbox;
  readonly thread: readonly Message[];
  readonly signed: Signed;
  /** Whether people answer here, and not a behavior. */
  readonly byHand: boolean;
  readonly written: WrittenAnswer | undefined;
}

/** What the script of a window with an answer in it says of that, and the link to a draft that was kept. */
const writtenIn = ({ answering, seen }: SignedCall['query']): WrittenAnswer | undefined =>
  typeof answering === 'string' && isId('msg', answering) ? { id: answering, seen: readSeen(seen) } : undefined;

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

/** Whom an answer to all is for: those of To and Cc without the authors in the conversation who are not verified. */
function provenOthers(answered: Message, mailbox: Mailbox, thread: readonly Message[]) {
  const { to, cc } = othersOf(answered, addressOf(mailbox));
  const [author] = to;
  const authors = thread.filter(({ sender_kind, kind }) => kind === 'message' && sender_kind === 'email');
  const verified = (proven: boolean) =>
    authors.flatMap((one) => (one.email?.authentication?.verified === proven ? (one.sender_id ?? []) : []));
  const proven = new Set(verified(true));
  const unproven = new Set(verified(false).filter((one) => !proven.has(one)));
  const isKept = (one: string): boolean => one === author || !unproven.has(one);
  return {
    others: { to: to.filter(isKept), cc: cc.filter(isKept) },
    left_out: [...unproven].filter((one) => one !== author),
    author_unproven: author !== undefined && unproven.has(author),
  };
}

/** The first messages that fit on one page; at least one. */
function fitting(messages: readonly Message[]): readonly Message[] {
  let room = MAX_CHARACTERS;
  const over = messages.findIndex((message, at) => {
    room -= shownOf(message.body).length + shownOf(message.reply?.body ?? '').length;
    return at > 0 && room < 0;
  });
  return over < 0 ? messages : messages.slice(0, over);
}

export interface ConversationParts {
  readonly store: Store;
  readonly directory: Directory;
  readonly sealed: OneTimeSecrets;
  readonly labels: MessageLabels;
  readonly behaviors: readonly Behavior[];
  readonly uploads: Uploads;
  readonly answerDrafts: AnswerDrafts;
  readonly heldSends: HeldSends;
  readonly raws: Pick<RawMails, 'keep_ms'>;
  readonly undo_ms: Millis;
  readonly takingOver: TakingOver;
  readonly conversationDesk: ConversationDesk;
  readonly feed: Pick<EventFeed, 'now'>;
  readonly finding: Pick<Finding, 'spans'>;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** Whether the caller may cancel the message or send it again. */
export const mayControl = ({ recipient, runsSender, sender }: Rights): boolean => recipient || runsSender || sender;

/** The conversations of a namespace, as its owner reads them. */
export class Conversations {
  readonly #context: Context;
  readonly #parts: ConversationParts;

  constructor(context: Context, parts: ConversationParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** A message that this namespace's mailboxes or keys received or sent. AppError `message_not_found`. */
  async find(id: string, { caller }: Signed): Promise<Ours> {
    const { store, directory } = this.#parts;
    const message = isId('msg', id)
      ? ((await store.messages.byId(id)) ?? (await store.messages.byId(messageIdOf(id))))
      : undefined;
    const mailbox = message && (await directory.mailboxById(message.mailbox_id));
    const rights = message && (await rightsOn(message, caller, directory));
    const ours = rights !== undefined && (rights.reader || mayControl(rights));
    if (message === undefined || mailbox === undefined || mailbox.deleted_at !== null || !ours) {
      throw new AppError('message_not_found', 'This message does not exist, or it was deleted.');
    }
    return { message, mailbox, rights };
  }

  /** The first message of the thread, whose title the conversation has; undefined where the reader may not see it. */
  async #first({ thread_id }: Message, signed: Signed): Promise<Message | undefined> {
    const found = await this.find(firstOf(thread_id), signed).catch(noneFor('message_not_found'));
    return found?.message;
  }

  /** The conversation around a message. Opening it marks what it shows as read. */
  async open(id: string, call: SignedCall, root: Root, signed: Signed, refused: Refused = {}): Promise<Html> {
    const { store, sealed, behaviors, clock, mailDomain } = this.#parts;
    const filter = filterOf(call.query);
    const { message, mailbox, rights } = await this.find(id, signed);
    const { before: asked } = call.query;
    const before = typeof asked === 'string' && isId('msg', asked) ? asked : undefined;
    const { thread: stored, ...rest } = await this.#neighbors(message, mailbox, before);
    const labeled = await labelMailbox(message, signed, filter.mailbox, this.#parts);
    if (call.method === 'GET') await markRead(labeled, stored, signed, this.#parts);
    // One-time secrets of another owner's mailbox stay closed.
    const read = rights.recipientSigns ? await Promise.all(stored.map((one) => sealed.open(one, 'recipient'))) : stored;
    const thread = await withEmailStates(read, store);
    const senders = await new Senders(this.#parts, signed.session.namespace.id).names(thread);
    const reads = mayOn(signed.caller, 'messages:read', mailbox);
    const taken = reads ? await this.#parts.takingOver.of(message.thread_id, mailbox) : undefined;
    const behavior = behaviors.find(({ name }) => name === mailbox.behavior);
    // Settings of another namespace's mailbox are private.
    const settings = rights.recipient ? mailbox.settings : {};
    const isReceived = message.kind === 'message' && !isOutgoing(message);
    const answerable = await this.#answerable({
      message,
      mailbox,
      thread,
      signed,
      byHand: (behavior?.answered ?? taken) !== undefined,
      written: refused.answer ?? writtenIn(call.query),
    });
    const isOurs = mailbox.namespace_id === signed.session.namespace.id;
    const sends = hasScope(signed.session.key, 'mail:send');
    return conversationView({
      answerable,
      ...provenOthers(answerable?.message ?? message, mailbox, thread),
      mode: modeOf(call.query.mode),
      held: await this.#held(signed, answerable?.message, message),
      approvals: await this.#parts.heldSends.approvals(signed.session.key),
      forwards: rights.reader && sends && isOurs,
      // What was sent, and what came as an answer to it, is continued by a message of its own.
      writes: isOurs && sends && answerable === undefined && !isReceived,
      undo_ms: this.#parts.undo_ms,
      trashes: rights.reader || rights.sender,
      spans: filter.query === undefined ? undefined : this.#parts.finding.spans(filter.query),
      names: namesIn(thread, mailDomain),
      shown: await askedMail(call.query.mail, thread, signed, this.#parts.raws.keep_ms),
      message,
      first: await this.#first(message, signed),
      thread,
      ...rest,
      mailbox,
      senders,
      answerers: reads ? await this.#answerers(thread) : new Map(),
      reviews: await turnReviews(thread, signed.session.namespace.id, (key) => this.#ownerName(key), store),
      filter,
      root,
      mailDomain,
      now: clock(),
      signed,
      tasks: new Map(knownTasks(behavior, settings).map((task) => [task.name, task])),
      controls: mayControl(rights),
      taken_at: taken?.taken_at,
      sender:
        rights.recipient && isReceived
          ? await senderPanel(
              thread.find(({ id }) => id === message.id) ?? message,
              mailbox,
              senders.get(message.id) ?? '',
              this.#parts,
            )
          : undefined,
      takes: rights.recipient && isReceived,
      deliveries: await deliveriesOf(thread, mailbox.namespace_id, store),
      labeled,
      calls: await callsOf(thread, signed.session.namespace.id, store),
      desk: await this.#desk(message, await deskMailbox(message, signed, filter.mailbox, this.#parts)),
      removes: mayRemove(message, rights),
      labels: setLabels(labeled, thread),
      ...{ wrong: refused.wrong, label: refused.label, answer: refused.answer, deskError: refused.desk },
    });
  }

  /** Where the conversation stands in the mailbox, who may take care of it, and what members noted of it. */
  async #desk({ thread_id }: Message, place: DeskPlace | undefined): Promise<DeskView | undefined> {
    if (place === undefined) return undefined;
    const { conversationDesk: desk } = this.#parts;
    const [standing, members, notes] = await Promise.all([
      desk.standing(thread_id, place.mailbox),
      desk.assignable(place.mailbox),
      desk.notes(thread_id, [place.mailbox]),
    ]);
    return { standing, members, notes, takesPart: place.takesPart };
  }

  /** What was sent of the conversation and can be taken back, or why it did not leave. */
  async #held({ session }: Signed, ...messages: readonly (Message | undefined)[]) {
    for (const one of messages) {
      const held = one && (await this.#parts.heldSends.find(session.key, one));
      if (held !== undefined && held.leaving !== true) return held;
    }
    return undefined;
  }

  /** The names of those who answered by hand. */
  async #answerers(thread: readonly Message[]): Promise<ReadonlyMap<string, string>> {
    const named = new Map<string, string>();
    const names = new Map<string, Promise<string | undefined>>();
    for (const { id, answered_by, by_hand, reply } of thread) {
      if (answered_by === undefined || (by_hand ?? reply?.by_hand) !== true) continue;
      const { key_id, actor } = answered_by;
      const name = names.get(key_id) ?? this.#ownerName(key_id);
      names.set(key_id, name);
      const found = actor?.kind === 'member' ? actor.name : await name;
      if (found != null) named.set(id, found);
    }
    return named;
  }

  async #ownerName(keyId: string): Promise<string | undefined> {
    const key = await this.#parts.store.keys.byId(keyId);
    return key && ownerName(key);
  }

  /**
   * The message that the owner may answer by hand: the one to which a text was `written`, else one that waits or is held,
   * else the open one where it is settled or an answer to it was begun. One with a text of the owner's is there though it
   * can no longer be answered, so that the text is not lost.
   */
  async #answerable({ message, mailbox, thread, signed, byHand, written }: Target): Promise<Answerable | undefined> {
    const { caller, session } = signed;
    if (!mayOn(caller, 'mail:answer', mailbox)) return undefined;
    const waits = (one: Message): boolean =>
      one.kind === 'message' && ((byHand && isToAnswer(one)) || isHeld(one, mailbox));
    const { store, clock, uploads, answerDrafts } = this.#parts;
    const next = waits(message) ? message : (thread.findLast(waits) ?? message);
    // What was begun for the open message is finished first, though it was answered meanwhile.
    const begun = next === message ? undefined : await answerDrafts.find(session.key, message);
    const typed = written && [message, ...thread].find(({ id }) => id === written.id);
    const target = typed ?? (begun === undefined ? next : message);
    const { kind, status } = target;
    if (kind !== 'message' || isOutgoing(target)) return undefined;
    const isFurther = byHand && isSettled(status) && status !== 'canceled';
    const answerable = waits(target) || isFurther;
    const draft = target === message && begun !== undefined ? begun : await answerDrafts.find(session.key, target);
    const texts = [
      ...(typed === undefined || written === undefined ? [] : [written.seen]),
      ...(draft === undefined ? [] : [repliesSeen(draft)]),
    ];
    const seen = texts.length === 0 ? undefined : texts.reduce(seenFirst);
    const asked = { message: target, mailbox, key: session.key, seen, answerable };
    const meanwhile = await meanwhileOf(asked, store);
    if (!answerable && meanwhile === undefined) return undefined;
    const holder = isToAnswer(target) ? await store.answers.holder(target.id) : undefined;
    const claimed = holder !== undefined && holder.claim !== null && (holder.answerable_at ?? 0) > clock();
    const others = (await answerDrafts.others(session.key, target)).map(async (one) => ({
      draft: one,
      name: (await this.#ownerName(one.key_id)) ?? 'Another owner',
    }));
    return {
      message: target,
      claimed,
      draft,
      seen: seen === undefined ? seenOf(target) : seen,
      meanwhile,
      others: await Promise.all(others),
      max_file: uploads.limits.max_file,
    };
  }

  /** A conversation on a page of its own. */
  async page(
    status: number,
    call: SignedCall,
    signed: Signed,
    refused: Refused = {},
    root: Root = '../../',
  ): Promise<Answer> {
    const { id = '' } = call.params;
    const place = await this.#parts.feed.now(signed.session.namespace.id);
    const { message } = await this.find(id, signed);
    const shown = await this.open(id, call, root, signed, refused);
    const main = html`<h1 class="sr">A message to ${message.to}</h1><div class="inbox alone" data-alone data-root="${root}" data-place="${place}">${shown}</div>`;
    const error = status >= 400 && Object.values(refused).some((one) => one !== undefined);
    const title = `${error ? 'Error: ' : ''}${conversationTitle(message, { first: await this.#first(message, signed) })}`;
    return this.#context.answer(status, { title, root, tab: 'inbox', wide: true, frames: true, main }, signed);
  }

  /**
   * The last messages of the thread, or the last ones before `before`; the part beginning with the message where it is
   * not among them.
   */
  async #neighbors(message: Message, mailbox: Mailbox, previousId: string | undefined): Promise<Neighbors> {
    const { messages } = this.#parts.store;
    const { id, thread_id } = message;
    // The reply in our mailbox's inbox stands alone: the message that it answers belongs to the other mailbox.
    if (isReplyId(id)) return { thread: [message], earlier: undefined, later: undefined, newest: undefined };
    // A further reply is a message of the thread that this mailbox wrote.
    const isWritten = ({ kind, mailbox_id, sender_id }: Message): boolean =>
      mailbox_id === mailbox.id || (kind === 'reply' && sender_id === mailbox.id);
    const end = await messages.threadEnd(thread_id, previousId ?? null, MAX_TURNS);
    const last = fitting(end.items.filter(isWritten).toReversed()).toReversed();
    if (previousId !== undefined || last.some((one) => one.id === id)) {
      const cut = last.length < end.items.filter(isWritten).length;
      const { items } =
        previousId === undefined ? { items: [] } : await messages.threadEnd(thread_id, null, 1, 'beginning');
      const earlier = cut ? last[0]?.id : (end.next ?? undefined);
      return { thread: last, earlier, later: previousId, newest: items[0]?.id };
    }
    const page = await messages.thread(thread_id, justBefore(id), MAX_TURNS);
    const all = page.items.filter(isWritten);
    const thread = fitting(all);
    const [next] = page.next === null ? [] : (await messages.thread(thread_id, page.next, 1, 'beginning')).items;
    const { items } = await messages.threadEnd(thread_id, id, 1, 'beginning');
    const later = all[thread.length]?.id ?? next?.id;
    return { thread, earlier: items.length > 0 ? id : undefined, later, newest: later && last.at(-1)?.id };
  }
}
