import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { visitorOf } from '../../../../tests/harness/console.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import { signIn } from '../../../../tests/harness/people-service.ts';
import { openStream, type Stream, type Streamed } from '../../../../tests/harness/stream.ts';
import { until } from '../../../../tests/harness/until.ts';
import { hasScope, type Scope } from '../../core/entities/key.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';
import type { LiveEvent } from '../../transports/web/console/live-events.ts';

// Role × event of the console's stream, for the whole namespace and for single addresses.

const WAIT_MS = 60_000;
const service = await startInside();
const { client, store, url } = service;
const outbox = new Outbox(service.outbox);
const { api, newNamespace, newMailbox, send } = client;
const [home, elsewhere] = [await newNamespace(), await newNamespace()];
const byHand = { behavior: { name: 'agent', settings: { by_hand: true } } };
const desk = await newMailbox(home, { ...byHand, outgoing: { review: 'always' } });
const other = await newMailbox(home, byHand);
const target = await newMailbox(elsewhere);
const CANARY = unique('canary');
await joinAs(store, home, { address: `${unique('stays')}@example.com`, role: 'owner' });

interface Holder {
  readonly name: string;
  readonly member: string;
  readonly role: Role;
  /** Whether their role is for the desk. */
  readonly here: boolean;
  readonly stream: Stream;
}
/** The cookies of a member who opened the console, signed in by a code. */
async function signedIn(address: string): Promise<string> {
  const person = await signIn({ url, outbox }, address);
  assert.equal((await person.send(await person.get('/account'), ['do', 'console'])).at, '/console');
  return [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

const holders: Holder[] = [];
after(() => {
  for (const { stream } of holders) stream.close();
});
for (const role of Object.keys(ROLES) as Role[])
  for (const boxes of role === 'owner' ? [undefined] : [undefined, [desk], [other]]) {
    const mailboxes = boxes?.map(({ address }) => address);
    const address = `${unique(role)}@example.com`;
    const { id } = await joinAs(store, home, { address, role, ...(mailboxes && { mailboxes }) });
    const cookie = await signedIn(address);
    const here = boxes?.includes(other) !== true;
    const of = boxes === undefined ? 'all addresses' : here ? 'the address' : 'another address';
    const stream = await openStream(`${url}/console/live?time&hidden=${service.now() - 1}`, { cookie });
    holders.push({ name: `${role} of ${of}`, member: id, role, here, stream });
  }

const may = ({ role }: Holder, scope: Scope): boolean => hasScope({ scopes: ROLES[role] }, scope);
const anyone = (): boolean => true;
/** Who gets an event about the desk. The type wants a row for each event. */
const ROWS: Readonly<Record<LiveEvent, (holder: Holder) => boolean>> = {
  time: anyone,
  row: ({ here }) => here,
  review: (holder) => holder.here && may(holder, 'mail:review'),
  writing: ({ here }) => here,
  figures: anyone,
  call: (holder) => holder.here && may(holder, 'mail:answer'),
  out: anyone,
};

const isAbout =
  (...ids: readonly string[]) =>
  ({ data }: Streamed): boolean =>
    ids.some((id) => data.includes(id));

test('members get the events of the stream that their role is for, and no others, and are out when they are removed', async () => {
  const { id } = (await send(elsewhere.key, { to: desk.address, body: CANARY })).body;
  const held = (await send(home.key, { from: desk.address, to: target.address, body: CANARY })).body.id;
  const { body } = await api<{ items: { id: string; hash: string }[] }>('GET', '/mail/reviews', { key: home.key });
  const [review] = body.items;
  await api('POST', `/mail/reviews/${review?.id}/reject`, { key: home.key, body: {} });
  const writer = visitorOf(url);
  await writer.signIn(home.key);
  const path = `/console/messages/${id}`;
  await writer.send(path, { body: 'I write' }, ['do', 'keep'], `/console/answers/${id}`);
  const { thread_id } = (await client.read(home.key, id)).body;
  const about = isAbout(id, held, thread_id, review?.id ?? assert.fail());
  const typesOf = ({ stream }: Holder): Set<string> =>
    new Set(
      stream.events.filter((one) => ROWS[one.event as LiveEvent] === anyone || about(one)).map(({ event }) => event),
    );
  const expected = (holder: Holder): string[] =>
    (Object.keys(ROWS) as LiveEvent[]).filter((event) => event !== 'out' && ROWS[event](holder)).sort();
  const has = (holder: Holder): boolean => expected(holder).every((event) => typesOf(holder).has(event));
  await until(
    WAIT_MS,
    async () =>
      holders
        .filter(({ here }) => here)
        .filter((holder) => !has(holder))
        .map(({ name }) => name),
    ({ length }) => length === 0,
  );
  // What comes after this message came after all of the above.
  for (const { address } of [desk, other]) await send(elsewhere.key, { to: address, body: 'The last' });
  const isOver = ({ stream }: Holder): boolean => stream.events.some(isAbout('The last'));
  await until(
    WAIT_MS,
    async () => holders.filter((holder) => !isOver(holder) || !has(holder)).map(({ name }) => name),
    ({ length }) => length === 0,
  );
  for (const holder of holders) {
    assert.deepEqual([...typesOf(holder)].sort(), expected(holder), holder.name);
    if (!holder.here) assert.equal(holder.stream.text().includes(CANARY), false, holder.name);
  }
  for (const { member } of holders) {
    const at = { namespace_id: home.id, account_id: member };
    assert.equal(await store.accounts.removeMember(at, undefined, service.now()), 'removed');
  }
  await until(
    WAIT_MS,
    async () => holders.filter(({ stream }) => stream.events.at(-1)?.event !== 'out').map(({ name }) => name),
    ({ length }) => length === 0,
  );
});
