import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { newNamespace } = connect(service.url);
const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../../..');

const guide = await (await fetch(`${service.url}/docs/a2a.md`)).text();
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code = '']) => code);
/** On this machine `localhost` may first be another address than the service's. */
const here = (code: string): string => code.replaceAll('http://localhost:', 'http://127.0.0.1:');

test('the snippets of the guide work as they are pasted', async () => {
  const { key } = await newNamespace();
  const env = { PATH: process.env.PATH ?? '', MAILROOM_KEY: key };
  const [card = '', ...sends] = blocks('sh');
  const shown = await run('sh', ['-c', here(card)], { env });
  assert.equal(JSON.parse(shown.stdout).supportedInterfaces.length, 3, shown.stdout);
  assert.equal(sends.length, 2);
  for (const send of sends) {
    const { stdout } = await run('sh', ['-c', here(send)], { env });
    assert.match(stdout, /TASK_STATE_COMPLETED/, stdout);
  }
  const [program = ''] = blocks('js');
  // The card names `localhost`, so the program's requests go there.
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', here(program)], { env, cwd: ROOT });
  assert.match(stdout, /Hello/, stdout);
});
