import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError, problems } from '@mailroom/behavior/values/error';
import type { DraftView } from '../../../core/entities/draft.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Route } from '../../../http/route.ts';
import { counted, icon } from '../pieces.ts';
import { type Listed, SEND_WAIT } from './api.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { titleOf } from './rows.ts';
import { doneTexts, heading } from './shell.ts';
import { type Signed, seeOther, signedForm, signedPage, tokenField } from './sign-in-form.ts';
import { timeMark, zonedMark } from './times.ts';

/** Drafts per page. */
const SIZE = '50';
const doneText = doneTexts({
  saved: 'The draft is saved.',
  scheduled: 'It is sent at its time.',
  deleted: 'The draft is deleted.',
});

/** The list of drafts, and of messages that are sent at their time. */
export function draftRoutes(context: Context, { clock }: { readonly clock: Clock }): readonly Route[] {
  async function show(status: number, signed: Signed, cursor: unknown, done?: string, wrong?: string) {
    const query = { limit: SIZE, cursor: typeof cursor === 'string' ? cursor : undefined };
    const page = await signed.api.json('listDrafts', { query });
    const main = html`${heading('Drafts', done)}
${wrong !== undefined && html`<p class="error" role="alert">${icon('warn')}<span>${wrong}</span></p>`}
${list(page, signed, clock())}
${page.items.length > 0 && html`<div class="row"><a class="button ink" href="write">${icon('write')}Write a message</a></div>`}`;
    const title = `${wrong === undefined ? '' : 'Error: '}Drafts`;
    return context.answer(status, { title, root: '../', tab: 'drafts', main }, signed);
  }

  return [
    signedPage('/console/drafts', context, (call, signed) =>
      show(200, signed, call.query.cursor, doneText(call.query.done)),
    ),
    signedForm('/console/drafts', context, async (call, signed) => {
      const { api } = signed;
      const params = { id: call.form.get('id') ?? '' };
      const headers = { 'if-match': call.form.get('tag') || '""' };
      try {
        if (call.form.get('do') === 'delete') {
          await api.json('deleteDraft', { params, headers });
          return seeOther('drafts?done=deleted');
        }
        const message = await api.json('sendDraft', { params, headers: { ...headers, ...SEND_WAIT } });
        return seeOther(`../console?direction=sent&message=${message.id}`);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return show(
          problems[error.code].status,
          signed,
          undefined,
          undefined,
          CHANGED.get(error.code) ?? error.message,
        );
      }
    }),
  ];
}

const CHANGED: ReadonlyMap<string, string> = new Map([
  ['precondition_failed', 'This draft was changed meanwhile, so nothing was done. Here it is as it is now.'],
  ['not_found', 'This draft was sent or deleted meanwhile.'],
]);

function list({ items, next_cursor }: Listed<DraftView>, signed: Signed, now: Millis): Html {
  if (items.length === 0)
    return emptyState({
      fact: 'No drafts',
      rest: 'What you write and do not send yet is kept here, and what is sent at a later time.',
      next: html`<a class="button ink" href="write">${icon('write')}Write a message</a>`,
    });
  return html`<ul class="lines">${items.map((draft) => entry(draft, signed, now))}</ul>
${next_cursor !== null && html`<div class="row"><a class="button" href="drafts?cursor=${next_cursor}">Older drafts</a></div>`}`;
}

function entry(draft: DraftView, signed: Signed, now: Millis): Html {
  const { id, to, from, subject, send_at, error, attachments, updated_at } = draft;
  const body = draft.body ?? '';
  const title = titleOf({ subject, body });
  const form = (label: Html): Html =>
    html`<form method="post" action="drafts">${tokenField(signed)}<input type="hidden" name="id" value="${id}"><input type="hidden" name="tag" value="${draft.etag}">${label}</form>`;
  const about = html`<span class="sr">: ${title}</span>`;
  const answers = to === null ? draft.in_reply_to : null;
  const edit = answers === null ? `write?draft=${id}` : `../console?message=${answers}`;
  const ready = to !== null && body !== '';
  return html`<li class="draft"><div><b dir="auto">${title}</b>
<p class="meta">${answers !== null ? 'An answer' : to === null ? 'To no one yet' : html`To <span dir="ltr">${to}</span>`}${from !== null && html` from <span dir="ltr">${from}</span>`}${attachments.length > 0 && ` · ${counted(attachments.length, 'file')}`}</p>
<p class="meta">${send_at === null ? html`Saved ${timeMark(updated_at, now, 'full')}` : html`<span class="tag">Scheduled</span> Goes ${zonedMark(send_at)}`}</p>
${error !== null && html`<p class="error">${icon('warn')}<span>Not sent: <span dir="auto">${error.message}</span></span></p>`}</div>
<div class="row"><a class="button" href="${edit}">Edit${about}</a>${ready && form(html`<button class="button" name="do" value="send">Send now${about}</button>`)}<details class="sure"><summary class="button quiet">Delete${about}</summary>${form(html`<button class="button danger" name="do" value="delete">Delete this draft</button>`)}</details></div></li>`;
}
