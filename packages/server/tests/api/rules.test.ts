import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, type Home } from '../../../../tests/harness/client.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { type Envelope, MAIL_DOMAIN, type Mailbox, type Problem } from '../../../../tests/harness/wire.ts';

const service = await sharedService();
const { api, newNamespace, newMailbox, newKey, send, tryOut, change, read } = connect(service.url);

interface Trial {
  items: { message: { id: string; subject: string | null }; rules: string[]; then: Record<string, unknown> }[];
}

const rule = (id: string, conditions: object = {}, then: object = { label: [id] }) => ({ id, if: conditions, then });
const withRules = async (rules: readonly object[], fields: object = {}): Promise<{ home: Home; box: Mailbox }> => {
  const home = await newNamespace();
  return { home, box: await newMailbox(home, { rules, ...fields }) };
};
const set = (home: Home, { address }: Mailbox, rules: unknown, key = home.key) =>
  api<Mailbox & Pick<Problem, 'errors' | 'code'>>('PATCH', `/mailboxes/${address}`, { key, body: { rules } });
const arrive = async (home: Home, { address }: Mailbox, fields: object = {}, key = home.key): Promise<Envelope> => {
  const answer = await send(key, { to: address, body: 'Hello', sync: true, ...fields });
  assert.equal(answer.status, 200, answer.text);
  return (await read(home.key, answer.body.id)).body;
};

test('rules are shown to keys that may change the mailbox alone, with entries as whole addresses', async () => {
  const rules = [
    rule(
      'mine',
      { from: [`ADA@Acme.${MAIL_DOMAIN}`, 'acme'], subject: 'Invoice', verified: true },
      { label: ['a/b'], done: true },
    ),
    rule('files', { has: 'attachment', channel: ['smtp', 'api'], body: ['x', 'y'] }, { answer: false, review: true }),
  ];
  const { home, box } = await withRules(rules);
  const matches = [
    rule(
      'mine',
      { from: [`ada@acme.${MAIL_DOMAIN}`, 'acme'], subject: ['Invoice'], verified: true },
      { label: ['a/b'], done: true },
    ),
    rule('files', { body: ['x', 'y'], channel: ['smtp', 'api'], has: 'attachment' }, { review: true, answer: false }),
  ];
  assert.deepEqual(box.rules, matches);
  const path = `/mailboxes/${box.address}`;
  const reader = await newKey(home, { scopes: ['messages:read'] });
  const other = await newNamespace();
  assert.deepEqual((await api<Mailbox>('GET', path, { key: home.key })).body.rules, matches);
  for (const key of [reader.secret, other.key, undefined])
    assert.ok(!('rules' in (await api<Mailbox>('GET', path, { key })).body));
  const listed = await api<{ items: Mailbox[] }>('GET', `/namespaces/${home.name}/mailboxes`, { key: home.key });
  assert.ok(listed.body.items.every((item) => !('rules' in item)));
  assert.equal((await set(home, box, [])).body.rules, undefined);
});

test('what is wrong with rules is named, each with its place, and nothing of them is kept', async () => {
  const { home, box } = await withRules([rule('kept')]);
  const wrong: readonly (readonly [unknown, string])[] = [
    [[rule('a'), rule('b'), rule('c'), rule('d', { from: ['no address'] })], '/rules/3/if/from/0'],
    [[rule('a', { to: `x@${MAIL_DOMAIN}` })], '/rules/0/if/to'],
    [[rule('a'), rule('a')], '/rules/1/id'],
    [[rule('A B')], '/rules/0/id'],
    [[rule('a', {}, {})], '/rules/0/then'],
    [[rule('a', {}, { label: ['spam'] })], '/rules/0/then/label/0'],
    [[rule('a', {}, { label: ['x', 'finding/secret'] })], '/rules/0/then/label/1'],
    [[rule('a', {}, { label: ['unread'] })], '/rules/0/then/label/0'],
    [[rule('a', {}, { forward_to: 'nobody' })], '/rules/0/then/forward_to'],
    [[rule('a', {}, { forward_to: '*@example.com' })], '/rules/0/then/forward_to'],
    [[rule('a', {}, { forward_to: box.address })], '/rules/0/then/forward_to'],
    [[rule('a', { unknown: true })], '/rules/0/if/unknown'],
    [[rule('a', { finding: 'hiden_text' })], '/rules/0/if/finding'],
    [[rule('a', { body: 'x'.repeat(10_240) })], '/rules/0/if/body'],
    [[rule('a', { subject: ['y', 'x'.repeat(10_240)] })], '/rules/0/if/subject'],
    [[rule('a', {}, { answer: true })], '/rules/0/then/answer'],
    [Array.from({ length: 51 }, (_, at) => rule(`r${at}`)), '/rules'],
    [
      Array.from({ length: 6 }, (_, at) => rule(`r${at}`, { body: Array.from({ length: 20 }, (__, n) => `t${n}`) })),
      '/rules',
    ],
  ];
  for (const [rules, pointer] of wrong) {
    const answer = await set(home, box, rules);
    isProblem(answer, 'validation_error');
    const pointers = answer.body.errors?.map((error) => error.pointer) ?? [];
    assert.ok(
      pointers.some((one) => one.startsWith(pointer)),
      `${pointer} is not in ${pointers.join(' ')}`,
    );
  }
  assert.deepEqual((await api<Mailbox>('GET', `/mailboxes/${box.address}`, { key: home.key })).body.rules, [
    rule('kept'),
  ]);
});

test('rules run in their order: a later one sees the labels of an earlier one, and done ends', async () => {
  const { home, box } = await withRules([
    rule('first', { subject: 'invoice' }, { label: ['money'] }),
    rule('second', { label: 'money' }, { label: ['seen', 'money'] }),
    rule('never', { label: 'later' }),
    rule('last', { body: ['stop', 'halt'] }, { done: true, label: ['ended'] }),
    rule('after', {}, { label: ['later'] }),
  ]);
  const one = await arrive(home, box, { subject: 'Your INVOICE' });
  assert.deepEqual(
    [one.rules, one.labels],
    [
      ['first', 'second', 'after'],
      ['later', 'money', 'seen', 'unread'],
    ],
  );
  const two = await arrive(home, box, { body: 'Please HALT' });
  assert.deepEqual([two.rules, two.labels], [['last'], ['ended', 'unread']]);
  assert.equal(two.reply?.body.length === 0, false);
});

test('all conditions of a rule must hold', async () => {
  const sender = await newNamespace();
  const from = await newMailbox(sender);
  const { home, box } = await withRules([
    rule('all', { from: from.address, subject: 'a', body: 'b', channel: 'api', verified: true, to: 'acme' }),
    rule('from', { from: [`*@${sender.name}.${MAIL_DOMAIN}`] }),
    rule('namespace', { from: [sender.name] }),
    rule('guest', { verified: false, channel: 'api' }),
  ]);
  await change(home.key, box.address, {
    rules: [
      rule('all', { from: from.address, subject: 'a', body: 'b', channel: 'api', verified: true, to: home.name }),
      rule('from', { from: [`*@${sender.name}.${MAIL_DOMAIN}`] }),
      rule('namespace', { from: [sender.name] }),
      rule('guest', { verified: false, channel: 'api' }),
    ],
  });
  const sent = async (fields: object) => {
    const { body, status, text } = await send(sender.key, { to: box.address, sync: true, body: 'b', ...fields });
    assert.equal(status, 200, text);
    assert.deepEqual([body.rules, body.labels ?? []], [undefined, []], 'the sender is told nothing of rules');
    return (await read(home.key, body.id)).body.rules;
  };
  assert.deepEqual(await sent({ subject: 'A', from: from.address }), ['all', 'from', 'namespace']);
  assert.deepEqual(await sent({ subject: 'c', from: from.address }), ['from', 'namespace']);
  assert.deepEqual(await sent({ subject: 'a' }), ['from', 'namespace']);
  const guest = await tryOut({ to: box.address, body: 'b' });
  assert.ok(!('rules' in guest.body));
  assert.deepEqual((await read(home.key, guest.body.id)).body.rules, ['guest']);
});

test('a message that a rule leaves unanswered completes at once, whatever the behavior', async () => {
  for (const behavior of [{ name: 'agent' }, undefined]) {
    const { home, box } = await withRules(
      [rule('off', {}, { answer: false, label: ['off'] })],
      behavior && { behavior },
    );
    const message = await arrive(home, box);
    assert.deepEqual(
      [message.status, message.reply, message.not_answered, message.rules, message.labels],
      ['completed', null, 'rule', ['off'], ['off', 'unread']],
    );
  }
});

test('no rule sees a Bcc that its maker may not read', async () => {
  const sender = await newNamespace();
  const [shown, hidden] = [await newNamespace(), await newNamespace()];
  const secret = await newMailbox(hidden);
  const open = await newMailbox(shown);
  const rules = [
    rule('address', { to: secret.address }),
    rule('namespace', { to: hidden.name }),
    rule('domain', { to: `*@${hidden.name}.${MAIL_DOMAIN}` }),
    rule('body', { body: secret.address }),
    rule('own', { to: open.address }),
  ];
  await change(shown.key, open.address, { rules });
  await change(hidden.key, secret.address, { rules: rules.slice(0, 3).concat(rule('other', { to: open.address })) });
  const sent = await send(sender.key, { to: [open.address], bcc: [secret.address], body: 'Hello', sync: true });
  assert.equal(sent.status, 200, sent.text);
  const received = async (home: Home, { address }: Mailbox) =>
    (await api<{ items: Envelope[] }>('GET', `/mailboxes/${address}/messages`, { key: home.key })).body.items[0];
  assert.deepEqual((await received(shown, open))?.rules, ['own']);
  assert.deepEqual((await received(hidden, secret))?.rules, ['address', 'namespace', 'domain', 'other']);
  assert.ok(!('rules' in (await read(sender.key, sent.body.id)).body));
  const trial = await api<Trial>('POST', `/mailboxes/${open.address}/rules/try`, { key: shown.key, body: { rules } });
  assert.deepEqual(trial.body.items[0]?.rules, ['own']);
});

test('only a namespace with a verified owner forwards to addresses outside', async () => {
  const home = await newNamespace();
  const box = await newMailbox(home);
  const answer = await set(home, box, [rule('on', {}, { forward_to: 'ada@example.com' })]);
  isProblem(answer, 'validation_error');
  assert.deepEqual(
    answer.body.errors?.map(({ pointer }) => pointer),
    ['/rules/0/then/forward_to'],
  );
});

test('a trial says what rules would do to the last 100 messages, and writes nothing', async () => {
  const { home, box } = await withRules([rule('kept')]);
  const ids: string[] = [];
  for (let at = 0; at < 103; at++) {
    const { body } = await send(home.key, { to: box.address, body: `number ${at}`, subject: at % 2 ? 'odd' : 'even' });
    ids.push(body.id);
  }
  const rules = [
    rule('odd', { subject: 'ODD' }, { label: ['odd'], review: true }),
    rule('many', { body: 'number 1' }, { forward_to: `ada@acme.${MAIL_DOMAIN}`, answer: false, done: true }),
    rule('rest', {}, { label: ['rest'] }),
  ];
  const tried = await api<Trial>('POST', `/mailboxes/${box.address}/rules/try`, { key: home.key, body: { rules } });
  assert.equal(tried.status, 200, tried.text);
  const { items } = tried.body;
  assert.deepEqual(
    items.map(({ message }) => message.id),
    ids.slice(3).reverse(),
  );
  assert.deepEqual(
    [items[0]?.rules, items[0]?.then],
    [['many'], { forward_to: [`ada@acme.${MAIL_DOMAIN}`], answer: false }],
  );
  const seven = items.find(({ message }) => message.id === ids[7]);
  assert.deepEqual([seven?.rules, seven?.then], [['odd', 'rest'], { label: ['odd', 'rest'], review: true }]);
  assert.deepEqual((await api<Mailbox>('GET', `/mailboxes/${box.address}`, { key: home.key })).body.rules, [
    rule('kept'),
  ]);
  const { labels, rules: applied } = (await read(home.key, ids[7] as string)).body;
  assert.deepEqual([labels, applied], [['kept', 'unread'], ['kept']]);
  const writer = await newKey(home, { scopes: ['mailboxes:write'] });
  const reader = await newKey(home, { scopes: ['messages:read'] });
  for (const key of [writer.secret, reader.secret])
    isProblem(await api('POST', `/mailboxes/${box.address}/rules/try`, { key, body: { rules } }), 'insufficient_scope');
});
