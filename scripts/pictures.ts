// Makes the README's screenshots: node scripts/pictures.ts. They are committed, so run it when the pages change.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { connect } from '../tests/harness/client.ts';
import { startService } from '../tests/harness/service.ts';

const FOLDER = join(import.meta.dirname, '../docs/images');
const TEXT =
  'Hi Jonas, we was hoping to move the launch to monday. The test could of gone better, and I definately need a hour with the the logs.';
const SUBMISSIONS: readonly (readonly [to: string, body: string])[] = [
  ['hello', 'Who is this, and what do you do?'],
  ['proofread', 'Release notes 2.4.0: We has added support for many new thing.'],
  ['hello', 'Wer bist du und woran arbeitest du?'],
  ['hello', 'مرحبا، من أنت؟'],
  ['proofread', 'Please check: there results was better then ours.'],
  ['quotes', 'How much is a parcel of 4 kg to Lagos?'],
  ['proofread', 'Dear Sir or Madam, I am writing to apply for the job.'],
  ['hello', 'What are your opening hours in December?'],
  ['proofread', TEXT],
];

await using service = await startService({ env: { BASE_URL: 'http://localhost:8080' } });
const { newNamespace, newMailbox, newPaused, newKey, send, tryOut } = connect(service.url);
const home = await newNamespace({ name: 'ada', display_name: 'Ada Okafor' });
const introduction =
  'I am Ada, a structural engineer in Lagos. I check bridges for a living and write about them on Sundays.';
await newMailbox(home, {
  local_part: 'hello',
  behavior: { name: 'hello', settings: { name: 'Ada Okafor', introduction } },
});
await newMailbox(home, { local_part: 'proofread', behavior: { name: 'proofread' } });
await newPaused(home, { local_part: 'quotes', description: 'A price for your parcel, door to door.' });
const { secret } = await newKey(home, { scopes: ['mail:send'], name: 'website' });
for (const [at, [to, body]] of SUBMISSIONS.entries()) {
  const address = `${to}@ada.mailroom.localhost`;
  if (at % 3 === 1) await send(secret as string, { to: address, body, sync: true });
  else await tryOut({ to: address, body });
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1200, height: 820 }, deviceScaleFactor: 1.5 });
const page = await context.newPage();
mkdirSync(FOLDER, { recursive: true });
await page.goto(`${service.url}/proofread@agents.mailroom.localhost`);
await page.locator('textarea').fill(TEXT);
await page.getByRole('button', { name: 'Send' }).click();
await page.locator('.marked').waitFor();
await page.evaluate('scrollTo(0, 0), document.activeElement.blur()');
await page.screenshot({ path: join(FOLDER, 'mailbox.png') });
await page.goto(`${service.url}/console`);
await page.locator('[name=key]').fill(home.key);
await page.keyboard.press('Enter');
await page.getByText('Dear Sir or Madam').first().waitFor();
await page.getByText('Hi Jonas').first().click();
await page.locator('.marked').waitFor();
await page.screenshot({ path: join(FOLDER, 'console.png') });
await browser.close();
