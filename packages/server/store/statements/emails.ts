import { parseJson } from '@mailroom/behavior/values/json';
import type { Authentication } from '../../core/entities/email.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Emails, EndedDelivery, KnownEmail, QueuedAnswers } from '../../core/ports/emails.ts';
import type { Acceptance, Accepted, Messages, Settlement } from '../../core/ports/messages.ts';
import { type Cell, type Db, params, type Row, step, type WriteStep } from '../db.ts';
import { columnsOf, rowOf } from '../schema/table.ts';
import { emails } from '../schema/tables.ts';
import type { Among } from './among.ts';
import { addDelivery, sentSteps } from './deliveries.ts';
import { addMessageIds } from './message-ids.ts';
import { makeAddressReply, makeFileMail, makeSendMail } from './outgoing-mail.ts';

const OWE = 'update emails set owed = 1 where message_id = $1';
const OWED = `
  select e.message_id from emails e join messages m on m.id = e.message_id
  where e.owed = 1 and e.message_id > $1 and m.settled_at is not null order by e.message_id limit $2`;
const QUEUED = 'update emails set owed = 0, queued_until = $2 where message_id = $1 and queued_until <= $2';

function emailFrom(row: Row): KnownEmail {
  const { references_json, authentication, owed: _, stranger_bytes: __, ...rest } = rowOf(emails, row);
  return {
    ...rest,
    references: parseJson(references_json) as unknown as readonly string[],
    authentication: parseJson(authentication) as unknown as Authentication,
  };
}

/** Deletes what is known of the e-mails among these messages, before these are deleted. */
export const dropEmails = (among: Among, ...cells: readonly Cell[]): readonly WriteStep[] => [
  step(`delete from emails where ${among('message_id')}`, ...cells),
];

const stepsAfter = (then: QueuedAnswers | EndedDelivery): readonly WriteStep[] =>
  'delivery' in then ? sentSteps({ ...then.delivery, kind: 'email' }, then.at) : stepsOf(then);

const stepsOf = ({ message_id, until, deliveries, namespace_id, rfc_ids }: QueuedAnswers): WriteStep[] => [
  step(QUEUED, message_id, until),
  ...deliveries.map(addDelivery),
  ...rfc_ids.flatMap(([message, rfcId]) => addMessageIds(namespace_id, message, [rfcId])),
];

/** Settles as `Messages.settle`, and then takes steps; false when nothing was settled. */
type SettleThen = (
  claim: Pick<Claim, 'id' | 'fence'>,
  settlement: Settlement,
  steps: readonly WriteStep[],
) => Promise<boolean>;

/** As `Messages.settleAnswered`. */
export const makeSettleAnswered =
  (settleThen: SettleThen): Messages['settleAnswered'] =>
  (claim, settlement, answers) =>
    settleThen(claim, settlement, stepsOf(answers));

/** Accepts as `Messages.accept`, and then takes steps; resolves with whether they were taken. */
type AcceptThen = (acceptance: Acceptance, steps: readonly WriteStep[]) => Promise<readonly [Accepted, boolean]>;

/** As `Messages.acceptAnswered`. */
export const makeAcceptAnswered =
  (acceptThen: AcceptThen): Messages['acceptAnswered'] =>
  async (acceptance, then) => {
    const [accepted, answered] = await acceptThen(acceptance, stepsAfter(then));
    return accepted.kind === 'accepted' ? { ...accepted, answered } : accepted;
  };

export function makeEmails(db: Db): Emails {
  return {
    send: makeSendMail(db),
    file: makeFileMail(db),
    address: makeAddressReply(db),
    async byMessages(messageIds) {
      if (messageIds.length === 0) return [];
      const { values, p } = params();
      const wanted = messageIds.map((id) => p(id)).join(', ');
      const rows = await db.read(`select ${columnsOf(emails)} from emails where message_id in (${wanted})`, values);
      return rows.map(emailFrom);
    },
    async owe(messageId) {
      await db.write([step(OWE, messageId)]);
    },
    async owed(after, max) {
      return (await db.read(OWED, [after, max])).map((row) => row.message_id as string);
    },
    async queue(answers) {
      await db.write(stepsOf(answers));
    },
  };
}
