import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { labelsIn } from '../../core/entities/label.ts';
import type { Store } from '../../core/ports/store.ts';
import { draftOf } from './contract-drafts.ts';
import { accept, fromMailbox, messageOf, purgeAll, T, world } from './made.ts';

/** What both databases promise of labels. */
export function labelsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: labels`, () => {
    let store: Store;
    before(async () => {
      store = await open();
    });
    after(() => store[Symbol.asyncDispose]());
    const labelsOf = async (box: string, id: string) => {
      const message = await store.messages.byId(id);
      return message && labelsIn(message, box);
    };
    /** A message from a mailbox to another. */
    const sent = async () => {
      const [from, to] = [await world(store), await world(store)];
      const message = messageOf(from, to, fromMailbox(from));
      await accept(store, message, { from_mailbox_id: from.mailbox.id });
      const [box, author] = [to.mailbox.id, from.mailbox.id];
      const change = async (add: readonly string[], remove: readonly string[] = [], read?: boolean, of = box) => {
        const changed = await store.labels.change(of, message.id, { add, remove, read }, 20);
        return changed === 'full' ? changed : labelsIn({ ...message, ...changed }, of);
      };
      const now = (of = box) => labelsOf(of, message.id);
      const listed = async (label: string, before: string | null = null, of = box, rest = {}) =>
        (await store.messages.page({ mailbox_id: of, label, ...rest }, before, 5)).items.map(({ id }) => id);
      return { box, author, message, change, now, listed };
    };

    test('the names of the labels in some mailboxes are listed once, sorted, and no more than fifty', async () => {
      const [one, two] = [await sent(), await sent()];
      await one.change(['b', 'a']);
      await two.change(['c', 'a']);
      assert.deepEqual(await store.labels.names([one.box, two.box]), ['a', 'b', 'c']);
      assert.deepEqual(await store.labels.names([one.box]), ['a', 'b']);
      assert.deepEqual(await store.labels.names([one.author]), []);
      assert.deepEqual(await store.labels.names([]), []);
      const many = Array.from({ length: 60 }, (_, at) => `l${String(at).padStart(2, '0')}`);
      await store.labels.change(two.box, two.message.id, { add: many, remove: [] }, 100);
      assert.deepEqual((await store.labels.names([two.box])).length, 50);
    });

    test('drafts, sent messages that wait and conversations in the trash are counted, of the namespace alone', async () => {
      const [from, to] = [await world(store), await world(store)];
      const counts = (of = from) => store.places.counts(of.namespace.id);
      const NONE = { later: 0, assigned: {} };
      assert.deepEqual(await counts(), { ...NONE, drafts: 0, sent: 0, trash: 0 });
      const message = messageOf(from, to, { ...fromMailbox(from), status: 'submitted', reply: null, settled_at: null });
      await accept(store, message, { from_mailbox_id: from.mailbox.id });
      assert.deepEqual(await counts(), { ...NONE, drafts: 0, sent: 1, trash: 0 });
      assert.deepEqual(await counts(to), { ...NONE, drafts: 0, sent: 0, trash: 0 });
      await store.labels.trash(to.mailbox.id, message.id, T + 1);
      await store.messages.cancel(message.id, T);
      assert.deepEqual(await counts(), { ...NONE, drafts: 0, sent: 0, trash: 0 });
      assert.deepEqual(await counts(to), { ...NONE, drafts: 0, sent: 0, trash: 1 });
      await store.labels.restore(to.mailbox.id, message.id);
      assert.deepEqual(await counts(to), { ...NONE, drafts: 0, sent: 0, trash: 0 });
      await store.drafts.create(draftOf(from), 10);
      assert.deepEqual(await counts(), { ...NONE, drafts: 1, sent: 0, trash: 0 });
    });

    test('labels are added and removed together, sorted, each once, and apart for each mailbox', async () => {
      const { author, message, change, now, listed } = await sent();
      assert.deepEqual(await now(), ['unread']);
      assert.deepEqual(await change(['b', 'z', 'a']), ['a', 'b', 'unread', 'z']);
      assert.deepEqual(await change(['c', 'a'], ['b', 'none', 'z']), ['a', 'c', 'unread']);
      assert.deepEqual(await now(), ['a', 'c', 'unread']);
      assert.deepEqual(await change(['z'], [], undefined, author), ['z']);
      assert.deepEqual([await now(), await now(author)], [['a', 'c', 'unread'], ['z']]);
      assert.deepEqual(await listed('z'), []);
      assert.deepEqual(await listed('a'), [message.id]);
      assert.deepEqual(await listed('a', message.id), []);
      assert.deepEqual(await listed('z', null, author), [], 'a list is of what was received');
      assert.deepEqual(await listed('z', null, author, { direction: 'sent' }), [message.id]);
      assert.deepEqual(await listed('z', null, author, { direction: 'all' }), [message.id]);
    });

    test('a message is unread in the mailbox that received it and in no other, until that one has read it', async () => {
      const { author, message, change, now, listed } = await sent();
      assert.deepEqual([await now(), await now(author)], [['unread'], []]);
      assert.deepEqual(await change([], [], true, author), [], 'its author cannot read it for the recipient');
      assert.deepEqual(await now(), ['unread']);
      assert.deepEqual(await listed('unread'), [message.id]);
      assert.deepEqual(await listed('unread', null, author, { direction: 'all' }), [`${message.id.slice(0, -1)}1`]);
      assert.deepEqual(await change(['a'], [], true), ['a']);
      assert.deepEqual(await listed('unread'), []);
      assert.deepEqual(await change([], ['a']), []);
      assert.deepEqual(await change([], [], false), ['unread']);
      assert.deepEqual(await listed('unread'), [message.id]);
    });

    test('a list with a label has a page after each message, the newest first', async () => {
      const [from, to] = [await world(store), await world(store)];
      const ids: string[] = [];
      for (let at = 0; at < 6; at++) {
        const message = messageOf(from, to, { created_at: T + at, status: at === 3 ? 'rejected' : 'completed' });
        await accept(store, message);
        if (at % 3 !== 1) await store.labels.change(to.mailbox.id, message.id, { add: ['l'], remove: [] }, 20);
        ids.unshift(message.id);
      }
      const labeled = ids.filter((_, at) => at % 3 !== 1);
      const pages = async (of: object) => {
        const found: string[] = [];
        let before: string | null = null;
        do {
          const page = await store.messages.page({ mailbox_id: to.mailbox.id, label: 'l', ...of }, before, 1);
          found.push(...page.items.map(({ id }) => id));
          before = page.next;
        } while (before !== null);
        return found;
      };
      assert.deepEqual(await pages({}), labeled);
      assert.deepEqual(await pages({ direction: 'all' }), labeled);
      assert.deepEqual(await pages({ direction: 'sent' }), []);
      assert.deepEqual(await pages({ status: 'rejected' }), [ids[2]]);
      assert.deepEqual(await pages({ query: 'hello' }), labeled);
      assert.deepEqual(await pages({ query: 'nowhere' }), []);
    });

    test('of many changes at once as many are made as fit, each whole', async () => {
      const { change, now } = await sent();
      await change([], [], true);
      const results = await Promise.all(Array.from({ length: 15 }, (_, at) => change([`${at}a`, `${at}b`, `${at}c`])));
      assert.equal(results.filter((one) => one !== 'full').length, 6);
      const labels = (await now()) ?? [];
      assert.equal(labels.length, 18);
      assert.equal(await change(['w', 'x', 'y', 'z'], [labels[0] as string], false), 'full');
      assert.deepEqual(await now(), labels, 'nothing was changed');
      assert.notEqual(await change(['x', 'y'], []), 'full');
      assert.notEqual(await change(['x', 'z'], [labels[0] as string]), 'full');
      assert.equal(await change(['more'], []), 'full');
      assert.notEqual(await change([], [], false), 'full');
    });

    test('a message that does not exist gets no label', async () => {
      const { box } = await sent();
      await store.labels.change(box, 'msg_none', { add: ['a'], remove: [], read: true }, 20);
      assert.deepEqual((await store.messages.page({ mailbox_id: box, label: 'a' }, null, 5)).items, []);
    });

    test('labels go with their mailbox', async () => {
      const { box, author, message, change } = await sent();
      await change(['a'], [], true);
      await change(['z'], [], undefined, author);
      await store.mailboxes.delete(author, T);
      await purgeAll(store, T);
      const labels = (await store.messages.byId(message.id))?.labels;
      assert.deepEqual(labels, [{ mailbox_id: box, label: 'a' }]);
    });
  });
}
