import { randomUUID } from 'node:crypto';
import type { Drafts } from '../../../core/delivery/drafts.ts';
import type { Upload, Uploads } from '../../../core/delivery/uploads.ts';
import type { Draft, DraftChange } from '../../../core/entities/draft.ts';
import { DraftChange as DraftSchema, draftTag } from '../../../core/entities/draft.ts';
import { lowerCase } from '../../../core/values/address.ts';
import type { Clock } from '../../../core/values/clock.ts';
import { SECOND } from '../../../core/values/clock.ts';
import type { Code, FieldError } from '../../../core/values/error.ts';
import { AppError, invalid, problems } from '../../../core/values/error.ts';
import { bytesInWords } from '../../../core/values/storage-size.ts';
import { idempotencyFor } from '../../../http/idempotency.ts';
import type { Answer, Route } from '../../../http/route.ts';
import type { SendLimits } from '../../../http/sends.ts';
import { countSend } from '../../../http/sends.ts';
import { compileCheck } from '../../../http/validate.ts';
import { keptFiles } from './answer-form.ts';
import type { Context } from './context.ts';
import { markdownRoute } from './markdown-preview.ts';
import { PRIVATE, type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';
import type { TypedMessage } from './typed-message.ts';
import { FORM_ZONE, ofNamespace, purposeOf, typedFrom, typedOf, wantedOf } from './typed-message.ts';
import { writeMain } from './write-page.ts';

const check = compileCheck(DraftSchema);

export interface WriteParts extends SendLimits {
  readonly drafts: Drafts;
  readonly uploads: Uploads;
  readonly clock: Clock;
  readonly mailDomain: string;
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
function errorsOf(error: unknown): readonly FieldError[] {
  if (!(error instanceof AppError)) throw error;
  const { code, message, errors } = error;
  const sentence = SENTENCES[code];
  if (sentence !== undefined || POINTERS[code] !== undefined)
    return [{ pointer: POINTERS[code] ?? '', message: sentence ?? message }];
  return errors.length === 0 ? [{ pointer: '', message }] : errors.map(fieldOf);
}

/** An error of one of the files, at the field of all of them and with sizes as people read them. */
function fieldOf({ pointer, message }: FieldError): FieldError {
  const [, at] = /^\/attachments(?:\/(\d+))?/.exec(pointer) ?? [];
  if (!pointer.startsWith('/attachments')) return { pointer, message };
  const text = message.replace(/\b(\d+) bytes\b/g, (_, bytes: string) => bytesInWords(Number(bytes)));
  return { pointer: '/attachments', message: at === undefined ? text : `File ${Number(at) + 1}: ${text}` };
}

/** An error of the files, at their field. */
const atFiles = ({ code, message, errors }: AppError): AppError =>
  new AppError(code, message, { errors: errors.length > 0 ? errors : [{ pointer: '/attachments', message }] });

/** The form for a message: sent now, at a time, or kept as a draft. */
export function writeRoutes(context: Context, parts: WriteParts): readonly Route[] {
  const { drafts, uploads, clock, mailDomain } = parts;

  interface Shown {
    readonly draft?: Draft | undefined;
    readonly errors?: readonly FieldError[];
    readonly dropped?: boolean;
  }

  async function show(status: number, typed: TypedMessage, signed: Signed, shown: Shown = {}): Promise<Answer> {
    const { draft, errors = [], dropped = false } = shown;
    const side = await context.side(signed);
    const main = writeMain({ typed, draft, errors, dropped, limits: uploads.limits, side, signed, mailDomain });
    const title = `${errors.length > 0 ? 'Error: ' : ''}${draft === undefined ? 'Write' : 'Edit a draft'}`;
    return context.answer(status, { title, root: '../', tab: 'write', styles: ['forms.css'], main }, signed, side);
  }

  /** Stores what was typed. AppError as of `Drafts.create` and `Drafts.change`. */
  async function store(typed: TypedMessage, wanted: DraftChange, upload: Upload | undefined, signed: Signed) {
    const { key } = signed.session;
    if (typed.draft !== undefined) {
      const tags = typed.tag === undefined ? undefined : [typed.tag];
      return drafts.change(key, typed.draft, wanted, tags, upload);
    }
    const { attachments: _, ...fresh } = wanted;
    const files = upload?.files.map(({ filename, sha256 }) => ({ filename, sha256 })) ?? [];
    const asked = JSON.parse(JSON.stringify({ ...fresh, files }));
    const idempotency =
      typed.idempotency === ''
        ? undefined
        : idempotencyFor(typed.idempotency, asked, signed.caller, 'write in the console', clock);
    return (await drafts.create(key, fresh, idempotency, upload)).draft;
  }

  /** Keeps what was typed so far: what a script does as one types. */
  async function keep(typed: TypedMessage, call: SignedCall, signed: Signed): Promise<Answer> {
    if (call.upload_error !== undefined) throw atFiles(call.upload_error);
    const { subject, body, draft: id } = typed;
    const answer = (draft: Draft): Answer => {
      const fields = { draft: draft.id, tag: draftTag(draft) };
      const files = keptFiles(draft.attachments, '').text;
      return { status: 200, body: { kept: true, fields, files }, headers: PRIVATE };
    };
    if (id === undefined && subject === '' && body.trim() === '' && call.upload === undefined)
      return { status: 200, body: { kept: false, files: '' }, headers: PRIVATE };
    const place = { namespace: signed.session.namespace.name, mailDomain, now: clock() };
    const own = typed.from === '' || (await context.mailbox(signed, typed.from)) !== undefined;
    // A name that is not typed to its end is no address so far.
    const named = (await context.mailbox(signed, lowerCase(typed.to))) !== undefined;
    const kept = named ? { ...typed, to: ofNamespace(typed.to, place.namespace) } : typed;
    const { from: _, ...rest } = wantedOf(kept, 'keep', place);
    const wanted = own ? wantedOf(kept, 'keep', place) : rest;
    check(wanted);
    // Not repeatable by the form's key, which belongs to what is sent in the end.
    return answer(await store({ ...typed, idempotency: '' }, wanted, call.upload, signed));
  }

  /** The message that a draft became, when it was sent by another request. */
  async function sentAs(id: string | undefined, { session }: Signed): Promise<string | undefined> {
    const draft = id === undefined ? undefined : await drafts.find(session.key, id).catch(() => undefined);
    return draft?.message_id ?? undefined;
  }

  /** Keeps the files of a form that was refused, with the text if that is possible: the id of their draft, if they are. */
  async function keepFiles(upload: Upload, typed: TypedMessage, signed: Signed): Promise<string | undefined> {
    const { key } = signed.session;
    const { subject, body } = typed;
    const text = { ...(subject !== '' && { subject }), ...(body.trim() !== '' && { body }) };
    try {
      if (typed.draft !== undefined) return (await drafts.change(key, typed.draft, {}, undefined, upload)).id;
      return (await drafts.create(key, text, undefined, upload)).draft.id;
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
  }

  /** The form again, with everything that was typed. `stored`: the draft that it was stored as before it was refused. */
  async function refused(
    error: unknown,
    { upload }: SignedCall,
    typed: TypedMessage,
    signed: Signed,
    stored: Draft | undefined,
  ): Promise<Answer> {
    const errors = errorsOf(error);
    const { code } = error as AppError;
    const before = code === 'not_found' ? { ...typed, draft: undefined } : typed;
    const added = stored === undefined ? (upload?.files ?? []) : [];
    const kept = upload === undefined || added.length === 0 ? undefined : await keepFiles(upload, before, signed);
    const id = stored?.id ?? kept ?? before.draft;
    const draft = id === undefined ? undefined : await drafts.find(signed.session.key, id);
    const seen = stored !== undefined || kept !== undefined || code === 'precondition_failed';
    const ticked = new Set([...typed.files, ...added.map((file) => file.id)]);
    const files = (draft?.attachments ?? []).map((file) => file.id);
    const again: TypedMessage = {
      ...typed,
      draft: draft?.id,
      tag: seen && draft !== undefined ? draftTag(draft) : typed.tag,
      idempotency: randomUUID(),
      files: stored === undefined ? files.filter((one) => ticked.has(one)) : files,
    };
    const dropped = added.length > 0 && kept === undefined;
    return show(problems[code].status, again, signed, { draft, errors, dropped });
  }

  return [
    markdownRoute(context),
    signedPage('/console/write', context, async ({ query }, signed) => {
      if (typeof query.draft === 'string') {
        const draft = await drafts.find(signed.session.key, query.draft);
        if (draft.message_id !== null) return seeOther(`../console?direction=sent&message=${draft.message_id}`);
        return show(200, typedFrom(draft, randomUUID()), signed, { draft });
      }
      const text = (name: string): string => (typeof query[name] === 'string' ? query[name].slice(0, 500) : '');
      const from = text('from') || (await context.side(signed)).mailboxes[0]?.local_part || '';
      const none = { draft: undefined, tag: undefined, subject: '', body: '', send_at: '', files: [] };
      return show(200, { ...none, idempotency: randomUUID(), from, to: text('to'), zone: FORM_ZONE }, signed);
    }),
    signedForm(
      '/console/write',
      context,
      async (call, signed) => {
        const { namespace, key } = signed.session;
        const place = { namespace: namespace.name, mailDomain };
        const typed = typedOf(call.form, place);
        const purpose = purposeOf(call.form);
        let draft: Draft | undefined;
        if (purpose === 'keep') return keep(typed, call, signed);
        try {
          if (call.upload_error !== undefined) throw atFiles(call.upload_error);
          const wanted = wantedOf(typed, purpose, { ...place, now: clock() });
          check(wanted);
          if (typed.from !== '' && (await context.mailbox(signed, typed.from)) === undefined)
            throw invalid('/from', 'There is no such address. Choose another one.');
          if (purpose === 'send') await countSend(signed.caller, parts);
          draft = await store(typed, wanted, call.upload, signed);
          if (purpose !== 'send') return seeOther(`drafts?done=${purpose === 'later' ? 'scheduled' : 'saved'}`);
          const wait = { ms: SECOND, signal: call.gone() };
          const { message } = await drafts.send(key, draft.id, { channel: 'web', wait });
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
