// Other programs: Chromium.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Browser, openBrowser, type Tab } from '../../../../tests/harness/browser.ts';
import { connect, type Home, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { XSS_PAYLOADS } from './xss-payloads.ts';

const service = await sharedService();
const { newNamespace, newMailbox, change } = connect(service.url);
const browser: Browser = await openBrowser();

/** The store refuses lone surrogates and U+0000 on input, which has tests of its own. */
const PAYLOADS = XSS_PAYLOADS.map((payload) => payload.toWellFormed().replaceAll('\0', ''));

/** Moves the mouse over everything, focuses everything, and clicks what looks like a link. */
async function provoke({ page }: Tab): Promise<void> {
  await page.evaluate(() => {
    const { document, MouseEvent } = globalThis as unknown as {
      document: {
        querySelectorAll(selector: string): Iterable<{ dispatchEvent(event: unknown): void; focus?(): void }>;
      };
      MouseEvent: new (type: string, init: object) => unknown;
    };
    for (const element of document.querySelectorAll('main *, aside *')) {
      for (const type of ['mouseover', 'pointerover', 'animationend']) {
        element.dispatchEvent(new MouseEvent(type, { bubbles: true }));
      }
      element.focus?.();
    }
  });
}

/** Links with a scheme that would run a script. */
const LINKS =
  'a[href^="javascript" i], a[href^="data" i], a[href^="vbscript" i], iframe, object, embed, form[action^="javascript" i]';

describe('nothing that strangers write runs', () => {
  let home: Home;
  before(async () => {
    home = await newNamespace();
  });

  test('as a message, in the try-out as it comes and when the page is made anew', async () => {
    const mailbox = await newMailbox(home, { local_part: unique() });
    for (const scripts of [true, false]) {
      const tab = await browser.open(`${service.url}/${mailbox.address}`, { scripts });
      await tab.page.locator('textarea').fill(PAYLOADS.join('\n\n').slice(0, 8000));
      await tab.page.getByRole('button', { name: 'Send' }).click();
      await tab.page.locator('.answer .prose').waitFor();
      if (scripts) await provoke(tab);
      assert.equal(await tab.page.locator(LINKS).count(), 0);
      assert.deepEqual(tab.wrongs, []);
      await tab.page.context().close();
    }
  });

  test('as an introduction in Markdown, that is: as an answer', async () => {
    const mailbox = await newMailbox(home, { local_part: unique() });
    const tab = await browser.open('about:blank');
    // Each on its own, since the end of one payload could close the next.
    for (let offset = 0; offset < PAYLOADS.length; offset += 10) {
      const introduction = PAYLOADS.slice(offset, offset + 10).join('\n\n');
      await change(home.key, mailbox.address, { behavior: { settings: { introduction } } });
      await tab.page.goto(`${service.url}/${mailbox.address}`);
      await tab.page.getByRole('button', { name: 'Who are you?' }).click();
      // The earlier answers are shown again.
      await tab.page
        .locator('.answer .prose')
        .nth(offset / 10)
        .waitFor();
      await provoke(tab);
      assert.equal(await tab.page.locator(LINKS).count(), 0);
    }
    assert.deepEqual(tab.wrongs, []);
    await tab.page.context().close();
  });

  test('as a description, a display name, a search, a language or an address', async () => {
    const tab = await browser.open('about:blank');
    const pages = [`/${home.name}`];
    for (const payload of PAYLOADS) {
      const line = payload.replaceAll(/\p{Cc}/gu, ' ').slice(0, 100);
      const fields = { local_part: unique(), description: line, display_name: line };
      const { address } = await newMailbox(home, fields);
      if (pages.length < 15) pages.push(`/${address}?lang=${encodeURIComponent(payload)}`);
    }
    for (const path of pages) {
      await tab.page.goto(service.url + path);
      await provoke(tab);
    }
    for (const payload of PAYLOADS.slice(0, 12)) {
      const encoded = encodeURIComponent(payload);
      await tab.page.goto(`${service.url}/?query=${encoded}&behavior=${encoded}&cursor=${encoded}`);
      await tab.page.goto(`${service.url}/${encoded.slice(0, 200)}@agents.mailroom.localhost`);
      await tab.page.goto(`${service.url}/new?name=${encoded}&local=${encoded}`);
      await tab.page.goto(`${service.url}/report?about=${encoded}`);
    }
    assert.deepEqual(tab.wrongs, []);
    await tab.page.context().close();
  });
});
