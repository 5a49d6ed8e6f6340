import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Message } from '../../core/entities/message.ts';
import { DEFAULT_NOTICES } from '../../core/entities/notices.ts';
import type { WaitingPlace, WaitingSource } from '../../core/ports/notices.ts';
import type { Store } from '../../core/ports/store.ts';
import { deliveryOf } from './contract-deliveries.ts';
import { accept, messageOf, T, type World, waitingOf, world } from './made.ts';
import { own } from './signed-in.ts';

const MINUTE = 60_000;

/** Tests of how members are called. */
export function noticesContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: notices`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());

    async function member() {
      const { namespace, mailbox } = await world(store);
      assert.equal((await own(store, namespace, mailbox.id)).result, 'joined');
      return { namespace_id: namespace.id, account_id: mailbox.id, namespace };
    }
    const choiceOf = async (namespaceId: string) => (await store.notices.of(namespaceId, T))[0];

    test('a member who chose nothing has what is set for all, and keeps a choice when they join again', async () => {
      const { namespace_id, account_id, namespace } = await member();
      assert.deepEqual(await choiceOf(namespace_id), { account_id, ...DEFAULT_NOTICES, called_at: null });
      const silent = { browser: false, mail_minutes: null };
      assert.equal(await store.notices.set(namespace_id, account_id, silent), true);
      assert.equal(await store.notices.set(namespace_id, 'acc_00000000000000000000', silent), false);
      assert.equal((await own(store, namespace, account_id)).result, 'joined');
      assert.deepEqual(await choiceOf(namespace_id), { account_id, ...silent, called_at: null });
    });

    test('of many who call a member at once one does, with its mail, also at the same moment', async () => {
      const { namespace_id, account_id } = await member();
      for (const [after, at] of [
        [null, T],
        [T, T + 1],
      ] as const) {
        const mails = Array.from({ length: 20 }, () => deliveryOf());
        const calls = await Promise.all(
          mails.map((mail) => store.notices.call({ namespace_id, account_id, after, at }, mail)),
        );
        assert.equal(calls.filter(Boolean).length, 1);
        const stored = await Promise.all(mails.map(({ id }) => store.deliveries.byId(id)));
        assert.deepEqual(
          stored.map((mail) => mail !== undefined),
          calls,
        );
        assert.equal((await choiceOf(namespace_id))?.called_at, at);
      }
    });

    test('a member who chose no mail meanwhile gets none, nor does one who is gone', async () => {
      const { namespace_id, account_id } = await member();
      await store.notices.set(namespace_id, account_id, { browser: true, mail_minutes: null });
      for (const account of [account_id, 'acc_00000000000000000000']) {
        const mail = deliveryOf();
        const call = { namespace_id, account_id: account, after: null, at: T };
        assert.equal(await store.notices.call(call, mail), false);
        assert.equal(await store.deliveries.byId(mail.id), undefined);
      }
    });

    test('a namespace is planned for the member who is called first, and brought forward but not put off', async () => {
      const { namespace_id, account_id } = await member();
      const silent = await member();
      await store.notices.set(silent.namespace_id, silent.account_id, { browser: true, mail_minutes: null });
      const dueAt = () => store.jobs.nextDue();
      await store.notices.plan([silent.namespace_id], T);
      assert.equal(await dueAt(), undefined);
      await store.notices.plan([namespace_id], T + MINUTE);
      assert.equal(await dueAt(), T + 16 * MINUTE);
      await store.notices.plan([namespace_id, silent.namespace_id], T);
      assert.equal(await dueAt(), T + 15 * MINUTE);
      await store.notices.plan(null, T + 5 * MINUTE);
      assert.equal(await dueAt(), T + 15 * MINUTE);
      await store.notices.set(namespace_id, account_id, { browser: true, mail_minutes: 1 });
      await store.notices.plan([namespace_id], T + MINUTE);
      assert.equal(await dueAt(), T + 2 * MINUTE);
    });

    test('what waits is read whole, page by page, of each kind, from a time on', async () => {
      const [alice, bob] = [await world(store), await world(store)];
      const accepted = async (fields: Partial<Message>): Promise<Message> => {
        const message = messageOf(alice, bob, fields);
        assert.equal((await accept(store, message)).kind, 'accepted');
        return message;
      };
      const ended = (status: 'failed' | 'input_required', settled_at: number) =>
        accepted({ status, settled_at, created_at: T, reply: null });
      const times = Array.from({ length: 7 }, (_, place) => T + 10 * (7 - place));
      const failed = [];
      for (const at of times) failed.push(await ended('failed', at));
      const asked = [];
      for (const at of times) asked.push(await ended('input_required', at));
      const open: Message[] = [];
      for (const created_at of times) {
        const message = waitingOf(alice, bob, { created_at });
        await accept(store, message, { answer_by: T + MINUTE });
        open.push(message);
      }
      const all = async (source: WaitingSource, { namespace: { id } }: World, since: number, size = 3) => {
        const view = { namespace_id: id, since };
        const ids: string[] = [];
        for (let place: WaitingPlace | undefined; ; ) {
          const page = await store.notices.waiting(source, view, place, size);
          ids.push(...page.map((one) => one.id));
          if (page.length < size) return ids;
          place = page.at(-1);
        }
      };
      const oldestFirst = (messages: readonly Message[]) => messages.map(({ id }) => id).toReversed();
      assert.deepEqual(await all('failed', bob, 0), oldestFirst(failed));
      assert.deepEqual(await all('asked', alice, 0), oldestFirst(asked));
      assert.deepEqual(await all('open', bob, 0), oldestFirst(open).toSorted());
      for (const [source, whose] of [
        ['failed', bob],
        ['asked', alice],
        ['open', bob],
      ] as const) {
        assert.equal((await all(source, whose, T + 50)).length, 3, source);
        assert.deepEqual(await all(source, whose, 0, 7), await all(source, whose, 0, 1), source);
        assert.deepEqual(await all(source, whose === bob ? alice : bob, 0), [], source);
      }
      assert.equal(await store.labels.trash(bob.mailbox.id, failed[0]?.id ?? '', T + MINUTE), true);
      assert.equal((await all('failed', bob, 0)).length, 6);
    });
  });
}
