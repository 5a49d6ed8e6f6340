// Other programs: Chromium.
// Long form of: answered-once.test.ts, conversation-browser.test.ts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser } from '../../../../tests/harness/browser.ts';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { assertSoon } from '../../../../tests/harness/soon.ts';
import { until } from '../../../../tests/harness/until.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';
import { amount } from '../../../../tests/soak/length.ts';

// People in real browsers and programs work through the conversations of one address.

const PEOPLE = amount(2, 5);
const PROGRAMS = amount(1, 3);
const CONVERSATIONS = amount(12, 500);
/** How often a program looks whether it is its turn. */
const LOOK_MS = 50;
/** How long all of them may take. */
const PATIENCE_MS = amount(120_000, 3_600_000);
/** Of the rows at the top of a list; few, so that people often choose the same. */
const TOP = 6;
const SEEN_MS = 1_000;

const { url } = await serveInside();
const { newNamespace, newMailbox, newKey, send, api, read, all } = connect(url);
const browser = await openBrowser();

interface Desk {
  readonly name: string;
  /** Where they answer. */
  readonly work: Page;
  /** What they see beside it: the conversations to answer. */
  readonly list: Page;
  /** When rows left the list, by their ids, in milliseconds of the machine's clock. */
  readonly gone: Map<string, number>;
  readonly wrongs: readonly string[];
}

/** Keeps when rows left the list, which a new page does not know. */
async function keepGone({ list, gone }: Desk): Promise<void> {
  const seen: Record<string, number> = await list.evaluate('globalThis.gone');
  for (const [id, at] of Object.entries(seen)) gone.set(id, at);
}
const rowsOf = (list: Page): Promise<string[]> =>
  list.evaluate('[...document.querySelectorAll("[data-row]")].map((row) => row.dataset.row)');

async function sitDown(key: string, name: string): Promise<Desk> {
  const open = async () => {
    const tab = await browser.open(`${url}/console`);
    await tab.page.fill('[name=key]', key);
    await tab.page.press('[name=key]', 'Enter');
    await tab.page.waitForSelector('[data-live].online', { state: 'attached' });
    return tab;
  };
  const [work, list] = [await open(), await open()];
  await list.page.addInitScript(`
    globalThis.gone = {};
    addEventListener('DOMContentLoaded', () =>
      new MutationObserver((changes) => {
        for (const { removedNodes } of changes)
          for (const { dataset } of removedNodes)
            if (dataset?.row && !document.querySelector('[data-row="' + dataset.row + '"]')) gone[dataset.row] = Date.now();
      }).observe(document.body, { childList: true, subtree: true }));`);
  await list.page.goto(`${url}/console?state=answer`);
  await list.page.waitForSelector('[data-live].online', { state: 'attached' });
  return { name, work: work.page, list: list.page, gone: new Map(), wrongs: work.wrongs };
}

test(`${PEOPLE} people and ${PROGRAMS} programs on ${CONVERSATIONS} conversations: none is answered twice or lost, and each sees what another did`, async (t) => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home, { local_part: 'desk', behavior: { name: 'agent' } });
  const ids: string[] = [];
  for (let nth = 0; nth < CONVERSATIONS; nth++)
    ids.push((await send(other.key, { to: address, subject: `Number ${nth}`, body: 'How much is it?' })).body.id);
  const desks: Desk[] = [];
  for (let nth = 0; nth < PEOPLE; nth++) {
    const name = `Person ${nth}`;
    desks.push(await sitDown((await newKey(home, { scopes: ['owner'], name })).secret, name));
  }
  const over = new AbortController();
  after(() => over.abort());
  const counts = { people: 0, programs: 0, met: 0 };
  const isLeft = (): boolean => counts.people + counts.programs < CONVERSATIONS;

  /** Opens one of the first conversations, and answers it unless another did. */
  async function work(desk: Desk, nth: number): Promise<void> {
    const { work: page, name } = desk;
    for (let round = nth; !over.signal.aborted; round++) {
      const rows = await rowsOf(desk.list);
      const id = rows[round % Math.max(1, Math.min(TOP, rows.length))];
      if (id === undefined) {
        if (!isLeft()) return;
        // The rows after the first page come with the next look at the list.
        await keepGone(desk);
        await desk.list.reload();
        continue;
      }
      await page.goto(`${url}/console?message=${id}`);
      const text = `${name} answers ${round}.`;
      const box = page.locator('[data-answer-body]');
      const [answers, bar] = [page.locator('.answer:has(.took)'), page.locator('[data-meanwhile]')];
      await box.or(answers).first().waitFor();
      if ((await answers.count()) === 0) await box.fill(text);
      // An answer that came before the first key is on the page; one that comes later keeps what is typed from leaving.
      if ((await answers.count()) > 0) {
        counts.met++;
        if ((await bar.count()) === 0 && (await box.count()) > 0) await box.fill('');
      } else {
        await page.keyboard.press('Control+Enter');
        await answers.or(bar).first().waitFor();
        if ((await bar.count()) > 0) counts.met++;
        else if ((await answers.getByText(text).count()) > 0) counts.people++;
        else counts.met++;
      }
      // What was typed and not sent must not keep the page.
      if ((await bar.count()) > 0) {
        await bar.getByRole('button', { name: 'Throw mine away' }).click();
        await bar.waitFor({ state: 'detached' });
      }
    }
  }

  async function program(key: string): Promise<void> {
    while (!over.signal.aborted) {
      // Programs are faster: each waits until people answered as many, however fast the machine is.
      if (counts.programs > counts.people && isLeft()) {
        await pause(LOOK_MS);
        continue;
      }
      const { body } = await api<{ items: { claim: string; message: Envelope }[] }>(
        ...(['POST', `/mailboxes/${address}/claim`, { key, body: { wait: 1 } }] as const),
      );
      const [claimed] = body.items;
      if (claimed === undefined && !isLeft()) return;
      if (claimed === undefined) continue;
      const answer = { claim: claimed.claim, body: 'A program answers.' };
      const { id } = claimed.message;
      const given = await api<{ answer?: { settles: boolean }; code?: string }>('POST', `/mail/messages/${id}/answer`, {
        key,
        body: answer,
      });
      if (given.body.answer?.settles === true) counts.programs++;
      else {
        // A person overtook its claim.
        assert.equal(given.body.code, 'claim_lost', given.text);
        counts.met++;
      }
    }
  }

  const keys = await Promise.all(
    Array.from({ length: PROGRAMS }, () => newKey(home, { scopes: ['mail:answer', 'messages:read'] })),
  );
  const late = setTimeout(() => over.abort(), PATIENCE_MS);
  await Promise.all([...desks.map(work), ...keys.map(({ secret }) => program(secret))]);
  clearTimeout(late);

  const settled = await Promise.all(ids.map(async (id) => (await read(home.key, id)).body));
  assert.deepEqual(
    settled.filter(({ status }) => status !== 'completed').map(({ id }) => id),
    [],
    'none is lost',
  );
  const rows = await all<Envelope & { kind: string }>(`/mailboxes/${address}/messages?direction=all`, home.key);
  assert.ok(rows.length >= CONVERSATIONS);
  assert.deepEqual(
    settled.filter(({ replies_count: count }) => count !== 1).map(({ id }) => id),
    [],
    'none is answered twice',
  );
  assert.equal(counts.people + counts.programs, CONVERSATIONS, JSON.stringify(counts));
  assert.ok(counts.people > 0 && counts.programs > 0, JSON.stringify(counts));

  // What each saw leave the list, against when it was settled.
  const delays: number[] = [];
  for (const desk of desks) {
    await until(
      20_000,
      () => rowsOf(desk.list),
      (rest) => rest.length === 0,
    );
    await keepGone(desk);
    for (const { id, settled_at: at } of settled) {
      const rest = desk.gone.get(id);
      if (rest !== undefined) delays.push(rest - Date.parse(at ?? ''));
    }
    assert.deepEqual(desk.wrongs, []);
  }
  delays.sort((a, b) => a - b);
  const p = (share: number): number => Math.max(0, Math.round(delays[Math.floor((delays.length - 1) * share)] ?? 0));
  t.diagnostic(
    `${JSON.stringify(counts)}, seen ${delays.length} times after ${p(0.5)} ms, p95 ${p(0.95)} ms, p99 ${p(0.99)} ms`,
  );
  assert.ok(delays.length >= CONVERSATIONS / 2, `${delays.length} were seen`);
  await assertSoon(p(0.95), SEEN_MS, 'what another did');
});
