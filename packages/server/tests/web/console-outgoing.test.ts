import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';

interface Outgoing {
  readonly review: string;
  readonly allow: readonly string[];
  readonly block: readonly string[];
  readonly max_per_day: number | null;
  readonly expires_seconds: number;
  readonly on_expiry: string;
}

const service = await openConsole();
const { newNamespace, newMailbox, api } = service.client;
const PATH = '/console/outgoing/box';
const SAVE: [string, string] = ['do', 'save'];

async function opened() {
  const home: Home = await newNamespace();
  const box = await newMailbox(home, { local_part: 'box' });
  const who: Visitor = service.visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  const stored = async (): Promise<Outgoing> =>
    (await api<{ outgoing: Outgoing }>('GET', `/mailboxes/${box.address}`, { key: home.key })).body.outgoing;
  return { home, box, who, stored };
}

test('an owner says what may leave an address, each choice with what it means', async () => {
  const { who, stored } = await opened();
  assert.match(
    (await who.get('/console/addresses/box?tab=checks')).html,
    /console\/outgoing\/box"[\s\S]*leaves? at once/,
  );
  const page = await who.get(PATH);
  for (const choice of ['never', 'outside', 'first_contact', 'findings', 'always'])
    assert.match(page.html, new RegExp(`id="review-${choice}"[^>]*aria-describedby`));
  const typed = {
    review: 'first_contact',
    allow: '*@example.com\r\nada@example.org',
    block: 'eve@example.com',
    max_per_day: '1,200',
    expires_hours: '12',
    on_expiry: 'send',
  };
  const saved = await who.send(PATH, typed, SAVE);
  assert.equal(saved.status, 303, saved.html);
  assert.deepEqual(await stored(), {
    review: 'first_contact',
    allow: ['*@example.com', 'ada@example.org'],
    block: ['eve@example.com'],
    max_per_day: 1200,
    expires_seconds: 43_200,
    on_expiry: 'send',
  });
  assert.match((await who.get(PATH)).html, /value="1,200"[\s\S]*/);
  assert.match((await who.get('/console/addresses/box?tab=checks')).html, /First contacts wait/);
});

test('a policy that contradicts itself, and numbers that are none, are refused at their field and nothing is saved', async () => {
  const { who, stored } = await opened();
  const storedBefore = await stored();
  const wrong = await who.send(PATH, { review: 'always', on_expiry: 'send' }, SAVE);
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /href="#on_expiry"[\s\S]*never sent without one/);
  const numbers = await who.send(PATH, { max_per_day: 'many', expires_hours: '1e9' }, SAVE);
  assert.equal(numbers.status, 422);
  assert.match(numbers.html, /id="max_per_day"[^>]*aria-invalid/);
  assert.match(numbers.html, /id="expires_hours"[^>]*aria-invalid/);
  const entry = await who.send(PATH, { block: 'fine.example\r\n<b>@' }, SAVE);
  assert.equal(entry.status, 422);
  assert.match(entry.html, /id="block"[^>]*aria-invalid[\s\S]*&lt;b&gt;@/);
  assert.deepEqual(await stored(), storedBefore);
});
