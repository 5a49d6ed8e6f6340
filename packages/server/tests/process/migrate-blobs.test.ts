import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../../../tests/harness/s3.ts';
import { newFolder, removeFolder, run, startService } from '../../../../tests/harness/service.ts';
import { amount } from '../../../../tests/soak/length.ts';

const COMMAND = join(import.meta.dirname, '../../commands/migrate-blobs.ts');
const folder = newFolder();
const s3 = await startS3(folder);
after(async () => {
  await s3[Symbol.asyncDispose]();
  removeFolder(folder);
});
const env = { BLOBS_URL: s3.url };

test('files move to object storage and back by a command that is killed again and again, beside a service that reads them', async () => {
  const hashes = new Map<string, string>();
  let service = await startService({ folder });
  const headers = () => ({ authorization: `Bearer ${service.ownerKey}` });
  const send = async (bytes: Uint8Array<ArrayBuffer>) => {
    const form = new FormData();
    form.append('message', JSON.stringify({ to: 'hello@agents.mailroom.localhost', body: 'Hi' }));
    form.append('files', new File([bytes], 'some.bin'));
    const sent = await fetch(`${service.url}/api/v1/mail/send`, { method: 'POST', headers: headers(), body: form });
    const { attachments } = (await sent.json()) as { attachments?: readonly { id: string; sha256: string }[] };
    return { status: sent.status, attachment: attachments?.[0] };
  };
  const add = async (size: number) => {
    const { status, attachment } = await send(randomBytes(size));
    assert.ok(status < 300 && attachment !== undefined, String(status));
    hashes.set(attachment.id, attachment.sha256);
  };
  const readAll = async () => {
    for (const [id, sha256] of hashes) {
      const answer = await fetch(`${service.url}/api/v1/mail/attachments/${id}`, { headers: headers() });
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(createHash('sha256').update(bytes).digest('hex'), sha256);
    }
  };
  /** Runs the command until it ends by itself; it is killed at a moment that moves on. */
  const migrate = async (...args: readonly string[]): Promise<string> => {
    const kills = amount(1, 20);
    for (let wait = 0; ; wait++) {
      const command = run(process.execPath, [COMMAND, ...args], {
        env: { ...env, DATABASE_URL: service.databaseUrl },
      });
      if (wait < kills) {
        const before = s3.requests.length;
        while (s3.requests.length < before + 2 * wait + 1 && command.child.exitCode === null) await sleep(5);
        command.child.kill('SIGKILL');
      }
      const { code } = await command.exited;
      if (wait >= kills) {
        assert.equal(code, 0, command.stderr());
        return command.stdout();
      }
    }
  };

  for (const size of [3, 300_000, 70_000, 1_000_000, 5000, 600_000]) await add(size);
  await service.stop();
  service = await startService({ folder, env });
  await add(400_000);
  const [out] = await Promise.all([migrate(), readAll()]);
  assert.match(out, /All files are in object storage/);
  await readAll();
  assert.equal((await s3.names()).length, 14);

  s3.feel('busy');
  const full = await send(randomBytes(9000));
  assert.equal(full.status, 503);
  const plain = await fetch(`${service.url}/api/v1/mail/send`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'hello@agents.mailroom.localhost', body: 'Hi', sync: true }),
  });
  assert.equal(plain.status, 200);
  s3.feel('good');
  await service.stop();

  assert.match(await migrate('--back'), /All files are in the database/);
  service = await startService({ folder });
  await readAll();
  await service.stop();
});

test('wrong arguments and a missing BLOBS_URL are told in one line', async () => {
  const database = { DATABASE_URL: `sqlite:${join(folder, 'm.db')}` };
  for (const [args, given, message] of [
    [['--forward'], env, /--back or nothing/],
    [[], {}, /Set BLOBS_URL/],
    [[], { BLOBS_URL: 'https://x' }, /must be s3:/],
    [[], { BLOBS_URL: 's3://bucket?endpont=https://x' }, /must be s3:/],
  ] as const) {
    const command = run(process.execPath, [COMMAND, ...args], { env: { ...database, ...given } });
    assert.equal((await command.exited).code, 1);
    assert.match(command.stderr(), message);
  }
});
