import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '@mailroom/behavior';
import { AppError } from '@mailroom/behavior/values/error';
import { type Caller, rightsOn } from '../../core/access/caller.ts';
import type { Key } from '../../core/entities/key.ts';
import type { Message } from '../../core/entities/message.ts';
import { planSha256 } from '../../core/entities/message-view.ts';
import { mayDecide } from '../../core/runs/approve.ts';
import { asMailbox, type Home, type House, home, openHouse, reply, settledOf, submission, waiting } from './house.ts';

const PLAN = { steps: [{ task: 'send', input: { to: 'bob' } }] };
const asks: Outcome = { kind: 'wait', for: 'approval', plan: PLAN, state: { at: 1 } };
const yes = { decision: 'approve', plan_sha256: undefined, reason: undefined } as const;
const no = { decision: 'refuse', plan_sha256: undefined, reason: undefined } as const;

/** A behavior that asks first and then does what was approved. */
function asking(house: House): { readonly got: unknown[] } {
  const got: unknown[] = [];
  house.handle = async (_message, { again, services }) => {
    const approved = await services.approved();
    got.push({ again, approved, checkpoint: await services.checkpoint() });
    return approved === undefined ? asks : reply(`Did ${JSON.stringify(approved)}`);
  };
  return { got };
}

const ask = async (house: House, alice: Home): Promise<Message> =>
  (await house.post.send(submission(alice, alice), waiting())).message;

const put = (house: House, { key, address }: Home, status: 'paused' | 'online') =>
  house.registry.changeMailbox({ kind: 'key', key, network: 'here' }, address, { status });

const code = (wanted: string) => (error: unknown) => error instanceof AppError && error.code === wanted;

describe('a message whose plan is to be approved', () => {
  test('is answered at once as it waits, with the plan, and nothing is due', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    asking(house);
    const message = await ask(house, alice);
    assert.deepEqual(
      [message.status, message.waiting_for, message.plan],
      ['working', 'approval', JSON.stringify(PLAN)],
    );
    const stored = await house.store.messages.byId(message.id);
    assert.deepEqual([stored?.status, stored?.waiting_for], ['working', 'approval']);
    assert.equal(await house.store.handlings.depth(), 0);
  });

  test('goes on after a yes with exactly that plan and what it kept, once', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    const { got } = asking(house);
    const message = await ask(house, alice);
    const approved = await house.decisions.decide(message, { ...yes, plan_sha256: planSha256(message.plan as string) });
    assert.equal(approved.waiting_for, null);
    const settled = await settledOf(house, message.id);
    assert.deepEqual([settled.status, settled.reply?.body], ['completed', `Did ${JSON.stringify(PLAN)}`]);
    assert.deepEqual(got, [
      { again: false, approved: undefined, checkpoint: undefined },
      { again: true, approved: PLAN, checkpoint: { at: 1 } },
    ]);
    await assert.rejects(house.decisions.decide(settled, yes), code('not_waiting'));
  });

  test('is rejected by a no, with the reason, and never handled again', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    asking(house);
    const message = await ask(house, alice);
    const refused = await house.decisions.decide(message, { ...no, reason: 'Not on a Sunday.' });
    assert.deepEqual(
      [refused.status, refused.error_code, refused.error_message, refused.reply],
      ['rejected', 'refused', 'Not on a Sunday.', null],
    );
    assert.equal(house.handled, 1);
    assert.equal(await house.store.handlings.nextDue(), undefined);
  });

  test('stays as it is when another plan is approved, and of ten decisions at once one counts', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    asking(house);
    const message = await ask(house, alice);
    const other = { ...yes, plan_sha256: planSha256('{}') };
    await assert.rejects(house.decisions.decide(message, other), code('validation_error'));
    assert.equal((await house.store.messages.byId(message.id))?.waiting_for, 'approval');
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => house.decisions.decide(message, at % 2 === 0 ? yes : no)),
    );
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  test('can be canceled by its sender, and then no longer approved', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    asking(house);
    const message = await ask(house, alice);
    const canceled = await house.post.cancel(message);
    assert.deepEqual([canceled.status, canceled.waiting_for], ['canceled', null]);
    await assert.rejects(house.decisions.decide(message, yes), code('not_waiting'));
  });

  test('waits on over a pause of its mailbox, and an approval meanwhile counts when it is resumed', async () => {
    await using house = await openHouse();
    const alice = await home(house);
    asking(house);
    const message = await ask(house, alice);
    await put(house, alice, 'paused');
    await put(house, alice, 'online');
    assert.equal((await house.store.messages.byId(message.id))?.waiting_for, 'approval');
    await put(house, alice, 'paused');
    await house.decisions.decide(message, yes);
    assert.equal(house.handled, 1);
    await put(house, alice, 'online');
    assert.equal((await settledOf(house, message.id)).status, 'completed');
  });
});

describe('a message whose plan the sender’s owner is to approve', () => {
  const asksSender: Outcome = { ...asks, by: 'sender' };
  const mine = async (house: House, alice: Home, bob: Home): Promise<Message> => {
    house.handle = async (_message, { services }) =>
      (await services.approved()) === undefined ? asksSender : reply('Done.');
    return (await house.post.send(submission(alice, bob, asMailbox(alice)), waiting())).message;
  };
  const callerOf = ({ key }: Home, fields: Partial<Key> = {}): Caller => ({
    kind: 'key',
    key: { ...key, ...fields },
    network: 'here',
  });
  const may = async (house: House, message: Message, caller: Caller): Promise<boolean> =>
    mayDecide(message, await rightsOn(message, caller, house.directory));

  test('is decided by keys that run the sending mailbox, and not by the recipient’s', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const message = await mine(house, alice, bob);
    assert.deepEqual([message.waiting_for, message.decides], ['approval', 'sender']);
    const { id } = alice.box;
    for (const [caller, wanted] of [
      [callerOf(alice), true],
      [callerOf(alice, { scopes: ['mailboxes:write'] }), true],
      [callerOf(alice, { scopes: ['mailboxes:write'], mailbox_id: id }), true],
      [callerOf(alice, { scopes: ['mailboxes:write'], mailbox_id: 'mbx_other' }), false],
      [callerOf(alice, { scopes: ['mail:send', 'messages:read', 'auth:assert', 'keys:write'] }), false],
      [callerOf(bob), false],
      [{ kind: 'guest', network: 'here' }, false],
      [{ kind: 'thread', thread_id: message.thread_id, network: 'here' }, false],
    ] as const) {
      assert.equal(await may(house, message, caller), wanted, JSON.stringify(caller));
    }
    await house.decisions.decide(message, yes);
    assert.equal((await settledOf(house, message.id)).reply?.body, 'Done.');
  });

  test('leaves what the recipient’s owner is asked to them', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    asking(house);
    const { message } = await house.post.send(submission(alice, bob, asMailbox(alice)), waiting());
    assert.equal(message.decides, 'recipient');
    assert.equal(await may(house, message, callerOf(bob)), true);
    assert.equal(await may(house, message, callerOf(alice)), false);
  });

  test('is not decided by who was looked at as another owner', async () => {
    await using house = await openHouse();
    const [alice, bob] = [await home(house), await home(house)];
    const message = await mine(house, alice, bob);
    await assert.rejects(house.decisions.decide({ ...message, decides: 'recipient' }, yes), code('not_waiting'));
    const refused = await house.decisions.decide(message, no);
    assert.equal(refused.error_message, 'The owner of the mailbox it was sent as refused the plan.');
  });
});
