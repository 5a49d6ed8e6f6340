// Other programs: Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBrowser } from '../../../tests/harness/browser.ts';
import { HELLO, unique } from '../../../tests/harness/client.ts';
import { sharedService } from '../../../tests/harness/service.ts';
import type { Mailroom } from '../dist/index.js';
import { scriptedServer } from './scripted-server.ts';

const { url } = await sharedService();
const browser = await openBrowser();
const DIST = join(import.meta.dirname, '../dist');

test('a page of another site uses the client as it is emitted: sends, files, lists, events', async () => {
  const site = await scriptedServer(({ path }, response) => {
    const file = /^\/[\w.-]+\.js$/.test(path) ? readFileSync(join(DIST, path)) : undefined;
    response.writeHead(200, { 'content-type': file === undefined ? 'text/html' : 'text/javascript' });
    response.end(file ?? '<!doctype html><title>Another site</title>');
  });
  const { page } = await browser.open(site.url);
  const result = await page.evaluate(
    async ({ url, name, behavior }) => {
      const source = '/index.js';
      const client = (await import(source)) as { Mailroom: typeof Mailroom };
      const { key } = await new client.Mailroom({ url }).namespaces.create({ name });
      const mailroom = new client.Mailroom({ url, key: key.secret ?? '' });
      const { address } = await mailroom.mailboxes.create(name, { local_part: 'a', behavior });
      const files = [new File(['from a page'], 'page.txt', { type: 'text/plain' })];
      const message = await mailroom.send(address, { body: 'Hi', files }).settled();
      const [attachment] = message.attachments;
      const text = await (await mailroom.messages.getAttachment(attachment?.id ?? '')).text();
      const [first] = await mailroom.eventLog.list().all(1);
      const types: string[] = [];
      for await (const { type } of mailroom.events({ after: first?.id })) {
        types.push(type);
        if (type === 'message.completed') break;
      }
      const failed = await mailroom.keys.revoke('key_none').catch((error: { code: string }) => error.code);
      return { reply: message.reply?.body, text, types, failed };
    },
    { url, name: unique(), behavior: HELLO },
  );
  assert.equal(result.reply, HELLO.settings.introduction);
  assert.equal(result.text, 'from a page');
  assert.ok(result.types.includes('message.completed'));
  assert.equal(result.failed, 'not_found');
});
