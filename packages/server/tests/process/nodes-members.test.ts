// A member who goes, or may do less, is out of what they have open on another node.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startNodes } from '../../../../tests/harness/nodes.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import { Person } from '../../../../tests/harness/person.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { openStream } from '../../../../tests/harness/stream.ts';
import type { Store } from '../../core/ports/store.ts';
import { openStore } from '../../store/open.ts';
import { OPEN_CALLS } from '../rights/open-calls.ts';

/** A second, and what the requests take. */
const OUT_MS = 1_500;
const postgres = await sharedPostgres();
after(() => postgres[Symbol.asyncDispose]());
const nodes = await startNodes({ postgres, count: 2 });
after(() => nodes[Symbol.asyncDispose]());
const [a, b] = [nodes.named('a').client, nodes.named('b').client];
let store: Store;
before(async () => {
  store = await openStore(nodes.database, { alongside: true });
});
after(() => store[Symbol.asyncDispose]());

const CHANGES = {
  removed: { do: 'remove', fields: { then: 'stop' } },
  lowered: { do: 'change', fields: { role: 'reader' } },
} as const;

for (const [how, { do: what, fields }] of Object.entries(CHANGES))
  test(`a member who is ${how} on one node is out of every stream and wait on the other within a second`, async () => {
    const home = await a.newNamespace();
    const byHand = { behavior: { name: 'agent', settings: { by_hand: true } } };
    const [desk, idle] = [await a.newMailbox(home, byHand), await a.newMailbox(home, byHand)];
    await joinAs(store, home, { address: `${unique('stays')}@example.com`, role: 'owner' });
    const member = await joinAs(store, home, { address: `${unique('m')}@example.com`, role: 'owner' });
    const { id: message } = (await a.send(home.key, { to: desk.address, body: 'Hello?' })).body;
    const url = b.url;
    const place = { url, namespace: home.name, desk: desk.address, idle: idle.address, message };
    const open = await Promise.all(
      Object.entries(OPEN_CALLS).map(async ([name, call]) => {
        const opened = await call.open(place, member.secret);
        assert.ok(opened.refused === undefined, `${name}: ${opened.refused}`);
        return { name, opened };
      }),
    );
    const session = new Person(url);
    assert.equal((await session.post('/console', { key: member.secret })).at, '/console');
    const cookie = [...session.cookies].map((pair) => pair.join('=')).join('; ');
    const live = await openStream(`${url}/console/live`, { cookie });
    const owner = new Person(a.url);
    assert.equal((await owner.post('/console', { key: home.key })).at, '/console');
    const page = await owner.get(`/console/members?change=${member.id}`);
    const from = performance.now();
    const changed = await owner.send(page, ['do', what], fields);
    assert.match(changed.at, /done=/);
    const canary = unique('canary');
    const ends = open.map(async ({ name, opened }) => {
      const text = await opened.ended;
      await assertSoon(performance.now() - from, OUT_MS, `the end of ${name}`);
      return { name, text };
    });
    const out = live.ended.then(() => assertSoon(performance.now() - from, OUT_MS, 'the end of the console'));
    // What happens from then on is told to none of them.
    for (const { address } of [desk, idle]) await a.send(home.key, { to: address, body: canary });
    await a.api('POST', `/mail/messages/${message}/answer`, { key: home.key, body: { body: canary } });
    for (const { name, text } of await Promise.all(ends)) assert.ok(!text.includes(canary), `${name}: ${text}`);
    await out;
    assert.match(live.text(), /event: out/);
    assert.ok(!live.text().includes(canary));
  });
