import type { Behavior } from '@mailroom/behavior';
import { fullAddress } from '@mailroom/behavior/values/address';
import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { AppError, problems } from '@mailroom/behavior/values/error';
import { replyIdOf } from '@mailroom/behavior/values/ids';
import { boundTo } from '../../../core/entities/key.ts';
import type { Message } from '../../../core/entities/message.ts';
import { planSha256 } from '../../../core/entities/message-view.ts';
import { type ReviewView, sessionActor } from '../../../core/entities/review.ts';
import type { HeldSends } from '../../../core/messages/held-sends.ts';
import type { EventFeed } from '../../../core/notify/event-feed.ts';
import type { Store } from '../../../core/ports/store.ts';
import type { Waiting } from '../../../core/reports/waiting.ts';
import { attachmentAnswer } from '../../../http/attachment-answer.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Answer, Route } from '../../../http/route.ts';
import { counted, shortOf } from '../pieces.ts';
import { knownTasks } from '../tasks.ts';
import { short } from '../words.ts';
import { approvalCard, isAsking, isHeldApproval, uncounted } from './approval.ts';
import type { Context } from './context.ts';
import { emptyState } from './empty.ts';
import { ownerName } from './owner-names.ts';
import {
  type Barred,
  editCard,
  localPart,
  ownCard,
  reviewCard,
  reviewList,
  togetherForm,
  type WaitingItem,
} from './reviews-page.ts';
import { doneLine, doneTexts } from './shell.ts';
import { type Signed, type SignedCall, seeOther, signedForm, signedPage } from './sign-in-form.ts';
import { leftMark, secondsLeft, toastView } from './toast.ts';

/** Reviews that the page lists; the others follow as these are decided on. */
const MAX_LISTED = 100;
/** Reviews of one address that are shown in one form. */
const MAX_TOGETHER = 20;

const CHANGED = 'It changed while you read. This is how it would leave now: look at it, then decide.';
const doneText = doneTexts({
  approved: 'Approved. It leaves now.',
  rejected: 'Rejected. It does not leave.',
  saved: 'Saved. Someone else approves it now.',
  own: 'Your answer leaves now. The one that waited does not.',
});

interface ReviewPageParts {
  readonly store: Store;
  readonly waiting: Waiting;
  readonly feed: Pick<EventFeed, 'now'>;
  readonly behaviors: readonly Behavior[];
  readonly heldSends: Pick<HeldSends, 'approve' | 'approvals'>;
  /** How long an approval can be taken back; 0 carries it out at once. */
  readonly undo_ms: Millis;
  readonly clock: Clock;
  readonly mailDomain: string;
}

/** The pages of what waits for a decision: messages that would leave, and plans. */
export function reviewPages(context: Context, parts: ReviewPageParts): readonly Route[] {
  const { store, waiting, feed, behaviors, heldSends, undo_ms, clock, mailDomain } = parts;

  const nameOf = async (keyId: string): Promise<string> => {
    const key = await store.keys.byId(keyId);
    return key === undefined ? 'a key that was deleted' : ownerName(key);
  };

  /** What is known of a review beside what the API shows. */
  async function aboutReview(review: ReviewView, signed: Signed) {
    const stored = await store.reviews.byId(review.id);
    const { actor } = reviewerOf(signed);
    const barred: Barred =
      stored?.changed_by === actor ? 'changed' : stored?.written_by === actor ? 'wrote' : undefined;
    const writer = stored?.written_by;
    return {
      barred,
      author:
        writer == null
          ? 'Written by its behavior'
          : `Written with ${writer.startsWith('session') ? 'a session' : (await nameOf(writer)).replace(/^The /, 'the ')}`,
      decider: review.decided_by === null ? undefined : (await nameOf(review.decided_by)).replace(/^The /, 'the '),
      has_subject: stored?.kind === 'send',
      is_answer: stored !== undefined && stored.kind !== 'send',
    };
  }

  /** Plans that wait for this namespace. */
  async function plans(signed: Signed): Promise<readonly (Message & { readonly plan: string })[]> {
    const { id } = signed.session.namespace;
    const { approve } = await waiting.of(id, boundTo(signed.session.key));
    const byId = await context.byId(approve.items.map(({ mailbox_id }) => mailbox_id));
    return approve.items.flatMap((one) => (isAsking(one, byId.get(one.mailbox_id), id) ? [one] : []));
  }

  const heldOf = ({ session }: Signed): Promise<Approvals> => heldSends.approvals(session.key);
  /** Reviews that this person still has to decide on, oldest first. */
  const undecided = (reviews: readonly ReviewView[], approvals: Approvals): readonly ReviewView[] =>
    reviews.filter(({ id, hash }) => !isHeldOf(approvals, id, hash)).toReversed();

  const itemOf = (review: ReviewView, approvals: Approvals): WaitingItem => ({
    id: review.id,
    approved: isHeldOf(approvals, review.id, review.hash),
    local: localPart(review.mailbox),
    title: review.message.subject ?? short(review.message.body),
    whom: `to ${review.recipients[0] ?? 'its sender'}${review.recipients.length > 1 ? ` +${review.recipients.length - 1}` : ''}`,
    line: review.findings.length > 0 ? counted(review.findings.length, 'finding') : 'Wants to send this',
    expires_at: Date.parse(review.expires_at),
    since: Date.parse(review.requested_at),
  });

  const planItem = (message: Message & { readonly plan: string }, approvals: Approvals): WaitingItem => ({
    id: message.id,
    approved: isHeldOf(approvals, message.id, planSha256(message.plan)),
    local: localPart(message.to ?? ''),
    title: message.subject ?? short(message.body),
    whom: `for ${message.from ?? 'its sender'}`,
    line: 'Wants to carry out a plan',
    expires_at: null,
    since: message.created_at,
  });

  interface Shown {
    readonly status?: number;
    readonly done?: string | undefined;
    /** What was just approved, and can be taken back. */
    readonly approved?: readonly string[] | undefined;
    readonly wrong?: string | undefined;
  }

  /** The list, with what is open beside it. */
  async function show(open: string | undefined, pane: Html | undefined, signed: Signed, more: Shown = {}) {
    // Read before anything else, so that the stream also tells of what changes meanwhile.
    const place = await feed.now(signed.session.namespace.id);
    const query = { status: 'pending', limit: String(MAX_LISTED) };
    const [{ items: reviews, next_cursor }, asking, approvals] = await Promise.all([
      signed.api.json('listReviews', { query }),
      plans(signed),
      heldOf(signed),
    ]);
    const items = [
      ...reviews.map((one) => itemOf(one, approvals)),
      ...asking.map((one) => planItem(one, approvals)),
    ].sort((a, b) => a.since - b.since);
    // One that was decided meanwhile does not leave by this approval.
    const approved = items.flatMap((one) => (one.approved && more.approved?.includes(one.id) ? [one.id] : []));
    const hasMore = next_cursor !== null;
    const blank =
      items.length === 0
        ? emptyState({
            fact: 'Nothing waits for you.',
            rest: 'Messages that an address holds, and plans, are decided on here.',
          })
        : html`<p class="meta">Choose one to read it as it would leave.</p>`;
    const main = html`<div class="desk${open !== undefined && ' opened'}" data-reviews data-root="../" data-place="${place}" data-query=""${open !== undefined && html` data-open="${open}"`}><h1 class="sr">To approve, of ${signed.session.namespace.name}</h1>
${reviewList({ items, open, now: clock(), more: hasMore })}
<div class="desk-side">${doneLine(more.done)}${more.wrong !== undefined && html`<p class="error" role="alert">${more.wrong}</p>`}${pane ?? html`<div class="desk-body">${blank}</div>`}</div>${approvedToast(approved, approvals, signed)}</div>`;
    const page = {
      title: 'To approve',
      root: '../',
      tab: 'approve',
      wide: true,
      styles: ['reviews.css'],
      scripts: ['reviews.js'],
      main,
    } as const;
    return context.answer(more.status ?? 200, page, signed);
  }

  /** Says what was approved, until it leaves, with a button that takes it back. */
  function approvedToast(ids: readonly string[], approvals: Approvals, signed: Signed): Html | false {
    const held = ids.filter((id) => isHeldApproval(approvals.get(id)));
    const [first] = held;
    if (first === undefined) return false;
    const seconds = secondsLeft(approvals.get(first)?.leaves_at ?? 0, clock());
    const fact =
      held.length === 1
        ? html`<b>Approved.</b> Leaves in ${leftMark(seconds)}.`
        : html`<b>${held.length} messages</b> approved. Leave in ${leftMark(seconds)}.`;
    return toastView(fact, { action: 'undo', value: `approved:${held.join(',')}`, signed }, seconds);
  }

  async function showReview(review: ReviewView, signed: Signed, more: Shown = {}): Promise<Answer> {
    const about = await aboutReview(review, signed);
    const held = (await heldOf(signed)).get(review.id);
    const approval = held?.hash === review.hash || held?.failed !== undefined ? held : undefined;
    const wrong = more.wrong ?? (review.status === 'pending' ? uncounted(approval) : undefined);
    const pane = reviewCard({ review, ...about, wrong, approval, now: clock(), signed });
    return show(review.id, pane, signed, { ...more, wrong: undefined });
  }

  async function showPlan(id: string, signed: Signed): Promise<Answer> {
    const message = (await plans(signed)).find((one) => one.id === id);
    if (message === undefined) return seeOther(`../console?message=${encodeURIComponent(id)}`);
    const { plan } = message;
    const mailbox = await store.mailboxes.byId(message.mailbox_id);
    const behavior = behaviors.find(({ name }) => name === mailbox?.behavior);
    const tasks = new Map(knownTasks(behavior, mailbox?.settings ?? {}).map((task) => [task.name, task]));
    const approval = (await heldOf(signed)).get(id);
    const shown = { message, plan, tasks, action: `messages/${id}`, signed, wrong: undefined } as const;
    const card = approvalCard({ ...shown, approval, root: '../', now: clock() });
    const from = mailbox === undefined ? message.to : shortOf(mailbox);
    return show(
      id,
      html`<section class="desk-pane" aria-labelledby="review-title"><div class="desk-head"><a class="button quiet phone" href="reviews">All that waits</a><h2 id="review-title">${from} wants to carry this out</h2><p class="meta"><a href="../console?message=${id}">Its conversation</a></p></div><div class="desk-body"><blockquote class="exact-text" dir="auto">${message.body}</blockquote>${card}</div></section>`,
      signed,
    );
  }

  async function showEdit(review: ReviewView, signed: Signed, form?: URLSearchParams, wrong?: string): Promise<Answer> {
    const { has_subject } = await aboutReview(review, signed);
    const typed = {
      subject: form?.get('subject') ?? review.message.subject ?? '',
      body: form === undefined ? review.message.body : typedBody(form, review),
    };
    const compared = form !== undefined;
    const pane = editCard({ review, has_subject, typed, compared, wrong, signed });
    return show(review.id, pane, signed, { status: wrong === undefined ? 200 : 422 });
  }

  async function showOwn(review: ReviewView, signed: Signed, form?: URLSearchParams, wrong?: string): Promise<Answer> {
    const { is_answer, barred } = await aboutReview(review, signed);
    if (!is_answer) return seeOther('write');
    // Who changed it last has written that text.
    const body = form === undefined ? (barred === 'changed' ? review.message.body : '') : typedBody(form, review);
    const pane = ownCard({ review, body, wrong, signed });
    return show(review.id, pane, signed, { status: wrong === undefined ? 200 : 422 });
  }

  async function showTogether(
    local: string,
    signed: Signed,
    { note, approved }: { readonly note?: string; readonly approved?: readonly string[] } = {},
  ): Promise<Answer> {
    const { name } = signed.session.namespace;
    const mailbox = fullAddress(`${local}@${name}`, mailDomain);
    const query = { status: 'pending', mailbox, limit: String(MAX_TOGETHER) };
    const { items } = await signed.api.json('listReviews', { query });
    const reviews = undecided(items, await heldOf(signed));
    if (reviews.length === 0) return show(undefined, undefined, signed, { done: note, approved });
    const barred = new Map<string, Barred>();
    for (const one of reviews) barred.set(one.id, (await aboutReview(one, signed)).barred);
    const pane = togetherForm({ local, reviews, barred, wrong: note, signed });
    return show('all', pane, signed, { approved });
  }

  /** Each is decided on by its own hash; what was changed or decided meanwhile stays as it is. */
  async function approveAll(local: string, { form }: SignedCall, signed: Signed): Promise<Answer> {
    const approved: string[] = [];
    const items = form.getAll('item').slice(0, MAX_TOGETHER);
    for (const item of items) {
      const [id = '', hash = ''] = item.split(' ');
      try {
        await heldSends.approve(signed.session.key, { kind: 'review', id, hash, by: reviewerOf(signed) }, undo_ms);
        approved.push(id);
      } catch (error) {
        if (!(error instanceof AppError) || problems[error.code].status >= 500) throw error;
      }
    }
    const kept = items.length - approved.length;
    const rest =
      kept === 0
        ? ''
        : ` ${counted(kept, 'message')} changed or ${kept === 1 ? 'was' : 'were'} decided on meanwhile, and ${kept === 1 ? 'was' : 'were'} left as it is.`;
    return showTogether(local, signed, { note: `${counted(approved.length, 'message')} approved.${rest}`, approved });
  }

  /** Goes to the next that waits. */
  async function decided(id: string, what: string, signed: Signed): Promise<Answer> {
    const { items } = await signed.api.json('listReviews', { query: { status: 'pending', limit: String(MAX_LISTED) } });
    const approvals = await heldOf(signed);
    const next = undecided(items, approvals).find((one) => one.id !== id);
    const outcome = what === 'approved' && isHeldApproval(approvals.get(id)) ? `approved=${id}` : `done=${what}`;
    return seeOther(`reviews?${next === undefined ? '' : `open=${next.id}&`}${outcome}`);
  }

  async function act(call: SignedCall, signed: Signed): Promise<Answer> {
    const { form } = call;
    const what = form.get('do');
    const params = { id: String(call.query.open) };
    const review = await signed.api.json('getReview', { params });
    const hash = form.get('hash') ?? '';
    try {
      if (what === 'approve') {
        const approval = { kind: 'review', id: review.id, hash, by: reviewerOf(signed) } as const;
        await heldSends.approve(signed.session.key, approval, undo_ms);
        return await decided(review.id, 'approved', signed);
      }
      if (hash !== review.hash && review.status === 'pending') throw new AppError('review_changed', CHANGED);
      if (what === 'reject') {
        const reason = (form.get('reason') ?? '').trim();
        await signed.api.json('rejectReview', { params, body: { hash, ...(reason !== '' && { reason }) } });
        return await decided(review.id, 'rejected', signed);
      }
      if (what === 'own') {
        await signed.api.json('sendOwnAnswer', { params, body: { hash, body: typedBody(form, review) } });
        return await decided(review.id, 'own', signed);
      }
      if (what !== 'save') return await showEdit(review, signed, form);
      await signed.api.json('changeReview', { params, body: { ...changeOf(form, review), hash } });
      return seeOther(`reviews?open=${review.id}&done=saved`);
    } catch (error) {
      return refused(error, review.id, call, signed);
    }
  }

  /** The review as it is now, with why nothing was done; what was typed is kept. */
  async function refused(error: unknown, id: string, { form }: SignedCall, signed: Signed): Promise<Answer> {
    if (!(error instanceof AppError) || problems[error.code].status >= 500) throw error;
    const now = await signed.api.json('getReview', { params: { id } });
    const wrong = error.code === 'review_changed' ? CHANGED : error.message;
    const types = form.has('body') && now.status === 'pending';
    if (types) return form.get('do') === 'own' ? showOwn(now, signed, form, wrong) : showEdit(now, signed, form, wrong);
    return showReview(now, signed, { status: problems[error.code].status, wrong });
  }

  return [
    signedPage('/console/reviews', context, async ({ query }, signed) => {
      const { open, edit, own, all, done, approved } = query;
      if (typeof all === 'string') return showTogether(all, signed);
      const notice = { done: doneText(done), ...(typeof approved === 'string' && { approved: [approved] }) };
      if (typeof open !== 'string') return show(undefined, undefined, signed, notice);
      if (!open.startsWith('rev_')) return showPlan(open, signed);
      const review = await signed.api.json('getReview', { params: { id: open } });
      if (review.status !== 'pending') return showReview(review, signed, notice);
      if (own !== undefined) return showOwn(review, signed);
      return edit === undefined ? showReview(review, signed, notice) : showEdit(review, signed);
    }),
    signedForm('/console/reviews', context, (call, signed) =>
      typeof call.query.all === 'string' ? approveAll(call.query.all, call, signed) : act(call, signed),
    ),
    // Mails that ask owners link to a review by this path.
    signedPage('/console/reviews/{id}', context, ({ params }) =>
      seeOther(`../reviews?open=${encodeURIComponent(params.id ?? '')}`),
    ),
    signedPage('/console/reviews/{id}/files/{sha256}', context, async ({ params, headers, request_id }, signed) => {
      const review = await signed.api.json('getReview', { params: { id: params.id ?? '' } });
      const stored = await store.reviews.byId(review.id);
      const owners = [stored?.reply_id, replyIdOf(review.message_id), review.message_id];
      for (const owner of owners) {
        const files = owner == null ? [] : await store.attachments.of(owner);
        const found = files.find(({ sha256 }) => sha256 === params.sha256);
        if (found !== undefined) return attachmentAnswer(found, store.blobs, headers, request_id);
      }
      throw new AppError('not_found', 'There is no such file in what waits.');
    }),
  ];
}

type Approvals = Awaited<ReturnType<HeldSends['approvals']>>;

/** Whether exactly this was approved, and can still be taken back. */
function isHeldOf(approvals: Approvals, id: string, hash: string): boolean {
  const approval = approvals.get(id);
  return isHeldApproval(approval) && approval.hash === hash;
}

/** Who decides: the session, with its key. */
const reviewerOf = ({ caller }: Signed) => ({
  actor: sessionActor(caller.session ?? '', caller.key.id),
  key: caller.key.id,
});

/** A text of a form; lines end as they do in the text that waits, since browsers send each with CRLF. */
function typedBody(form: URLSearchParams, { message }: ReviewView): string {
  const body = (form.get('body') ?? '').replaceAll('\r\n', '\n');
  return message.body.includes('\r\n') ? body.replaceAll('\n', '\r\n') : body;
}

/** What the form changes. */
function changeOf(form: URLSearchParams, review: ReviewView): Readonly<Record<string, string | null>> {
  const body = typedBody(form, review);
  const subject = form.get('subject') ?? review.message.subject ?? '';
  const isSame = subject === (review.message.subject ?? '');
  return { body, ...(!isSame && { subject: subject === '' ? null : subject }) };
}
