import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { serveInside, startInside } from '../../../../tests/harness/inside.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';
import { until } from '../../../../tests/harness/until.ts';
import { everyDatabaseOr } from '../../../../tests/soak/databases.ts';
import { own } from '../store/signed-in.ts';

interface Event {
  readonly type: string;
  readonly mailbox: string | null;
  readonly data: { readonly name: string; readonly bytes: number; readonly max_bytes: number };
}

const KiB = 1024;
const MAX = 400 * KiB;
const UNCLAIMED = 200 * KiB;

for (const database of await everyDatabaseOr('SQLite'))
  test(`owner and operator are told once when a namespace is nearly full, and what is refused then says the ways out, on ${database.name}`, async () => {
    const folder = newFolder();
    after(() => removeFolder(folder));
    const service = await serveInside({
      env: {
        DATABASE_URL: await database.fresh(folder),
        LIMIT_STORAGE: String(MAX),
        LIMIT_STORAGE_UNCLAIMED: String(UNCLAIMED),
      },
    });
    const client = connect(service.url);
    const house: Home = { id: '', name: 'agents', key: service.ownerKey, keyId: '' };

    /** Fills the namespace to this many bytes, with a message that its owner keeps. */
    const fill = async (home: Home, bytes: number): Promise<string> => {
      const { address } = await client.newPaused(home);
      for (let left = bytes; left > 0; left -= 50 * KiB) {
        const sent = await client.send(home.key, { to: address, body: 'x'.repeat(Math.min(left, 50 * KiB)) });
        assert.equal(sent.status, 202, sent.text);
      }
      return address;
    };
    const warnings = async ({ key }: Home): Promise<Event[]> =>
      (await client.api<{ items: Event[] }>('GET', '/events?limit=100', { key })).body.items.filter(
        ({ type }) => type === 'namespace.nearly_full',
      );
    const status = async () =>
      (await client.api<{ storage: Record<string, unknown> }>('GET', '//status.json')).body.storage;

    const home = await client.newNamespace();
    await fill(home, 100 * KiB);
    assert.deepEqual(await warnings(home), []);
    const address = await fill(home, 70 * KiB);
    const {
      seen: [event],
    } = await until(
      10_000,
      () => warnings(home),
      (all) => all.length > 0,
    );
    const data = event?.data ?? assert.fail();
    assert.deepEqual([event?.mailbox, data.name, data.max_bytes], [null, home.name, UNCLAIMED]);
    assert.ok(data.bytes >= 0.8 * UNCLAIMED && data.bytes <= UNCLAIMED, `${data.bytes}`);
    const problem = isProblem(await client.send(home.key, { to: address, body: 'x'.repeat(60 * KiB) }), 'storage_full');
    for (const way of [
      /Delete messages/,
      /claim the namespace: [^,]* http:\/\/localhost:\d+\/console\/members /,
      /RETENTION_DAYS/,
      /LIMIT_STORAGE_UNCLAIMED/,
    ])
      assert.match(problem.detail, way);
    assert.equal((await warnings(home)).length, 1);

    const visitor = visitorOf(service.url.replace('localhost', '127.0.0.1'));
    await visitor.signIn(home.key);
    const { html } = await visitor.get('/console/keys');
    assert.match(html, /Nearly full\..*8\d % of 200 KiB/);
    assert.match((await visitor.get('/console/settings')).html, /It stores 8\d % of 200 KiB\./);
    const { namespace, nearly_full } = await status();
    assert.deepEqual([namespace, nearly_full], ['agents', false]);
    await fill(house, 350 * KiB);
    const {
      seen: [ofHouse],
    } = await until(
      10_000,
      () => warnings(house),
      (all) => all.length > 0,
    );
    assert.equal(ofHouse?.data.max_bytes, MAX);
    // What is read of the storage is kept for ten seconds.
    const { seen: storage } = await until(15_000, status, (read) => read.nearly_full === true);
    assert.ok(Number(storage.percent) >= 80 && Number(storage.percent) <= 100, JSON.stringify(storage));
    assert.ok(Number(storage.namespaces_nearly_full) >= 1);
    const page = await client.api('GET', '//status.md');
    assert.match(page.text, /- Storage of agents: [89]\d % of 400 KiB, nearly full: .*RETENTION_DAYS.*LIMIT_STORAGE/);
    const metrics = await client.api('GET', '//metrics');
    assert.match(metrics.text, /^mailroom_house_storage_ratio 0\.[89]/m);
    assert.match(metrics.text, /^mailroom_namespaces_nearly_full [1-9]/m);
  });

test('the owner gets one mail that says how full the namespace is and what to do', async () => {
  const inside = await startInside({ env: { LIMIT_STORAGE: String(MAX) } });
  const { newNamespace, newMailbox, newPaused, send, api } = inside.client;
  const [home, person] = [await newNamespace(), await newNamespace()];
  const inbox = await newMailbox(person, { behavior: { name: 'agent', settings: { by_hand: true } } });
  const namespace = await inside.store.namespaces.byName(home.name);
  const account = await inside.store.mailboxes.byAddress(inbox.address.split('@')[0] ?? '', person.name);
  assert.ok(namespace !== undefined && account !== undefined);
  await own(inside.store, namespace, account.id, { id: `key_${account.id.slice(4)}` });
  const { address } = await newPaused(home);
  const write = async () =>
    assert.equal((await send(home.key, { to: address, body: 'x'.repeat(45 * KiB) })).status, 202);
  for (let nth = 0; nth < 8; nth++) await write();
  const path = `/mailboxes/${inbox.address}/messages`;
  interface Mail {
    readonly subject: string | null;
    readonly body: string;
  }
  const mails = async () =>
    (await api<{ items: Mail[] }>('GET', path, { key: person.key })).body.items.filter(({ subject }) =>
      subject?.includes('nearly full'),
    );
  const { seen } = await until(30_000, mails, ({ length }) => length > 0);
  assert.equal(seen[0]?.subject, `The storage of ${home.name} is nearly full`);
  assert.match(seen[0]?.body ?? '', new RegExp(`${home.name} stores 3\\d\\d .* of the 400 KiB that it may`));
  await send(home.key, { to: address, body: 'One more' });
  inside.pass(60_000);
  assert.equal((await mails()).length, 1);
});
