import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openConsole } from '../../../../tests/harness/console.ts';

const { client, visitor } = await openConsole({ SEARCH_INDEX: 'on' });
const { newNamespace, newMailbox, send } = client;

async function desk() {
  const home = await newNamespace();
  const [one, two] = [await newMailbox(home), await newMailbox(home)];
  const write = async (to: string, subject: string, body: string) => {
    const { status, text } = await send(home.key, { to, subject, body, sync: true });
    assert.equal(status, 200, text);
  };
  await write(one.address, 'Crane hire', 'The crane is due on Monday');
  await write(two.address, 'Invoice 17', 'Please pay the crane');
  const own = visitor();
  assert.equal((await own.signIn(home.key)).status, 303);
  const rows = async (query: string, more = '') => {
    const { html } = await own.get(`/console?query=${encodeURIComponent(query)}${more}`);
    return { html, subjects: ['Crane hire', 'Invoice 17'].filter((subject) => html.includes(`${subject}<`)) };
  };
  return { rows, one };
}

test('the search of the console takes operators and phrases, says how far it is, and offers what narrows', async () => {
  const { rows, one } = await desk();
  assert.deepEqual((await rows('crane')).subjects, ['Crane hire', 'Invoice 17']);
  assert.deepEqual((await rows('"due on"')).subjects, ['Crane hire']);
  assert.deepEqual((await rows('subject:invoice')).subjects, ['Invoice 17']);
  assert.deepEqual((await rows('crane -pay')).subjects, ['Crane hire']);
  assert.deepEqual((await rows('crane', `&mailbox=${one.local_part}`)).subjects, ['Crane hire']);
  const { html } = await rows('crane');
  assert.match(html, /Searched up to/);
  assert.match(html, /<a class="chip" href="console\?query=crane\+is%3Aunread"/);
  assert.match(html, /data-operator="from:"/);
});

test('a word that is no operator is told at the field, with the one that was meant', async () => {
  const { rows } = await desk();
  const { html, subjects } = await rows('form:ann');
  assert.deepEqual(subjects, []);
  assert.match(html, /“form:” is no operator\. Did you mean from:\?/);
  assert.match(html, /aria-invalid="true" aria-describedby="query-error"/);
  assert.match(html, /value="form:ann"/);
});
