import { randomUUID } from 'node:crypto';
import { fullAddress, lowerCase } from '@mailroom/behavior/values/address';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError, type Code, type FieldError, invalid, problems } from '@mailroom/behavior/values/error';
import type { DraftChange, DraftView } from '../../../core/entities/draft.ts';
import type { Envelope } from '../../../core/entities/message-view.ts';
import { bytesInWords } from '../../../core/entities/storage-size.ts';
import type { Uploads } from '../../../core/files/uploads.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { keptFiles } from './answer-form.ts';
import { SEND_WAIT } from './api.ts';
import type { Context } from './context.ts';
import { markdownRoute } from './markdown-preview.ts';
import { type AddressPlace, LISTS, listErrors, readLists, splitAddresses } from './recipients.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';
import { FORM_ZONE, keptOf, purposeOf, type TypedMessage, typedFrom, typedOf, wantedOf } from './typed-message.ts';
import { writeMain } from './write-page.ts';

interface WriteParts {
  readonly uploads: Uploads;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** How long what is sent can be taken back; 0 sends at once. */
  readonly undo_ms: Millis;
}

/** Where a form shows errors that name no field, and their sentences where the API's do not fit a form. */
const POINTERS: Partial<Record<Code, string>> = {
  sender_not_allowed: '/to',
  mailbox_not_found: '/to',
  mailbox_gone: '/to',
  namespace_gone: '/to',
};
const SENTENCES: Partial<Record<Code, string>> = {
  precondition_failed:
    'This draft was changed meanwhile, perhaps in another window. Your text is below: saving it replaces the other one.',
  not_found: 'This draft was deleted meanwhile. Your text is below, as a new message.',
  idempotency_mismatch: 'This form was sent before with other words. Your text is below, as a new message.',
};

/** The errors of the form. Rethrows what is no AppError. */
function errorsOf(error: unknown, typed: TypedMessage, place: AddressPlace): readonly FieldError[] {
  if (!(error instanceof AppError)) throw error;
  const { code, message, errors } = error;
  const sentence = SENTENCES[code];
  if (sentence !== undefined) return [{ pointer: POINTERS[code] ?? '', message: sentence }];
  if (errors.length === 0) return [{ pointer: POINTERS[code] ?? '', message }];
  return listErrors(errors.map(fieldOf), readLists(typed, place, []));
}

/** An error of one of the files, at the field of all of them and with sizes as people read them. */
function fieldOf({ pointer, message }: FieldError): FieldError {
  const [, index] = /^\/attachments(?:\/(\d+))?/.exec(pointer) ?? [];
  if (!pointer.startsWith('/attachments')) return { pointer, message };
  const text = message.replace(/\b(\d+) bytes\b/g, (_, bytes: string) => bytesInWords(Number(bytes)));
  return { pointer: '/attachments', message: index === undefined ? text : `File ${Number(index) + 1}: ${text}` };
}

/** An error of the files, at their field. */
const atFiles = ({ code, message, errors }: AppError): AppError =>
  new AppError(code, message, { errors: errors.length > 0 ? errors : [{ pointer: '/attachments', message }] });

/** A subject that says that it answers, in languages of mail programs. */
const ANSWERED = /^(?:re|aw|sv|antw|ynt|odp)\s*:/iu;

/** What continues a message that was sent, or that came as an answer: to its other side, or to all of it. */
function continued(message: Envelope, all: boolean, { namespace, mailDomain }: AddressPlace) {
  const { from, to, recipients, subject } = message;
  const isOurs = from?.endsWith(`@${fullAddress(namespace, mailDomain)}`) === true;
  const ownAddress = isOurs ? from : to;
  const lists = { to: recipients?.to ?? [to ?? []].flat(), cc: recipients?.cc ?? [] };
  const first = isOurs ? lists.to : [from ?? []].flat();
  const others = isOurs ? lists.cc : [...lists.to, ...lists.cc];
  const listed = (addresses: readonly string[]): string => addresses.filter((one) => one !== ownAddress).join(', ');
  return {
    from: ownAddress?.split('@')[0] ?? '',
    to: listed(all ? first : first.slice(0, 1)),
    cc: all ? listed(others.filter((one) => !first.includes(one))) : '',
    subject: subject === null || ANSWERED.test(subject) ? (subject ?? '') : `Re: ${subject}`,
    in_reply_to: message.id,
  };
}

/** Names of own addresses that one form is searched for. */
const MAX_NAMES = 50;

/** The form for a message: sent now, at a time, or kept as a draft. */
export function writeRoutes(context: Context, parts: WriteParts): readonly Route[] {
  const { uploads, clock, mailDomain, undo_ms } = parts;

  const placeOf = ({ session }: Signed): AddressPlace => ({ namespace: session.namespace.name, mailDomain });

  interface Shown {
    readonly draft?: DraftView | undefined;
    readonly errors?: readonly FieldError[];
    readonly dropped?: boolean;
  }

  async function show(status: number, typed: TypedMessage, signed: Signed, shown: Shown = {}): Promise<Answer> {
    const { draft, errors = [], dropped = false } = shown;
    const side = await context.side(signed);
    const main = writeMain({ typed, draft, errors, dropped, limits: uploads.limits, side, signed });
    const title = `${errors.length > 0 ? 'Error: ' : ''}${draft === undefined ? 'Write' : 'Edit a draft'}`;
    return context.answer(status, { title, root: '../', tab: 'write', styles: ['forms.css'], main }, signed, side);
  }

  /** Stores what was typed, so that a form that is sent twice stores it once. */
  async function store(typed: TypedMessage, body: DraftChange, call: SignedCall, signed: Signed): Promise<DraftView> {
    const { upload } = call;
    const { draft: id, tag, idempotency } = typed;
    const { api } = signed;
    if (id !== undefined) {
      const headers = tag === undefined ? {} : { 'if-match': tag };
      return api.json('updateDraft', { params: { id }, headers, body, upload });
    }
    const { attachments: _, ...fresh } = body;
    const headers = idempotency === '' ? {} : { 'idempotency-key': idempotency };
    return api.json('createDraft', { headers, body: fresh, upload });
  }

  /** Keeps what was typed so far: what a script does as one types. */
  async function keep(typed: TypedMessage, call: SignedCall, signed: Signed): Promise<Answer> {
    if (call.upload_error !== undefined) throw atFiles(call.upload_error);
    const { subject, body, draft: id } = typed;
    const answer = async (draft: DraftView): Promise<Answer> => {
      const fields = { draft: draft.id, tag: draft.etag };
      const files = keptFiles(draft.attachments, '').text;
      const drafts = await context.draftsText(signed);
      return { status: 200, body: { kept: true, fields, files, drafts }, headers: PRIVATE };
    };
    if (id === undefined && subject === '' && body.trim() === '' && call.upload === undefined)
      return { status: 200, body: { kept: false, files: '' }, headers: PRIVATE };
    const place = placeOf(signed);
    const isListed = typed.from === '' || (await context.mailbox(signed, typed.from)) !== undefined;
    // A name that is not typed to its end is no address so far.
    const names = LISTS.flatMap((name) => splitAddresses(typed[name])).filter((one) => !one.includes('@'));
    const found = await Promise.all(names.slice(0, MAX_NAMES).map((one) => context.mailbox(signed, lowerCase(one))));
    const localParts = new Set(found.flatMap((one) => one?.local_part ?? []));
    const { from, to, cc, bcc, ...rest } = keptOf(typed, place, localParts);
    const lists = {
      ...(to !== undefined && { to }),
      ...(cc !== undefined && { cc }),
      ...(bcc !== undefined && { bcc }),
    };
    const wanted = { ...rest, ...(isListed && from !== undefined && { from }) };
    // Not repeatable by the form's key, which belongs to what is sent in the end.
    const keeping = (change: DraftChange) => store({ ...typed, idempotency: '' }, change, call, signed);
    return answer(
      await keeping({ ...wanted, ...lists }).catch((error: unknown) => {
        // Of a domain of the service's own an address may be wrong only until it is typed to its end.
        if (!(error instanceof AppError) || !error.errors.some(({ pointer }) => /^\/(to|cc|bcc)/.test(pointer)))
          throw error;
        return keeping(wanted);
      }),
    );
  }

  /** The message that a draft became, when it was sent by another request. */
  async function sentAs(id: string | undefined, signed: Signed): Promise<string | undefined> {
    if (id === undefined) return undefined;
    const draft = await signed.api.json('getDraft', { params: { id } }).catch(() => undefined);
    return draft?.message_id ?? undefined;
  }

  /** Keeps the files of a form that was refused, with the text if that is possible: the id of their draft, if they are. */
  async function keepFiles(typed: TypedMessage, call: SignedCall, signed: Signed): Promise<string | undefined> {
    const { draft: id, subject, body } = typed;
    const { upload } = call;
    const { api } = signed;
    const text = { ...(subject !== '' && { subject }), ...(body.trim() !== '' && { body }) };
    try {
      if (id !== undefined) return (await api.json('updateDraft', { params: { id }, body: {}, upload })).id;
      return (await api.json('createDraft', { body: text, upload })).id;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** The form again, with everything that was typed. `stored`: the draft that it was stored as before it was refused. */
  async function refused(
    error: unknown,
    call: SignedCall,
    typed: TypedMessage,
    signed: Signed,
    stored: DraftView | undefined,
  ): Promise<Answer> {
    const errors = errorsOf(error, typed, placeOf(signed));
    const { code } = error as AppError;
    const restored = code === 'not_found' ? { ...typed, draft: undefined } : typed;
    const added = stored === undefined ? (call.upload?.files ?? []) : [];
    const kept = added.length === 0 ? undefined : await keepFiles(restored, call, signed);
    const id = stored?.id ?? kept ?? restored.draft;
    const draft = id === undefined ? undefined : await signed.api.json('getDraft', { params: { id } });
    const seen = stored !== undefined || kept !== undefined || code === 'precondition_failed';
    const ticked = new Set([...typed.files, ...added.map((file) => file.id)]);
    const files = (draft?.attachments ?? []).map((file) => file.id);
    const again: TypedMessage = {
      ...typed,
      draft: draft?.id,
      tag: seen && draft !== undefined ? draft.etag : typed.tag,
      idempotency: randomUUID(),
      files: stored === undefined ? files.filter((one) => ticked.has(one)) : files,
    };
    const dropped = added.length > 0 && kept === undefined;
    return show(problems[code].status, again, signed, { draft, errors, dropped });
  }

  return [
    markdownRoute(context),
    signedPage('/console/write', context, async (call, signed) => {
      const { query } = call;
      if (typeof query.draft === 'string') {
        const draft = await signed.api.json('getDraft', { params: { id: query.draft } });
        if (draft.message_id !== null) return seeOther(`../console?direction=sent&message=${draft.message_id}`);
        return show(200, typedFrom(draft, randomUUID()), signed, { draft });
      }
      const text = (name: string): string => (typeof query[name] === 'string' ? query[name].slice(0, 500) : '');
      const from = text('from') || (await context.side(signed)).mailboxes[0]?.local_part || '';
      const none = {
        draft: undefined,
        tag: undefined,
        subject: '',
        body: '',
        send_at: '',
        files: [],
        in_reply_to: undefined,
      };
      const lists = { to: text('to'), cc: text('cc'), bcc: text('bcc') };
      const fresh = { ...none, ...lists, idempotency: randomUUID(), from, zone: FORM_ZONE };
      if (text('reply') === '') return show(200, fresh, signed);
      const message = await signed.api.json('getMessage', { params: { id: text('reply') } });
      return show(200, { ...fresh, ...continued(message, text('mode') === 'all', placeOf(signed)) }, signed);
    }),
    signedForm(
      '/console/write',
      context,
      async (call, signed) => {
        const place = placeOf(signed);
        const typed = typedOf(call.form, place);
        const purpose = purposeOf(call.form);
        let draft: DraftView | undefined;
        if (purpose === 'keep') return keep(typed, call, signed);
        try {
          if (call.upload_error !== undefined) throw atFiles(call.upload_error);
          const wanted = wantedOf(typed, purpose, { ...place, now: clock() }, undo_ms);
          if (typed.from !== '' && (await context.mailbox(signed, typed.from)) === undefined)
            throw invalid('/from', 'There is no such address. Choose another one.');
          draft = await store(typed, wanted, call, signed);
          if (purpose !== 'send') return seeOther(`drafts?done=${purpose === 'later' ? 'scheduled' : 'saved'}`);
          if (undo_ms > 0) return seeOther(`../console?direction=sent&undo=${draft.id}`);
          const sent = { params: { id: draft.id }, headers: SEND_WAIT };
          const message = await signed.api.json('sendDraft', sent);
          return seeOther(`../console?direction=sent&message=${message.id}`);
        } catch (error) {
          const sent = error instanceof AppError && error.code === 'draft_sent' && (await sentAs(typed.draft, signed));
          if (typeof sent === 'string') return seeOther(`../console?direction=sent&message=${sent}`);
          return refused(error, call, typed, signed, draft);
        }
      },
      uploads,
    ),
  ];
}
