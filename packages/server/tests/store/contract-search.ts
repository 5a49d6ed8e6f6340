import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { threadOf } from '@mailroom/behavior/values/ids';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';
import type { Message } from '../../core/entities/message.ts';
import { BEGINNING } from '../../core/ports/messages.ts';
import type { Store } from '../../core/ports/store.ts';
import type { Page } from '../../core/values/page.ts';
import { accept, freshName, keyOf, mailboxOf, messageOf, namespaceOf, T, type World, world } from './made.ts';

/** As long as a body may be. */
const LONG = 'a'.repeat(256 * 1024);
const ALMOST = `${'a'.repeat(100)}b${'a'.repeat(99)}`;

/** Tests of searches, whatever the amount of data. */
export function searchContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: searching`, () => {
    let store: Store;
    let full: World;
    const sent: Message[] = [];
    before(async () => {
      store = await open();
      full = await world(store);
      for (let part = 0; part < 7; part++) {
        const messages = Array.from({ length: 20 }, (_, i) =>
          messageOf(full, full, { body: LONG, created_at: T + 20 * part + i }),
        );
        for (const message of messages) sent.unshift(message);
        await Promise.all(messages.map((message) => accept(store, message)));
      }
    });
    after(() => store[Symbol.asyncDispose]());

    const search = (caller: string, signal?: AbortSignal) =>
      store.messages.page({ mailbox_id: full.mailbox.id, query: ALMOST }, null, 10, {
        id: caller,
        ...(signal === undefined ? {} : { signal }),
      });

    test('a search of long messages looks at 32 MiB of them, and says where to continue', async () => {
      const first = await search('a');
      assert.deepEqual(first.items, []);
      const looked = sent.findIndex(({ id }) => id === first.next) + 1;
      assert.ok(looked >= 120 && looked <= 136, `${looked} of ${sent.length} were looked at`);
      const of = { mailbox_id: full.mailbox.id, query: ALMOST };
      assert.deepEqual(await store.messages.page(of, first.next, 10), { items: [], next: null });
    });

    test('a list that needs their beginnings has as many long messages on a page as short ones', async () => {
      const of = { mailbox_id: full.mailbox.id };
      const { items } = await store.messages.page({ ...of, texts: 'beginning' }, null, 100);
      assert.deepEqual(
        items.map(({ id }) => id),
        sent.slice(0, 100).map(({ id }) => id),
      );
      const [{ items: whole }, ends] = await Promise.all([
        store.messages.page(of, null, 1),
        store.messages.endsOf(sent.slice(0, 100).map(({ thread_id }) => thread_id)),
      ]);
      assert.equal(ends.length, 100);
      for (const { body } of [...items, ...ends]) assert.equal(body, whole[0]?.body.slice(0, BEGINNING));
      const [first] = await store.messages.byIds(items.slice(0, 1).map(({ id }) => id));
      assert.deepEqual(first, whole[0], 'it is read whole by default');
    });

    test('a page of long messages holds fewer of them, and a list, a thread and the log are read to their end', async () => {
      const all = async (page: (after: string | null) => Promise<Page<Message>>): Promise<string[]> => {
        const ids: string[] = [];
        for (let after: string | null = null; ; ) {
          const { items, next }: Page<Message> = await page(after);
          assert.ok(items.length > 0 && items.length <= 16, `${items.length} on a page`);
          ids.push(...items.map(({ id }) => id));
          if (next === null) return ids;
          after = next;
        }
      };
      const ids = sent.map(({ id }) => id);
      assert.deepEqual(await all((at) => store.messages.page({ mailbox_id: full.mailbox.id }, at, 200)), ids);
      assert.deepEqual(
        await all((at) => store.messages.page({ sender_namespace_id: full.namespace.id }, at, 200)),
        ids,
      );
      assert.deepEqual(
        await all((at) => store.messages.page({ mailbox_id: full.mailbox.id, status: 'completed' }, at, 200)),
        ids,
      );
      const one = await world(store);
      const first = messageOf(one, one, { body: LONG });
      const thread_id = threadOf(first.id);
      const rest = Array.from({ length: 30 }, (_, i) =>
        messageOf(one, one, { body: LONG, thread_id, created_at: T + 1 + i }),
      );
      for (const message of [first, ...rest]) await accept(store, message);
      const thread = [first, ...rest].map(({ id }) => id);
      assert.deepEqual(await all((at) => store.messages.thread(thread_id, at, 200)), thread);
      const ends: string[][] = [];
      await all(async (at) => {
        const page = await store.messages.threadEnd(thread_id, at, 200);
        ends.unshift(page.items.map(({ id }) => id));
        return page;
      });
      assert.deepEqual(ends.flat(), thread);
      const log: string[] = [];
      for (let after: string | null = null; ; ) {
        const { items, next, more } = await store.events.page({ namespace_id: one.namespace.id }, after, 200);
        assert.ok(items.length <= 16, `${items.length} events at once`);
        for (const event of items) if ('message' in event) log.push(event.message.id);
        if (!more) break;
        after = next;
      }
      assert.deepEqual(log, thread);
    });

    test('a search whose caller is gone ends', async () => {
      const gone = AbortSignal.abort();
      const { items, next } = await search('a', gone);
      assert.deepEqual(items, []);
      assert.equal(next, null);
    });

    // Each database orders searches by the same code.
    test('many searches of one caller hold up none but its own', {
      skip: name !== 'SQLite' && LONG_ONLY.skip,
    }, async () => {
      let done = 0;
      const leave = new AbortController();
      const many = Array.from({ length: 30 }, async () => {
        await search('many', leave.signal);
        done += 1;
      });
      await search('one');
      assert.ok(done <= 2, `${done} of 30 searches came before the one of another`);
      leave.abort();
      await Promise.all(many);
    });

    test('one caller has a bounded number of searches under way, and is told to wait; another is not', async () => {
      const leave = new AbortController();
      const many = Array.from({ length: 32 }, () => search('many', leave.signal));
      await assert.rejects(search('many'), { code: 'rate_limited', retry_after_ms: 1000 });
      const other = search('one', leave.signal);
      leave.abort();
      await Promise.all([...many, other]);
      assert.equal(
        (
          await store.messages.page({ mailbox_id: full.mailbox.id, query: 'x' }, sent.at(-1)?.id ?? null, 1, {
            id: 'many',
          })
        ).next,
        null,
      );
    });

    test('what is searched for has up to 200 characters, and whoever has more is told so', async () => {
      const query = 'a'.repeat(201);
      const refusal = { code: 'validation_error', message: /up to 200 characters/ };
      const { mailbox, namespace } = full;
      await assert.rejects(store.messages.page({ mailbox_id: mailbox.id, query }, null, 1), refusal);
      await assert.rejects(store.mailboxes.page({ listed: true, seen_by: null, query }, null, 1), refusal);
      await assert.rejects(store.notes.find({ mailbox_id: mailbox.id, owner: namespace.id }, query, 1), refusal);
    });

    test('the directory is searched past all that does not fit, and shows a namespace what it alone may see', async () => {
      const namespace = namespaceOf(freshName());
      const boxes = Array.from({ length: 1_200 }, (_, i) =>
        mailboxOf(namespace, `m${i}`, {
          access: i % 400 === 3 ? 'key' : 'public',
          behavior: i === 700 ? 'rare' : 'hello',
          ...(i % 400 === 3 || i === 1_100 ? { description: 'A Needle' } : {}),
        }),
      );
      await store.namespaces.create({ namespace, key: keyOf(namespace), mailboxes: boxes });
      const found = async (seen_by: string | null, of: { query?: string; behavior?: string }) =>
        (await store.mailboxes.page({ listed: true, seen_by, ...of }, null, 50)).items.map(
          ({ local_part }) => local_part,
        );
      assert.deepEqual(await found(null, { query: 'needle' }), ['m1100']);
      assert.deepEqual(await found(namespace.id, { query: 'needle' }), ['m3', 'm403', 'm803', 'm1100']);
      assert.deepEqual(await found(namespace.id, { behavior: 'rare' }), ['m700']);
      const last = boxes.at(402)?.id as string;
      const { items } = await store.mailboxes.page({ listed: true, seen_by: namespace.id }, last, 2);
      assert.deepEqual(
        items.map(({ local_part }) => local_part),
        ['m403', 'm404'],
      );
    });
  });
}
