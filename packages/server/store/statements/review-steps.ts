import type { Review } from '../../core/entities/review.ts';
import { type Cell, step, type WriteStep } from '../db.ts';
import { cellsOf, insertIfSql, parametersOf } from '../schema/table.ts';
import { reviews } from '../schema/tables.ts';
import type { Among } from './among.ts';

const NEW = parametersOf(reviews);

/** Whether a message waits for the review of what has this hash; both are SQL. */
export const isHeld = (message: string, hash: string): string =>
  `exists (select 1 from handlings w where w.message_id = ${message} and w.waiting_for = 'review' and w.plan = ${hash})`;
const INSERT = `${insertIfSql(reviews, isHeld(NEW.message_id, NEW.hash))} returning id`;
const JOB = `
  insert into jobs (id, kind, subject, due_at) select id, 'review', null, expires_at from reviews where id = $1`;
/** The handling of a message of its own: nothing handles it. */
const WAIT_TO_LEAVE = `
  insert into handlings (message_id, mailbox_id, due_at, waiting_for, plan)
  select id, cast($2 as text), null, 'review', cast($3 as text) from messages where id = $1`;
/** After the change that it tells of. */
export const reviewEvent = (type: string, at: string): string => `
  insert into events (namespace_id, mailbox_id, type, subject_id, at, arrived)
  select namespace_id, mailbox_id, '${type}', id, ${at}, 0 from reviews where id = $1`;
const REQUESTED = reviewEvent('review.requested', 'requested_at');

const rowOfReview = ({ message, original, findings, ...rest }: Review) => ({
  ...rest,
  message: JSON.stringify(message),
  original: original === null ? null : JSON.stringify(original),
  findings: JSON.stringify(findings),
  refusals: null,
  to_ask: 1,
});

/** Steps that write a review where `insert` says so, with its job and its event. */
export const reviewSteps = (review: Review, insert = INSERT): readonly WriteStep[] => [
  step(insert, ...cellsOf(reviews, rowOfReview(review))),
  step(JOB, review.id),
  step(REQUESTED, review.id),
];

/** Steps that write a review of a message of its own after it was written. */
export const heldSteps = (review: Review): readonly WriteStep[] => [
  step(WAIT_TO_LEAVE, review.message_id, review.mailbox_id, review.hash),
  ...reviewSteps(review),
];

/** Deletes the reviews of these messages, before these are deleted. */
export const dropReviews = (among: Among, ...cells: readonly Cell[]): WriteStep =>
  step(`delete from reviews where ${among('message_id')}`, ...cells);
