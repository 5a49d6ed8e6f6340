// Other programs: Chromium.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { assertFits, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, HELLO, type Home, unique } from '../../../../tests/harness/client.ts';
import { gated, gatesOf } from '../../../../tests/harness/gated.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const folder = mkdtempSync(join(tmpdir(), 'mailroom-gates-'));
const service = await serveInside({ behaviors: [gated(folder, 'node')], env: { LIMIT_TRIES_PER_MINUTE: '10' } });
const { api, newNamespace, newMailbox, newPaused, all } = connect(service.url);
const browser = await openBrowser();
const gate = gatesOf(folder);

const PROOFREAD = `${service.url}/proofread@agents.mailroom.localhost`;
let home: Home;
before(async () => {
  home = await newNamespace();
});

for (const scripts of [true, false]) {
  describe(`the try-out, scripts ${scripts ? 'on' : 'off'}`, () => {
    test('a text is answered with its corrections, and the conversation goes on', async () => {
      const { page, wrongs } = await browser.open(PROOFREAD, { scripts });
      await page.locator('textarea').fill('She have a hour.');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.marked').waitFor({ timeout: 30_000 });
      assert.equal(await page.locator('.marked del').first().textContent(), 'have');
      assert.equal(await page.locator('.marked ins').first().textContent(), 'has');
      assert.equal(await page.locator('.reasons li').count(), 2);
      await page.locator('textarea').fill('It is fine.');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Nothing to correct').first().waitFor();
      assert.equal(await page.locator('.yours').count(), 2);
      const token = await page.locator('[name=thread_token]').inputValue();
      const sent = await all<{ thread_id: string; channel: string }>(
        '/mailboxes/proofread@agents.mailroom.localhost/messages',
        service.ownerKey,
      );
      const thread = sent.filter(({ thread_id }) => token.startsWith(`mt_${thread_id.slice(4)}`));
      assert.equal(thread.length, 2);
      assert.ok(thread.every(({ channel }) => channel === 'web'));
      assert.deepEqual(wrongs, []);
      await page.context().close();
    });

    test('an example is sent by a click, and what was typed stays', scripts ? {} : LONG_ONLY, async () => {
      const mailbox = await newMailbox(home, { local_part: unique(), behavior: HELLO });
      const { page } = await browser.open(`${service.url}/${mailbox.address}`, { scripts });
      await page.getByRole('button', { name: 'Who are you?' }).click();
      await page.getByText('I write programs.').first().waitFor();
      assert.match((await page.locator('.yours').textContent()) ?? '', /Who are you\?/);
      await page.context().close();
    });

    test('a text that is empty or too long is told, and kept', async () => {
      const mailbox = await newMailbox(home, { local_part: unique(), behavior: HELLO });
      const { page } = await browser.open(`${service.url}/${mailbox.address}`, { scripts });
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Write something first.').waitFor();
      const long = 'word '.repeat(2000);
      await page.locator('textarea').fill(long);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('Guests may send up to').waitFor();
      assert.equal(await page.locator('textarea').inputValue(), long);
      await page.context().close();
    });

    test('a message to a paused mailbox waits, and says so', scripts ? {} : LONG_ONLY, async () => {
      const mailbox = await newPaused(home, { local_part: unique() });
      const { page } = await browser.open(`${service.url}/${mailbox.address}`, { scripts });
      await page.getByText('is paused by its owner').waitFor();
      await page.locator('textarea').fill('Are you there?');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.locator('.answer').getByText('Your message is waiting.').waitFor();
      await page.context().close();
    });
  });
}

test('long work shows at once that it goes on, counts the seconds, and is canceled', async () => {
  const mailbox = await newMailbox(home, { local_part: unique(), behavior: { name: 'gated' } });
  const { page, wrongs } = await browser.open(`${service.url}/${mailbox.address}`);
  const text = unique('long');
  await page.locator('textarea').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.working').waitFor();
  await page.locator('[data-seconds]').getByText('1 s').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('.answer').getByText('Canceled before it was answered.').waitFor();
  await gate.sees(({ step, body }) => step === 'aborted' && body === text);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

test('an answer whose connection broke is still shown, once', async () => {
  const mailbox = await newMailbox(home, { local_part: unique(), behavior: { name: 'gated' } });
  const url = `${service.url}/${mailbox.address}`;
  const { page } = await browser.open(url, { fresh: true });
  const text = unique('broken');
  let broke = false;
  // The first stream ends after its first event, like a lost connection.
  await page.route(url, async (route) => {
    if (broke) return route.continue();
    broke = true;
    const begun = await fetch(url, {
      method: 'POST',
      body: route.request().postData(),
      headers: { accept: 'text/event-stream', 'content-type': 'application/x-www-form-urlencoded' },
    });
    const reader = (begun.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return route.fulfill({ contentType: 'text/event-stream', body: Buffer.from(value as Uint8Array) });
  });
  await page.locator('textarea').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('Reconnecting').waitFor();
  gate.open(text);
  await page.locator('.answer .prose').waitFor();
  assert.equal(await page.locator('.yours').count(), 1);
  assert.equal(await page.locator('.answer').count(), 1);
  await page.context().close();
});

test('a message that never arrived is back in the box', async () => {
  const mailbox = await newMailbox(home, { local_part: unique(), behavior: HELLO });
  const { page } = await browser.open(`${service.url}/${mailbox.address}`, { fresh: true });
  await page.context().setOffline(true);
  await page.locator('textarea').fill('Do not lose me.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('The connection was lost. Your text is still in the box.').waitFor();
  assert.equal(await page.locator('textarea').inputValue(), 'Do not lose me.');
  assert.equal(await page.locator('.yours').count(), 0);
  await page.context().close();
});

test('the corrected text is copied in one click, and a selection leaves out what was struck', async () => {
  const { page } = await browser.open(PROOFREAD, { fresh: true });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('textarea').fill('She have a hour.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Copy corrected text' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'She has an hour.');
  const selected = await page.evaluate(
    'getSelection().selectAllChildren(document.querySelector(".marked")), getSelection().toString()',
  );
  assert.match(String(selected), /^She\s+has\s+an\s+hour\.$/);
  await page.context().close();
});

test('the reason of a correction is shown on hover and on focus', async () => {
  const { page } = await browser.open(PROOFREAD);
  await page.getByRole('button', { name: 'She have a hour' }).click();
  const edit = page.locator('.edit').first();
  await edit.locator('ins').hover();
  await page.locator('.bubble').getByText('“She” takes “has”.').waitFor();
  await page.mouse.move(0, 0);
  await page.locator('.bubble').waitFor({ state: 'detached' });
  await page.locator('textarea').focus();
  await page.keyboard.press('Escape');
  await edit.focus();
  await page.keyboard.press('Tab');
  await page.locator('.bubble').waitFor();
  await page.context().close();
});

test('the reason of a correction comes up from below on a tap', async () => {
  const { page } = await browser.open(PROOFREAD, { touch: true, width: 390 });
  await page.getByRole('button', { name: 'She have a hour' }).tap();
  await page.locator('.edit').first().tap();
  await page.locator('.bubble.sheet').getByText('“She” takes “has”.').waitFor();
  assert.doesNotMatch(page.url(), /why/);
  await page.context().close();
});

test('another site cannot send the form in its visitors’ name', async () => {
  const answer = await fetch(PROOFREAD, {
    method: 'POST',
    body: new URLSearchParams({ body: 'Hi' }),
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(answer.status, 403);
  assert.equal((await api('GET', '/me')).status, 401);
});

describe('a guest over the limit', () => {
  test('sees a countdown and keeps the text; a solved challenge goes on at once', async () => {
    await using limited = await serveInside({
      env: { RATE_LIMITS: 'on', LIMIT_TRIES_PER_MINUTE: '1', CHALLENGE_COST: '4' },
    });
    const { page, wrongs } = await browser.open(`${limited.url}/hello@agents.mailroom.localhost`);
    await page.getByRole('button', { name: 'Who are you?' }).click();
    await page.locator('.answer .prose').waitFor();
    await page.locator('textarea').fill('One more.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^Next message in \d+ s\.$/).waitFor();
    await page.getByRole('button', { name: /^Send in \d+ s$/ }).waitFor();
    assert.equal(await page.locator('textarea').inputValue(), 'One more.');
    await page.getByRole('button', { name: 'Continue now' }).click();
    await page.locator('.answer').nth(1).waitFor();
    assert.equal(await page.locator('textarea').inputValue(), '');
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });

  test('sees the wait without scripts too', async () => {
    await using limited = await serveInside({ env: { RATE_LIMITS: 'on', LIMIT_TRIES_PER_MINUTE: '1' } });
    const { page } = await browser.open(`${limited.url}/hello@agents.mailroom.localhost`, { scripts: false });
    await page.getByRole('button', { name: 'Who are you?' }).click();
    await page.locator('textarea').fill('One more.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/Next message in \d+ s\./).waitFor();
    assert.equal(await page.locator('textarea').inputValue(), 'One more.');
    assert.equal(await page.locator('.answer').count(), 1);
    await page.context().close();
  });
});

test('a reload loses neither the conversation nor what was typed', async () => {
  const mailbox = await newMailbox(home, { local_part: unique(), behavior: HELLO });
  const { page, wrongs } = await browser.open(`${service.url}/${mailbox.address}`);
  await page.getByRole('button', { name: 'Who are you?' }).click();
  await page.locator('.answer .prose').waitFor();
  await page.locator('textarea').fill('And one more th');
  await page.getByRole('link', { name: 'Python' }).click();
  await page.locator('.answer .prose').waitFor();
  assert.equal(await page.locator('textarea').inputValue(), 'And one more th');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.locator('.answer').nth(1).waitFor();
  assert.equal(await page.locator('.yours').count(), 2);
  assert.deepEqual(wrongs, []);
  await page.context().close();
});

for (const [path, error, said] of [
  ['hello@agents.mailroom.localhost', '#error', 'Guests may send up to 8 KB'],
  ['new?local=hello&name=roomy&behavior=hello', '#body-error', 'At most 8 KB are previewed'],
] as const)
  test(`a text over the limit is not sent from /${path.split('?')[0]}, and a phone shows why`, async () => {
    const { page, wrongs } = await browser.open(`${service.url}/${path}`, { width: 390 });
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    const text = 'ü'.repeat(4_097);
    await page.locator('#body').fill(text);
    await page.locator('[data-send]').click();
    await page.locator(error, { hasText: said }).waitFor();
    const view = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('${error}').getBoundingClientRect())`;
    assert.equal(await page.evaluate(view), true, 'the error is in view');
    assert.equal(await page.locator('#body').inputValue(), text);
    assert.deepEqual(sent, []);
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });

test('a screen reader is not told of work that was refused', async () => {
  const { page } = await browser.open(`${service.url}/hello@agents.mailroom.localhost`, { width: 390 });
  await page.route('**/hello@*', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  await page.locator('#body').fill('Who are you?');
  await page.locator('[data-send]').click();
  await page.locator('#error', { hasText: 'The connection was lost' }).waitFor();
  assert.equal(await page.locator('[data-said]').textContent(), '');
  await page.unrouteAll();
  await page.context().close();
});

test('one long word does not break the page', async () => {
  const mailbox = await newMailbox(home, { local_part: unique(), behavior: HELLO });
  for (const width of looks([390, 1280])) {
    const { page } = await browser.open(`${service.url}/${mailbox.address}`, { width });
    await page.locator('textarea').fill(`https://example.com/${'a'.repeat(400)}`);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer .prose').waitFor();
    await assertFits(page, `${width}`);
    await page.context().close();
  }
});

test('on the home page the headline stays and an answer is read from its start', async () => {
  for (const width of looks([390, 1280])) {
    const { page } = await browser.open(`${service.url}/`, { width });
    const headline = page.locator('h1');
    const boxBefore = await headline.boundingBox();
    await page.locator('textarea').fill('She have two cat, and they is hungry. '.repeat(20));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer .marked').waitFor({ timeout: 30_000 });
    const { y } = (await page.locator('.answer').last().boundingBox()) as { readonly y: number };
    assert.ok(y > -1 && y < 400, `the answer begins at ${y}`);
    const place = 'scrollY + document.querySelector("h1").getBoundingClientRect().y';
    assert.equal(Math.round(Number(await page.evaluate(place))), Math.round(boxBefore?.y ?? Number.NaN));
    // The corrected text comes before the explanations.
    const said = (await page.locator('.answer .said').last().textContent()) ?? '';
    assert.match(said.trim(), /^Copy corrected text/);
    await page.context().close();
  }
});

test('a new conversation can be started', async () => {
  const { page } = await browser.open(`${service.url}/hello@agents.mailroom.localhost`);
  const restart = page.getByRole('link', { name: 'New conversation' });
  assert.equal(await restart.isVisible(), false);
  for (const body of ['Who are you?', 'And where?']) {
    await page.locator('textarea').fill(body);
    await page.locator('textarea').press('Control+Enter');
    await page.locator('.answer .prose').last().waitFor();
  }
  const token = () => page.locator('[name=thread_token]').inputValue();
  const first = await token();
  await restart.click();
  assert.equal(await page.locator('.yours').count(), 0);
  await page.locator('textarea').fill('Who are you?');
  await page.locator('textarea').press('Control+Enter');
  await page.locator('.answer .prose').waitFor();
  assert.notEqual(await token(), first);
  await page.reload();
  await page.locator('.answer .prose').waitFor();
  assert.equal(await page.locator('.yours').count(), 1);
  await page.context().close();
});
