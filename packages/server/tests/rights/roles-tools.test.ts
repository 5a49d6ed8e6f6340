import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { callTool, mcpClient, type ToolAnswer, textIn } from '../../../../tests/harness/mcp.ts';
import { joinAs } from '../../../../tests/harness/owner.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Page } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import { hasScope, type Scope } from '../../core/entities/key.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';
import { assertComplete, OPEN_CALLS } from './open-calls.ts';

const WAIT_MS = 60_000;
// Role × tool and role × stream, for the whole namespace and for single addresses: as `rights-matrix` does for endpoints.
const { url, client, store } = await startInside({ env: { SEARCH_INDEX: 'on' } });
const { api, newNamespace, newMailbox, send } = client;

const home = await newNamespace();
const byHand = { behavior: { name: 'agent', settings: { by_hand: true } } };
const [desk, idle, other] = [
  await newMailbox(home, byHand),
  await newMailbox(home, byHand),
  await newMailbox(home, { behavior: { name: 'hello' } }),
];
const reviewed = await newMailbox(home, { outgoing: { review: 'always' } });
const elsewhere = await newNamespace();
const target = await newMailbox(elsewhere);

/** Stands in what only readers of the desk see. */
const CANARY = unique('canary');
const message = (await send(elsewhere.key, { to: desk.address, body: CANARY })).body.id;

interface Holder {
  readonly name: string;
  readonly role: Role;
  readonly secret: string;
  /** Whether their role is for the desk, the idle address and the reviewed one, and for these alone. */
  readonly here: boolean;
  readonly bound: boolean;
  /** As which they write where they have several. */
  readonly from: string | undefined;
}
const holders: readonly Holder[] = await Promise.all(
  (Object.keys(ROLES) as Role[]).flatMap((role) =>
    (role === 'owner' ? [undefined] : [undefined, [desk, idle, reviewed], [other]]).map(async (boxes) => {
      const mailboxes = boxes?.map(({ address }) => address);
      const address = `${unique(role)}@example.com`;
      const { secret } = await joinAs(store, home, { address, role, ...(mailboxes && { mailboxes }) });
      const here = boxes?.includes(other) !== true;
      const of = boxes === undefined ? 'all addresses' : here ? 'the address' : 'another address';
      const from = boxes !== undefined && here ? desk.address : undefined;
      return { name: `${role} of ${of}`, role, secret, here, bound: boxes !== undefined, from };
    }),
  ),
);
const may = ({ role }: Holder, scope: Scope): boolean => hasScope({ scopes: ROLES[role] }, scope);

interface ToolRow {
  readonly scope: Scope;
  /** Arguments that are new each time. */
  readonly args: (from: string | undefined) => object | Promise<object>;
  /** About the desk: a role for another address does not reach it. */
  readonly ofDesk?: true;
  /** Not for single addresses at all. */
  readonly whole?: true;
}
const newMessage = async (): Promise<string> => (await send(elsewhere.key, { to: desk.address, body: 'New' })).body.id;
const held = async (): Promise<object> => {
  const { id } = (await send(home.key, { from: reviewed.address, to: target.address, body: unique('held') })).body;
  const { items } = (
    await api<Page<{ id: string; hash: string; message_id: string }>>('GET', '/mail/reviews?limit=200', {
      key: home.key,
    })
  ).body;
  const review = items.find((one) => one.message_id === id);
  return { id: review?.id, hash: review?.hash, decision: 'reject' };
};

const TOOLS: Readonly<Record<string, ToolRow>> = {
  send: { scope: 'mail:send', args: (from) => ({ to: target.address, from, body: 'Hi', wait: 0 }) },
  list_messages: { scope: 'messages:read', args: () => ({ address: desk.address }), ofDesk: true },
  list_threads: { scope: 'messages:read', args: () => ({ address: desk.address }), ofDesk: true },
  search: { scope: 'messages:read', args: () => ({ query: CANARY }) },
  read: { scope: 'messages:read', args: () => ({ id: message, wait: 0 }), ofDesk: true },
  wait_for_message: { scope: 'messages:read', args: () => ({ address: desk.address, wait: 0 }), ofDesk: true },
  claim: { scope: 'mail:answer', args: () => ({ address: idle.address, wait: 0 }), ofDesk: true },
  answer: { scope: 'mail:answer', args: async () => ({ id: await newMessage(), body: 'Hi' }), ofDesk: true },
  forward: { scope: 'mail:send', args: (from) => ({ id: message, from, to: target.address }), ofDesk: true },
  list_addresses: { scope: 'messages:read', args: () => ({}) },
  make_address: {
    scope: 'mailboxes:write',
    args: () => ({ local_part: unique('m'), behavior: { name: 'hello' } }),
    whole: true,
  },
  list_reviews: { scope: 'mail:review', args: () => ({ mailbox: reviewed.address }), ofDesk: true },
  decide_review: { scope: 'mail:review', args: held, ofDesk: true },
};

const whole = await mcpClient(url, { key: home.key });
after(() => whole.close());
const { tools } = await whole.listTools();

test('every tool and every stream has its row', async () => {
  assert.deepEqual(Object.keys(TOOLS).sort(), tools.map(({ name }) => name).sort());
  await assertComplete(client, tools);
});

/** The code of an error, or `ok`. */
const outcomeOf = ({ isError, content }: ToolAnswer): string =>
  isError === true ? (/^\w+/.exec(textIn({ content } as ToolAnswer))?.[0] ?? 'error') : 'ok';
const REFUSALS = ['insufficient_scope', 'access_denied', 'message_not_found', 'review_not_found', 'mailbox_not_found'];

test('what is looked for is found by those who read the address', async () => {
  const search = () => callTool(whole, 'search', { query: CANARY });
  await until(WAIT_MS, search, (answer) => JSON.stringify(answer).includes(message));
});

for (const [nth, holder] of holders.entries())
  test(`by tools, the ${holder.name} does what the role may, and nothing else`, async () => {
    await using mine = await mcpClient(url, { key: holder.secret });
    for (const [name, { scope, args, ofDesk, whole: ofWhole }] of everyNth(Object.entries(TOOLS), 4, nth)) {
      const does = may(holder, scope) && (holder.here || ofDesk !== true) && !(ofWhole === true && holder.bound);
      const answer = await callTool(mine, name, { ...(await args(holder.from)) });
      const outcome = outcomeOf(answer);
      if (does) assert.equal(outcome, 'ok', `${name}: ${textIn(answer)}`);
      else assert.ok(REFUSALS.includes(outcome), `${name}: ${textIn(answer)}`);
      if (outcome === 'ok' && !holder.here) assert.ok(!textIn(answer).includes(message), `${name}: ${textIn(answer)}`);
    }
  });

for (const [nth, holder] of holders.entries())
  test(`the ${holder.name} opens the streams and waits of the role, and no other`, async () => {
    const { from } = holder;
    const place = { url, namespace: home.name, desk: desk.address, idle: idle.address, message, from };
    for (const [name, { scope, ofDesk, open }] of everyNth(Object.entries(OPEN_CALLS), 3, nth)) {
      const opens = may(holder, scope) && (holder.here || ofDesk !== true);
      const opened = await open({ ...place, ...(!opens && { refuses: true }) }, holder.secret);
      if (opened.refused === undefined) opened.close();
      assert.equal(opened.refused === undefined, opens, `${name}: ${opened.refused}`);
    }
  });
