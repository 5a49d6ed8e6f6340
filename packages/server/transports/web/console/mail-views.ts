import { isOutgoing } from '@mailroom/behavior/message';
import { DAY, type Millis } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import type { Message } from '../../../core/entities/message.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Route } from '../../../http/route.ts';
import { icon } from '../pieces.ts';
import type { Context } from './context.ts';
import { type Filter, search } from './filter.ts';
import type { Root } from './shell.ts';
import { type Signed, signedPage } from './sign-in-form.ts';

/** How a mail of the conversation is shown. */
export interface ShownMail {
  readonly as: 'html' | 'original';
  /** Whether its pictures are loaded, as its reader asked. */
  readonly images: boolean;
  /** Why it cannot be shown so. */
  readonly gone?: string;
  /** The beginning of the original. */
  readonly text?: string;
}

interface Place {
  readonly filter: Filter;
  readonly root: Root;
  readonly signed: Signed;
  readonly message: Message;
  readonly shown: ReadonlyMap<string, ShownMail>;
}

/** Characters of an original that are shown. */
const MAX_ORIGINAL = 16_384;
const MAX_CHUNKS = 64;

/** Why an original is gone. */
const goneText = (keep_ms: Millis): string =>
  keep_ms === 0
    ? 'Originals are not kept here. The text stays.'
    : `Originals are kept for ${keep_ms === DAY ? 'a day' : `${keep_ms / DAY} days`}. The text stays.`;

/** What is asked to be shown of a mail in a URL: `?mail=html msg_…`, `?mail=images msg_…`, `?mail=original msg_…`. */
export async function askedMail(
  asked: unknown,
  thread: readonly Message[],
  signed: Signed,
  keep_ms: Millis,
): Promise<ReadonlyMap<string, ShownMail>> {
  const [how = '', id = ''] = typeof asked === 'string' ? asked.split(' ') : [];
  const message = thread.find((one) => one.id === id);
  const as = how === 'original' ? 'original' : how === 'html' || how === 'images' ? 'html' : undefined;
  if (message === undefined || as === undefined) return new Map();
  return new Map([[id, { as, images: how === 'images', ...(await original(id, signed, keep_ms)) }]]);
}

/** The beginning of the original as text, or why there is none. */
async function original(id: string, { api }: Signed, keep_ms: Millis): Promise<Pick<ShownMail, 'text' | 'gone'>> {
  try {
    const bytes: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of await api.json('getRawMessage', { params: { id } })) {
      bytes.push(chunk);
      size += chunk.length;
      if (size >= MAX_ORIGINAL || bytes.length >= MAX_CHUNKS) break;
    }
    return { text: Buffer.concat(bytes).toString('latin1').slice(0, MAX_ORIGINAL) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { gone: error.code === 'raw_gone' ? goneText(keep_ms) : error.message };
  }
}

/** Whether a message came by e-mail, so that it may have HTML and an original. */
export const isMail = (message: Message): boolean =>
  message.channel === 'smtp' && message.kind === 'message' && !isOutgoing(message);

/** The ways in which a mail is shown, where it is not shown as its text; that has them in its menu. */
export function mailViews(message: Message, { filter, root, message: open, shown }: Place): Html | false {
  const current = shown.get(message.id)?.as;
  if (current === undefined) return false;
  const link = (as: 'text' | ShownMail['as'], word: string): Html =>
    html`<a href="${root}console${search(filter, { message: open.id, ...(as !== 'text' && { mail: `${as} ${message.id}` }) })}" data-mode${as === current && html` aria-current="true"`}>${word}</a>`;
  return html`<nav class="seg views" aria-label="How to show this mail">${link('text', 'Text')}${link('html', 'HTML')}${link('original', 'Original')}</nav>`;
}

/** A mail as its sender drew it, or as it came. */
export function shownMail(message: Message, { filter, root, message: open, shown }: Place): Html | false {
  const mail = shown.get(message.id);
  if (mail === undefined) return false;
  if (mail.gone !== undefined)
    return html`<p class="note">${icon('clock')}<span>${mail.gone}</span></p><div class="prose plain">${message.body}</div>`;
  if (mail.as === 'original')
    return html`<div class="paper"><div class="paper-bar"><span>As it came${mail.text !== undefined && mail.text.length >= MAX_ORIGINAL && ', its beginning'}</span><a class="button" href="${root}console/originals/${message.id}" download>${icon('download')}Download</a></div><pre class="original" tabindex="0" dir="ltr">${mail.text}</pre></div>`;
  const images = html`<a class="button" href="${root}console${search(filter, { message: open.id, mail: `images ${message.id}` })}" data-mode>Show pictures</a>`;
  return html`<div class="paper"><div class="paper-bar">${icon('eye')}<span>${mail.images ? 'With its pictures, read by this service.' : 'Pictures are off, so that its sender does not learn that it was read.'}</span>${!mail.images && images}</div><iframe class="sheet-html" title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" loading="lazy" src="${root}console/html/${message.id}${mail.images && '?images=1'}"></iframe></div>`;
}

/** The originals of mails, for the frames and downloads of conversations. */
export const originalPages = (context: Context): readonly Route[] => [
  signedPage('/console/html/{id}', context, async ({ params, query }, { api }) => {
    const asked = query.images === '1' ? { images: '1' } : {};
    const answer = await api.call('getMessageHtml', { params: { id: params.id ?? '' }, query: asked });
    const policy = String(answer.headers?.['content-security-policy'] ?? "default-src 'none'; sandbox");
    // Only the conversation may frame it; everything else that the API's answer forbids stays forbidden.
    return {
      ...answer,
      headers: { ...answer.headers, 'content-security-policy': `${policy}; frame-ancestors 'self'` },
    };
  }),
  signedPage('/console/originals/{id}', context, ({ params }, { api }) =>
    api.call('getRawMessage', { params: { id: params.id ?? '' } }),
  ),
];
