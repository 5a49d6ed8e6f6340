import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Home } from '../../../../tests/harness/client.ts';
import { openConsole, type Visitor } from '../../../../tests/harness/console.ts';
import type { Mailbox, Rule } from '../../../../tests/harness/wire.ts';

const { client, visitor } = await openConsole();
const { newNamespace, newMailbox, api, send, change } = client;

async function signedIn(home: Home): Promise<Visitor> {
  const who = visitor();
  assert.equal((await who.signIn(home.key)).status, 303);
  return who;
}
async function opened(rules: readonly object[] = []) {
  const home = await newNamespace();
  const box = await newMailbox(home, { local_part: 'box', rules });
  const stored = async (): Promise<readonly Rule[]> =>
    (await api<Mailbox>('GET', `/mailboxes/${box.address}`, { key: home.key })).body.rules ?? [];
  return { home, box, stored, who: await signedIn(home) };
}
const rule = (id: string) => ({ id, if: {}, then: { label: [id] } });
const PATH = '/console/rules/box';

test('an owner makes a rule, tries it on what arrived, and saves it', async () => {
  const { home, box, stored, who } = await opened();
  for (const subject of ['Invoice 1', 'Hello', 'INVOICE 2'])
    await send(home.key, { to: box.address, body: 'Hi', subject });
  const typed = {
    id: 'invoices',
    subject: 'invoice\r\nrechnung',
    from: '',
    add_labels: 'money, paid/later',
    forward_to: `other@${home.name}.mailroom.localhost`,
    unanswered: '1',
  };
  const tried = await who.send(`${PATH}?edit=`, typed, ['do', 'try']);
  assert.equal(tried.status, 200);
  assert.match(tried.html, /It applies to 2 of the last 3 messages/);
  assert.match(tried.html, /INVOICE 2[\s\S]*label it money, paid\/later[\s\S]*Invoice 1/);
  assert.doesNotMatch(tried.html, />Hello</);
  assert.deepEqual(await stored(), []);
  assert.match(tried.html, /value="money, paid\/later"/, 'what was typed is kept');
  assert.equal((await who.send(`${PATH}?edit=`, typed, ['do', 'save'])).status, 303);
  assert.deepEqual(await stored(), [
    {
      id: 'invoices',
      if: { subject: ['invoice', 'rechnung'] },
      then: { label: ['money', 'paid/later'], forward_to: typed.forward_to, answer: false },
    },
  ]);
  const list = await who.get(PATH);
  assert.match(list.html, /If its subject has “invoice” or “rechnung”/);
  assert.match(list.html, /leave it unanswered/);
  assert.match(
    (await who.get('/console/addresses/box?tab=checks')).html,
    /href="[^"]*console\/rules\/box"[\s\S]*data-rule="invoices"[\s\S]*>2 of 3</,
  );
});

test('what is wrong with a rule is said at its field, whatever place the rule has, and nothing is saved', async () => {
  const { stored, who } = await opened([rule('a'), rule('b')]);
  const wrong = await who.send(`${PATH}?edit=b`, { from: 'fine.example\n<b>@', add_labels: 'spam' }, ['do', 'save']);
  assert.equal(wrong.status, 422);
  assert.match(wrong.html, /id="from"[^>]*aria-invalid="true"/);
  assert.match(wrong.html, /id="add_labels"[^>]*aria-invalid="true"/);
  assert.match(wrong.html, /&lt;b&gt;@/);
  assert.match(wrong.html, /href="#add_labels"/);
  const empty = await who.send(`${PATH}?edit=b`, { add_labels: '' }, ['do', 'try']);
  assert.equal(empty.status, 422);
  assert.match(empty.html, /id="then"/);
  assert.deepEqual(await stored(), [rule('a'), rule('b')]);
});

test('rules are moved, edited in their place and removed', async () => {
  const { stored, who } = await opened(['a', 'b', 'c'].map(rule));
  const ids = async () => (await stored()).map(({ id }) => id).join('');
  const press = async (what: string, id: string) => {
    const page = await who.get(PATH);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const version = /name="version" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    return (await who.post(PATH, new URLSearchParams({ csrf, version, of: id, do: what }))).status;
  };
  assert.equal(await press('up', 'c'), 303);
  assert.equal(await ids(), 'acb');
  assert.equal(await press('down', 'a'), 303);
  assert.equal(await ids(), 'cab');
  assert.equal((await who.send(`${PATH}?edit=a`, { id: 'x', done: '1' }, ['do', 'save'])).status, 303);
  assert.equal(await ids(), 'cxb');
  assert.equal(await press('remove', 'c'), 303);
  assert.equal(await ids(), 'xb');
});

test('a rule that is saved after another owner changed the rules is kept in its form and not saved', async () => {
  const { home, box, stored, who } = await opened([rule('a')]);
  const page = await who.get(`${PATH}?edit=a`);
  const hidden = Object.fromEntries(
    [...page.html.matchAll(/name="(csrf|version|was)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  await change(home.key, box.address, { rules: [rule('a'), rule('b')] });
  const late = await who.post(
    `${PATH}?edit=a`,
    new URLSearchParams({ ...hidden, id: 'a', add_labels: 'mine', do: 'save' }),
  );
  assert.equal(late.status, 409);
  assert.match(late.html, /changed in another window/);
  assert.match(late.html, /value="mine"/);
  assert.deepEqual(await stored(), [rule('a'), rule('b')]);
});
