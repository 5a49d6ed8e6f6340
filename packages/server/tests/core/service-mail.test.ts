import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostedAddress } from '@mailroom/behavior/values/address';
import { newId } from '@mailroom/behavior/values/ids';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { everyDatabaseOr } from '../../../../tests/soak/databases.ts';
import { Deliverer, type DeliveryLog } from '../../core/outgoing/deliver.ts';
import { type Deliver, type Mail, mailKind, ServiceMail } from '../../core/outgoing/service-mail.ts';
import type { DeliveryResult } from '../../core/ports/delivery.ts';
import { OneTimeSecrets } from '../../core/runs/one-time-secrets.ts';
import { openStore } from '../../store/open.ts';
import { type Home, type House, home, openHouse, submission, T, TestClock, until } from './house.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const SENT: DeliveryResult = { kind: 'sent' };
const later = (reason = '451'): DeliveryResult => ({ kind: 'failed', permanent: false, reason });

interface Office {
  readonly serviceMail: ServiceMail;
  readonly deliverer: Deliverer;
  readonly sealed: OneTimeSecrets;
  /** The mails that were sent outside. */
  readonly handed: Mail[];
  readonly logged: DeliveryLog[];
  /** The names of the store's methods that were called. */
  readonly asked: string[];
}

/** A proxy that records which methods are called. */
const noting = <T extends object>(what: T, asked: string[]): T =>
  new Proxy(what, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]) => {
        asked.push(String(name));
        return Reflect.apply(method, target, given) as unknown;
      };
    },
  });

/** The offices of the current test. */
const offices: Deliverer[] = [];
const closeOffices = () => Promise.all(offices.splice(0).map((deliverer) => deliverer.stop(0)));

/** The mail of this house; external mail goes to `deliver`. */
function office(house: House, deliver: Deliver = async () => SENT): Office {
  const { store, dispatch, clock } = house;
  const sealed = new OneTimeSecrets({ states: store.states, clock: clock.read });
  const handed: Mail[] = [];
  const logged: DeliveryLog[] = [];
  const requests: string[] = [];
  const { deliveries, suppressions, mailboxes, messages, shared } = store;
  const { add, remove, deferred } = noting(deliveries, requests);
  const kind = mailKind({
    store: { mailboxes: noting(mailboxes, requests), messages: noting(messages, requests) },
    sealed: noting(sealed, requests),
    dispatch,
    clock: clock.read,
    mailDomain: 'mailroom.test',
    deliver: (mail, signal) => {
      handed.push(mail);
      return deliver(mail, signal);
    },
  });
  const deliverer = new Deliverer(
    {
      store: {
        // How often it looks for work depends on the time.
        deliveries: { ...deliveries, add, remove, deferred },
        suppressions: noting(suppressions, requests),
        messages: noting(messages, requests),
        shared,
      },
      clock: clock.read,
      kinds: [kind],
    },
    {
      lease_ms: 30_000,
      poll_ms: 2,
      onError: (error) => void house.errors.push(error),
      log: (one) => void logged.push(one),
    },
  );
  offices.push(deliverer);
  const serviceMail = new ServiceMail({ deliverer, clock: clock.read, mailDomain: 'mailroom.test' });
  return { serviceMail, deliverer, sealed, handed, logged, asked: requests };
}

const CODE = 'CDFH-3467';
const mailOf = (from: Home, to: string, fields: Partial<Mail> = {}): Mail => ({
  id: newId('mail', T),
  to,
  subject: 'Sign in to Shop',
  text: `Your code: ${CODE}`,
  html: `<p>Your code: ${CODE}</p>`,
  expires_at: T + 10 * MINUTE,
  from_mailbox_id: from.box.id,
  note: 'A code to sign in was here.',
  ...fields,
});

const received = async (house: House, of: Home) =>
  (await house.store.messages.page({ mailbox_id: of.box.id }, null, 50)).items;
const waits = async (house: House, mail: Mail): Promise<boolean> =>
  (await house.store.deliveries.byId(mail.id)) !== undefined;
const isDone = (house: House, mail: Mail) => until(async () => !(await waits(house, mail)));

for (const database of await everyDatabaseOr('PostgreSQL')) {
  describe(`mail that the service writes, on ${database.name}`, () => {
    /** A house on this database. */
    async function on(clock = new TestClock()): Promise<House & AsyncDisposable> {
      const folder = newFolder();
      const store = await openStore(await database.fresh(folder), { clock: clock.read });
      const house = await openHouse({ clock, store });
      return Object.assign(house, {
        [Symbol.asyncDispose]: async () => {
          await closeOffices();
          await house.dispatch.stop(0);
          await store[Symbol.asyncDispose]();
          removeFolder(folder);
        },
      });
    }

    test('goes to the outside once, as it was written, and leaves nothing behind', async () => {
      await using house = await on();
      const alice = await home(house);
      const { serviceMail, handed, logged } = office(house);
      const mail = mailOf(alice, 'ada@outside.example');
      await serviceMail.enqueue(mail);
      await isDone(house, mail);
      assert.deepEqual([handed, logged], [[mail], []]);
      assert.deepEqual(await house.store.deliveries.waiting(), []);
    });

    test('is tried again with growing pauses until it is taken', async () => {
      await using house = await on();
      const alice = await home(house);
      const answers = [later(), later('ECONNREFUSED'), later(), SENT];
      const { serviceMail, deliverer, handed, logged } = office(house, async () => answers.shift() as DeliveryResult);
      const mail = mailOf(alice, 'ada@outside.example');
      await serviceMail.enqueue(mail);
      // Each pause is four times the one before, and up to a quarter more.
      for (const [tries, pause] of [
        [1, 1],
        [2, 4],
        [3, 16],
      ] as const) {
        await until(() => logged.length === tries);
        house.clock.pass(pause * SECOND - 1);
        deliverer.checkDue();
        await new Promise((resolve) => setTimeout(resolve, 30));
        assert.equal(handed.length, tries, 'it was tried too soon');
        house.clock.pass((pause * SECOND) / 4 + 2);
      }
      await isDone(house, mail);
      assert.equal(handed.length, 4);
      assert.deepEqual(
        logged.map(({ outcome, attempt, reason }) => [outcome, attempt, reason]),
        [
          ['deferred', 1, '451'],
          ['deferred', 2, 'ECONNREFUSED'],
          ['deferred', 3, '451'],
        ],
      );
    });

    test('that is refused for good is dropped at once', async () => {
      await using house = await on();
      const alice = await home(house);
      const { serviceMail, handed, logged } = office(house, async () => ({
        kind: 'failed',
        permanent: true,
        reason: '550',
      }));
      const mail = mailOf(alice, 'ada@outside.example');
      await serviceMail.enqueue(mail);
      await isDone(house, mail);
      assert.equal(handed.length, 1);
      assert.deepEqual(logged, [
        { delivery_id: mail.id, kind: 'mail', domain: 'outside.example', attempt: 1, outcome: 'failed', reason: '550' },
      ]);
      assert.ok(!JSON.stringify(logged).includes('ada') && !JSON.stringify(logged).includes(CODE));
    });

    test('of no use any more is not sent, and tried no more often than it is of use', async () => {
      await using house = await on();
      const alice = await home(house);
      const { serviceMail, handed, logged } = office(house, async () => later());
      const mail = mailOf(alice, 'ada@outside.example', { expires_at: T + 3 * SECOND });
      await serviceMail.enqueue(mail);
      await until(() => logged.length === 1);
      house.clock.pass(2 * SECOND);
      // The next attempt would be when it has expired.
      await isDone(house, mail);
      assert.deepEqual([handed.length, logged.map(({ outcome }) => outcome)], [2, ['deferred', 'failed']]);
      const late = mailOf(alice, 'ada@outside.example', { expires_at: T });
      await serviceMail.enqueue(late);
      await isDone(house, late);
      assert.deepEqual([handed.length, logged.at(-1)?.outcome, logged.at(-1)?.reason], [2, 'failed', 'expired']);
    });

    test('to an address that is hosted here stands in its inbox, settled, and asks no behavior', async () => {
      await using house = await on();
      const [alice, bob] = [await home(house), await home(house)];
      const { serviceMail, sealed, handed } = office(house);
      const mail = mailOf(alice, bob.address);
      await serviceMail.enqueue(mail);
      await isDone(house, mail);
      const [message, ...more] = await received(house, bob);
      assert.ok(message);
      assert.deepEqual([more, handed, house.handled], [[], [], 0]);
      assert.deepEqual(
        [message.status, message.from, message.sender_kind, message.sender_id, message.subject, message.reply],
        ['completed', `box@${alice.namespace.name}`, 'mailbox', alice.box.id, mail.subject, null],
      );
      // The note is stored; the text can be read until it expires.
      assert.equal(message.body, mail.note);
      assert.equal((await sealed.open(message, 'recipient')).body, mail.text);
      assert.equal((await sealed.open(message, 'recipient')).body, mail.text);
      house.clock.pass(10 * MINUTE);
      assert.equal((await sealed.open(message, 'recipient')).body, mail.note);
    });

    test('in a hosted inbox is told of as an arrival, to its owner and not to the one it comes from', async () => {
      await using house = await on();
      const [alice, bob] = [await home(house), await home(house)];
      const { serviceMail, sealed } = office(house);
      const notified: string[] = [];
      house.bus.subscribeEvents((id) => notified.push(id));
      const mail = mailOf(alice, bob.address);
      await serviceMail.enqueue(mail);
      await isDone(house, mail);
      const [message] = await received(house, bob);
      assert.ok(message);
      const events = await house.store.events.page({ namespace_id: bob.namespace.id }, null, 10);
      assert.deepEqual(
        events.items.map((event) => [event.type, 'message' in event && event.message.id]),
        [
          ['mailbox.created', false],
          ['message.completed', message.id],
        ],
      );
      assert.ok(!JSON.stringify(events).includes(CODE));
      assert.deepEqual(notified, [bob.namespace.id]);
      const own = { namespace_id: alice.namespace.id };
      assert.deepEqual(
        (await house.store.events.page(own, null, 10)).items.map(({ type }) => type),
        ['mailbox.created'],
      );
      const sent = await house.store.messages.page({ sender_namespace_id: alice.namespace.id }, null, 10);
      assert.deepEqual(sent.items, []);
      assert.equal((await sealed.open(message, 'sender')).body, mail.note);
    });

    test('finds a hosted address with a tag, in a paused mailbox and in one that takes keys alone', async () => {
      await using house = await on();
      const alice = await home(house);
      const paused = await home(house, { status: 'paused' });
      const closed = await home(house, { access: 'key', try_out: false });
      const { serviceMail } = office(house);
      const [local, domain] = closed.address.split('@');
      for (const [to, box] of [
        [paused.address, paused],
        [`${local}+shop@${domain}`, closed],
        [`box@${alice.namespace.name}`, alice],
      ] as const) {
        const mail = mailOf(alice, to);
        await serviceMail.enqueue(mail);
        await isDone(house, mail);
        assert.equal((await received(house, box)).length, 1, to);
      }
    });

    test('to an address here that nobody has is dropped without a word, after the same writes', async () => {
      await using house = await on();
      const [alice, bob, gone, deleted] = [await home(house), await home(house), await home(house), await home(house)];
      await house.store.mailboxes.delete(gone.box.id, T);
      await house.store.namespaces.delete(deleted.namespace.id, T);
      const { serviceMail, handed, logged, asked } = office(house);
      const post = async (to: string): Promise<readonly string[]> => {
        asked.length = 0;
        const mail = mailOf(alice, to);
        await serviceMail.enqueue(mail);
        await isDone(house, mail);
        return [...asked];
      };
      const there = await post(bob.address);
      assert.deepEqual(there, ['add', 'find', 'byId', 'byAddress', 'seal', 'accept', 'remove']);
      for (const to of [
        gone.address,
        deleted.address,
        `nobody@${bob.namespace.name}.mailroom.test`,
        'box@no-such-namespace.mailroom.test',
        '..@a.mailroom.test',
        'box@xn--nothing',
      ]) {
        assert.deepEqual(await post(to), there, to);
      }
      assert.deepEqual([handed, logged], [[], []]);
      assert.deepEqual(await house.store.deliveries.waiting(), []);
    });

    test('is durable before anybody hears of it, by one write whatever the address', async () => {
      await using house = await on();
      const alice = await home(house);
      const { serviceMail, deliverer, handed } = office(house);
      await deliverer.stop(0);
      const mails = ['ada@outside.example', alice.address, 'nobody@nowhere.mailroom.test'].map((to) =>
        mailOf(alice, to),
      );
      for (const mail of mails) {
        await serviceMail.enqueue(mail);
        assert.equal((await house.store.deliveries.byId(mail.id))?.payload, JSON.stringify(mail));
      }
      assert.deepEqual([handed, await received(house, alice)], [[], []]);
    });

    test('is filed once however often the work is done, and by two nodes handed on once', async () => {
      await using house = await on();
      const [alice, bob] = [await home(house), await home(house)];
      const first = office(house);
      await using other = await openHouse({ clock: house.clock, store: house.store });
      const second = office(other);
      const mails = Array.from({ length: 40 }, (_, i) =>
        mailOf(alice, i % 2 === 0 ? bob.address : `a${i}@outside.example`),
      );
      await Promise.all(mails.map((mail, i) => (i % 3 === 0 ? first : second).serviceMail.enqueue(mail)));
      for (const mail of mails) await isDone(house, mail);
      assert.equal((await received(house, bob)).length, 20);
      const handed = [...first.handed, ...second.handed].map(({ id }) => id);
      assert.deepEqual(handed.toSorted(), [...new Set(handed)].toSorted());
      assert.equal(handed.length, 20);
      // As after a crash between the filing and the end of the delivery.
      await first.serviceMail.enqueue(mails[0] as Mail);
      await isDone(house, mails[0] as Mail);
      const filed = await received(house, bob);
      assert.equal(filed.length, 20);
      for (const message of filed) assert.notEqual((await first.sealed.open(message, 'recipient')).body, message.body);
    });

    test('of a mailbox that was deleted meanwhile is dropped', async () => {
      await using house = await on();
      const [alice, bob] = [await home(house), await home(house)];
      await house.store.mailboxes.delete(alice.box.id, T);
      const { serviceMail, handed, logged } = office(house);
      for (const to of [bob.address, 'ada@outside.example']) {
        const mail = mailOf(alice, to);
        await serviceMail.enqueue(mail);
        await isDone(house, mail);
      }
      assert.deepEqual([handed, await received(house, bob)], [[], []]);
      assert.deepEqual(
        logged.map(({ outcome }) => outcome),
        ['failed', 'failed'],
      );
    });
  });
}

test('mail that a server takes no answer to keeps no message waiting, and is let go when the service stops', async () => {
  await using house = await openHouse({ dispatch: { max: 1 } });
  const alice = await home(house);
  let ended = 0;
  const { serviceMail, deliverer, logged } = office(
    house,
    (_mail, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended++;
          resolve(later('EABORT'));
        });
      }),
  );
  const mails = Array.from({ length: 5 }, () => mailOf(alice, 'ada@outside.example'));
  for (const mail of mails) await serviceMail.enqueue(mail);
  await house.post.send(submission(alice, alice));
  await until(async () => (await received(house, alice))[0]?.status === 'completed');
  await deliverer.stop(0);
  await until(() => ended > 0);
  assert.deepEqual(logged, []);
  for (const mail of mails) assert.ok(await waits(house, mail));
  await closeOffices();
});

test('an address is here or outside by its domain alone', () => {
  const hosted = (text: string) => hostedAddress(text, 'example.org');
  assert.deepEqual(hosted('Ada+x@Agents.Example.org'), { local: 'ada', namespace: 'agents', tag: 'x' });
  assert.deepEqual(hosted('ada@agents'), { local: 'ada', namespace: 'agents', tag: null });
  // The mail domain itself is not hosted here: its owner may run mail of their own there.
  for (const text of ['ada@example.org', 'ada@example.com', 'ada@notexample.org', 'agents.example.org@example.com']) {
    assert.equal(hosted(text), 'outside', text);
  }
  for (const text of ['ada@a.b.example.org', '@agents.example.org', 'a b@agents.example.org', 'ada@x', 'ada']) {
    assert.equal(hosted(text), undefined, text);
  }
});
