import { createHmac } from 'node:crypto';
import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress, hostedAddress } from '@mailroom/behavior/values/address';
import { type Clock, DAY, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { newId } from '@mailroom/behavior/values/ids';
import type { Mailbox } from '../../entities/mailbox.ts';
import type { Member } from '../../entities/member.ts';
import type { Message } from '../../entities/message.ts';
import { planSha256 } from '../../entities/message-view.ts';
import { isEditor, type Review } from '../../entities/review.ts';
import type { Mail, ServiceMail } from '../../outgoing/service-mail.ts';
import type { ReceivedEmail } from '../../ports/email-transport.ts';
import type { Question as HandlingQuestion } from '../../ports/handlings.ts';
import type { State } from '../../ports/states.ts';
import type { Store } from '../../ports/store.ts';
import type { Limiter } from '../../values/limits.ts';
import { type Asked, MAY_NOT, refusalOf, UNDECIDED } from './answer-refusals.ts';
import { mailedDecision, type WrittenDecision } from './decision-words.ts';
import {
  type ApprovalResult,
  type AskedAbout,
  type Decided,
  type Deciders,
  decideAs,
  decidedOf,
  decidersOf,
  isDecider,
  type MailedDecisionParts,
  noteRefused,
} from './mailed-decisions.ts';

interface Question {
  /** The member's address. */
  readonly to: string;
  /** Until when an answer by mail counts; undefined where none would, so that only the console is named. */
  readonly until: Millis | undefined;
}

/** The question whether a plan may run. */
export interface PlanQuestion extends Question {
  readonly message: Message & { readonly plan: string };
  readonly mailbox: Mailbox;
}

/** The question whether a message may leave. */
export interface ReviewQuestion extends Question {
  readonly review: Review;
  /** The message that it answers; undefined for one of its own. */
  readonly answered: Message | undefined;
}

type Written = Pick<Mail, 'subject' | 'text' | 'html'>;

interface Parts extends MailedDecisionParts {
  readonly store: Pick<Store, 'accounts' | 'handlings' | 'mailboxes' | 'messages' | 'reviews' | 'states'>;
  readonly serviceMail: () => Pick<ServiceMail, 'enqueue'>;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** The mailbox that writes to members: its local part, and the name of its namespace. */
  readonly sender: { readonly local_part: string; readonly namespace: string };
  /** The key from which tokens follow, and of the hashes by which they are stored. */
  readonly secret: string;
  /** Whether mail is received here at all. */
  readonly answerable: boolean;
  /** Questions to the members of one namespace; undefined: no limit. */
  readonly limit: Limiter | undefined;
  /** Undefined for a plan that is not shown in a mail. */
  readonly planQuestion: (question: PlanQuestion) => Written | undefined;
  /** Undefined for a message that is not shown in a mail. */
  readonly reviewQuestion: (question: ReviewQuestion) => Written | undefined;
  readonly result: (result: ApprovalResult, decided: Decided) => Written;
  readonly onError: (error: unknown) => void;
}

/** What members of a namespace are asked. */
interface Asking {
  readonly about: AskedAbout;
  /** What is asked again has the same text. */
  readonly key: string;
  readonly deciders: Deciders;
  readonly mailbox: Mailbox;
  /** When it is decided at the latest. */
  readonly expires_at?: Millis;
  /** Whether one of the deciders is asked. */
  readonly asks?: (member: Member) => boolean;
  readonly written: (question: Question) => Written | undefined;
}

/** The recipient of an answer to a question. */
export interface ApprovalRecipient {
  readonly address: string;
  readonly token: string;
}

const KIND = 'approval_mail';
const LOCAL = 'approve';
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 130 bits. */
const TOKEN_LENGTH = 26;
const ID_LENGTH = 20;
/** Questions that are read at a time. */
const SWEEP = 100;
const TOKEN = /^approve\+([0-9a-z]{26})$/;
/** For how long an answer by mail counts. */
const VALID_MS = 7 * DAY;
/** For how long after it a late answer is told so, and shown. */
const LATE_MS = 7 * DAY;
const ANSWER_MS = 3 * DAY;
/** A program that answers each answer gets no more. */
const MAX_ANSWERS = 5;
/** Why a mail is not read as an answer: a program wrote it. */
const NOT_READ = 'Noted';

/**
 * Asks the members who may decide by mail to approve plans and what would leave, and takes their answers. Each question has
 * an address of its own to answer to, which stands for exactly what was shown and for this member, counts once, only until a
 * time, and only while the member may still decide.
 */
export class ApprovalMails {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A message waits for approval of its plan. */
  asked({ id }: Message): void {
    this.#parts.store.handlings
      .questionOf(id)
      .then((question) => question && this.ask(question))
      .catch(this.#parts.onError);
  }

  /** A message waits to leave until a member has seen it. */
  reviewAsked(review: Review): void {
    this.askReview(review).catch(this.#parts.onError);
  }

  /** Asks what a crash kept from being asked. */
  async sweep(): Promise<void> {
    const { handlings, reviews } = this.#parts.store;
    await forEach(
      (after) => handlings.toAsk(after, SWEEP),
      (question) => this.ask(question),
    );
    await forEach(
      (after) => reviews.toAsk(after, SWEEP),
      (review) => this.askReview(review),
    );
  }

  /** Writes to each member who may decide. All are durable before it counts as asked; what is asked again is the same mail. */
  async ask(question: HandlingQuestion): Promise<void> {
    const { store, planQuestion } = this.#parts;
    const message = await store.messages.byId(question.id);
    const mailbox = message && (await store.mailboxes.byId(message.mailbox_id));
    if (message?.waiting_for === 'approval' && typeof message.plan === 'string' && mailbox !== undefined) {
      const planned = { ...message, plan: message.plan };
      await this.#askMembers({
        about: { message_id: message.id, plan_sha256: planSha256(message.plan) },
        key: `${question.id} ${question.fence}`,
        deciders: decidersOf({ kind: 'plan', message, mailbox }),
        mailbox,
        written: (to) => planQuestion({ ...to, message: planned, mailbox }),
      });
    }
    await store.handlings.asked(question);
  }

  /** The same about a message that waits to leave. */
  async askReview(review: Review): Promise<void> {
    const { store, reviewQuestion } = this.#parts;
    const mailbox = await store.mailboxes.byId(review.mailbox_id);
    if (review.status === 'pending' && mailbox !== undefined && mailbox.deleted_at === null) {
      const answered = review.kind === 'send' ? undefined : await store.messages.byId(review.message_id);
      await this.#askMembers({
        about: { review_id: review.id, review_hash: review.hash },
        key: `${review.id} ${review.hash}`,
        deciders: decidersOf({ kind: 'review', review }),
        mailbox,
        expires_at: review.expires_at,
        asks: ({ key_id }) => !isEditor(review, key_id),
        written: (to) => reviewQuestion({ ...to, review, answered }),
      });
    }
    await store.reviews.asked(review);
  }

  async #askMembers(asking: Asking): Promise<void> {
    const { store, clock, limit } = this.#parts;
    const { deciders, mailbox, asks = () => true } = asking;
    const { namespace_id } = deciders;
    if (namespace_id === null || !wantsMail(mailbox)) return;
    const all = await store.accounts.membersOf(namespace_id, clock());
    const members = all.filter((member) => isDecider(member, deciders) && asks(member));
    if (members.length === 0 || (limit !== undefined && !(await limit.take(namespace_id)).allowed)) return;
    for (const member of members) {
      const address = await this.#addressOf(member.account_id);
      if (address !== undefined) await this.#askOne(asking, member, address);
    }
  }

  async #askOne(asking: Asking, { account_id, namespace_id }: Member, address: string): Promise<void> {
    const { clock, mailDomain, answerable } = this.#parts;
    const latest = Math.min(clock() + VALID_MS, asking.expires_at ?? Number.POSITIVE_INFINITY);
    const until = hostedAddress(address, mailDomain) === 'outside' && answerable ? latest : undefined;
    const written = asking.written({ to: address, until });
    if (written === undefined) return;
    const approverKey = `${asking.key} ${account_id}`;
    const token = this.#derived('token', approverKey, TOKEN_LENGTH);
    const { subject } = written;
    const request = { ...asking.about, account_id, namespace_id, address, subject, used: false, answers: 0 };
    const state = until === undefined ? undefined : this.#stateOf(token, { ...request, until });
    const mail = { ...written, to: address, ...(until !== undefined && { reply_to: this.#address(token) }) };
    await this.#send(`mail_${this.#derived('mail', approverKey, ID_LENGTH)}`, mail, VALID_MS, state);
  }

  #stateOf(token: string, request: Asked): State {
    const { account_id: subject, until } = request;
    return { ...this.#key(token), subject, value: JSON.stringify(request), expires_at: until + LATE_MS };
  }

  /** The question that an address stands for; undefined for any other address. AppError `mailbox_not_found` when it is over. */
  async recipient(address: string): Promise<ApprovalRecipient | undefined> {
    const [local = '', domain] = address.toLowerCase().split('@');
    if (domain !== this.#parts.mailDomain || !local.startsWith(`${LOCAL}+`)) return undefined;
    const [, token = ''] = TOKEN.exec(local) ?? [];
    if ((await this.#read(token)) === undefined)
      throw new AppError('mailbox_not_found', 'There is no such question, or it can no longer be answered by mail.');
    return { address, token };
  }

  /**
   * Does what the answer of a member says, and writes to them what came of it. A mail that a program sent does nothing.
   * AppError `sender_not_allowed` when it is not proven that this member wrote it, or they may not decide any more,
   * `unavailable`.
   */
  async answer(email: ReceivedEmail, { token, address }: ApprovalRecipient): Promise<string> {
    const state = await this.#read(token);
    if (state === undefined) return NOT_READ;
    const request = JSON.parse(state.value) as Asked;
    const from = email.from.address;
    if (email.not_answered !== null) {
      await noteRefused(
        this.#parts,
        request,
        from,
        `The mail was written by a program, sent to a list, or has no one author (${email.not_answered}).`,
      );
      return NOT_READ;
    }
    const member = await this.#deciderOf(request);
    const refusal = refusalOf(email, request, address);
    if (refusal !== undefined || member === undefined) {
      await noteRefused(this.#parts, request, from, refusal ?? MAY_NOT);
      throw new AppError('sender_not_allowed', `${refusal ?? MAY_NOT} Nothing was done.`);
    }
    const written = mailedDecision(email);
    const result = await this.#resultOf(request, written, member);
    const why = UNDECIDED[result.kind];
    if (why !== undefined) await noteRefused(this.#parts, request, from, why);
    await this.#reply(state, request, result, email, token);
    return result.kind;
  }

  /** An answer was refused before it was read. */
  async refused({ token }: ApprovalRecipient, from: string, why: string): Promise<void> {
    const state = await this.#read(token);
    if (state !== undefined) await noteRefused(this.#parts, JSON.parse(state.value) as Asked, from, why);
  }

  async #resultOf(request: Asked, written: WrittenDecision | undefined, member: Member): Promise<ApprovalResult> {
    if (this.#parts.clock() >= request.until && !request.used) return { kind: 'late' };
    if (written === undefined) return { kind: 'unclear' };
    return request.used ? { kind: 'over' } : decideAs(this.#parts, request, written, member);
  }

  /** Says what came of an answer; one that decided nothing can be followed by another. */
  async #reply(
    state: State,
    request: Asked,
    result: ApprovalResult,
    email: ReceivedEmail,
    token: string,
  ): Promise<void> {
    const { store, clock } = this.#parts;
    const used = request.used || result.kind === 'approved' || result.kind === 'refused';
    const next: Asked = { ...request, used, answers: request.answers + 1 };
    const counted = await store.states.swap(KIND, state.id, state.value, JSON.stringify(next), clock());
    if (!counted || request.answers >= MAX_ANSWERS) return;
    const written = this.#parts.result(result, await decidedOf(this.#parts, request));
    await this.#send(
      newId('mail', clock()),
      {
        ...written,
        subject: `Re: ${request.subject}`,
        to: request.address,
        reply_to: this.#address(token),
        ...(email.rfc_id !== null && { in_reply_to: email.rfc_id }),
      },
      ANSWER_MS,
    );
  }

  async #send(
    id: string,
    mail: Written & Pick<Mail, 'to' | 'reply_to' | 'in_reply_to'>,
    ms: Millis,
    state?: State,
  ): Promise<void> {
    const { store, serviceMail, clock, sender } = this.#parts;
    const from = await store.mailboxes.byAddress(sender.local_part, sender.namespace);
    if (from === undefined || from.deleted_at !== null) return;
    const more = { id, expires_at: clock() + ms, from_mailbox_id: from.id, note: mail.text };
    await serviceMail().enqueue({ ...mail, ...more }, state);
  }

  /** The member who was asked, while they may decide it. */
  async #deciderOf(request: Asked): Promise<Member | undefined> {
    const { store, clock } = this.#parts;
    const member = await store.accounts.member(request.namespace_id, request.account_id, clock());
    const decided = await decidedOf(this.#parts, request);
    const message = decided.kind === 'plan' ? decided.message : undefined;
    const mailbox = message && (await store.mailboxes.byId(message.mailbox_id));
    const deciders =
      decided.kind === 'review'
        ? decided.review && decidersOf({ kind: 'review', review: decided.review })
        : message && mailbox && decidersOf({ kind: 'plan', message, mailbox });
    // What is gone is decided by none.
    return member !== undefined && (deciders === undefined || isDecider(member, deciders)) ? member : undefined;
  }

  /** An account is an address outside, or a mailbox here. */
  async #addressOf(accountId: string): Promise<string | undefined> {
    const { store, mailDomain } = this.#parts;
    const account = await store.accounts.byId(accountId);
    if (account !== undefined) return account.address.toLowerCase();
    const mailbox = await store.mailboxes.byId(accountId);
    if (mailbox === undefined || mailbox.deleted_at !== null) return undefined;
    return fullAddress(addressOf(mailbox), mailDomain);
  }

  #read(token: string): Promise<State | undefined> {
    const { store, clock } = this.#parts;
    return token.length === TOKEN_LENGTH
      ? store.states.get(KIND, this.#key(token).id, clock())
      : Promise.resolve(undefined);
  }

  #key(token: string) {
    return { kind: KIND, id: createHmac('sha256', this.#parts.secret).update(token).digest('hex') };
  }

  /** A text that the secret gives for a question to one member, each time the same. */
  #derived(what: string, of: string, length: number): string {
    const bytes = createHmac('sha256', this.#parts.secret).update(`${what} ${of}`).digest();
    return [...bytes.subarray(0, length)].map((byte) => ALPHABET[byte % 32]).join('');
  }

  #address = (token: string): string => `${LOCAL}+${token}@${this.#parts.mailDomain}`;
}

/** Does something with each item of a list that is read page by page. */
async function forEach<T extends { readonly id: string }>(
  read: (after: string) => Promise<readonly T[]>,
  act: (item: T) => Promise<void>,
): Promise<void> {
  let after = '';
  for (;;) {
    const items = await read(after);
    for (const item of items) await act(item);
    after = items.at(-1)?.id ?? '';
    if (items.length < SWEEP) return;
  }
}

const wantsMail = ({ settings }: Mailbox): boolean =>
  (settings as { readonly approval_by_mail?: boolean } | null)?.approval_by_mail !== false;
