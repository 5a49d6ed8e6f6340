import { addressOf } from '@mailroom/behavior/mailbox';
import type { RecipientLists } from '@mailroom/behavior/message';
import { isOutside, shortAddress, taggedAddress } from '@mailroom/behavior/values/address';
import { type Clock, DAY, MINUTE } from '@mailroom/behavior/values/clock';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import { missingScope } from '../access/caller.ts';
import type { Directory } from '../access/directory.ts';
import type { Answer, Answered } from '../answers/answer.ts';
import type { Answering } from '../answers/answering.ts';
import { hasScope, type Key } from '../entities/key.ts';
import type { Mailbox } from '../entities/mailbox.ts';
import { isSettled, type Message } from '../entities/message.ts';
import { untagged } from '../entities/recipients.ts';
import type { ManyFields } from '../entities/sending.ts';
import type { MessageFiles } from '../files/uploads.ts';
import type { EmailAnswers } from '../mail-out/email-answers.ts';
import type { OutsideMail } from '../mail-out/outside-mail.ts';
import type { Claim } from '../ports/claim.ts';
import type { Store } from '../ports/store.ts';
import type { Dispatch } from '../runs/dispatch.ts';
import type { ManySubmission } from '../runs/submission.ts';
import { distinct, type Named, othersOf, readManyFields, storedLists } from '../submission/many-fields.ts';
import { ANSWER_TO_ALL } from '../values/states.ts';
import type { ToMany } from './to-many.ts';

interface Parts {
  readonly store: Store;
  readonly directory: Directory;
  readonly answering: Answering;
  readonly toMany: ToMany;
  readonly outside: OutsideMail;
  readonly emails: Pick<EmailAnswers, 'firstOf' | 'queued'>;
  readonly dispatch: Pick<Dispatch, 'register'>;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** What is to become of an answer to several, as it is stored before the answer is. */
interface Planned {
  readonly reply_id: string;
  readonly recipients: RecipientLists;
  readonly author: string | null;
  readonly namespace_id: string;
}

/** Answers to the author of a message and to others: one reply, of which others get copies and mails. */
export class AnswerAll {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.dispatch.register('answer', (claim) => this.#run(claim));
  }

  /**
   * As `Answering.answer`, with the others that the fields name. All are checked first, and one that refuses refuses the
   * answer. AppError as of a send too; `insufficient_scope` where the key may only answer and names others itself.
   */
  async answer(
    message: Message,
    mailbox: Mailbox,
    { fields, key, ...answer }: Answer & { readonly fields: ManyFields; readonly key: Key },
    upload?: MessageFiles,
  ): Promise<Answered> {
    const { store, answering, toMany, outside, clock } = this.#parts;
    const { others, recipients } = await this.#others(message, mailbox, fields, key);
    if (others.length === 0 || answer.body === null)
      return answering.answer(message, mailbox, { ...answer, key }, upload);
    const { id } = message;
    const hops = hopsAfter(message, answer.claim === null);
    await toMany.checkAll({ ...submissionOf(message, mailbox, key), hops }, others);
    const targets = others.map(({ address }) => taggedAddress(address)).filter(isOutside);
    const further = newId('msg', clock());
    const now = (await store.messages.byId(id)) ?? message;
    const reply_id = isSettled(now.status) ? further : replyIdOf(id);
    const { namespace_id } = mailbox;
    const planned: Planned = { reply_id, recipients, author: authorOf(message), namespace_id };
    await outside.count(namespace_id, targets.length);
    await this.#begin(mailbox, planned);
    const answered = await answering
      .answer(message, mailbox, { ...answer, key, further_id: further, recipients }, upload)
      .catch(async (error: unknown) => {
        await this.#drop(reply_id);
        throw error;
      });
    const reply = { ...planned, reply_id: answered.reply_id ?? reply_id };
    if (answered.reply_id !== reply_id) {
      await this.#drop(reply_id);
      if (answered.reply_id === null) return answered;
      await this.#begin(mailbox, reply);
    }
    await this.#end(reply);
    return answered;
  }

  /**
   * Writes a reply that was held until its owner has seen it, by `write`, and then its copies and mails for the others.
   * Without a reply there are none.
   */
  async around(mailbox: Mailbox, planned: Planned, write: () => Promise<boolean>): Promise<void> {
    const { reply_id } = planned;
    await this.#begin(mailbox, planned);
    if ((await write()) || (await this.#parts.store.messages.byId(reply_id)) !== undefined) await this.#end(planned);
    else await this.#done(reply_id);
  }

  /** Stores whom the reply is for, as its first mail may leave before the reply says so. */
  async #begin(mailbox: Mailbox, planned: Planned): Promise<void> {
    const { store, clock } = this.#parts;
    const id = planned.reply_id;
    await store.states.set({
      ...{ kind: ANSWER_TO_ALL, id, subject: mailbox.id },
      value: JSON.stringify(planned),
      expires_at: clock() + DAY,
    });
    await store.jobs.add({ id, kind: 'answer', due_at: clock() + MINUTE });
  }

  /** Where one of the others cannot take it now, the job tries again. */
  async #end(planned: Planned): Promise<void> {
    if ((await this.#reach(planned)) === 'done') await this.#done(planned.reply_id);
  }

  /** Ends what was planned for a reply that was refused; one that is there is of another answer, and goes on. */
  async #drop(reply_id: string): Promise<void> {
    if ((await this.#parts.store.messages.byId(reply_id)) === undefined) await this.#done(reply_id);
  }

  /** Whether all whom the fields name would take the answer now. AppError as of `answer`. */
  async check(message: Message, mailbox: Mailbox, fields: ManyFields, key: Key): Promise<void> {
    const { others } = await this.#others(message, mailbox, fields, key);
    if (others.length > 0) await this.#parts.toMany.checkAll(submissionOf(message, mailbox, key), others);
  }

  /** Whom the answer is for beside its author, and all whom it names. */
  async #others(message: Message, mailbox: Mailbox, fields: ManyFields, key: Key) {
    const { store, directory, mailDomain } = this.#parts;
    const ownAddress = addressOf(mailbox);
    const names = [fields.to, fields.cc, fields.bcc].some((field) => field !== undefined && field !== null);
    if (names && !hasScope(key, 'mail:send')) throw missingScope('mail:send');
    const { reply_all: all, ...rest } = fields;
    const { lists } = await readManyFields(rest, key, ownAddress, { store, directory, mailDomain });
    const replied = all === true ? othersOf(message, ownAddress) : { to: [], cc: [] };
    const read = (addresses: readonly string[]) =>
      readManyFields({ to: addresses.map((one) => whole(one, mailDomain)) }, key, ownAddress, {
        store,
        directory,
        mailDomain,
      });
    const author = authorOf(message);
    const authors = author === null ? [] : (await read([author])).lists.to;
    const cc = (await read(replied.cc)).lists.to;
    const everyone = distinct({ to: [...authors, ...lists.to], cc: [...at(cc), ...lists.cc], bcc: lists.bcc });
    const isOther = ({ address }: Named): boolean => {
      const one = shortAddress(address.local, address.namespace);
      return one !== author && one !== ownAddress;
    };
    const others = [...everyone.to, ...everyone.cc, ...everyone.bcc].filter(isOther);
    return { others, recipients: storedLists(everyone) };
  }

  /** Copies and mails of a reply for all but its author, as far as they are not made. */
  async #reach({ reply_id: id, recipients, author, namespace_id }: Planned): Promise<'done' | 'later'> {
    const { store, toMany, emails } = this.#parts;
    const reply = await store.messages.byId(id);
    const mailbox = reply?.sender_id == null ? undefined : await store.mailboxes.byId(reply.sender_id);
    if (reply === undefined || mailbox === undefined) return 'done';
    if (reply.recipients === undefined) {
      const all = [...recipients.to, ...recipients.cc, ...(recipients.bcc ?? [])];
      const targets = all.filter((one) => isOutside(one) && one !== author);
      const { deliveries } = emails.firstOf(reply, mailbox, null, targets, false);
      // Who reads the reply learns of no Bcc.
      const { to, cc } = recipients;
      await store.emails.address({ id, recipients: { to, cc }, deliveries });
      for (const delivery of deliveries) emails.queued(delivery);
    }
    const hops = hopsAfter(reply, reply.by_hand === true);
    return toMany.copy({ ...reply, hops, recipients, sender_namespace_id: namespace_id }, author);
  }

  async #done(id: string): Promise<void> {
    const { store } = this.#parts;
    await store.jobs.remove(id);
    await store.states.remove(ANSWER_TO_ALL, id);
  }

  async #run(claim: Claim): Promise<void> {
    const { store, clock } = this.#parts;
    const state = await store.states.get(ANSWER_TO_ALL, claim.id, clock());
    if (state !== undefined && (await this.#reach(JSON.parse(state.value) as Planned)) === 'later') {
      await store.jobs.later(claim, clock() + MINUTE);
      return;
    }
    await this.#done(claim.id);
  }
}

const authorOf = ({ from, sender_kind: kind, sender_id: id }: Message): string | null => {
  const author = from ?? (kind === 'email' ? id : null);
  return author === null ? null : untagged(author);
};

/** A person’s answer begins a chain of messages, as a send does; a program’s is one more of the chain. */
const hopsAfter = ({ hops }: Message, byHand: boolean): number => (byHand ? 0 : hops + 1);

const whole = (stored: string, mailDomain: string): string => (isOutside(stored) ? stored : `${stored}.${mailDomain}`);

const at = (named: readonly Named[]): Named[] => named.map(({ address }) => ({ address, pointer: '/reply_all' }));

/** What is checked for each of the others. */
const submissionOf = (message: Message, mailbox: Mailbox, key: Key): ManySubmission => ({
  body: '',
  subject: null,
  data: null,
  sender: {
    kind: 'mailbox',
    id: mailbox.id,
    namespace_id: mailbox.namespace_id,
    key_id: key.id,
    from: addressOf(mailbox),
  },
  from_mailbox_id: mailbox.id,
  channel: 'api',
  thread_id: null,
  in_reply_to: null,
  retry_of: null,
  hops: message.hops,
  try_out: false,
  payer: null,
  idempotency: undefined,
});
