import { type Clock, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { Directory } from '../../core/access/directory.ts';
import {
  type DraftChange as Change,
  type Draft,
  DraftChange,
  DraftView,
  draftLocation,
  draftTag,
  draftView,
  NewDraft,
} from '../../core/entities/draft.ts';
import { Envelope } from '../../core/entities/message-view.ts';
import type { Upload, Uploads } from '../../core/files/uploads.ts';
import type { Drafts } from '../../core/messages/drafts.ts';
import { PageOf } from '../../core/values/page.ts';
import type { StopSignals } from '../../http/connections/drain.ts';
import { idempotencyOf } from '../../http/idempotency.ts';
import { LazyWait } from '../../http/lazy-wait.ts';
import type { Limiters } from '../../http/limits.ts';
import { type Answer, type Call, operation, type Route } from '../../http/route.ts';
import { countNamespaceSend } from '../../http/sends.ts';
import { sameAs, withUpload } from './attachments.ts';
import { listQuery, pairsIn } from './metadata-query.ts';
import { IDEMPOTENCY_REPLAYED, IdParam, noContent, onePage, pageAnswer, pageQuery, readPage } from './parts.ts';
import { keyOf, SEND_PROBLEMS } from './send.ts';
import { preferencesOf, sentAnswer } from './sent-answer.ts';

const DraftPage = PageOf(DraftView, 'DraftPage');

const draftAnswer = (draft: Draft, status: number, more: Record<string, string> = {}): Answer => ({
  status,
  body: draftView(draft),
  headers: { etag: draftTag(draft), ...more },
});

/** The entity tags of `If-Match`; undefined without it. AppError `validation_error`. */
function tagsOf({ headers }: Pick<Call, 'headers'>): readonly string[] | undefined {
  const given = headers['if-match'];
  if (given === undefined) return undefined;
  const tags = String(given)
    .split(',')
    .map((tag) => tag.trim());
  if (tags.every((tag) => tag === '*' || /^"[^"]*"$/.test(tag))) return tags;
  throw invalid('/If-Match', 'If-Match must be the ETag of a draft, with its quotes, such as "1".');
}

/** AppError `validation_error` for a change of nothing, and for a file that is neither new nor one of the draft. */
function checkChange(change: Change, upload: Upload | undefined): void {
  if (Object.keys(change).length === 0 && (upload === undefined || upload.files.length === 0))
    throw invalid('', 'Give at least one field, or a file.');
  for (const [at, { id, ...file }] of (change.attachments ?? []).entries()) {
    const pointer = `/attachments/${at}`;
    if (id === undefined && (file.filename === undefined || file.content === undefined))
      throw invalid(pointer, 'A new file needs filename and content; a file of the draft that stays needs its id.');
    if (id !== undefined && Object.keys(file).length > 0)
      throw invalid(`${pointer}/id`, 'A file that stays is named by its id alone. Leave the other fields out.');
  }
}

const IF_MATCH = {
  'If-Match': 'The `ETag` of the draft as you read it: 412 `precondition_failed` when it was changed since.',
};
const FIELDS: readonly ['sender_not_allowed', 'mailbox_not_found', 'mailbox_gone', 'namespace_gone', 'storage_full'] = [
  'sender_not_allowed',
  'mailbox_not_found',
  'mailbox_gone',
  'namespace_gone',
  'storage_full',
];

interface DraftRouteParts {
  readonly drafts: Drafts;
  readonly uploads: Uploads;
  readonly clock: Clock;
  readonly mailDomain: string;
  /** Whether rate limits are applied. */
  readonly rateLimits: boolean;
  readonly limiters: Pick<Limiters, 'sends' | 'namespaceSends'>;
  readonly sync_ms: Millis;
  readonly directory: Pick<Directory, 'works'>;
  readonly stop: Pick<StopSignals, 'over'>;
}

/** Drafts: written now, sent later. */
export function draftRoutes(parts: DraftRouteParts): readonly Route[] {
  const { drafts, uploads, clock, mailDomain, limiters, sync_ms } = parts;

  return [
    operation('POST', '/api/v1/mail/drafts', 'createDraft', {
      tag: 'Drafts',
      summary: 'Create a draft',
      description:
        'Takes what `POST /api/v1/mail/send` takes, files included, every field optional. With `send_at` it must be complete, and is sent at that time from the key that wrote it last; the send counts against the rate limits then. A namespace may have 1,000 drafts unless the operator sets another limit.',
      access: 'mail:send',
      body: NewDraft,
      upload: (caller) => uploads.begin(keyOf({ caller }).namespace_id),
      idempotency: true,
      answers: {
        201: { description: 'The draft.', schema: DraftView, headers: ['Location', 'ETag', 'Idempotency-Replayed'] },
      },
      problems: [...FIELDS, 'access_denied', 'idempotency_mismatch', 'loop_detected'],
      async handle(call) {
        const key = keyOf(call);
        const { draft, replayed } = await withUpload(call, uploads, key, (upload) => {
          const same = sameAs(call.body, upload);
          const idempotency = idempotencyOf(call, 'POST /api/v1/mail/drafts', clock, same);
          return drafts.create(key, call.body, idempotency, upload);
        });
        return draftAnswer(draft, 201, { location: draftLocation(draft), ...(replayed ? IDEMPOTENCY_REPLAYED : {}) });
      },
    }),
    operation('GET', '/api/v1/mail/drafts', 'listDrafts', {
      tag: 'Drafts',
      summary: 'Drafts that are not sent',
      description:
        'Those that this key wrote; with `messages:read` those of its namespace, or of the mailbox it is bound to. `metadata.KEY=VALUE` finds those with that pair of `metadata`.',
      access: 'mail:send',
      query: listQuery(pageQuery),
      answers: onePage('A page of drafts, newest first.', DraftPage),
      problems: [],
      async handle(call) {
        const { after, size } = readPage(call.query);
        const page = await drafts.page(keyOf(call), after, size, pairsIn(call.query));
        return pageAnswer(page, draftView, '/api/v1/mail/drafts', call.query);
      },
    }),
    operation('GET', '/api/v1/mail/drafts/{id}', 'getDraft', {
      tag: 'Drafts',
      summary: 'Get a draft',
      description: 'A sent draft says for a day which message it became, without its contents.',
      access: 'mail:send',
      params: IdParam,
      answers: { 200: { description: 'The draft.', schema: DraftView, headers: ['ETag'] } },
      problems: [],
      async handle(call) {
        return draftAnswer(await drafts.find(keyOf(call), call.params.id), 200);
      },
    }),
    operation('PATCH', '/api/v1/mail/drafts/{id}', 'updateDraft', {
      tag: 'Drafts',
      summary: 'Change a draft',
      description:
        'A field that is left out stays as it is; null removes it. `attachments` is the list of all files that it has from then on: those that stay by their `id`, and new ones; files of a `multipart/form-data` request are added to it, or to those it has when `attachments` is left out. The draft then belongs to this key, which sends it at its `send_at`. `send_at: null` takes it off the schedule. Of two changes at once the second is applied to the result of the first; with `If-Match` it is refused instead.',
      access: 'mail:send',
      params: IdParam,
      body: DraftChange,
      upload: (caller) => uploads.begin(keyOf({ caller }).namespace_id),
      headers: IF_MATCH,
      answers: { 200: { description: 'The draft as it is now.', schema: DraftView, headers: ['ETag'] } },
      problems: [...FIELDS, 'access_denied', 'draft_sent', 'precondition_failed', 'loop_detected'],
      async handle(call) {
        const key = keyOf(call);
        const { id } = call.params;
        const tags = tagsOf(call);
        checkChange(call.body, call.upload);
        // A draft that is not there stores no files.
        await drafts.find(key, id);
        return withUpload(call, uploads, key, async (upload) =>
          draftAnswer(await drafts.change(key, id, call.body, tags, upload), 200),
        );
      },
    }),
    operation('DELETE', '/api/v1/mail/drafts/{id}', 'deleteDraft', {
      tag: 'Drafts',
      summary: 'Delete a draft',
      description: 'It is not sent, and its files are removed. A message that it became stays.',
      access: 'mail:send',
      params: IdParam,
      headers: IF_MATCH,
      answers: { 204: noContent },
      problems: ['draft_sent', 'precondition_failed'],
      async handle(call) {
        await drafts.remove(keyOf(call), call.params.id, tagsOf(call));
        return { status: 204 };
      },
    }),
    operation('POST', '/api/v1/mail/drafts/{id}/send', 'sendDraft', {
      tag: 'Drafts',
      summary: 'Send a draft now',
      description:
        'From this key, whatever its `send_at`. It is sent once: repeated, this answers with the same message and `Idempotency-Replayed`. What keeps it from being sent is answered, and kept as `error` of the draft.',
      access: 'mail:send',
      limits: [limiters.sends],
      params: IdParam,
      idempotency: true,
      headers: { ...IF_MATCH, Prefer: '`wait=N`: how many seconds to wait, 1 to 120, when the draft has `sync`.' },
      answers: {
        200: {
          description: 'Settled, whatever its status, when the draft has `sync`.',
          schema: Envelope,
          headers: ['Idempotency-Replayed', 'Preference-Applied'],
        },
        202: {
          description: 'Accepted; the reply comes later.',
          schema: Envelope,
          headers: ['Location', 'Idempotency-Replayed', 'Preference-Applied'],
        },
      },
      problems: ['draft_sent', 'precondition_failed', 'access_denied', ...SEND_PROBLEMS, 'loop_detected'],
      async handle(call) {
        const key = keyOf(call);
        const { id } = call.params;
        const tags = tagsOf(call);
        const idempotency = idempotencyOf(call, `POST /api/v1/mail/drafts/${id}/send`, clock);
        await countNamespaceSend(key.namespace_id, parts);
        const preferences = preferencesOf(call.headers.prefer, { minimal: false });
        const wait = new LazyWait(preferences.wait_ms ?? sync_ms, call, parts);
        const { channel = 'api' } = call;
        const startTime = clock();
        const { sync, ...sent } = await drafts.send(key, id, { wait, tags, idempotency, channel });
        // An answer within the first second needs no second check of the key.
        if (clock() - startTime > SECOND && !(await parts.directory.works(key)))
          throw new AppError('invalid_key', 'This key was revoked or has expired; the draft was sent before.');
        return sentAnswer(sent, sync, mailDomain, sync ? preferences : undefined);
      },
    }),
  ];
}
