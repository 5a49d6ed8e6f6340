// Other programs: Chromium.
// Long form of: claims.test.ts.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertFits, assertPage, looks, openBrowser } from '../../../../tests/harness/browser.ts';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { Outbox } from '../../../../tests/harness/outbox.ts';
import { LONG_ONLY } from '../../../../tests/soak/length.ts';

const service = await serveInside();
const { newNamespace } = connect(service.url);
const outbox = new Outbox(join(service.folder, 'outbox'));
const browser = await openBrowser();
const MAKE = 'Make this address an owner';
/** By host name, since the sign-in with an address redirects to it. */
const url = service.url.replace('127.0.0.1', 'localhost');

async function prove(page: Page, address: string): Promise<void> {
  await page.locator('input[name=address]').fill(address);
  await page.locator('button[value=code]').click();
  await page.locator('input[name=code]').waitFor();
  const { code } = await outbox.code(address);
  await page.locator('input[name=code]').fill(code);
  await page.locator('button[value=verify]').click();
}

for (const [width, scripts] of [
  ...looks([
    [1280, true],
    [320, true],
  ] as const),
  [1280, false] as const,
]) {
  const how = `${width} px, scripts ${scripts ? 'on' : 'off'}`;
  test(
    `a name is claimed and entered in a browser, and its pages are accessible and fit: ${how}`,
    scripts ? {} : LONG_ONLY,
    async () => {
      const homes = [await newNamespace(), await newNamespace()];
      const address = `${unique('a-rather-long-name-of-somebody')}@mail.example.com`;
      const tab = await browser.open(`${url}/console`, { width, scripts });
      const { page } = tab;
      if (scripts) await assertPage(page, 'owners-door');
      for (const { key, name } of homes) {
        await page.goto(`${url}/console`);
        await page.locator('[name=key]').fill(key);
        await page.keyboard.press('Enter');
        await page.getByRole('searchbox').first().waitFor();
        await page.goto(`${url}/console/settings`);
        await page.getByRole('link', { name: 'Add your address or a passkey' }).click();
        await page.getByRole('heading', { name: `Members of ${name}` }).waitFor();
        if (scripts) await assertPage(page, 'members-none');
        if ((await page.getByRole('button', { name: MAKE }).count()) === 0) {
          await page.getByRole('button', { name: 'Add your address or a passkey' }).click();
          await prove(page, address);
          const later = page.locator('button[value=skip]');
          await later.or(page.getByRole('button', { name: MAKE })).waitFor();
          if ((await later.count()) > 0) await later.click();
        }
        await page.getByRole('button', { name: MAKE }).waitFor();
        if (scripts) await assertPage(page, 'members-asked');
        await page.getByRole('button', { name: MAKE }).click();
        await page.getByText('Done. You can now sign in').waitFor();
        if (scripts) await assertPage(page, 'members-one');
        await page.goto(`${url}/console/members`);
        await page.getByRole('link', { name: /^Change/ }).click();
        await page.getByRole('button', { name: 'Remove yourself' }).waitFor();
        if (scripts) await assertPage(page, 'members-remove');
        for (const path of ['keys', 'settings']) {
          await page.goto(`${url}/console/${path}`);
          if (scripts) await assertPage(page, `owners-${path}`);
        }
        await page.context().clearCookies({ name: 'mr_session' });
        await page.goto(`${url}/console`);
        await page.getByRole('heading', { name: 'Open your console' }).waitFor();
      }
      await page.goto(`${url}/console`);
      await page.getByRole('button', { name: 'Sign in with your address or passkey' }).click();
      await page.getByRole('button', { name: homes[1]?.name as string }).waitFor();
      if (scripts) await assertPage(page, 'owners-choice');
      else await assertFits(page, 'the choice of names');
      await page.getByRole('button', { name: homes[1]?.name as string }).click();
      await page.getByRole('searchbox').first().waitFor();
      assert.deepEqual(tab.wrongs, []);
      await page.context().close();
    },
  );
}
