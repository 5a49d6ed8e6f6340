import { addressOf } from '@mailroom/behavior/mailbox';
import { fullAddress } from '@mailroom/behavior/values/address';
import { AppError } from '@mailroom/behavior/values/error';
import { isId } from '@mailroom/behavior/values/ids';
import { resend } from '../../../core/messages/resend.ts';
import type { Submitter } from '../../../core/messages/submit.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { countSend, type SendLimits } from '../../../http/sends.ts';
import { counted } from '../pieces.ts';
import { type Act, actOf, actOn, canceledByTrash, OPPOSITES } from './acts.ts';
import type { AnswerError } from './answer-form.ts';
import type { Context } from './context.ts';
import type { ConversationParts, Conversations } from './conversations.ts';
import { noneFor } from './fields.ts';
import { type Filter, filterOf, search } from './filter.ts';
import { labelProblem } from './label-form.ts';
import { conversationTitle } from './rows.ts';
import { deskMailbox } from './shown-labels.ts';
import { type Signed, type SignedCall, seeOther, signedForm } from './sign-in-form.ts';
import { leftMark, secondsLeft, toastView } from './toast.ts';

/** Conversations of one list that are changed, and taken back, at once. */
const MAX_PICKED = 50;

/** What a list that follows an action is asked to offer. */
export const undoQuery = (act: Act, ids: readonly string[]): Readonly<Record<string, string>> => ({
  undo: `${act}:${ids.slice(0, MAX_PICKED).join(',')}`,
});

const FACTS: Readonly<Record<Act, readonly [string, string]>> = {
  trash: ['is in the trash.', 'are in the trash.'],
  restore: ['is out of the trash.', 'are out of the trash.'],
  'trash-one': ['is in the trash.', 'are in the trash.'],
  'restore-one': ['is out of the trash.', 'are out of the trash.'],
  done: ['is done.', 'are done.'],
  inbox: ['is in the inbox.', 'are in the inbox.'],
  later: ['comes back later.', 'come back later.'],
  read: ['is read.', 'are read.'],
  unread: ['is unread.', 'are unread.'],
};

/** What `?undo=` names: a draft that leaves, or an act with the ids of messages. */
function readUndo(
  text: unknown,
): { readonly draft: string } | { readonly act: Act; readonly ids: readonly string[] } | undefined {
  if (typeof text !== 'string') return undefined;
  if (isId('drf', text)) return { draft: text };
  const [name, list = ''] = text.split(':');
  const act = actOf(name);
  const ids = list
    .split(',')
    .filter((one) => isId('msg', one))
    .slice(0, MAX_PICKED);
  return act === undefined || ids.length === 0 ? undefined : { act, ids };
}

/** The toast of a list: what was just done, with a button that takes it back. */
export async function toastOf(
  { undo, undone }: SignedCall['query'],
  filter: Filter,
  signed: Signed,
  conversations: Conversations,
  { clock }: Pick<ConversationParts, 'clock'>,
): Promise<Html | undefined> {
  const read = readUndo(undo);
  if (read === undefined) return undoneToast(undone);
  const toast = (fact: Html, value: string, seconds?: number): Html =>
    toastView(fact, { action: `console/undo${search(filter)}`, value, signed }, seconds);
  if ('draft' in read) {
    const draft = await signed.api.json('getDraft', { params: { id: read.draft } }).catch(() => undefined);
    if (draft?.send_at == null || draft.message_id !== null) return undefined;
    const seconds = secondsLeft(Date.parse(draft.send_at), clock());
    return toast(html`Leaves in ${leftMark(seconds)}.`, read.draft, seconds);
  }
  const { act, ids } = read;
  const [first = ''] = ids;
  const [one, several] = FACTS[act];
  const value = `${act}:${ids.join(',')}`;
  if (ids.length > 1) return toast(html`<b>${ids.length} conversations</b> ${several}`, value);
  const found = await conversations.find(first, signed).catch(() => undefined);
  const canceled = found?.message.status === 'canceled' && ' It waited, and is canceled.';
  return found && toast(html`<b dir="auto">${conversationTitle(found.message, {})}</b> ${one}${canceled}`, value);
}

/** Says what became of what moving to the trash had canceled, once that was taken back. */
function undoneToast(undone: unknown): Html | undefined {
  const [, again = '', stays = ''] = typeof undone === 'string' ? (/^(\d{1,4}) (\d{1,4})$/.exec(undone) ?? []) : [];
  if (again === '') return undefined;
  const waits =
    Number(again) > 0 &&
    ` ${counted(Number(again), 'message')} that waited ${again === '1' ? 'is' : 'are'} sent again.`;
  const canceled =
    Number(stays) > 0 &&
    ` ${counted(Number(stays), 'message')} ${stays === '1' ? 'was' : 'were'} canceled and cannot be sent again: only ${stays === '1' ? 'its sender' : 'their senders'} can.`;
  return html`<div class="toast" role="status" data-toast><span>Out of the trash.${waits}${canceled}</span></div>`;
}

interface UndoParts extends ConversationParts, SendLimits {
  readonly post: Submitter;
}

/** The forms that act on several conversations, and that take back what was done or sent. */
export function undoRoutes(context: Context, conversations: Conversations, parts: UndoParts): readonly Route[] {
  const { heldSends } = parts;

  /** Acts on each that is the owner's; returns the ids of these. */
  async function act(what: Act, ids: readonly string[], filter: Filter, signed: Signed): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const id of ids) {
      const found = await conversations.find(id, signed).catch(skipped);
      if (found !== undefined && (await actOn(what, found.message, signed, filter.mailbox, parts))) changed.push(id);
    }
    return changed;
  }

  /** Puts off or assigns each that is the owner's; returns the ids of these. */
  async function change(
    wanted: object,
    ids: readonly string[],
    filter: Filter,
    signed: Signed,
  ): Promise<readonly string[]> {
    const changed: string[] = [];
    for (const id of ids) {
      const found = await conversations.find(id, signed).catch(skipped);
      const desk = found && (await deskMailbox(found.message, signed, filter.mailbox, parts));
      if (found === undefined || desk?.takesPart !== true) continue;
      const body = { mailbox: fullAddress(addressOf(desk.mailbox), parts.mailDomain), ...wanted };
      await signed.api.json('changeThread', { params: { id: found.message.thread_id }, body });
      changed.push(id);
    }
    return changed;
  }

  /** Sends again what moving these to the trash canceled; returns how many, and how many stay canceled. */
  async function revive(what: Act, ids: readonly string[], signed: Signed) {
    const { caller } = signed;
    let [again, stays] = [0, 0];
    for (const id of ids) {
      const found = await conversations.find(id, signed).catch(skipped);
      if (found === undefined) continue;
      for (const canceled of await canceledByTrash(found.message, what === 'restore', parts)) {
        const { message, rights } = await conversations.find(canceled, signed);
        try {
          await countSend(caller, parts);
          await resend(message, { caller, rights, revives: true }, undefined, parts);
          again++;
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          stays++;
        }
      }
    }
    return { again, stays };
  }

  async function label(name: string, ids: readonly string[], signed: Signed): Promise<void> {
    const problem = labelProblem(name);
    if (problem !== undefined) throw new AppError('validation_error', problem);
    for (let at = 0; at < ids.length; at += MAX_PICKED)
      await signed.api.json('changeMessages', {
        body: { ids: ids.slice(at, at + MAX_PICKED), labels: { add: [name] } },
      });
  }

  /** Gives back what was sent: its text stands in the composer again. */
  async function takeBack(id: string, call: SignedCall, signed: Signed): Promise<Answer> {
    const { message } = await conversations.find(id, signed);
    const send = await heldSends.undo(signed.session.key, message);
    if (send === undefined) return seeOther(`../console${search(filterOf(call.query), { message: id })}`);
    const fields = send.kind === 'forward' ? send.wanted : send.fields;
    const list = (of: string | readonly string[] | null | undefined): string => [of ?? []].flat().join(', ');
    const lists = { to: list(fields.to), cc: list(fields.cc), bcc: list(fields.bcc) };
    const body = (send.kind === 'forward' ? send.wanted.body : (send.body ?? send.error)) ?? '';
    const seen = send.kind === 'forward' ? null : send.seen;
    const mode = send.kind === 'forward' ? 'forward' : lists.cc === '' ? 'reply' : 'all';
    const forward = send.kind === 'forward' ? { forward: send.wanted } : {};
    const answer: AnswerError = { id, mode, lists, seen, body, message: undefined, dropped: false, ...forward };
    return conversations.page(200, { ...call, params: { id } }, signed, { answer }, '../');
  }

  /** What was approved waits again. */
  async function disapprove(ids: readonly string[], { session }: Signed): Promise<Answer> {
    const approved = ids.slice(0, MAX_PICKED);
    for (const id of approved) await heldSends.disapprove(session.key, id);
    const [id = ''] = approved;
    const open = encodeURIComponent(id);
    return seeOther(isId('msg', id) ? `../console?message=${open}` : `reviews?open=${open}`);
  }

  return [
    signedForm('/console/undo', context, async (call, signed) => {
      const filter = filterOf(call.query);
      const asked = call.form.get('undo') ?? '';
      const [kind, id = ''] = asked.split(':');
      if (kind === 'held') return takeBack(id, call, signed);
      if (kind === 'approved') return disapprove(id.split(','), signed);
      const read = readUndo(asked);
      if (read === undefined) return seeOther(`../console${search(filter)}`);
      if ('act' in read) {
        const what = OPPOSITES[read.act];
        await act(what, read.ids, filter, signed);
        const { again, stays } =
          what === 'restore' || what === 'restore-one' ? await revive(what, read.ids, signed) : { again: 0, stays: 0 };
        const [id = ''] = read.ids;
        const more = {
          ...(what === 'restore-one' && { message: id }),
          ...(again + stays > 0 && { undone: `${again} ${stays}` }),
        };
        return seeOther(`../console${search(filter, more)}`);
      }
      const params = { id: read.draft };
      const draft = await signed.api.json('getDraft', { params });
      const answerWith = (message: string | null): Answer =>
        seeOther(`../console?direction=sent${message === null ? '' : `&message=${message}`}`);
      if (draft.message_id !== null) return answerWith(draft.message_id);
      try {
        await signed.api.json('updateDraft', { params, body: { send_at: null } });
      } catch (error) {
        if (error instanceof AppError && error.code === 'draft_sent') return answerWith(null);
        throw error;
      }
      return seeOther(`write?draft=${read.draft}`);
    }),
    signedForm('/console/batch', context, async (call, signed) => {
      const filter = filterOf(call.query);
      const ids = [...new Set(call.form.getAll('id'))].filter((id) => isId('msg', id)).slice(0, MAX_PICKED);
      const [until, assignee] = [call.form.get('until'), call.form.get('assignee')];
      if (until !== null || assignee !== null) {
        const wanted = until === null ? { assignee: assignee === '' ? null : assignee } : { state: 'later', until };
        const changed = await change(wanted, ids, filter, signed);
        const offer = until === null || changed.length === 0 ? {} : undoQuery('later', changed);
        return seeOther(`../console${search(filter, offer)}`);
      }
      const what = actOf(call.form.get('do'));
      if (what === undefined) {
        if (ids.length > 0) await label((call.form.get('label') ?? '').trim().toLowerCase(), ids, signed);
        return seeOther(`../console${search(filter)}`);
      }
      const changed = await act(what, ids, filter, signed);
      const offer = changed.length > 0 ? undoQuery(what, changed) : {};
      return seeOther(`../console${search(filter, offer)}`);
    }),
  ];
}

/** What was deleted meanwhile, or is another owner's, is left out. */
const skipped = noneFor('message_not_found');
