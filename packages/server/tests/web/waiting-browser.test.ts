// Other programs: Chromium.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertFits, assertPage, keepPicture, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, HELLO, type Home } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const service = await serveInside({ env: { RATE_LIMITS: 'off', RUN_SECONDS: '30' } });
const { newNamespace, newMailbox, newPaused, api, all } = connect(service.url);
const browser = await openBrowser();

const received = async (address: string, home: Home): Promise<Envelope[]> =>
  (await all<Envelope>(`/mailboxes/${address}/messages`, home.key)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
const answer = async (id: string, body: string, home: Home): Promise<void> => {
  const answered = await api('POST', `/mail/messages/${id}/answer`, { key: home.key, body: { body } });
  assert.equal(answered.status, 200, answered.text);
};
const write = async (page: Page, text: string): Promise<void> => {
  await page.fill('#body', text);
  await page.locator('[data-send]:not([aria-disabled])').click();
};

/** Makes a mailbox in which a guest's message waits, for each way to wait. */
const STATES: Readonly<Record<string, (home: Home) => Promise<string>>> = {
  'by hand': async (home) =>
    (await newMailbox(home, { behavior: { name: 'agent', settings: { by_hand: true } } })).address,
  'of an agent that is offline': async (home) => (await newMailbox(home, { behavior: { name: 'agent' } })).address,
  'at a paused address': async (home) => (await newPaused(home, {})).address,
};

for (const [state, make] of Object.entries(STATES)) {
  test(`a guest whose message waits ${state} adds more, and each is answered in its place`, async () => {
    const home = await newNamespace();
    const address = await make(home);
    const { page, wrongs } = await browser.open(`${service.url}/${address}`, { width: 390, theme: 'dark' });
    for (const [at, text] of ['Which rooms?', 'For two nights.', 'With a view.'].entries()) {
      await write(page, text);
      await page.locator('.come-back').nth(at).waitFor();
    }
    const messages = await received(address, home);
    assert.deepEqual(
      messages.map(({ body, status }) => [body, status]),
      [
        ['Which rooms?', 'submitted'],
        ['For two nights.', 'submitted'],
        ['With a view.', 'submitted'],
      ],
    );
    assert.equal(new Set(messages.map(({ thread_id }) => thread_id)).size, 1);
    for (const [at, { id }] of [...messages.entries()].toReversed()) await answer(id, `Answer ${at}`, home);
    for (const [at, { id }] of messages.entries()) await page.locator(`#${id}`, { hasText: `Answer ${at}` }).waitFor();
    assert.equal(await page.locator('[data-turns] .answer').count(), 3);
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}

test('a guest adds more to a plan that waits for its owner, and to a conversation that a person took over', async () => {
  const home = await newNamespace();
  const settings = { approval: ['calculate'] };
  const asks = await newMailbox(home, { behavior: { name: 'do', settings } });
  const plan = await browser.open(`${service.url}/${asks.address}`);
  for (const [at, text] of ['What is 12 * 12?', 'What is 13 * 13?'].entries()) {
    await write(plan.page, text);
    await plan.page.locator('.come-back').nth(at).waitFor();
  }
  const waiting = await received(asks.address, home);
  for (const { id } of waiting)
    assert.equal((await api('POST', `/mail/messages/${id}/approve`, { key: home.key, body: {} })).status, 200);
  for (const [at, text] of ['144', '169'].entries())
    await plan.page.locator(`#${waiting[at]?.id}`, { hasText: text }).waitFor();

  const { address } = await newMailbox(home, { behavior: HELLO });
  const taken = await browser.open(`${service.url}/${address}`);
  await write(taken.page, 'Who are you?');
  await taken.page.getByText('I write programs.').first().waitFor();
  const [first] = await received(address, home);
  await api('POST', `/mail/threads/${first?.thread_id}/take-over`, { key: home.key, body: {} });
  for (const [at, text] of ['Is a person there?', 'Hello?'].entries()) {
    await write(taken.page, text);
    await taken.page.locator('.come-back').nth(at).waitFor();
  }
  const [, second, third] = await received(address, home);
  await answer(third?.id ?? '', 'Yes, here.', home);
  await answer(second?.id ?? '', 'A person, yes.', home);
  await taken.page.locator(`#${third?.id}`, { hasText: 'Yes, here.' }).waitFor();
  await taken.page.locator(`#${second?.id}`, { hasText: 'A person, yes.' }).waitFor();
  assert.deepEqual([plan.wrongs, taken.wrongs], [[], []]);
  for (const { page } of [plan, taken]) await page.context().close();
});

for (const scripts of [true, false]) {
  test(`a guest closes the page while a message waits, and the link of the conversation leads back to it, scripts ${scripts ? 'on' : 'off'}`, async () => {
    const home = await newNamespace();
    const { address } = await newMailbox(home, { behavior: { name: 'agent' } });
    const first = await browser.open(`${service.url}/${address}`, { scripts });
    await write(first.page, 'Which rooms?');
    const link = first.page.getByRole('link', { name: 'the link of this conversation' });
    const href = (await link.getAttribute('href')) ?? '';
    await first.page.context().close();
    const [message] = await received(address, home);
    await answer(message?.id ?? '', 'The blue one.', home);
    const { page, wrongs } = await browser.open(href, { scripts });
    await page.locator('.answer', { hasText: 'The blue one.' }).waitFor();
    await write(page, 'And on Friday?');
    await page.locator('.yours', { hasText: 'And on Friday?' }).waitFor();
    await page.getByText('Your message is waiting').last().waitFor();
    const both = await received(address, home);
    assert.equal(both[1]?.thread_id, message?.thread_id);
    assert.deepEqual(wrongs, []);
    await page.context().close();
  });
}

test('a link of a conversation that is wrong, or of another address, shows nothing of it', async () => {
  const home = await newNamespace();
  const [one, two] = [await newMailbox(home, { behavior: HELLO }), await newMailbox(home, { behavior: HELLO })];
  const { thread_token } = (
    await api<Envelope & { thread_token: string }>('POST', '/mail/try', {
      body: { to: one.address, body: 'Who are you?' },
    })
  ).body;
  const page = async (address: string, token: string) => {
    const response = await fetch(`${service.url}/${address}?conversation=${token}`, {
      headers: { accept: 'text/html' },
    });
    return { status: response.status, cache: response.headers.get('cache-control'), html: await response.text() };
  };
  const own = await page(one.address, thread_token);
  assert.deepEqual([own.status, own.cache], [200, 'no-store']);
  assert.match(own.html, /Who are you\?<\/p>[\s\S]*I write programs/);
  for (const [address, token] of [
    [two.address, thread_token],
    [one.address, `${thread_token.slice(0, -1)}x`],
    [one.address, ''],
    [one.address, 'mt_'],
  ] as const) {
    const wrong = await page(address, token);
    assert.equal(wrong.status, 404, token);
    assert.match(wrong.html, /This link leads to no conversation here/);
    assert.doesNotMatch(wrong.html, /I write programs/);
  }
});

for (const [width, theme] of looks([
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
] as const)) {
  test(`a conversation that waits fits and is accessible, at ${width} in ${theme}`, async () => {
    const home = await newNamespace();
    for (const [name, make] of Object.entries(STATES)) {
      const { page, wrongs } = await browser.open(`${service.url}/${await make(home)}`, { width, theme });
      await write(page, 'Which rooms are free on Friday?');
      await page.locator('.come-back').waitFor();
      const called = `waiting-${name.replaceAll(' ', '-')}-${width}`;
      await assertPage(page, called, theme);
      await assertFits(page, called);
      await keepPicture(page, `${called}-${theme}`);
      assert.deepEqual(wrongs, []);
      await page.context().close();
    }
  });
}
