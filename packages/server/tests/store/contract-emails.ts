import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DAY, rfc3339 } from '@mailroom/behavior/values/clock';
import { FIRST_EVENT, newId, replyIdOf } from '@mailroom/behavior/values/ids';
import type { NewDelivery } from '../../core/entities/delivery.ts';
import type { Message } from '../../core/entities/message.ts';
import type { NewEmail, QueuedAnswers } from '../../core/ports/emails.ts';
import type { Store } from '../../core/ports/store.ts';
import { accept, messageOf, settlementOf, T, type World, world } from './made.ts';

const SETTLED = { status: 'completed', settled_at: T } as const;
const WAITING = { status: 'submitted', settled_at: null, reply: null } as const;

/** What both databases promise of messages that came by e-mail. */
export function emailsContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: e-mail`, () => {
    let store: Store;
    let to: World;
    before(async () => {
      store = await open();
      to = await world(store);
    });
    after(() => store[Symbol.asyncDispose]());

    /** A message; with `email`, one that came by e-mail. */
    const received = async (fields: Partial<Message> = {}, email?: Partial<NewEmail>): Promise<Message> => {
      const message = messageOf(await world(store), to, fields);
      await accept(store, message, email && { email: emailOf(message, email) });
      return message;
    };
    const emailOf = ({ id }: Message, fields: Partial<NewEmail> = {}): NewEmail => ({
      rfc_id: `<${id}@example.com>`,
      references: ['<a@example.com>', "<'\u{1f600}@example.com>"],
      authentication: { spf: 'pass', dkim: 'none', dmarc: 'pass', arc: 'none', verified: true, verified_by: 'dmarc' },
      domain: null,
      not_answered: null,
      owed: true,
      stranger_bytes: 0,
      label: null,
      ...fields,
    });
    const deliveryOf = ({ id }: Message, reply: string): NewDelivery => ({
      id: `dlv_${reply.slice(4)}`,
      kind: 'email',
      namespace_id: to.namespace.id,
      message_id: id,
      target: 'ada@example.com',
      destination: 'example.com',
      payload: reply,
      due_at: T,
      created_at: T,
      expires_at: T + DAY,
    });
    const answersOf = ({ id }: Message): QueuedAnswers => ({
      message_id: id,
      until: T,
      deliveries: [],
      namespace_id: to.namespace.id,
      rfc_ids: [],
    });
    const owed = async (id: string): Promise<boolean> => (await store.emails.owed('', 1_000)).includes(id);

    test('what is known of a mail is written with its message, once, and is found by its Message-ID', async () => {
      const idempotency = { scope: 'smtp', key: newId('msg', T), hash: 'h', expires_at: T + DAY };
      const message = messageOf(await world(store), to, { subject: 'Hi' });
      const {
        owed: _,
        stranger_bytes: __,
        label,
        ...email
      } = emailOf(message, { domain: 'mail.example.com', label: 'quarantine' });
      await accept(store, message, { email: { ...email, owed: true, stranger_bytes: 0, label }, idempotency });
      const again = messageOf(await world(store), to);
      const replayed = await accept(store, again, { email: emailOf(again, { not_answered: 'list' }), idempotency });
      assert.deepEqual(replayed, { kind: 'replayed', id: message.id, hash: 'h' });
      const none = await received();
      const known = { ...email, message_id: message.id, created_at: message.created_at, queued_until: 0 };
      assert.deepEqual(await store.emails.byMessages([message.id, again.id, none.id, 'msg_none']), [known]);
      assert.deepEqual(await store.emails.byMessages([]), []);
      const found = async (id: string) =>
        (await store.messageIds.find(to.namespace.id, [`<${id}@example.com>`])).length;
      assert.deepEqual([await found(message.id), await found(again.id)], [1, 0]);
      const { labels } = (await store.messages.byId(message.id)) ?? {};
      assert.deepEqual(labels, [{ mailbox_id: message.mailbox_id, label: 'quarantine' }]);
    });

    test('mails and other messages that are accepted at once are each written, and what is refused leaves nothing', async () => {
      const mails = await Promise.all(
        Array.from({ length: 10 }, (_, at) => received(WAITING, { rfc_id: at === 0 ? null : `<${at}@example.com>` })),
      );
      const others = await Promise.all(Array.from({ length: 10 }, () => received(WAITING)));
      const known = await store.emails.byMessages([...mails, ...others].map(({ id }) => id));
      assert.deepEqual(known.map((one) => one.message_id).sort(), mails.map(({ id }) => id).sort());
      const refused = messageOf(await world(store), to, { ...WAITING, mailbox_id: 'mbx_none' });
      assert.equal((await accept(store, refused, { email: emailOf(refused) })).kind, 'refused');
      assert.deepEqual(await store.emails.byMessages([refused.id]), []);
    });

    test('an answer is owed once the message has settled, until its delivery is written', async () => {
      const settled = await received(SETTLED, {});
      const waiting = await received(WAITING, {});
      const unanswered = await received(SETTLED, { not_answered: 'list', owed: false });
      assert.deepEqual(
        [await owed(settled.id), await owed(waiting.id), await owed(unanswered.id)],
        [true, false, false],
      );
      const reply = newId('msg', T);
      const of = [[settled.id, `<own.${reply}@here>`]] as const;
      for (let twice = 0; twice < 2; twice++)
        await store.emails.queue({ ...answersOf(settled), deliveries: [deliveryOf(settled, reply)], rfc_ids: of });
      assert.equal(await owed(settled.id), false);
      assert.equal((await store.emails.byMessages([settled.id]))[0]?.queued_until, T);
      assert.equal((await store.deliveries.byId(`dlv_${reply.slice(4)}`))?.status, 'queued');
      assert.equal((await store.messageIds.find(to.namespace.id, [`<own.${reply}@here>`])).length, 1);
      await store.emails.owe(unanswered.id);
      assert.equal(await owed(unanswered.id), true);
      assert.equal((await store.emails.owed(unanswered.id, 1_000)).includes(unanswered.id), false, 'after it');
    });

    test('a settlement is written with its answer, and none is where another settled it', async () => {
      const message = messageOf(await world(store), to, WAITING);
      await accept(store, message, { email: emailOf(message), leased_until: T + 1_000 });
      const reply = replyIdOf(message.id);
      const delivery = deliveryOf(message, reply);
      const answers = {
        ...answersOf(message),
        deliveries: [delivery],
        rfc_ids: [[reply, `<own.${reply}@here>`]] as const,
      };
      const settle = (fence: number) =>
        store.messages.settleAnswered({ id: message.id, fence }, settlementOf(), answers);
      assert.equal(await settle(2), false);
      assert.equal(await store.deliveries.byId(delivery.id), undefined);
      assert.equal(await settle(1), true);
      assert.equal((await store.deliveries.byId(delivery.id))?.status, 'queued');
      assert.equal((await store.messages.byId(message.id))?.status, 'completed');
      assert.equal(await owed(message.id), false);
      assert.equal((await store.messageIds.find(to.namespace.id, [`<own.${reply}@here>`])).length, 1);
      assert.equal(await settle(1), false);
    });

    test('a message that settled on its way is written with its answer, once, and without where it is refused', async () => {
      const mailbox = await world(store);
      const message = messageOf(mailbox, to, SETTLED);
      const email = emailOf(message);
      const reply = replyIdOf(message.id);
      const delivery = deliveryOf(message, reply);
      const answers = {
        ...answersOf(message),
        deliveries: [delivery],
        rfc_ids: [[reply, `<own.${reply}@here>`]] as const,
      };
      const idempotency = { scope: 'smtp', key: message.id, hash: 'h', expires_at: T + DAY };
      const rest = { email, max_waiting: 1_000, from_mailbox_id: null };
      const none = { ...message, mailbox_id: 'mbx_none' };
      const refused = await store.messages.acceptAnswered({ message: none, ...rest }, answers);
      assert.deepEqual(refused, { kind: 'refused', code: 'mailbox_gone' });
      assert.equal(await store.deliveries.byId(delivery.id), undefined);
      const accepted = await store.messages.acceptAnswered({ message, idempotency, ...rest }, answers);
      assert.deepEqual(accepted, { kind: 'accepted', held: false, answered: true });
      assert.equal((await store.deliveries.byId(delivery.id))?.status, 'queued');
      assert.equal((await store.messages.byId(message.id))?.status, 'completed');
      assert.equal(await owed(message.id), false);
      assert.equal((await store.messageIds.find(to.namespace.id, [`<own.${reply}@here>`])).length, 1);
      const other = messageOf(mailbox, to, SETTLED);
      const again = await store.messages.acceptAnswered({ message: other, idempotency, ...rest }, answersOf(other));
      assert.deepEqual(again, { kind: 'replayed', id: message.id, hash: 'h' });
    });

    test('a delivery ends with what answers it, while its claim holds, and never without it', async () => {
      const mailbox = await world(store);
      const rest = { max_waiting: 1_000, from_mailbox_id: null };
      const claimed = async () => {
        const delivery = deliveryOf(await received(SETTLED), newId('msg', T));
        await store.deliveries.add(delivery);
        const [claim] = await store.deliveries.claim([delivery.id], T, DAY);
        assert.ok(claim);
        return claim;
      };
      const answer = (delivery: { readonly id: string; readonly fence: number }, key = '', changed = {}) => {
        const message = { ...messageOf(mailbox, to, SETTLED), ...changed };
        const idempotency = { scope: 'smtp', key: key || message.id, hash: 'h', expires_at: T + DAY };
        const acceptance = { message, email: emailOf(message), idempotency, ...rest };
        return store.messages.acceptAnswered(acceptance, { delivery, at: T + 1 });
      };
      const statusOf = async ({ id }: { readonly id: string }) => (await store.deliveries.byId(id))?.status;
      const claim = await claimed();
      assert.equal((await answer(claim, '', { mailbox_id: 'mbx_none' })).kind, 'refused');
      assert.equal(await statusOf(claim), 'queued');
      const from = (await store.events.last(to.namespace.id)) ?? FIRST_EVENT;
      assert.deepEqual(await answer(claim, claim.id), { kind: 'accepted', held: false, answered: true });
      assert.equal(await statusOf(claim), 'sent');
      assert.equal(await store.deliveries.sent(claim, T + 2), false);
      const { items } = await store.events.page({ namespace_id: to.namespace.id }, from, 50);
      assert.deepEqual(
        items.map(({ type }) => type).filter((type) => type.startsWith('delivery.')),
        ['delivery.sent'],
      );
      const other = await claimed();
      assert.equal((await answer(other, claim.id)).kind, 'replayed');
      assert.equal((await answer({ ...other, fence: other.fence + 1 })).kind, 'accepted');
      assert.equal(await statusOf(other), 'queued');
    });

    test('it goes with its message', async () => {
      const old = await received({ created_at: T - 10 * DAY, ...SETTLED, settled_at: T - 10 * DAY }, {});
      for (let from: string | null = ''; from !== null; )
        from = (await store.messages.retire(T - 9 * DAY, from, 100)).next;
      assert.deepEqual(await store.emails.byMessages([old.id]), []);
    });

    test('only a delivery that left can come back', async () => {
      const message = await received(SETTLED);
      const reply = newId('msg', T);
      const delivery = deliveryOf(message, reply);
      await store.deliveries.add(delivery);
      assert.equal(await store.deliveries.bounced(delivery.id, 'bounced 5.1.1', T), false);
      const [claim] = await store.deliveries.claim([delivery.id], T, DAY);
      assert.ok(claim !== undefined && (await store.deliveries.sent(claim, T)));
      assert.equal(await store.deliveries.bounced(delivery.id, 'bounced 5.1.1', T + 1), true);
      const { status, error } = (await store.deliveries.byId(delivery.id)) ?? {};
      assert.deepEqual([status, error], ['failed', 'bounced 5.1.1']);
      assert.equal(await store.deliveries.bounced(delivery.id, 'bounced 5.1.1', T + 2), false);
      assert.equal(await store.deliveries.complained(delivery.id, 'complained', T + 2), false);
    });

    test('a notice that comes before the delivery is written as sent ends it, and no attempt follows', async () => {
      const delivery = deliveryOf(await received(SETTLED), newId('msg', T));
      await store.deliveries.add(delivery);
      const [claim] = await store.deliveries.claim([delivery.id], T, DAY);
      assert.equal(await store.deliveries.delayed(delivery.id, 'delayed 4.4.1', T), false);
      assert.equal(await store.deliveries.bounced(delivery.id, 'bounced 5.1.1', T), true);
      assert.equal(claim !== undefined && (await store.deliveries.sent(claim, T + 1)), false);
      const { status, due_at } = (await store.deliveries.byId(delivery.id)) ?? {};
      assert.deepEqual([status, due_at], ['failed', null]);
    });

    test('one that a server still tries is deferred, once, until it comes back', async () => {
      const delivery = deliveryOf(await received(SETTLED), newId('msg', T));
      const from = (await store.events.last(to.namespace.id)) ?? FIRST_EVENT;
      await store.deliveries.add(delivery);
      assert.equal(await store.deliveries.delayed(delivery.id, 'delayed 4.4.1', T), false);
      const [claim] = await store.deliveries.claim([delivery.id], T, DAY);
      assert.ok(claim !== undefined && (await store.deliveries.sent(claim, T)));
      assert.equal(await store.deliveries.delayed(delivery.id, 'delayed 4.4.1', T + 1), true);
      assert.equal(await store.deliveries.delayed(delivery.id, 'delayed 4.4.2', T + 2), false);
      const { status, error, due_at } = (await store.deliveries.byId(delivery.id)) ?? {};
      assert.deepEqual([status, error, due_at], ['deferred', 'delayed 4.4.1', null]);
      assert.equal(await store.deliveries.bounced(delivery.id, 'bounced 4.4.7', T + 3), true);
      const { items } = await store.events.page({ namespace_id: to.namespace.id }, from, 50);
      assert.deepEqual(
        items.map(({ type }) => type).filter((type) => type.startsWith('delivery.')),
        ['delivery.sent', 'delivery.deferred', 'delivery.bounced'],
      );
    });

    test('each change of a delivery is an event, of deferrals the first, with the message and its deliveries', async () => {
      const begin = async () => {
        const delivery = deliveryOf(await received(SETTLED), newId('msg', T));
        await store.deliveries.add(delivery);
        return delivery;
      };
      const attempt = async (id: string) => (await store.deliveries.claim([id], T + 9, DAY))[0] ?? assert.fail();
      const from = (await store.events.last(to.namespace.id)) ?? FIRST_EVENT;
      const [one, two, three] = [await begin(), await begin(), await begin()];
      const lost = await attempt(one.id);
      assert.equal(await store.deliveries.deferred(lost, '451 busy', T, T + 1), true);
      assert.equal(await store.deliveries.sent(lost, T + 1), false, 'its claim is over');
      await store.deliveries.deferred(await attempt(one.id), '451 busy', T, T + 2);
      await store.deliveries.sent(await attempt(one.id), T + 3);
      assert.equal(await store.deliveries.complained(one.id, 'complained (abuse)', T + 4), true);
      await store.deliveries.failed(await attempt(two.id), '550 no', T + 5);
      await store.deliveries.sent(await attempt(three.id), T + 6);
      await store.deliveries.bounced(three.id, 'bounced 5.1.1', T + 7);
      const { items } = await store.events.page({ namespace_id: to.namespace.id }, from, 50);
      const seen = items.filter(({ type }) => type.startsWith('delivery.'));
      assert.deepEqual(
        seen.map((event) => [event.type, 'message' in event && event.message.id, event.mailbox_id, event.at]),
        [
          ['delivery.deferred', one.message_id, to.mailbox.id, T + 1],
          ['delivery.sent', one.message_id, to.mailbox.id, T + 3],
          ['delivery.complained', one.message_id, to.mailbox.id, T + 4],
          ['delivery.bounced', two.message_id, to.mailbox.id, T + 5],
          ['delivery.sent', three.message_id, to.mailbox.id, T + 6],
          ['delivery.bounced', three.message_id, to.mailbox.id, T + 7],
        ],
      );
      const [first] = seen;
      assert.deepEqual(first !== undefined && 'message' in first && first.message.email?.deliveries, [
        {
          to: 'ada@example.com',
          message_id: one.payload,
          status: 'complained',
          error: 'complained (abuse)',
          attempts: 3,
          updated_at: rfc3339(T + 4),
          next_attempt_at: null,
        },
      ]);
    });
  });
}
