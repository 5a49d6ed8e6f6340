import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { everyDatabase, sqlite } from '../../../../tests/harness/database.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { sharedPostgres } from '../../../../tests/harness/postgres.ts';
import { newFolder, removeFolder, run, startService } from '../../../../tests/harness/service.ts';
import { type Smtp, startSmtp } from '../../../../tests/harness/smtp.ts';
import { until } from '../../../../tests/harness/until.ts';
import { amount, LONG } from '../../../../tests/soak/length.ts';

const POST = join(import.meta.dirname, './proof/post-mail.ts');
const post = (max: number, env: Record<string, string>) => run(process.execPath, [POST, String(max)], { env });
const idsIn = (text: string): string[] => text.match(/^mail_\w+(?=\n)/gm) ?? [];
const idsSent = ({ arrived }: Smtp) => arrived.map(({ mail }) => mail.messageId?.slice(1).split('@')[0] as string);

for (const database of LONG ? await everyDatabase() : [sqlite]) {
  test(`mail that was accepted is sent after kills before and while it was sent, on ${database.name}`, async (t) => {
    const folder = newFolder();
    t.after(() => removeFolder(folder));
    const DATABASE_URL = await database.fresh(folder);
    await (await startInside({ env: { DATABASE_URL } })).stop();
    // The process that is killed below is not the first on this data, and is handed no key.
    writeFileSync(join(folder, 'owner.key'), '');

    const posting = post(1_000, { DATABASE_URL });
    await posting.says(/(?:mail_\w+\n){10}/);
    posting.child.kill('SIGKILL');
    await posting.exited;
    const accepted = idsIn(posting.stdout());
    assert.ok(
      accepted.length >= 10 && !posting.stdout().includes('all\n'),
      'it was killed while nothing was on its way',
    );

    // A server that receives a whole mail and never confirms it.
    const endpointUrl = Promise.withResolvers<void>();
    const hanging = await startSmtp({ onRcptTo: () => endpointUrl.resolve() });
    // A short lease, because on PostgreSQL claimed work is due only when its lease has expired.
    const stuck = await startService({ folder, env: { DATABASE_URL, LEASE_SECONDS: '1', SMTP_URL: hanging.url } });
    await endpointUrl.promise;
    await stuck.kill();
    await hanging[Symbol.asyncDispose]();
    assert.deepEqual(hanging.arrived, []);

    await using smtp = await startSmtp();
    const service = await startInside({ env: { DATABASE_URL, SMTP_URL: smtp.url } });
    // Mail that was on disk but not yet acknowledged is sent too, maybe before mail that was claimed.
    const left = () => database.ask(DATABASE_URL, 'select id from deliveries');
    await until(20_000, left, (rows) => rows.length === 0);
    await service.stop();
    const sent = idsSent(smtp);
    assert.deepEqual(new Set(accepted).difference(new Set(sent)), new Set(), 'accepted and lost');
    assert.equal(new Set(sent).size, sent.length, 'one was sent twice');
    for (const log of [stuck.logs(), ...service.lines]) assert.ok(!/ada\d|Your code/.test(log), log);
  });
}

const TO_TWO = amount(25, 100);
test('mail that two nodes see is sent once', async () => {
  await using postgres = await sharedPostgres();
  await using smtp = await startSmtp();
  const DATABASE_URL = await postgres.newDatabase();
  for (let node = 0; node < 2; node++) await startInside({ env: { DATABASE_URL, SMTP_URL: smtp.url } });
  const posting = [1, 2].map(() => post(TO_TWO, { DATABASE_URL, ALONGSIDE: '1' }));
  for (const one of posting) assert.equal((await one.exited).code, 0, one.stderr());
  const posted = posting.flatMap((one) => idsIn(one.stdout()));
  assert.equal(posted.length, 2 * TO_TWO);
  await smtp.has(2 * TO_TWO);
  assert.deepEqual(idsSent(smtp).toSorted(), posted.toSorted());
});
