// Other programs: Python and mutt.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { mailText, sendMail } from '../../../../tests/harness/mail.ts';
import { isProblem } from '../../../../tests/harness/problem.ts';
import { newFolder, removeFolder } from '../../../../tests/harness/service.ts';

const folder = newFolder();
after(() => removeFolder(folder));
const inside = await startInside({ env: { SMTP_LISTEN: '127.0.0.1:0' } });
const { api, newNamespace, newMailbox, newKey, send } = inside.client;
const FROM = 'ada@example.com';
const BY_HAND = { behavior: { name: 'agent', settings: { by_hand: true } } };

const headers = (more: Readonly<Record<string, string>> = {}) => ({
  From: `Ada <${FROM}>`,
  Subject: 'Original',
  Date: 'Mon, 23 Nov 2026 10:00:00 +0000',
  'Message-ID': `<${unique()}@example.com>`,
  ...more,
});

async function received(address: string, text: string): Promise<string> {
  const reply = await sendMail(inside.smtp?.port ?? 0, { from: FROM, to: [address], text });
  return /^250 2\.0\.0 Received as (msg_\w+)/.exec(reply)?.[1] ?? assert.fail(reply);
}

const get = (path: string, key: string) =>
  fetch(`${inside.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });

async function exported(address: string, key: string): Promise<Buffer> {
  const answer = await get(`/mailboxes/${address}/export.mbox`, key);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/mbox');
  return Buffer.from(await answer.arrayBuffer());
}

const READ = `
import mailbox, sys, json, re
box = mailbox.mbox(sys.argv[1])
found = []
for key in box.keys():
    raw = re.sub(rb'(?m)^>(>*From )', rb'\\1', box.get_bytes(key))
    mail = box[key]
    parts = [(p.get_content_type(), p.get_filename(), (p.get_payload(decode=True) or b'').decode('utf-8', 'replace')) for p in mail.walk() if not p.is_multipart()]
    found.append({'raw': raw.hex(), 'headers': {k.lower(): str(v) for k, v in mail.items()}, 'parts': parts})
print(json.dumps(found))
`;

interface Read {
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: readonly (readonly [type: string, filename: string | null, text: string])[];
}

/** The mails of an mbox as Python reads them. */
function read(mbox: Buffer): readonly Read[] {
  const file = join(folder, `${unique()}.mbox`);
  writeFileSync(file, mbox);
  const { stdout, stderr } = spawnSync('python3', ['-c', READ, file], { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

test('an exported mail has exactly the bytes that came, whatever lines begin with From', async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, BY_HAND);
  const text = mailText(
    headers({ To: address }),
    'From here\n>From there\n>>From both\nFrom\nFro\n> From not\nF\nFFrom no\n\nFrom a@b Mon Nov 23 10:00:00 2026\nEnd',
  );
  const id = await received(address, text);
  const raw = Buffer.from(await (await get(`/mail/messages/${id}/raw`, home.key)).arrayBuffer());
  const mbox = await exported(address, home.key);
  assert.match(
    mbox.toString('latin1'),
    /^From ada@example\.com [A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\n/,
  );
  assert.match(mbox.toString('latin1'), /\n>From here\r\n>>From there\r\n>>>From both\r\nFrom\r\nFro\r\n/);
  const [mail, ...others] = read(mbox);
  assert.equal(others.length, 0);
  assert.equal(Buffer.from(mail?.raw ?? '', 'hex').toString('latin1'), raw.toString('latin1'));
});

test('an export has what a mailbox received and wrote, its replies too, and neither its trash nor the Bcc of others', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const [mailbox, hidden] = [await newMailbox(home, BY_HAND), await newMailbox(home, BY_HAND)];
  const friend = await newMailbox(other, BY_HAND);
  const file = {
    filename: 'a.txt',
    content_type: 'text/plain',
    content: Buffer.from('In the file').toString('base64'),
  };
  const got = await send(other.key, {
    from: friend.address,
    to: mailbox.address,
    subject: 'Ü 1',
    body: 'To you\nfrom me',
  });
  const answered = await api<{ reply: { id: string } }>('POST', `/mail/messages/${got.body.id}/answer`, {
    key: home.key,
    body: { body: 'An answer', attachments: [file] },
  });
  assert.equal(answered.status, 200, answered.text);
  const wrote = await send(home.key, {
    from: mailbox.address,
    to: [friend.address],
    bcc: [hidden.address],
    subject: 'To two',
    body: 'Both of you',
    html: '<p>Both of <b>you</b></p>',
    headers: { 'X-Colour': 'blue' },
  });
  const thrown = await send(other.key, { from: friend.address, to: mailbox.address, body: 'Away' });
  await api('POST', `/mail/messages/${thrown.body.id}/trash`, { key: home.key });

  const mails = read(await exported(mailbox.address, home.key));
  assert.deepEqual(
    mails.map(({ headers: { 'x-mailroom-id': id } }) => id),
    [got.body.id, answered.body.reply?.id, wrote.body.id].sort(),
  );
  const [first, second, third] = mails;
  assert.equal(first?.headers.from, friend.address);
  assert.equal(first?.headers.to, mailbox.address);
  assert.equal(first?.parts[0]?.[2].replaceAll('\r', '').trimEnd(), 'To you\nfrom me');
  assert.equal(second?.headers['in-reply-to'], first?.headers['message-id']);
  assert.deepEqual(second?.parts.map(([type, name, text]) => [type, name, text.trim()]).at(-1), [
    'text/plain',
    'a.txt',
    'In the file',
  ]);
  assert.equal(third?.headers.bcc, hidden.address);
  assert.equal(third?.headers['x-colour'], 'blue');
  assert.deepEqual(
    third?.parts.map(([type]) => type),
    ['text/plain', 'text/html'],
  );
  const theirs = (await exported(friend.address, other.key)).toString('latin1');
  assert.ok(!theirs.includes(hidden.address));
  assert.ok(theirs.includes('An answer'));
});

test('an export is for owners of the namespace of the mailbox alone', async () => {
  const [home, other] = [await newNamespace(), await newNamespace()];
  const { address } = await newMailbox(home);
  const path = `/mailboxes/${address}/export.mbox`;
  const reader = await newKey(home, { scopes: ['messages:read'] });
  isProblem(await api('GET', path, { key: reader.secret }), 'insufficient_scope');
  isProblem(await api('GET', path, { key: other.key }), 'access_denied');
  isProblem(await api('GET', path), 'missing_key');
  isProblem(
    await api('GET', `/mailboxes/nothing@${home.name}.mailroom.localhost/export.mbox`, { key: home.key }),
    'mailbox_not_found',
  );
  assert.equal((await exported(address, home.key)).length, 0);
});

test('mutt opens an export, and shows each of its mails', {
  skip: spawnSync('mutt', ['-v']).error !== undefined && 'needs mutt',
}, async () => {
  const home = await newNamespace();
  const { address } = await newMailbox(home, BY_HAND);
  for (const subject of ['One', 'Two'])
    await received(address, mailText(headers({ To: address, Subject: subject }), 'From me\nHello'));
  await send(home.key, { to: address, subject: 'Three', body: 'Hello' });
  const file = join(folder, 'mutt.mbox');
  writeFileSync(file, await exported(address, home.key));
  // It reads what is typed from a terminal.
  const settings = `set folder=${folder} mbox=/dev/null spoolfile=${file} index_format="<%s>"`;
  const command = `mutt -n -R -F /dev/null -e '${settings}' -e 'push "<exit>"' -f ${file}`;
  writeFileSync(join(folder, 'run.sh'), command);
  const output = spawnSync('sh', ['-c', `sleep 1 | timeout 20 script -qec 'sh ${folder}/run.sh' /dev/null`], {
    env: { ...process.env, TERM: 'xterm', HOME: folder },
    encoding: 'utf8',
  });
  assert.match(`${output.stdout}${output.stderr}`, /<One>[\s\S]*<Two>[\s\S]*<Three>/);
});
