import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Email } from 'postal-mime';
import { type Home, unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { type JoinedMember, joinAs } from '../../../../tests/harness/owner.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope, Page } from '../../../../tests/harness/wire.ts';
import { everyNth } from '../../../../tests/soak/length.ts';
import { hasScope, type Scope } from '../../core/entities/key.ts';
import { ROLES, type Role } from '../../core/entities/member.ts';
import type { Decided } from '../../core/mail-in/approvals/mailed-decisions.ts';

const WAIT_MS = 60_000;
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0' } });
const { client, outbox, store } = inside;
const { api, newMailbox, newNamespace } = client;

/** What waits for a decision: how it comes to wait, the scope that decides, and how it ends when it is approved. */
interface Kind {
  readonly fields: Parameters<typeof newMailbox>[1];
  readonly body: string;
  readonly scope: Scope;
  readonly waits: string;
}
const KINDS = {
  plan: {
    fields: { behavior: { name: 'do', settings: { approval: ['remember'] } } },
    body: 'Remember that milk is white',
    scope: 'mailboxes:write',
    waits: 'approval',
  },
  review: {
    fields: {
      behavior: { name: 'hello', settings: { introduction: 'I am Ada.' } },
      outgoing: { review: 'always' },
    },
    body: 'Who are you?',
    scope: 'mail:review',
    waits: 'review',
  },
} as const satisfies Record<Decided['kind'], Kind>;

interface Team {
  readonly home: Home;
  readonly address: string;
  readonly members: readonly (JoinedMember & { readonly role: Role; readonly decides: boolean })[];
}

/** A member of each role: for the whole namespace, for the address, and for another one. */
async function team({ fields, scope }: Kind): Promise<Team> {
  const home = await newNamespace();
  const [{ address }, other] = [await newMailbox(home, fields), await newMailbox(home)];
  const members = [];
  for (const role of Object.keys(ROLES) as Role[])
    for (const mailboxes of role === 'owner' ? [undefined] : [undefined, [other.address, address], [other.address]]) {
      const email = `${unique(role)}@example.com`;
      const member = await joinAs(store, home, { address: email, role, ...(mailboxes && { mailboxes }) });
      const reaches = mailboxes === undefined || mailboxes.includes(address);
      members.push({ ...member, role, decides: reaches && hasScope({ scopes: ROLES[role] }, scope) });
    }
  return { home, address, members };
}

const current = async ({ home }: Team, id: string): Promise<Envelope> => (await client.read(home.key, id)).body;

/** A message that waits for a decision, from a program of the same namespace. */
async function waiting(of: Team, { body, waits }: Kind): Promise<string> {
  const { id } = (await client.send(of.home.key, { to: of.address, body })).body;
  await until(
    WAIT_MS,
    () => current(of, id),
    ({ waiting_for }) => waiting_for === waits,
  );
  return id;
}

/** Answers a question from the address that it was sent to. */
function answer({ to, replyTo, subject }: Email, body: string): Promise<string> {
  const [from, address] = [to?.[0]?.address ?? '', replyTo?.[0]?.address ?? ''];
  const head = { From: from, To: address, Subject: `Re: ${subject}`, 'Message-ID': `<${unique()}@example.com>` };
  return sendMail(inside.smtp?.port ?? 0, { from, to: [address], text: mailText(head, `${body}\n`) });
}

const questions = async (address: string, count = 1): Promise<readonly Email[]> =>
  (await leftFor(outbox, address, count)).filter(({ inReplyTo }) => inReplyTo === undefined);

// In short plans alone: reviews are decided by the same code, and have files of their own.
for (const [name, kind] of everyNth(Object.entries(KINDS), 2)) {
  test(`a ${name} is asked about by mail to those who may decide it for that address, and to no one else`, async () => {
    const it = await team(kind);
    await waiting(it, kind);
    const deciders = it.members.filter(({ decides }) => decides);
    assert.ok(deciders.length >= 3, 'an owner, and members of the namespace and of the address');
    for (const { address } of deciders) assert.equal((await questions(address)).length, 1, address);
    // All are written together.
    for (const { address, decides } of it.members)
      assert.equal((await leftFor(outbox, address, 0)).length, decides ? 1 : 0, address);
  });

  test(`a yes to a ${name} of one who may decide it counts, and is theirs in the audit log`, async () => {
    const it = await team(kind);
    const id = await waiting(it, kind);
    const member = it.members.findLast(({ decides }) => decides);
    assert.ok(member !== undefined && member.role !== 'owner');
    const [question] = await questions(member.address);
    assert.match(await answer(question as Email, 'yes'), /^250 2\.0\.0 approved/);
    assert.equal((await client.read(it.home.key, id, '?wait=60')).body.status, 'completed');
    const path = `/namespaces/${it.home.name}/audit?actor=${member.id}`;
    const { body } = await api<Page<{ action: string }>>('GET', path, { key: it.home.key });
    assert.equal(body.items.length, 1, JSON.stringify(body));
  });

  test(`a yes to a ${name} decides nothing once its writer may not decide, is of other addresses, or went`, async () => {
    const it = await team(kind);
    const id = await waiting(it, kind);
    const [member] = it.members.filter(({ decides, role }) => decides && role !== 'owner');
    assert.ok(member !== undefined);
    const [question] = await questions(member.address);
    const membership = { namespace_id: it.home.id, account_id: member.id };
    const stands = await store.accounts.member(it.home.id, member.id, inside.now());
    assert.ok(stands !== undefined);
    const other = await newMailbox(it.home);
    const found = await store.mailboxes.byAddress(other.local_part, it.home.name);
    const states = [
      { role: 'reader', mailbox_ids: null, name: stands.name },
      { role: member.role, mailbox_ids: [found?.id ?? ''], name: stands.name },
    ] as const;
    for (const state of states) {
      const keys = await store.accounts.keysOf(it.home.id, member.id, inside.now());
      const lowered = keys.map((key) => ({ ...key, scopes: ROLES[state.role] }));
      assert.equal(await store.accounts.changeMember(membership, state, lowered, inside.now()), 'changed');
      assert.match(await answer(question as Email, 'yes'), /^550 5\.7\.1 .*may not decide/);
    }
    assert.equal(await store.accounts.removeMember(membership, undefined, inside.now()), 'removed');
    assert.match(await answer(question as Email, 'yes'), /^550 5\.7\.1 .*may not decide/);
    assert.equal((await current(it, id)).waiting_for, kind.waits);
  });
}
