// Other programs: sh, curl.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { connect, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { api, newNamespace } = connect(service.url);
const page = async (path: string): Promise<string> => (await fetch(new URL(path, service.url))).text();
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '');

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
const asText = (html: string): string =>
  html.replace(/<[^>]+>/g, '').replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => ENTITIES[name] ?? '');

test('every command of the reference and the quick start works as it is pasted', async () => {
  const home = await newNamespace({ name: unique('docs') });
  const start = await page('docs');
  const nouns = [...new Set(all(start, /href="(docs\/api\/[a-z-]+)"/g))];
  const texts = [start, await page('docs/api'), ...(await Promise.all(nouns.map(page)))].join('');
  const commands = all(texts, /<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g)
    .map(asText)
    .filter((text) => text.includes('curl'));
  const openapi = await api<{ paths: Record<string, Record<string, unknown>> }>('GET', '/openapi.json');
  assert.ok(commands.length > Object.values(openapi.body.paths).flatMap((methods) => Object.values(methods)).length);
  for (const command of commands) {
    // There is no failed message to retry and none that waits for a decision, no owner, so no domain, no
    // suppression, and nothing came by mail.
    if (/messages\/[^/\s]+\/approve\b|\/(?:retry|refuse|domains|suppressions\/|raw|html)\b/.test(command)) continue;
    const env = { PATH: process.env.PATH ?? '', MAILROOM_KEY: home.key, NAMESPACE: home.name };
    const here = command.replaceAll('http://localhost:', 'http://127.0.0.1:');
    const { stdout } = await promisify(execFile)('sh', ['-c', here], { env, maxBuffer: 64 * 1024 * 1024 });
    assert.doesNotMatch(
      stdout,
      /"type":"urn:mailroom:problem:\w+"[\s\S]*"request_id":"(?!req_5b1c7d0e9f2a4836b1c0)/,
      command,
    );
    if (!command.includes('-X DELETE')) assert.notEqual(stdout.trim(), '', command);
  }
});
