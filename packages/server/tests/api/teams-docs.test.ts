// Other programs: sh, curl.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { connect } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';

const service = await sharedService();
const { newNamespace } = connect(service.url);
const text = readFileSync(join(import.meta.dirname, '../../../../docs/teams.md'), 'utf8');

test('the commands of docs/teams.md run as they are pasted', async () => {
  const home = await newNamespace();
  const env = { PATH: process.env.PATH ?? '', MAILROOM_KEY: home.key, NAMESPACE: home.name };
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => command);
  const answers: Readonly<Record<string, unknown>>[] = [];
  for (const command of commands) {
    const here = command.replaceAll('http://localhost:8080', service.url);
    const { stdout } = await promisify(execFile)('sh', ['-c', here], { env });
    answers.push(JSON.parse(stdout));
  }
  const [members, office, support, threads, client = {}] = answers;
  assert.deepEqual(members?.items, []);
  assert.deepEqual([office?.local_part, support?.local_part], ['office', 'support']);
  assert.deepEqual(threads?.items, []);
  const { name } = client.namespace as { readonly name: string };
  assert.equal(name, `client-${home.name}`);
});
