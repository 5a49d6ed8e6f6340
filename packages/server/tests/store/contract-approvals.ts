import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Decider } from '@mailroom/behavior/message';
import { newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { Message } from '../../core/entities/message.ts';
import type { Claim } from '../../core/ports/claim.ts';
import type { Store } from '../../core/ports/store.ts';
import { acts, PLAN } from './acts.ts';
import {
  accept,
  claimDue,
  fromMailbox,
  messageOf,
  opened,
  purgeAll,
  settlementOf,
  T,
  type World,
  waitingOf,
  world,
} from './made.ts';

const OTHER = '{"steps":["send it twice"]}';

/** Tests of messages that wait for approval. */
export function approvalsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: approval`, () => {
    let store: Store;
    let alice: World;
    let bob: World;
    beforeEach(async () => {
      ({ store, alice, bob } = await opened(open));
    });
    afterEach(() => store[Symbol.asyncDispose]());
    const { note, aliceAtBob, working, suspended, statusOf, eventsOf } = acts(() => ({
      store,
      alice,
      bob,
    }));

    test('what is saved is there for the next run, whoever makes it', async () => {
      const { id } = await working();
      const first = { id, fence: 1 };
      assert.deepEqual(await store.handlings.kept(id), {
        state: null,
        plan: null,
        decides: 'recipient',
        approved: false,
      });
      assert.equal(await store.handlings.save(first, '{"at":1}'), true);
      await store.handlings.later({ ...first, kind: 'handle', attempt: 1, subject: id }, T + 5);
      assert.equal(await store.handlings.save(first, '{"at":2}'), false, 'given back');
      assert.equal((await store.handlings.claim(1, T + 5, 1000))[0]?.fence, 2);
      assert.equal(await store.handlings.save(first, '{"at":2}'), false, 'lost');
      assert.deepEqual(await store.handlings.kept(id), {
        state: '{"at":1}',
        plan: null,
        decides: 'recipient',
        approved: false,
      });
      await store.messages.settle({ id, fence: 2 }, settlementOf());
      assert.equal(await store.handlings.kept(id), undefined);
    });

    test('its owners are to be asked by mail from the suspension until they are, each time it waits', async () => {
      const { id } = await suspended();
      const [question] = await store.handlings.toAsk('', 10);
      assert.deepEqual([question?.id, await store.handlings.questionOf(id)], [id, question]);
      assert.deepEqual(await store.handlings.toAsk(id, 10), []);
      await store.handlings.asked({ id, fence: (question?.fence ?? 0) - 1 });
      assert.deepEqual(await store.handlings.toAsk('', 10), [question], 'an earlier question is another');
      await store.handlings.asked({ id, fence: question?.fence ?? 0 });
      assert.deepEqual([await store.handlings.toAsk('', 10), await store.handlings.questionOf(id)], [[], undefined]);
      const other = await suspended();
      await store.messages.approve(other.id, PLAN, T + 20);
      assert.deepEqual(await store.handlings.toAsk('', 10), [], 'decided before it was asked');
    });

    test('a message that waits for approval is worked on by nobody, and shows what it waits for', async () => {
      const { id, thread_id } = await suspended();
      const message = await store.messages.byId(id);
      assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
      const of = { mailbox_id: bob.mailbox.id };
      for (const found of [
        (await store.messages.page(of, null, 10)).items,
        (await store.messages.page({ ...of, status: 'working' }, null, 10)).items,
        (await store.messages.thread(thread_id, null, 10)).items,
        (await store.messages.threadEnd(thread_id, null, 10)).items,
        await store.messages.byIds([id]),
      ]) {
        assert.deepEqual(found, [message]);
      }
      assert.deepEqual((await store.messages.page({ ...of, status: 'submitted' }, null, 10)).items, []);
      assert.deepEqual(await store.messages.settledOf([id]), []);
      assert.equal(await store.handlings.nextDue(), undefined);
      assert.equal(await store.handlings.depth(), 0);
      assert.deepEqual(await store.handlings.claim(10, T + 1e9, 1000), []);
      assert.deepEqual(await store.handlings.kept(id), {
        state: '{"at":3}',
        plan: PLAN,
        decides: 'recipient',
        approved: false,
      });
      assert.deepEqual((await eventsOf(bob)).slice(1), [`message.received ${id}`, `message.waiting ${id}`]);
    });

    test('it still counts among what waits in its mailbox', async () => {
      await suspended();
      const refused = await accept(store, waitingOf(alice, bob), { max_waiting: 1 });
      assert.deepEqual(refused, { kind: 'refused', code: 'mailbox_full' });
    });

    test('the claim that asked is over: it renews, gives back, reports, saves, asks and settles nothing', async () => {
      const { id } = await working();
      const claim: Claim = { id, fence: 1, kind: 'handle', attempt: 1, subject: id };
      await store.handlings.report(claim, '[{"text":"a"}]');
      await store.handlings.save(claim, '{"at":1}');
      assert.equal(await store.messages.suspend(claim, { for: 'approval', plan: PLAN, state: null }, T + 10), true);
      assert.deepEqual(await store.handlings.kept(id), {
        state: '{"at":1}',
        plan: PLAN,
        decides: 'recipient',
        approved: false,
      });
      assert.deepEqual(await store.handlings.renew([claim], T + 9000), []);
      assert.equal(await store.handlings.later(claim, T), false);
      assert.equal(await store.handlings.report(claim, '[]'), false);
      assert.equal(await store.handlings.save(claim, '{}'), false);
      assert.equal(await store.messages.suspend(claim, { for: 'approval', plan: OTHER, state: null }, T + 11), false);
      assert.equal(await store.messages.settle(claim, settlementOf()), false);
      assert.equal(await store.messages.settle(claim, settlementOf(), [note('n', 'x')]), false);
      assert.equal(await store.notes.count(aliceAtBob()), 0);
      assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
      assert.equal((await eventsOf(bob)).length, 3);
    });

    test('what was reported before it was asked is not shown of the run after', async () => {
      const { id } = await working();
      await store.handlings.report({ id, fence: 1 }, '[{"text":"a"}]');
      assert.equal((await store.messages.byId(id))?.progress, '[{"text":"a"}]');
      await store.messages.suspend({ id, fence: 1 }, { for: 'approval', plan: PLAN, state: null }, T + 10);
      assert.equal((await store.messages.byId(id))?.progress, undefined);
      await store.messages.approve(id, PLAN, T + 20);
      await store.handlings.claim(1, T + 20, 1000);
      assert.equal((await store.messages.byId(id))?.progress, undefined);
    });

    test('who lost the claim, or works on what was canceled or deleted, asks nothing', async () => {
      const lost = await working();
      await claimDue(store, 1, T + 1000, 1000);
      assert.equal(
        await store.messages.suspend({ id: lost.id, fence: 1 }, { for: 'approval', plan: PLAN, state: null }, T + 1001),
        false,
      );
      assert.deepEqual(await statusOf(lost.id), ['working', null, null]);
      const canceled = await working();
      await store.messages.cancel(canceled.id, T + 2);
      assert.equal(
        await store.messages.suspend(
          { id: canceled.id, fence: 1 },
          { for: 'approval', plan: PLAN, state: null },
          T + 3,
        ),
        false,
      );
      assert.deepEqual(await statusOf(canceled.id), ['canceled', null, null]);
      const before = await eventsOf(bob);
      assert.ok(!before.some((event) => event.startsWith('message.waiting')));
      const gone = await working();
      await store.mailboxes.delete(bob.mailbox.id, T + 4);
      assert.equal(
        await store.messages.suspend({ id: gone.id, fence: 1 }, { for: 'approval', plan: PLAN, state: null }, T + 5),
        false,
      );
    });

    test('an approved message is due at once, its waiting was no attempt, and its run knows', async () => {
      const { id } = await suspended();
      assert.equal(await store.messages.approve(id, PLAN, T + 20), true);
      assert.deepEqual(await statusOf(id), ['submitted', null, null]);
      assert.deepEqual(await store.handlings.kept(id), {
        state: '{"at":3}',
        plan: PLAN,
        decides: 'recipient',
        approved: true,
      });
      const [claim] = await store.handlings.claim(1, T + 20, 1000);
      assert.deepEqual([claim?.id, claim?.attempt], [id, 1]);
      assert.equal((await store.handlings.kept(id))?.approved, true);
      assert.deepEqual(await statusOf(id), ['working', null, null]);
      assert.equal(await store.messages.approve(id, PLAN, T + 21), false, 'twice');
      assert.equal(await store.messages.refuse(id, PLAN, settlementOf()), false, 'after a yes');
      assert.equal(await store.messages.settle(claim as Claim, settlementOf()), true);
      assert.deepEqual(await statusOf(id), ['completed', null, null]);
    });

    test('another plan in the next run needs another approval', async () => {
      const { id } = await suspended();
      await store.messages.approve(id, PLAN, T + 20);
      const [claim] = await store.handlings.claim(1, T + 20, 1000);
      assert.equal(
        await store.messages.suspend(claim as Claim, { for: 'approval', plan: OTHER, state: null }, T + 30),
        true,
      );
      assert.deepEqual(await statusOf(id), ['working', 'approval', OTHER]);
      assert.deepEqual(await store.handlings.kept(id), {
        state: '{"at":3}',
        plan: OTHER,
        decides: 'recipient',
        approved: false,
      });
      assert.equal(await store.messages.approve(id, PLAN, T + 40), false);
      assert.equal(await store.messages.approve(id, OTHER, T + 40), true);
      assert.equal((await eventsOf(bob)).filter((event) => event.startsWith('message.waiting')).length, 2);
    });

    test('whose owner decides is kept with the plan and shown with it, and the next plan says it anew', async () => {
      const decides = async (id: string) => [
        (await store.messages.byId(id))?.decides,
        (await store.handlings.kept(id))?.decides,
      ];
      const { id } = await working();
      assert.deepEqual(await decides(id), [undefined, 'recipient']);
      await store.messages.suspend(
        { id, fence: 1 },
        { for: 'approval', plan: PLAN, state: null, by: 'sender' },
        T + 10,
      );
      assert.deepEqual(await decides(id), ['sender', 'sender']);
      const listed = await store.messages.page({ mailbox_id: bob.mailbox.id }, null, 10);
      assert.deepEqual(
        listed.items.map((message) => message.decides),
        ['sender'],
      );
      assert.equal(await store.messages.approve(id, PLAN, T + 20), true);
      assert.deepEqual(await decides(id), [undefined, 'sender']);
      const [claim] = await store.handlings.claim(1, T + 20, 1000);
      await store.messages.suspend(claim as Claim, { for: 'approval', plan: OTHER, state: null }, T + 30);
      assert.deepEqual(await decides(id), ['recipient', 'recipient']);
    });

    test('an approval or a refusal of another plan changes nothing', async () => {
      const { id } = await suspended();
      const message = await store.messages.byId(id);
      assert.equal(await store.messages.approve(id, OTHER, T + 20), false);
      assert.equal(await store.messages.refuse(id, OTHER, settlementOf()), false);
      assert.deepEqual(await store.messages.byId(id), message);
      assert.equal(await store.handlings.nextDue(), undefined);
      assert.equal((await store.handlings.kept(id))?.approved, false);
      const plain = await working();
      assert.equal(await store.messages.approve(plain.id, PLAN, T + 20), false);
      assert.equal(await store.messages.refuse(plain.id, PLAN, settlementOf()), false);
    });

    test('of a yes and a no at once one counts', async () => {
      for (let i = 0; i < 10; i++) {
        const { id } = await suspended();
        const [yes, no] = await Promise.all([
          store.messages.approve(id, PLAN, T + 20),
          store.messages.refuse(id, PLAN, settlementOf({ status: 'rejected', reply: null })),
        ]);
        assert.notEqual(yes, no);
        assert.deepEqual(await statusOf(id), [yes ? 'submitted' : 'rejected', null, null]);
        assert.equal((await store.handlings.kept(id)) !== undefined, yes);
      }
    });

    test('a refused message is settled, told and filed as any other, and its job is gone', async () => {
      const { id } = await suspended(fromMailbox(alice));
      const refusal = settlementOf({
        status: 'rejected',
        reply: { body: 'The owner said no.', data: null },
        settled_at: T + 30,
      });
      assert.equal(await store.messages.refuse(id, PLAN, refusal), true);
      const { progress, plan: waits, ...settled } = (await store.messages.byId(id)) as Message;
      assert.deepEqual([progress, waits], [undefined, undefined]);
      assert.deepEqual(settled, { ...settled, ...refusal, waiting_for: null });
      assert.equal(await store.handlings.kept(id), undefined);
      assert.equal((await store.messages.byId(replyIdOf(id)))?.reply, null);
      assert.equal((await store.messages.byId(replyIdOf(id)))?.body, 'The owner said no.');
      assert.equal((await eventsOf(bob)).at(-1), `message.rejected ${id}`);
      assert.equal((await accept(store, waitingOf(alice, bob), { max_waiting: 1 })).kind, 'accepted');
      assert.equal(await store.messages.refuse(id, PLAN, refusal), false);
    });

    test('a no brings effects along, and one that comes too late or to another plan none', async () => {
      const effects = [note('kept', 'x')];
      const refusal = settlementOf({ status: 'rejected', reply: { body: 'No.', data: null } });
      const left = async () => (await store.notes.find(aliceAtBob(), '', 10)).map(({ name }) => name);
      const first = await suspended();
      assert.equal(await store.messages.refuse(first.id, OTHER, refusal, effects), false);
      assert.deepEqual(await statusOf(first.id), ['working', 'approval', PLAN]);
      assert.equal(await store.messages.approve(first.id, PLAN, T + 20), true);
      assert.equal(await store.messages.refuse(first.id, PLAN, refusal, effects), false);
      assert.deepEqual(await left(), []);
      const { id } = await suspended();
      assert.equal(await store.messages.refuse(id, PLAN, refusal, effects), true);
      assert.deepEqual(await statusOf(id), ['rejected', null, null]);
      assert.equal(await store.handlings.kept(id), undefined);
      assert.deepEqual(await left(), ['kept']);
    });

    test('what a mailbox sent and its owner is to decide on is found by them, the newest first', async () => {
      const asking = async (of: World, before: string | null = null, size = 10) =>
        (await store.messages.awaitingApproval(of.namespace.id, before, size)).items.map(({ id }) => id);
      const ask = async (by: Decider | undefined, at: number): Promise<string> => {
        const { id } = await working(alice, bob, {
          ...fromMailbox(alice),
          created_at: T + at,
          id: newId('msg', T + at),
        });
        assert.equal(
          await store.messages.suspend({ id, fence: 1 }, { for: 'approval', plan: PLAN, state: null, by }, T + 10),
          true,
        );
        return id;
      };
      const [first, second] = [await ask('sender', 1), await ask('sender', 2)];
      const theirs = [await ask('recipient', 3), await ask(undefined, 4)];
      assert.deepEqual(await asking(alice), [second, first]);
      assert.deepEqual(await asking(alice, second), [first]);
      assert.deepEqual(await asking(bob), []);
      const page = await store.messages.awaitingApproval(alice.namespace.id, null, 1);
      assert.deepEqual([page.items.map(({ id }) => id), page.next], [[second], second]);
      assert.equal((await store.messages.byId(first))?.decides, 'sender');
      for (const id of theirs) assert.equal((await store.messages.byId(id))?.decides, 'recipient');
      await store.messages.approve(first, PLAN, T + 20);
      assert.deepEqual(await asking(alice), [second]);
      await store.messages.cancel(second, T + 20);
      assert.deepEqual(await asking(alice), []);
      const last = await ask('sender', 5);
      assert.deepEqual(await asking(alice), [last]);
      await store.mailboxes.delete(alice.mailbox.id, T + 30);
      assert.deepEqual(await asking(alice), [], 'nobody owns what sent it');
    });

    test('a message that waits for approval can be canceled, and then waits for nothing', async () => {
      const { id } = await suspended();
      assert.equal(await store.messages.cancel(id, T + 20), true);
      assert.deepEqual(await statusOf(id), ['canceled', null, null]);
      assert.equal(await store.messages.approve(id, PLAN, T + 30), false);
      assert.equal(await store.handlings.kept(id), undefined);
    });

    test('pausing and resuming its mailbox makes nothing due that waits for approval', async () => {
      const { id } = await suspended();
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 20);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 30);
      assert.equal(await store.handlings.nextDue(), undefined);
      assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
    });

    test('a paused mailbox’s approved message is due when it is resumed', async () => {
      const { id } = await suspended();
      await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 20);
      assert.equal(await store.messages.approve(id, PLAN, T + 30), true);
      assert.equal(await store.handlings.nextDue(), undefined);
      assert.deepEqual(await statusOf(id), ['submitted', null, null]);
      await store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 40);
      assert.equal((await store.handlings.claim(1, T + 40, 1000))[0]?.id, id);
      assert.equal((await store.handlings.kept(id))?.approved, true);
    });

    test('an approval while its mailbox is resumed is not left behind', async () => {
      for (let i = 0; i < 10; i++) {
        const { id } = await suspended();
        await store.mailboxes.change(bob.mailbox.id, { status: 'paused' }, T + 20);
        await Promise.all([
          store.messages.approve(id, PLAN, T + 30),
          store.mailboxes.change(bob.mailbox.id, { status: 'online' }, T + 30),
        ]);
        const claims = await store.handlings.claim(10, T + 30, 1000);
        assert.ok(claims.some((claim) => claim.id === id));
        await store.messages.cancel(id, T + 40);
      }
    });

    test('a plan is approved only while its mailbox has the behavior that asked, and is refused at any time', async () => {
      const one = await world(store, { behavior: 'do' });
      const waiting = async (): Promise<string> => {
        const { id } = await accepted(one);
        const claim = { id, fence: 1 };
        assert.equal(
          await store.messages.suspend(
            claim,
            { for: 'approval', plan: PLAN, state: null, by: 'recipient', behavior: 'do' },
            T + 10,
          ),
          true,
        );
        return id;
      };
      const accepted = async (to: typeof one) => {
        const message = waitingOf(to, to);
        await accept(store, message, { leased_until: T + 1000 });
        return message;
      };
      const [id, refused] = [await waiting(), await waiting()];
      await store.mailboxes.change(one.mailbox.id, { behavior: 'hello', settings: {} }, T + 20);
      assert.equal(await store.messages.approve(id, PLAN, T + 21), false);
      const asking = async (behavior: string, max = 9) => store.handlings.countAsking(one.mailbox.id, behavior, max);
      assert.deepEqual([await asking('do'), await asking('do', 1), await asking('hello')], [2, 1, 0]);
      assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
      assert.equal(await store.messages.refuse(refused, PLAN, settlementOf({ status: 'rejected' })), true);
      await store.mailboxes.change(one.mailbox.id, { behavior: 'do', settings: {} }, T + 22);
      assert.equal(await store.messages.approve(id, PLAN, T + 23), true);
      assert.equal((await store.handlings.kept(id))?.approved, true);
      await store.mailboxes.change(one.mailbox.id, { behavior: 'hello', settings: {} }, T + 24);
      assert.equal((await store.handlings.kept(id))?.approved, false, 'another behavior is handed no plan of do');
    });

    test('the time that an owner takes to decide counts as none of an answer', async () => {
      const one = await world(store);
      const [asked, plain] = [waitingOf(one, one), waitingOf(one, one)];
      for (const message of [asked, plain]) await accept(store, message, { leased_until: T + 1000 });
      await store.messages.suspend({ id: asked.id, fence: 1 }, { for: 'approval', plan: PLAN, state: null }, T + 10);
      await store.messages.approve(asked.id, PLAN, T + 9_000);
      const claims = await claimDue(store, 10, T + 9_000, 1000);
      for (const claim of claims) await store.messages.settle(claim, settlementOf({ settled_at: T + 9_001 }));
      const { items } = await store.events.tally(one.namespace.id, { before: null }, 100);
      const ends = items.filter(({ type }) => type === 'message.completed').map(({ took_ms }) => took_ms);
      assert.deepEqual(new Set(ends), new Set([9_001, null]));
    });

    test('of a deleted mailbox nothing is approved or refused, and the purge takes what waited', async () => {
      const { id } = await suspended();
      await store.mailboxes.delete(bob.mailbox.id, T + 20);
      assert.equal(await store.messages.approve(id, PLAN, T + 30), false);
      assert.equal(await store.messages.byId(id), undefined);
      await purgeAll(store, T + 30);
      assert.equal(await store.messages.refuse(id, PLAN, settlementOf()), false);
      assert.equal(await store.handlings.kept(id), undefined);
    });

    test('what waits for approval is not retired, however old', async () => {
      const { id } = await suspended();
      await accept(store, messageOf(alice, bob));
      const { retired } = await store.messages.retire(T + 1e9, '', 100);
      assert.equal(retired, 2);
      assert.deepEqual(await statusOf(id), ['working', 'approval', PLAN]);
    });
  });
}
