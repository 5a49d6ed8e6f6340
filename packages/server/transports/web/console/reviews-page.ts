import { HOUR, MINUTE, type Millis } from '@mailroom/behavior/values/clock';
import { parseWhere } from '@mailroom/findings/finding';
import type { ReviewView } from '../../../core/entities/review.ts';
import type { ApprovalState } from '../../../core/messages/held-sends.ts';
import { type Html, html } from '../../../http/html.ts';
import { icon } from '../pieces.ts';
import { isHeldApproval, MAX_REASON } from './approval.ts';
import { findingNumber, kindWords, type Marks, markedField, wordChanges } from './review-text.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';
import { leavingView, leftMark, secondsLeft } from './toast.ts';

/** Something in the list that waits for a decision: a message that would leave, or a plan. */
export interface WaitingItem {
  readonly id: string;
  /** It was approved, and leaves once that can no longer be taken back. */
  readonly approved: boolean;
  /** The local part of its address. */
  readonly local: string;
  readonly title: string;
  /** To whom it goes, or for whom it is done. */
  readonly whom: string;
  readonly line: string;
  readonly expires_at: Millis | null;
  readonly since: Millis;
}

/** The local part of a full address. */
export const localPart = (address: string): string => address.slice(0, address.indexOf('@'));

/** How long there is to decide: “22 h left”. */
function timeLeft(expires_at: Millis, now: Millis): Html {
  const left = expires_at - now;
  const minutes = Math.max(1, Math.ceil(left / MINUTE));
  const text = left > 2 * HOUR ? `${Math.floor(left / HOUR)} h left` : `${minutes} min left`;
  return html`<span class="left${left < HOUR && ' soon'}">${left <= 0 ? 'time is over' : text}</span>`;
}

interface ListView {
  readonly items: readonly WaitingItem[];
  readonly open: string | undefined;
  readonly now: Millis;
  /** There are more than are listed. */
  readonly more: boolean;
}

/** What waits, by address, the longest waiting first. */
export function reviewList({ items, open, now, more }: ListView): Html {
  const groups = Map.groupBy(items, ({ local }) => local);
  return html`<section class="list" aria-label="What waits"><div class="list-head"><div class="about"><h2>To approve <span class="n">${items.length}${more && '+'}</span></h2></div></div>
${[...groups].map(([local, all]) => {
  const reviews = all.filter(({ id }) => id.startsWith('rev_'));
  return html`<div class="review-group"><h3>${local} <span class="n">${all.length}</span></h3>${reviews.length > 1 && html`<a href="reviews?all=${encodeURIComponent(local)}">Approve all ${reviews.length} of ${local}</a>`}</div>
<ul class="review-rows">${all.map(
    ({ id, approved, title, whom, line, expires_at, since }) =>
      html`<li><a href="reviews?open=${id}"${id === open && html` aria-current="true"`}><span class="first"><b>${local}</b> <span class="whom" dir="auto">${whom}</span>${timeMark(since, now)}</span><span class="subject" dir="auto">${title}</span><span class="first"><span class="meta" dir="auto">${line}</span>${approved ? html`<span class="left approved">Approved</span>` : expires_at !== null && timeLeft(expires_at, now)}</span></a></li>`,
  )}</ul>`;
})}
${more && html`<p class="meta list-foot">Decide on these to see more.</p>`}</section>`;
}

/** Why this session does not approve a text. */
export type Barred = 'changed' | 'wrote' | undefined;

interface CardView {
  readonly review: ReviewView;
  /** What its sender wrote or its behavior is, in words. */
  readonly author: string;
  readonly decider: string | undefined;
  readonly barred: Barred;
  /** It answers a message, so that a person may answer in its place. */
  readonly is_answer: boolean;
  /** Why the last act was not accepted. */
  readonly wrong: string | undefined;
  /** That its reader approved it, as long as that can be taken back; or why that did not count. */
  readonly approval: ApprovalState | undefined;
  readonly now: Millis;
  readonly signed: Signed;
}

/** A message exactly as it would leave, and the buttons to decide on it. It works without scripts. */
export function reviewCard(view: CardView): Html {
  const { review, wrong, now } = view;
  return html`<section class="desk-pane" aria-labelledby="review-title" tabindex="-1"><div class="desk-head"><a class="button quiet phone" href="reviews">${icon('inbox')}All that waits</a><h2 id="review-title">${localPart(review.mailbox)} ${review.status === 'pending' ? 'wants to send this' : 'wanted to send this'}</h2>
<p class="meta">${view.author} · held ${timeMark(review.requested_at, now, 'full')} · <a href="../console?message=${review.message_id}">its conversation</a>${review.status === 'pending' && html` · ${timeLeft(Date.parse(review.expires_at), now)}`}</p></div>
<div class="desk-body">${wrong !== undefined && html`<p class="error" role="alert">${icon('warn')}<span>${wrong}</span></p>`}
${leavingCard(review)}${refusedList(view)}</div>
${review.status !== 'pending' ? decided(view) : isHeldApproval(view.approval) ? leaves(view, view.approval) : decision(view)}</section>`;
}

/** Says that it leaves soon, and takes its approval back. */
function leaves({ review, now, signed }: CardView, { leaves_at }: ApprovalState): Html {
  const seconds = secondsLeft(leaves_at, now);
  const undo = { action: 'undo', value: `approved:${review.id}`, signed };
  return html`<div class="decision">${leavingView(html`<b>Approved.</b> Leaves in ${leftMark(seconds)}.`, undo, seconds)}</div>`;
}

/** A message as it would leave: all that its hash covers. */
function leavingCard(review: ReviewView, nth = ''): Html {
  const { message, findings } = review;
  const marks = { findings, key: nth === '' ? '' : `${nth}-` };
  const people = (name: string, all: readonly string[] | null): Html | false =>
    all !== null &&
    all.length > 0 &&
    html`<div><dt>${name}</dt><dd>${all.map((one) => html`<span class="pill" dir="ltr">${one}</span>`)}</dd></div>`;
  const places = review.recipients.length === 0 && message.in_reply_to !== null;
  return html`<article class="review-card" aria-label="${`The message as it would leave ${nth}`}"><dl class="envelope">${people('From', [message.from])}${people('To', message.to)}${places && html`<div><dt>To</dt><dd>Who wrote the message that it answers</dd></div>`}${people('Cc', message.cc)}${people('Bcc', message.bcc)}${people('Reply to', message.reply_to)}<div><dt>Subject</dt><dd class="subject" dir="auto">${message.subject === null ? html`<span class="meta">That of the message that it answers</span>` : markedField(message.subject, 'subject', marks)}</dd></div></dl>
<div class="exact-text" dir="auto">${markedField(message.body, 'body', marks)}</div>
${rest(review, marks)}</article>
${findingList(marks)}
${changedCard(review, nth)}`;
}

/** What was changed since it was first written. */
function changedCard({ original, message }: ReviewView, nth: string): Html | false {
  if (original === undefined) return false;
  const changed = (name: string, before: string | null, after: string | null): Html | false =>
    before !== after &&
    html`<h4 class="meta">${name}</h4><div class="exact-text diff" dir="auto">${wordChanges(before ?? '', after ?? '')}</div>`;
  return html`<section class="review-card" aria-label="${`What was changed ${nth}`.trim()}"><h3>Changed since it was written</h3>${changed('Subject', original.subject, message.subject)}${changed('Text', original.body, message.body)}${changed('HTML', original.html, message.html)}</section>`;
}

/** Decisions that did not count, since others may try to decide in an owner’s name. */
const refusedList = ({ review: { refusals = [] }, now }: CardView): Html | false =>
  refusals.length > 0 &&
  html`<section class="review-card" aria-labelledby="refused"><h3 id="refused">Refused decisions</h3><ul class="refusals">${refusals.map(({ from, why, at }) => html`<li>${timeMark(at, now, 'full')} <span dir="auto">${from}</span>: <span class="meta">${why}</span></li>`)}</ul><p class="meta">None of them counted. Who a mail is from is what it says, and may be false.</p></section>`;

/** What leaves besides the text. */
function rest({ id, message }: ReviewView, marks: Marks): Html {
  const source = (title: string, field: 'html' | 'data'): Html | false => {
    const text = message[field];
    return (
      text !== null &&
      html`<details class="more-of" open><summary>${title}</summary><div class="exact-text code" tabindex="0" role="region" aria-label="${title}">${markedField(text, field, marks)}</div></details>`
    );
  };
  const headers = Object.entries(message.headers ?? {});
  return html`${source('Its HTML, as source', 'html')}${source('Its data', 'data')}${
    headers.length > 0 &&
    html`<details class="more-of" open><summary>Its headers</summary><div class="exact-text code">${headers.map(([name, value]) => html`${name}: ${value}\n`)}</div></details>`
  }${
    message.attachments !== null &&
    html`<ul class="files">${message.attachments.map(
      ({ filename, content_type, sha256 }) =>
        html`<li><a href="reviews/${id}/files/${sha256}" download dir="auto">${filename}</a> <span class="meta">${content_type}</span></li>`,
    )}</ul>`
  }`;
}

/** What was found, each with its place. */
const findingList = ({ findings, key }: Marks): Html | false =>
  findings.length > 0 &&
  html`<ol class="ev-list" aria-label="Findings">${findings.map((finding, at) => {
    const inText = parseWhere(finding.where)?.span !== undefined;
    return html`<li id="why-${key}${at + 1}">${findingNumber(finding, at)}<span><b>${kindWords(finding)}.</b> <span class="meta" dir="auto">${finding.why}</span></span>${inText && html`<a href="#found-${key}${at + 1}">Show in the text</a>`}</li>`;
  })}</ol>`;

const BARRED: Readonly<Record<NonNullable<Barred>, string>> = {
  changed: 'You changed this text last, so you cannot approve it in this session.',
  wrote: 'It was written with the key of your session, so you cannot approve it.',
};

/** The buttons, with what exactly they are about. */
function decision({ review, barred, is_answer, signed }: CardView): Html {
  const fields = html`${tokenField(signed)}<input type="hidden" name="hash" value="${review.hash}">`;
  return html`<div class="decision"><p>${
    barred === undefined
      ? html`Exactly this leaves${review.recipients.length > 0 && `, to ${review.recipients.length === 1 ? 'one address' : `${review.recipients.length} addresses`}`}.`
      : html`<b>${BARRED[barred]}</b> Another <a href="members">owner</a> who is signed in can, or a key with <code>mail:review</code>. ${alone(review, is_answer)}`
  } <code title="${review.hash}">${review.hash.slice(0, 12)}</code></p>
<details class="refuse"><summary class="button">Reject <kbd>n</kbd></summary><form class="field" method="post" action="reviews?open=${review.id}">${fields}<label for="reason">Reason, for the owners alone</label><input class="input" id="reason" name="reason" maxlength="${MAX_REASON}" autocomplete="off" dir="auto" placeholder="Optional"><button class="button danger" name="do" value="reject">Reject it</button></form></details>
<a class="button" href="reviews?open=${review.id}&amp;edit=1" data-act="i">${icon('write')}Edit <kbd>i</kbd></a>
${barred === undefined && html`<form method="post" action="reviews?open=${review.id}">${fields}<button class="button ink" name="do" value="approve" data-act="y">${icon('check')}Approve <kbd>y</kbd></button></form>`}</div>`;
}

/** What an owner does who is alone. */
const alone = ({ id }: ReviewView, isAnswer: boolean): Html =>
  isAnswer
    ? html`Or <a href="reviews?open=${id}&amp;own=1">send your own answer</a>: what you write yourself waits for no one.`
    : html`Or reject it, and <a href="write">write your own</a>: what you write yourself waits for no one.`;

const DECIDED = { approved: 'Approved', rejected: 'Rejected', expired: 'No one decided in time' } as const;

/** Who decided, and when. */
function decided({ review, decider, now }: CardView): Html {
  const { status, decided_at, reason } = review;
  return html`<div class="decision"><p>${status !== 'pending' && html`<b>${DECIDED[status]}</b>`}${decider !== undefined && html` by <span dir="auto">${decider}</span>`}${decided_at !== null && html`, ${timeMark(decided_at, now, 'full')}`}.${reason !== null && html` <span dir="auto">“${reason}”</span>`}</p></div>`;
}

interface EditView {
  readonly review: ReviewView;
  /** Whether it has a subject of its own. */
  readonly has_subject: boolean;
  readonly typed: { readonly subject: string; readonly body: string };
  /** The typed text was looked at beside the one that waits. */
  readonly compared: boolean;
  readonly wrong: string | undefined;
  readonly signed: Signed;
}

/** The text in a form, and what would change of it. */
export function editCard({ review, has_subject, typed, compared, wrong, signed }: EditView): Html {
  const { message } = review;
  const subject = message.subject ?? '';
  const same = typed.body === message.body && typed.subject === subject;
  return html`<section class="desk-pane" aria-labelledby="review-title"><form class="review-form" method="post" action="reviews?open=${review.id}">${tokenField(signed)}<input type="hidden" name="hash" value="${review.hash}">
<div class="desk-head"><h2 id="review-title">Change what ${localPart(review.mailbox)} sends</h2><p class="meta">Once you have changed it, someone else approves it: another owner who is signed in, or a key with mail:review.</p></div>
<div class="desk-body">${wrong !== undefined && html`<p class="error" role="alert">${icon('warn')}<span>${wrong}</span></p>`}
${
  compared &&
  html`<section class="review-card" aria-labelledby="changes"><h3 id="changes" tabindex="-1">${same ? 'Nothing was changed' : 'What you change'}</h3>${has_subject && typed.subject !== subject && html`<p class="exact-text subject" dir="auto">${wordChanges(subject, typed.subject)}</p>`}<div class="exact-text diff" dir="auto">${wordChanges(message.body, typed.body)}</div></section>`
}
${has_subject && html`<div class="field"><label for="subject">Subject</label><input class="input" id="subject" name="subject" value="${typed.subject}" maxlength="998" autocomplete="off" dir="auto"></div>`}
<div class="field"><label for="text">Text</label><textarea class="input" id="text" name="body" rows="14" dir="auto" required>${`\n${typed.body}`}</textarea></div>
${message.html !== null && html`<p class="meta">Its HTML stays as it is. ${typed.body !== message.body && 'It no longer says what the text says: reject it where that matters.'}</p>`}</div>
<div class="decision"><p></p><a class="button quiet" href="reviews?open=${review.id}">Back</a><button class="button${!compared && ' ink'}" name="do" value="compare">See the changes</button>${compared && !same && !has_subject && html`<button class="button" name="do" value="own">Send as my own</button>`}${compared && !same && html`<button class="button ink" name="do" value="save">Save this text</button>`}</div></form></section>`;
}

interface OwnView {
  readonly review: ReviewView;
  readonly body: string;
  readonly wrong: string | undefined;
  readonly signed: Signed;
}

/** The answer of a person in the place of the one that waits. */
export function ownCard({ review, body, wrong, signed }: OwnView): Html {
  const { id, hash, message } = review;
  const files = message.attachments?.length ?? 0;
  return html`<section class="desk-pane" aria-labelledby="review-title"><form class="review-form" method="post" action="reviews?open=${id}">${tokenField(signed)}<input type="hidden" name="hash" value="${hash}">
<div class="desk-head"><h2 id="review-title">Answer for ${localPart(review.mailbox)} yourself</h2><p class="meta">Your words leave at once, to the same recipients${files > 0 && ' and with the same files'}. The answer that waits is rejected.</p></div>
<div class="desk-body">${wrong !== undefined && html`<p class="error" role="alert">${icon('warn')}<span>${wrong}</span></p>`}
<div class="field"><label for="text">Your answer</label><textarea class="input" id="text" name="body" rows="14" dir="auto" required>${`\n${body}`}</textarea></div>
<h3>The answer that waits</h3>${leavingCard(review)}</div>
<div class="decision"><p></p><a class="button quiet" href="reviews?open=${id}">Back</a><button class="button ink" name="do" value="own">${icon('send')}Send as my own</button></div></form></section>`;
}

interface TogetherView {
  readonly local: string;
  readonly reviews: readonly ReviewView[];
  /** Those that this session may not approve, by id. */
  readonly barred: ReadonlyMap<string, Barred>;
  readonly wrong: string | undefined;
  readonly signed: Signed;
}

/** All that waits of one address in one form, each with its hash. */
export function togetherForm({ local, reviews, barred, wrong, signed }: TogetherView): Html {
  const free = reviews.filter(({ id }) => barred.get(id) === undefined);
  return html`<section class="desk-pane" aria-labelledby="review-title"><form class="review-form" method="post" action="reviews?all=${encodeURIComponent(local)}">${tokenField(signed)}
<div class="desk-head"><a class="button quiet phone" href="reviews">${icon('inbox')}All that waits</a><h2 id="review-title">All that ${local} wants to send</h2><p class="meta">Each is decided on by itself, exactly as you see it. One that changes meanwhile stays here.</p></div>
<div class="desk-body">${wrong !== undefined && html`<p class="done" role="status">${icon('warn')}${wrong}</p>`}
${reviews.map(
  (one, at) =>
    html`<div class="of-all"><label class="tick"><input type="checkbox" name="item" value="${one.id} ${one.hash}"${barred.get(one.id) === undefined ? html` checked` : html` disabled`}> Approve ${at + 1} of ${reviews.length} <code>${one.hash.slice(0, 12)}</code></label>${barred.get(one.id) !== undefined && html`<p class="meta">You wrote it or changed it last. Another owner approves it.</p>`}
${leavingCard(one, String(at + 1))}</div>`,
)}</div>
<div class="decision"><p></p><a class="button quiet" href="reviews">Back</a>${free.length > 0 && html`<button class="button ink" name="do" value="approve-all">${icon('check')}Approve those that are ticked</button>`}</div></form></section>`;
}
