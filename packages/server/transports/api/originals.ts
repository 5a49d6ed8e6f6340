import { isOutgoing } from '@mailroom/behavior/message';
import { DAY } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { messageIdOf } from '@mailroom/behavior/values/ids';
import { Type } from 'typebox';
import { type Caller, rightsTo, writingKey } from '../../core/access/caller.ts';
import type { Directory } from '../../core/access/directory.ts';
import type { Message } from '../../core/entities/message.ts';
import { joined, type RawMail, type RawMails } from '../../core/files/raw-mails.ts';
import type { Store } from '../../core/ports/store.ts';
import { attachmentDisposition, isKnown } from '../../http/range.ts';
import { type Answer, operation, type Route } from '../../http/route.ts';
import { messageById } from './message-access.ts';
import { IdParam, QueryOf } from './parts.ts';

export interface OriginalParts {
  readonly store: Pick<Store, 'audit' | 'messages' | 'emails'>;
  readonly directory: Directory;
  readonly raws: Pick<RawMails, 'find' | 'keep_ms'>;
  readonly htmlViewer: {
    /** The HTML of a mail as a document that runs nothing and loads nothing. AppError `unavailable`. */
    show(raw: Uint8Array, images: boolean, signal: AbortSignal): Promise<string>;
  };
}

/** What its HTML may do in a browser: links open elsewhere, without the page as their opener, and nothing else. */
const POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Reading mails as they came or left. */
export function originalRoutes({ store, directory, raws, htmlViewer }: OriginalParts): readonly Route[] {
  /** AppError `message_not_found`, `not_found` for what was no mail, `raw_gone`. */
  async function original(caller: Caller, id: string): Promise<RawMail> {
    const message = await messageById(id, { store });
    if (message === undefined || !(await rightsTo(message, caller, directory, store.messages)).reader)
      throw new AppError('message_not_found', `There is no message ${id} that you may read.`);
    const found = await raws.find(message.id);
    if (found !== undefined) return found;
    if (await wasMail(message)) throw new AppError('raw_gone', goneText(message));
    throw new AppError('not_found', `${id} neither came nor left by e-mail, so it has no original.`);
  }

  /** In the log of the caller's namespace; an account that signed in reads what it wrote itself. */
  async function noteRead(caller: Caller, id: string): Promise<void> {
    const namespace_id = writingKey(caller)?.namespace_id;
    if (namespace_id === undefined) return;
    await store.audit.add({ namespace_id, action: 'raw_mail.read', target: { kind: 'message', id, name: null } });
  }

  /** Whether a message came or left by e-mail: a reply does where the message that it answers came so. */
  async function wasMail(message: Message): Promise<boolean> {
    if (message.channel === 'smtp' || isOutgoing(message)) return true;
    const asked = messageIdOf(message.in_reply_to ?? message.id);
    return message.kind === 'reply' && (await store.emails.byMessages([asked])).length > 0;
  }

  const goneText = ({ id }: Message): string =>
    raws.keep_ms === 0
      ? `The original of ${id} is not kept: this service keeps none (RAW_DAYS is 0).`
      : `The original of ${id} is not kept any more, or did not leave so far. Originals are kept for ${raws.keep_ms / DAY} days, as far as there is room for them.`;

  return [
    operation('GET', '/api/v1/mail/messages/{id}/raw', 'getRawMessage', {
      tag: 'Messages',
      summary: 'Get the mail that a message came or left as',
      description:
        'The exact bytes, so that signatures (DKIM) can be checked again, for `RAW_DAYS` days (30 unless the operator set another number) and as far as the namespace has room for them; then 410 `raw_gone`. A message that is no mail has none (404), and neither have mails of the service itself, such as codes.',
      access: 'messages:read',
      accounts: 'messages:read',
      params: IdParam,
      headers: { 'If-None-Match': 'An `ETag` from before: answered 304, as the bytes never change.' },
      answers: {
        200: {
          description: 'The mail (RFC 5322).',
          type: 'message/rfc822',
          schema: Type.Unsafe<Uint8Array>({ contentMediaType: 'message/rfc822' }),
          headers: ['Content-Disposition', 'ETag'],
        },
        304: { description: 'You have these bytes.', headers: ['ETag'] },
      },
      problems: ['message_not_found', 'not_found', 'raw_gone'],
      async handle({ caller, params, headers }): Promise<Answer> {
        const { sha256, size, bytes } = await original(caller, params.id);
        const etag = `"${sha256}"`;
        const kept = { etag, 'cache-control': 'private, no-cache' };
        if (isKnown(headers['if-none-match'], etag)) return { status: 304, headers: kept };
        await noteRead(caller, params.id);
        return {
          status: 200,
          headers: {
            ...kept,
            'content-type': 'message/rfc822',
            'content-length': String(size),
            'content-disposition': attachmentDisposition(`${params.id}.eml`),
            'content-security-policy': "default-src 'none'; sandbox",
          },
          body: bytes,
        };
      },
    }),
    operation('GET', '/api/v1/mail/messages/{id}/html', 'getMessageHtml', {
      tag: 'Messages',
      summary: 'Get the HTML of a mail, safe to show',
      description:
        'Made from the original, as long as that is kept: without scripts, forms, frames, style sheets and all that loads something, under a policy (CSP) that runs nothing and loads nothing. Links go to http, https and mailto alone. A mail without HTML is shown as its text. Pictures are left out, so that their sender does not learn that the mail was read.',
      access: 'messages:read',
      accounts: 'messages:read',
      params: IdParam,
      query: QueryOf({
        images: Type.Optional(
          Type.Enum(['0', '1'], {
            description:
              '`1` puts up to 20 pictures into the document: those of the mail itself, and those of public web servers, which this service reads. PNG, JPEG, GIF and WebP, up to 2 MiB each; pictures of a pixel never.',
          }),
        ),
      }),
      answers: {
        200: {
          description: 'The document.',
          type: 'text/html',
          schema: Type.String(),
        },
      },
      problems: ['message_not_found', 'not_found', 'raw_gone', 'unavailable'],
      async handle({ caller, params, query, left: leaves }): Promise<Answer> {
        const { bytes } = await original(caller, params.id);
        const html = await htmlViewer.show(await joined(bytes), query.images === '1', leaves());
        return {
          status: 200,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'cache-control': 'private, no-store',
            'content-security-policy': POLICY,
            'referrer-policy': 'no-referrer',
            'x-content-type-options': 'nosniff',
          },
          body: html,
        };
      },
    }),
  ];
}
