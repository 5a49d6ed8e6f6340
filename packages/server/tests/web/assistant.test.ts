// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFits, openBrowser } from '../../../../tests/harness/browser.ts';
import { unique } from '../../../../tests/harness/client.ts';
import { formData } from '../../../../tests/harness/form.ts';
import { byTurn, calls, openModelService } from '../../../../tests/harness/model-service.ts';

const { url, client, model } = await openModelService();
const browser = await openBrowser();

test('a reply grows as it is written, as plain text, and ends as the turn it is', async () => {
  const home = await client.newNamespace();
  const behavior = { name: 'assistant', settings: { examples: ['Tell me a story'] } };
  const { address } = await client.newMailbox(home, { behavior });
  model.say([
    { text: ['Once **upon** ', '<b id="evil">a</b> ', 'time ', 'there ', 'was ', 'a ', 'bear.'], pause_ms: 250 },
  ]);
  const { page, wrongs } = await browser.open(`${url}/${address}`);
  await page.getByRole('button', { name: 'Tell me a story' }).click();
  await page.getByText('Once **upon** <b id="evil">a</b> time there').waitFor();
  assert.equal(await page.locator('[data-draft]').count(), 1);
  await assertFits(page, 'assistant');
  await page.locator('strong', { hasText: 'upon' }).waitFor();
  assert.equal(await page.locator('[data-draft]').count(), 0);
  assert.equal(await page.locator('.answer').count(), 1);
  assert.equal(await page.locator('#evil').count(), 0);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

test('who makes an address can choose it, and sees what it would answer', async () => {
  const origin = { origin: url, 'sec-fetch-site': 'same-origin', accept: 'text/html' };
  const choose = await (await fetch(`${url}/new?local=pirate&name=${unique('n')}`, { headers: origin })).text();
  assert.match(choose, /using a language model/);
  const preview = async (fields: Readonly<Record<string, string>>): Promise<string> => {
    const body = formData(choose, { button: ['do', 'preview'] });
    body.set('behavior', 'assistant');
    for (const [name, value] of Object.entries(fields)) {
      assert.ok(body.has(name), `${name} in ${[...body.keys()].join(' ')}`);
      body.set(name, value);
    }
    const response = await fetch(`${url}/new`, { method: 'POST', body, headers: origin });
    assert.equal(response.status, 200);
    return response.text();
  };
  // Longer than the minimum for storing drafts, since a preview has no message to store them in.
  model.say(byTurn({ ...calls(['calculate', { expression: '6*7' }]), pause_ms: 120 }, { text: 'Arr, 42.' }));
  const shown = await preview({ body: '6*7?', 'settings.assistant.instructions': 'You are a pirate.' });
  assert.match(shown, /Arr, 42\./);
  assert.match(model.requests.at(-1)?.body.messages[0]?.content ?? '', /^You are a pirate\./);
});
