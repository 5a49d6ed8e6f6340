import { mayOn } from '../../../core/access/caller.ts';
import type { AnswerDrafts } from '../../../core/delivery/answer-drafts.ts';
import type { Answering } from '../../../core/delivery/answering.ts';
import type { Uploads } from '../../../core/delivery/uploads.ts';
import type { Key } from '../../../core/entities/key.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { isSettled } from '../../../core/entities/message.ts';
import type { Writers } from '../../../core/notify/writers.ts';
import type { Store } from '../../../core/ports/store.ts';
import { SIGN_IN_OF } from '../../../core/sign-in/claims.ts';
import type { Clock } from '../../../core/values/clock.ts';
import { AppError, invalid, problems } from '../../../core/values/error.ts';
import { bytesInWords } from '../../../core/values/storage-size.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { shortOf } from '../pieces.ts';
import { keptFiles } from './answer-form.ts';
import { MAX_REASON } from './approval.ts';
import type { Context } from './context.ts';
import type { Conversations, Ours } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm } from './sign-in-form.ts';

export interface AnswerPageParts {
  readonly store: Pick<Store, 'idempotency' | 'remember'>;
  readonly answerDrafts: AnswerDrafts;
  readonly writers: Writers;
  readonly answering: Answering;
  readonly uploads: Uploads;
  readonly clock: Clock;
}

/** What was typed as an answer. */
interface TypedAnswer {
  readonly status: 'completed' | 'input_required' | 'rejected';
  readonly body: string;
  /** The ids of the draft's files that stay. */
  readonly files: readonly string[];
  /** The message waited when the form was made, so the answer is not meant as a further reply. */
  readonly first: boolean;
}

function typedOf({ form }: Pick<SignedCall, 'form'>): TypedAnswer {
  const what = form.get('do');
  return {
    status: what === 'input_required' || what === 'rejected' ? what : 'completed',
    // Forms are sent with CRLF (WHATWG HTML, section 4.10.22.4).
    body: (form.get('body') ?? '').replaceAll('\r\n', '\n'),
    files: form.getAll('file'),
    first: form.get('first') === '1',
  };
}

/**
 * The form that answers a message by hand, for who may answer the messages of its mailbox. What was written is kept first,
 * so that nothing of it is lost when it is not accepted.
 */
export function answerRoute(context: Context, conversations: Conversations, parts: AnswerPageParts): Route {
  const { store, answering, answerDrafts, writers, uploads, clock } = parts;
  /** Answers that are being written, by the hash of their form, so that a second click waits for the first. */
  const writing = new Map<string, Promise<unknown>>();

  /** Keeps the draft: what a script does as one types, and the button without one. */
  async function keep({ message, mailbox }: Ours, typed: TypedAnswer, call: SignedCall, signed: Signed) {
    if (call.upload_error !== undefined) throw call.upload_error;
    if (typed.body.trim() !== '') writers.writes(message, writerName(signed.session.key, mailbox));
    return answerDrafts.keep(signed.session.key, message, mailbox, typed, call.upload);
  }

  async function answer({ message, mailbox }: Ours, typed: TypedAnswer, call: SignedCall, signed: Signed) {
    const { key } = signed.session;
    const { status, body, first } = typed;
    if (call.upload_error !== undefined) throw call.upload_error;
    const rejects = status === 'rejected';
    if (body.trim() === '') throw invalid('/body', rejects ? 'Write the reason first.' : 'Write an answer first.');
    if (rejects && body.trim().length > MAX_REASON)
      throw invalid('/body', `A reason has at most ${MAX_REASON} characters.`);
    const draft = await answerDrafts.find(key, message);
    const withFiles = !rejects && (call.upload !== undefined || draft !== undefined);
    const kept = withFiles ? await answerDrafts.keep(key, message, mailbox, typed, call.upload) : undefined;
    await using files = kept && (await answerDrafts.filesOf(kept));
    const given = rejects ? { body: null, error: body.trim() } : { body, error: null };
    const answered = await answering.answer(
      message,
      mailbox,
      { ...given, status, claim: null, data: null, first },
      files,
    );
    if (draft !== undefined || kept !== undefined) await answerDrafts.remove(key, message);
    return answered;
  }

  return signedForm(
    '/console/answers/{id}',
    context,
    async (call, signed) => {
      const ours = await conversations.find(call.params.id ?? '', signed);
      const { message, mailbox } = ours;
      if (message.kind !== 'message' || !mayOn(signed.caller, 'mail:answer', mailbox))
        throw new AppError('access_denied', 'Only the owner of the address may answer this.');
      const typed = typedOf(call);
      const opened = seeOther(`../../console${search(filterOf(call.query), { message: message.id })}`);
      const refused = (error: unknown, dropped: boolean): Promise<Answer> => {
        if (!(error instanceof AppError) || error.code === 'message_not_found') throw error;
        const shown = { body: typed.body, dropped, message: sentenceOf(error) };
        return conversations.page(problems[error.code].status, call, signed, { answer: shown });
      };
      if (call.form.get('do') === 'keep') {
        const draft = await keep(ours, typed, call, signed).catch((error: unknown) => {
          if (error instanceof AppError && call.headers.accept === 'application/json') throw error;
          return refused(error, call.upload_error !== undefined);
        });
        if (draft !== undefined && 'status' in draft) return draft;
        if (call.headers.accept !== 'application/json') return opened;
        // A script's request that was overtaken by the answer itself.
        if (typed.first && isSettled((await conversations.find(message.id, signed)).message.status)) {
          await answerDrafts.remove(signed.session.key, message);
          return { status: 200, body: { kept: false, files: '' }, headers: PRIVATE };
        }
        const files = keptFiles(draft?.attachments ?? [], '').text;
        return { status: 200, body: { kept: draft !== undefined, files }, headers: PRIVATE };
      }
      const { status, body, first } = typed;
      const files = call.upload?.files.map(({ filename, sha256 }) => ({ filename, sha256 })) ?? [];
      const asked = { id: message.id, status, body, first, files, kept: typed.files };
      const idempotencyKey = (call.form.get('once') ?? '').slice(0, 64);
      const idempotency = idempotencyFor(idempotencyKey, asked, signed.caller, 'answer in the console', clock);
      const { scope, key, hash } = idempotency;
      const isDone = async (): Promise<boolean> => (await store.idempotency(scope, key, clock()))?.hash === hash;
      const write = async (): Promise<void> => {
        const { reply_id } = await answer(ours, typed, call, signed);
        await store.remember(idempotency, reply_id ?? message.id, clock());
      };
      await writing.get(hash)?.catch(() => {});
      if (await isDone()) return opened;
      const written = write();
      writing.set(hash, written);
      try {
        await written;
        return opened;
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'message_not_found') throw error;
        if (await isDone()) return opened;
        // Those that came with an answer that could not be accepted are kept too, where that is possible.
        const kept = await keep(ours, typed, call, signed).catch(() => undefined);
        const dropped = call.upload_error !== undefined || (files.length > 0 && kept === undefined);
        return refused(error, dropped);
      } finally {
        if (writing.get(hash) === written) writing.delete(hash);
      }
    },
    uploads,
  );
}

/**
 * Who answers, as the sender is told: the name of the key, unless it says nothing about a person, else that of the
 * mailbox; no e-mail address.
 */
function writerName({ name }: Key, mailbox: Mailbox): string {
  const own = name?.startsWith(SIGN_IN_OF) ? name.slice(SIGN_IN_OF.length).trim().split('@')[0] : name;
  if (own != null && own !== '' && !/\bkey$/i.test(own) && !own.includes('@')) return own;
  return mailbox.display_name ?? `The owner of ${shortOf(mailbox)}`;
}

/** Why an answer was not accepted, in words for people. */
function sentenceOf({ code, message, errors: [first] }: AppError): string {
  if (code === 'not_waiting')
    return 'It was answered or canceled meanwhile. Your text is below: sending it adds a further reply, if it was answered.';
  return (first?.message ?? message).replace(/\b(\d+) bytes\b/g, (_, bytes: string) => bytesInWords(Number(bytes)));
}
