import assert from 'node:assert/strict';
import type { Effect } from '@mailroom/behavior/effect';
import type { Owner } from '@mailroom/behavior/note';
import type { Schedule } from '@mailroom/behavior/schedule';
import { newId } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { Claim } from '../../core/ports/claim.ts';
import { accept, type Opened, settlementOf, subjectOf, T, type World, waitingOf } from './made.ts';

/** The plan that waits for approval. */
export const PLAN = '{"steps":["send it"]}';

/** What tests of effects do with the store and the two namespaces that `of` returns. */
export function acts(of: () => Opened) {
  const note = (name: string, text: string | null): Effect => ({ kind: 'note', name, text });
  const aliceAtBob = (): Owner => ({ mailbox_id: of().bob.mailbox.id, owner: `key:${of().alice.key.id}` });

  /** A message that is being handled under fence 1. */
  async function working(from = of().alice, to = of().bob, fields: Partial<Message> = {}): Promise<Message> {
    const message = waitingOf(from, to, fields);
    const from_mailbox_id = fields.sender_kind === 'mailbox' ? (fields.sender_id ?? null) : null;
    await accept(of().store, message, { leased_until: T + 1000, from_mailbox_id });
    return message;
  }
  const settle = async (
    effects: readonly Effect[],
    fields: Partial<Message> = {},
    from = of().alice,
  ): Promise<boolean> => {
    const { id } = await working(from, of().bob, fields);
    return of().store.messages.settle({ id, fence: 1 }, settlementOf(), effects);
  };
  const scheduleOf = (fields: Partial<Schedule> = {}): Schedule => ({
    id: newId('sch', T),
    ...aliceAtBob(),
    sender: '{"kind":"key"}',
    from_mailbox_id: null,
    thread_id: newId('thr', T),
    hops: 1,
    name: 'Report',
    body: 'Report, please.',
    data: '{"a":1}',
    rule: '0 8 * * *',
    time_zone: 'Europe/Berlin',
    next_at: T + 1000,
    last_at: null,
    created_at: T,
    ...fields,
  });
  const plan = async (schedule: Schedule, fields: Partial<Message> = {}, from = of().alice): Promise<Schedule> => {
    assert.equal(await settle([{ kind: 'schedule', schedule }], fields, from), true);
    return schedule;
  };
  const wake = async (now: number, lease = 1000): Promise<Claim> => {
    const [claim] = await of().store.jobs.claim(1, now, lease);
    assert.equal(claim?.kind, 'schedule');
    return claim as Claim;
  };
  const suspended = async (fields: Partial<Message> = {}): Promise<Message> => {
    const message = await working(of().alice, of().bob, fields);
    assert.equal(
      await of().store.messages.suspend(
        { id: message.id, fence: 1 },
        { for: 'approval', plan: PLAN, state: '{"at":3}' },
        T + 10,
      ),
      true,
    );
    return message;
  };
  const statusOf = async (id: string) => {
    const message = await of().store.messages.byId(id);
    return [message?.status, message?.waiting_for, message?.plan ?? null];
  };
  const eventsOf = async ({ namespace }: World): Promise<string[]> => {
    const { items } = await of().store.events.page({ namespace_id: namespace.id }, null, 100);
    return items.map((event) => `${event.type} ${subjectOf(event)}`);
  };
  return { note, aliceAtBob, working, settle, scheduleOf, plan, wake, suspended, statusOf, eventsOf };
}
