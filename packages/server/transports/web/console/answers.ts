import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError, type FieldError, invalid, problems } from '@mailroom/behavior/values/error';
import { mayOn } from '../../../core/access/caller.ts';
import type { Answering } from '../../../core/answers/answering.ts';
import type { ConversationDesk } from '../../../core/answers/conversation-desk.ts';
import { type Draft, draftTag } from '../../../core/entities/draft.ts';
import type { Message } from '../../../core/entities/message.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import type { Uploads } from '../../../core/files/uploads.ts';
import type { AnswerAll } from '../../../core/messages/answer-all.ts';
import type { AnswerDrafts } from '../../../core/messages/answer-drafts.ts';
import type { HeldSends } from '../../../core/messages/held-sends.ts';
import type { Writers } from '../../../core/notify/writers.ts';
import type { Store } from '../../../core/ports/store.ts';
import { hasManyFields } from '../../../core/submission/many-fields.ts';
import { html } from '../../../http/html.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { icon } from '../pieces.ts';
import { keptFiles, type Mode, modeOf } from './answer-form.ts';
import { MAX_REASON } from './approval.ts';
import type { Context } from './context.ts';
import type { Conversations, Ours } from './conversations.ts';
import { filterOf, search } from './filter.ts';
import { readSeen, type Seen, seenOf, seenText } from './meanwhile.ts';
import { ownerName, writerName } from './owner-names.ts';
import { type AddressPlace, listErrors, readLists, type TypedLists, typedLists, wantedLists } from './recipients.ts';
import { heading } from './shell.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm } from './sign-in-form.ts';

export interface AnswerPageParts {
  readonly store: Pick<Store, 'idempotency' | 'remember'>;
  readonly answerAll: AnswerAll;
  readonly heldSends: HeldSends;
  readonly conversationDesk: Pick<ConversationDesk, 'change'>;
  /** How long what is sent can be taken back; 0 sends at once. */
  readonly undo_ms: Millis;
  readonly mailDomain: string;
  readonly answerDrafts: AnswerDrafts;
  readonly writers: Writers;
  readonly answering: Answering;
  readonly uploads: Uploads;
  readonly clock: Clock;
}

/** What the keys of forms are remembered for. */
const SCOPE = 'answer in the console';

/** What was typed as an answer. */
interface TypedAnswer {
  readonly status: 'completed' | 'input_required' | 'rejected';
  /** The conversation is done once it has left. */
  readonly done: boolean;
  readonly body: string;
  /** The ids of the draft's files that stay. */
  readonly files: readonly string[];
  /** How many replies there were when the form was made. */
  readonly seen: Seen;
  /** How many there were when its text was begun. */
  readonly base: Seen;
  /** The version of the draft that the form has; empty for none. */
  readonly draft: string;
  readonly mode: Exclude<Mode, 'forward'>;
  /** Whom it is for beside the author of the message. */
  readonly lists: TypedLists;
}

function typedOf({ form }: Pick<SignedCall, 'form'>): TypedAnswer {
  const what = form.get('do');
  return {
    status: what === 'input_required' || what === 'rejected' ? what : 'completed',
    done: what === 'done',
    // Forms are sent with CRLF (WHATWG HTML, section 4.10.22.4).
    body: (form.get('body') ?? '').replaceAll('\r\n', '\n'),
    files: form.getAll('file'),
    seen: readSeen(form.get('seen')),
    base: readSeen(form.get('base')),
    draft: form.get('draft') ?? '',
    mode: modeOf(form.get('mode')) === 'all' ? 'all' : 'reply',
    lists: typedLists(form),
  };
}

/**
 * The form that answers a message by hand, for who may answer the messages of its mailbox. What was written is kept first,
 * so that nothing of it is lost when it is not accepted.
 */
export function answerRoute(context: Context, conversations: Conversations, parts: AnswerPageParts): Route {
  const { store, answering, answerAll, answerDrafts, heldSends, writers, uploads, clock, undo_ms, mailDomain } = parts;
  /** Answers that are being written, by the hash of their form, so that a second click waits for the first. */
  const writing = new Map<string, Promise<unknown>>();

  const placeOf = ({ session }: Signed): AddressPlace => ({ namespace: session.namespace.name, mailDomain });
  const writerOf = ({ session }: Signed): string => session.hash.slice(0, 16);

  /** Keeps the draft: what a script does as one types, and the button without one. */
  async function keep({ message, mailbox }: Ours, typed: TypedAnswer, call: SignedCall, signed: Signed) {
    if (call.upload_error !== undefined) throw call.upload_error;
    const { key } = signed.session;
    if (typed.body.trim() !== '') {
      const writer = { id: writerOf(signed), name: writerName(key, mailbox), owner_name: ownerName(key) };
      writers.writes(message, writer);
    }
    return answerDrafts.keep(key, message, mailbox, { ...typed, seen: typed.base }, call.upload);
  }

  /** `onKept` is called with the draft, once that has the files. */
  async function answer(
    { message, mailbox }: Ours,
    typed: TypedAnswer,
    call: SignedCall,
    signed: Signed,
    onKept: (draft: Draft | undefined) => void,
  ) {
    const { key } = signed.session;
    const { status, body, seen } = typed;
    if (call.upload_error !== undefined) throw call.upload_error;
    const rejects = status === 'rejected';
    if (body.trim() === '') throw invalid('/body', rejects ? 'Write the reason first.' : 'Write an answer first.');
    if (rejects && body.trim().length > MAX_REASON)
      throw invalid('/body', `A reason has at most ${MAX_REASON} characters.`);
    const fields = fieldsOf(typed.lists, placeOf(signed));
    const draft = await answerDrafts.find(key, message);
    const hasFiles = call.upload !== undefined || (draft?.attachments.length ?? 0) > 0;
    const written = { ...typed, seen: typed.base };
    const holds = undo_ms > 0;
    const kept =
      holds || (hasFiles && !rejects)
        ? await answerDrafts.keep(key, message, mailbox, written, rejects ? undefined : call.upload)
        : undefined;
    onKept(kept);
    const given = rejects ? { body: null, error: body.trim() } : { body, error: null };
    if (holds) {
      checkSeen(message, seen);
      const send = { kind: 'answer', status, seen, fields, ...(typed.done && { done: true as const }) } as const;
      await heldSends.hold(key, message, mailbox, { ...send, ...given }, undo_ms);
      writers.stops(message, writerOf(signed));
      return { reply_id: null };
    }
    await using files = kept && (await answerDrafts.filesOf(kept));
    const answer = { ...given, status, claim: null, data: null, seen, key, person: true };
    const answered =
      hasManyFields(fields) || fields.to !== undefined
        ? await answerAll.answer(message, mailbox, { ...answer, fields }, files)
        : await answering.answer(message, mailbox, answer, files);
    if (typed.done) await parts.conversationDesk.change(message.thread_id, mailbox, { state: 'done' }, key);
    writers.stops(message, writerOf(signed));
    // Of two who share a key the other may have written more since.
    const isOwn = draft !== undefined && (draftTag(draft) === typed.draft || body.startsWith(draft.content.body ?? ''));
    if (kept !== undefined || isOwn) await answerDrafts.remove(key, message);
    return answered;
  }

  /** Gives a text back that was written to a message which is gone. */
  function deleted(body: string, signed: Signed): Promise<Answer> {
    const main = html`${heading('This message was deleted', undefined)}
<p class="error" role="alert">${icon('warn')}<span>It was deleted while you were writing, so your answer was not sent. Copy your text if you need it.</span></p>
<div class="field"><label for="kept-text">Your text</label><textarea class="input" id="kept-text" rows="8" dir="auto" readonly>\n${body}</textarea></div>
<div class="row"><a class="button" href="../../console">Back to the inbox</a></div>`;
    const of = { title: 'Error: deleted', root: '../../', tab: 'inbox', styles: ['forms.css'], main } as const;
    return context.answer(404, of, signed);
  }

  return signedForm(
    '/console/answers/{id}',
    context,
    async (call, signed) => {
      const ours = await conversations.find(call.params.id ?? '', signed).catch((error: unknown) => {
        const { body } = typedOf(call);
        if (call.headers.accept === 'application/json' || body.trim() === '') throw error;
        if (!(error instanceof AppError) || error.code !== 'message_not_found') throw error;
        return deleted(body, signed);
      });
      if ('status' in ours) return ours;
      const { message, mailbox } = ours;
      if (message.kind !== 'message' || !mayOn(signed.caller, 'mail:answer', mailbox))
        throw new AppError('access_denied', 'Only the owner of the address may answer this.');
      const typed = typedOf(call);
      const { id } = message;
      const opened = seeOther(`../../console${search(filterOf(call.query), { message: id })}`);
      const idempotencyKey = (call.form.get('once') ?? '').slice(0, 64);
      const refused = (error: unknown, dropped: boolean): Promise<Answer> => {
        if (!(error instanceof AppError) || error.code === 'message_not_found') throw error;
        const errors = listErrors(error.errors, readLists(typed.lists, placeOf(signed), [])).filter(isListError);
        const { base, body, mode, lists } = typed;
        const message = errors.length > 0 ? ADDRESSES_WRONG : sentenceOf(error);
        const shown = { id, mode, lists, seen: base, body, dropped, message, errors };
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
        const { scope } = idempotencyFor(idempotencyKey, {}, signed.caller, SCOPE, clock);
        if (idempotencyKey !== '' && (await store.idempotency(scope, idempotencyKey, clock())) !== undefined) {
          await answerDrafts.remove(signed.session.key, message);
          return { status: 200, body: { kept: false, files: '', fields: { draft: '' } }, headers: PRIVATE };
        }
        const files = keptFiles(draft?.attachments ?? [], '').text;
        const fields = { draft: draft === undefined ? '' : draftTag(draft) };
        const seen = seenText(seenOf(message));
        const drafts = await context.draftsText(signed);
        return { status: 200, body: { kept: draft !== undefined, files, fields, seen, drafts }, headers: PRIVATE };
      }
      if (call.form.get('do') === 'discard') {
        await answerDrafts.remove(signed.session.key, message);
        writers.stops(message, writerOf(signed));
        return opened;
      }
      const { status, body, seen, lists } = typed;
      const files = call.upload?.files.map(({ filename, sha256 }) => ({ filename, sha256 })) ?? [];
      const asked = { id, status, done: typed.done, body, seen, files, kept: typed.files, ...lists };
      const idempotency = idempotencyFor(idempotencyKey, asked, signed.caller, SCOPE, clock);
      const { scope, key, hash } = idempotency;
      const isDone = async (): Promise<boolean> => (await store.idempotency(scope, key, clock()))?.hash === hash;
      let withFiles: Draft | undefined;
      const write = async (): Promise<void> => {
        const { reply_id } = await answer(ours, typed, call, signed, (draft) => {
          withFiles = draft;
        });
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
        const kept = withFiles ?? (await keep(ours, typed, call, signed).catch(() => undefined));
        const dropped = call.upload_error !== undefined || (files.length > 0 && kept === undefined);
        return refused(error, dropped);
      } finally {
        if (writing.get(hash) === written) writing.delete(hash);
      }
    },
    uploads,
  );
}

export const ADDRESSES_WRONG = 'Something is not right with the addresses. Your text is kept.';
export const isListError = ({ pointer }: FieldError): boolean => /^\/(to|cc|bcc)$/.test(pointer);

/** The lists of a form, as an answer or a forward takes them. AppError `validation_error` for what is no address. */
export function fieldsOf(
  typed: TypedLists,
  place: AddressPlace,
): { to?: string | string[]; cc?: string[]; bcc?: string[] } {
  const errors: FieldError[] = [];
  const { to, cc, bcc } = wantedLists(readLists(typed, place, errors));
  if (errors.length > 0) throw new AppError('validation_error', ADDRESSES_WRONG, { errors });
  return { ...(to !== null && { to }), ...(cc !== null && { cc }), ...(bcc !== null && { bcc }) };
}

/** AppError `not_waiting` where others answered since the author looked; the write checks it again. */
function checkSeen(message: Message, seen: Seen): void {
  if (seenOf(message) === seen && message.status !== 'canceled') return;
  throw new AppError('not_waiting', 'This message was answered meanwhile.');
}

/** Why an answer was not accepted, in words for people; undefined where it came too late. */
function sentenceOf({ code, message, errors: [first] }: AppError): string | undefined {
  // The form says what happened meanwhile.
  if (code === 'not_waiting') return undefined;
  return (first?.message ?? message).replace(/\b(\d+) bytes\b/g, (_, bytes: string) => bytesInWords(Number(bytes)));
}
