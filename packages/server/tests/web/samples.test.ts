// Other programs: curl, Python.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { connect } from '../../../../tests/harness/client.ts';
import { serveInside } from '../../../../tests/harness/inside.ts';
import { MAIL_DOMAIN } from '../../../../tests/harness/wire.ts';
import { LONG } from '../../../../tests/soak/length.ts';
import { samples } from '../../transports/web/samples.ts';

const run = promisify(execFile);
const service = await serveInside();
const { api } = connect(service.url);
const folder = mkdtempSync(join(tmpdir(), 'mailroom-samples-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const address = `hello@agents.${MAIL_DOMAIN}`;
const BODIES = [
  'She have two cat.',
  `It's "quoted" \\ back\\n\`tick\` $HOME $(id) \${1} %s {x} 'end'`,
  'Two\nlines\ttab\r\n– Größe 日本 שלום 😀\u2028\u200b\u202e !',
];
const WITH: Readonly<Record<string, (code: string) => readonly [string, readonly string[]]>> = {
  curl: (code) => ['sh', ['-c', code]],
  typescript: (code) => {
    const file = join(folder, 'sample.ts');
    writeFileSync(file, code);
    return [process.execPath, [file]];
  },
  python: (code) => ['python3', ['-c', code]],
};

for (const key of [true, false]) {
  for (const language of ['curl', 'typescript', 'python'] as const) {
    test(`${language} ${key ? 'with' : 'without'} a key works as it is pasted, whatever it writes`, async () => {
      // What a sample writes does not depend on its key.
      for (const body of key || LONG ? BODIES : BODIES.slice(1, 2)) {
        const { code } = samples({ baseUrl: service.url, address, body, key })[language];
        const [program, args] = (WITH[language] as (code: string) => readonly [string, readonly string[]])(code);
        const env = { PATH: process.env.PATH, ...(key ? { MAILROOM_KEY: service.ownerKey } : {}) };
        const { stdout } = await run(program, args, { env }).catch((error: NodeJS.ErrnoException) => {
          throw error.code === 'ENOENT' ? new Error(`Install ${program}: this test runs the samples with it.`) : error;
        });
        assert.ok(stdout.length > 10, stdout);
        if (language === 'curl') assert.equal(JSON.parse(stdout).body, body);
        else assert.doesNotMatch(stdout, /^(submitted|working)/);
        const { items } = (
          await api<{ items: { body: string }[] }>('GET', `/mailboxes/${address}/messages?limit=1`, {
            key: service.ownerKey,
          })
        ).body;
        assert.equal(items[0]?.body, body);
      }
    });
  }
}

test('what is shown is what is copied, with its strings marked and nothing else in it', () => {
  const all = samples({ baseUrl: 'https://m.example', address, body: '</span><script>"&', key: true });
  for (const { code, marked } of Object.values(all)) {
    const plain = marked.text.replace(/<span class="s">|<\/span>/g, '');
    assert.doesNotMatch(plain, /[<>]/);
    const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
    assert.equal(
      plain.replace(/&(\w+|#39);/g, (_, name: string) => entities[name] as string),
      code,
    );
    assert.match(marked.text, /<span class="s">/);
  }
});
