import type { MailboxWithSecret } from '../../core/entities/mailbox.ts';
import type { AgentWebhook, AgentWebhooks } from '../../core/ports/agent-webhooks.ts';
import { type Db, step, type WriteStep } from '../db.ts';
import { columnsBut } from '../schema/table.ts';
import { agentWebhooks } from '../schema/tables.ts';
import { holdMailbox } from './living.ts';
import { mailboxEvent } from './mailbox-event.ts';
import { queuePushes } from './pushes.ts';

const FIND = `select ${columnsBut(agentWebhooks, 'mailbox_id')} from agent_webhooks where mailbox_id = $1`;
const ADD = `
  insert into agent_webhooks (mailbox_id, secret)
  select id, $2 from mailboxes where id = $1 and deleted_at is null
  on conflict (mailbox_id) do nothing returning secret`;
const RESET = 'update agent_webhooks set failing_since = null, off_at = null, error = null where mailbox_id = $1';
const ENABLE = `
  update mailboxes set webhook = 'on', online_until = null
  where id = $1 and deleted_at is null and exists (select 1 from agent_webhooks where mailbox_id = $1)`;
const ROTATE = `
  update agent_webhooks set old_secret = secret, old_until = $3, secret = $2 where mailbox_id = $1 returning mailbox_id`;
const FAILED = `
  update agent_webhooks set failing_since = coalesce(failing_since, $3), error = $2
  where mailbox_id = $1 and off_at is null`;
const WORKED = `
  update agent_webhooks set failing_since = null, error = null where mailbox_id = $1 and off_at is null`;
const NOTE_OFF = `
  update agent_webhooks set off_at = $3, error = $2, failing_since = coalesce(failing_since, $3)
  where mailbox_id = $1 and off_at is null`;
const DISABLE = `
  update mailboxes set webhook = 'off', online_until = case when $2 = 1 then online_until else cast($3 as bigint) end
  where id = $1 and webhook = 'on' and deleted_at is null returning id`;

/** Writes the secret of a new mailbox's webhook, if the mailbox was inserted. */
export const addWebhook = ({ id, webhook_secret }: MailboxWithSecret): readonly WriteStep[] =>
  webhook_secret === undefined ? [] : [step(ADD, id, webhook_secret)];

/** Removes the webhook of a mailbox, with its secret. */
export const dropWebhook = (mailboxId: string): WriteStep =>
  step('delete from agent_webhooks where mailbox_id = $1', mailboxId);

export function makeAgentWebhooks(db: Db): AgentWebhooks {
  return {
    async find(id) {
      const [row] = await db.read(FIND, [id]);
      return row && ({ ...row } as unknown as AgentWebhook);
    },
    async enable(id, secret, now) {
      const [, added] = await db.write(
        [holdMailbox(id), step(ADD, id, secret), step(RESET, id), step(ENABLE, id), queuePushes('b.id = $2', now, id)],
        'beside',
      );
      return added?.length === 1;
    },
    async rotate(id, secret, oldUntil) {
      const [rotated] = await db.write([step(ROTATE, id, secret, oldUntil)], 'beside');
      return rotated?.length === 1;
    },
    async failed(id, error, now) {
      await db.write([step(FAILED, id, error, now)], 'beside');
    },
    async worked(id) {
      await db.write([step(WORKED, id)], 'beside');
    },
    async disable(id, error, { now, stays_online }) {
      const results = await db.write(
        [
          holdMailbox(id),
          mailboxEvent('mailbox.webhook_disabled', id, now, "and webhook = 'on' and deleted_at is null"),
          step(NOTE_OFF, id, error, now),
          step(DISABLE, id, stays_online ? 1 : 0, now),
        ],
        'beside',
      );
      return results.at(-1)?.length === 1;
    },
  };
}
