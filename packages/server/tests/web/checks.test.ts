import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConsole } from '../../../../tests/harness/console.ts';

// What an address checks of what comes and leaves, on one tab of its settings.

const { client, visitor } = await openConsole();
const { newNamespace, newMailbox, newKey, send } = client;
const PATH = '/console/addresses/box?tab=checks';

async function opened(fields: object) {
  const home = await newNamespace();
  const box = await newMailbox(home, { local_part: 'box', ...fields });
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return { home, box, who };
}

test('each rule shows to how many of the last messages it applies, a tick each, and lists these', async () => {
  const rules = [
    { id: 'money', if: { subject: ['invoice'] }, then: { label: ['money'] } },
    { id: 'urgent', if: { subject: ['urgent'] }, then: { label: ['soon'], answer: false } },
    { id: 'none', if: { subject: ['nothing like it'] }, then: { label: ['none'] } },
  ];
  const { home, box, who } = await opened({ rules });
  const subjects = ['Invoice 1', 'Hello', 'Urgent invoice 2', 'How are you', 'Urgent'];
  for (const subject of subjects) await send(home.key, { to: box.address, body: 'Hi', subject });
  const { html } = await who.get(PATH);
  assert.match(html, /aria-current="page">Checks</);
  const [, ...parts] = html.split('<li data-rule=');
  assert.equal(parts.length, rules.length);
  const [money = '', urgent = '', none = ''] = parts;
  for (const [part, count] of [
    [money, 2],
    [urgent, 2],
    [none, 0],
  ] as const) {
    assert.ok(part.includes(`aria-label="${count} of the last 5"`), part);
    assert.match(part, new RegExp(`>${count} of 5<`));
    const [, hits = ''] = /class="hit" d="([^"]*)"/.exec(part) ?? [];
    assert.equal([...hits.matchAll(/M/g)].length, count);
  }
  // The oldest stands first: of five the first and the third.
  assert.match(money, /class="hit" d="M0 [^M]*M4 /);
  assert.match(money, /Urgent invoice 2[\s\S]*Also in urgent\.[\s\S]*Invoice 1/);
  assert.doesNotMatch(money.split('</li>')[0] ?? '', /How are you/);
  assert.match(urgent, /leave it unanswered/);
});

test('an address without rules and messages says what its checks are, with a way to each', async () => {
  const { who, box, home } = await opened({});
  const { html } = await who.get(PATH);
  assert.match(html, /href="\.\.\/\.\.\/console\/outgoing\/box"[\s\S]*Nothing waits/);
  assert.match(html, /href="\.\.\/\.\.\/console\/rules\/box\?edit="[\s\S]*No rules yet/);
  assert.doesNotMatch(html, />Budget</);
  await client.change(home.key, box.address, { outgoing: { review: 'always' } });
  const { secret } = await newKey(home, { scopes: ['mail:send'] });
  const target = await newMailbox(home);
  await send(secret, { from: box.address, to: target.address, body: 'Hello' });
  const held = await who.get(PATH);
  assert.match(held.html, /href="\.\.\/reviews"[^>]*>[\s\S]*1 to approve[\s\S]*Everything waits/);
});
