import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unique } from '../../../../tests/harness/client.ts';
import { startInside } from '../../../../tests/harness/inside.ts';
import { leftFor, mailText, sendMail, smtpClient } from '../../../../tests/harness/mail.ts';
import type { Envelope } from '../../../../tests/harness/wire.ts';

const inside = await startInside({
  env: {
    SMTP_LISTEN: '127.0.0.1:0',
    LIMIT_ATTACHMENT: '2000',
    LIMIT_ATTACHMENTS: '20000',
    LIMIT_STORAGE: '100000',
  },
});
const { client, outbox } = inside;
const port = inside.smtp?.port ?? 0;
const home = await client.newNamespace();
const { address } = await client.newMailbox(home);

interface Part {
  readonly name: string;
  readonly type: string;
  readonly content: string | Buffer;
  readonly inline?: boolean;
}

const FROM = 'ada@example.com';
const mailWith = (parts: readonly Part[], from = FROM): string =>
  mailText(
    {
      From: from,
      To: address,
      Subject: 'Files',
      'Message-ID': `<${unique()}@example.com>`,
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/mixed; boundary=b',
    },
    [
      '--b\nContent-Type: text/plain\n\nHere they are.\n',
      ...parts.map(
        ({ name, type, content, inline = false }) =>
          `--b\nContent-Type: ${type}\nContent-Disposition: ${inline ? 'inline' : 'attachment'}; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\n')}\n`,
      ),
      '--b--\n',
    ].join(''),
  );

interface EmailEnvelope extends Envelope {
  readonly data: {
    readonly email: { readonly not_kept?: readonly { readonly filename: string; readonly reason: string }[] };
  };
}
async function received(text: string, from = FROM): Promise<EmailEnvelope> {
  const reply = await sendMail(port, { from, to: [address], text });
  const id = /^250 2\.0\.0 Received as (msg_\w+)/.exec(reply)?.[1] ?? assert.fail(reply);
  return (await client.read(home.key, id, '?wait=60')).body as EmailEnvelope;
}

test('pictures of a signature never make a mail bounce, and files go before them', async () => {
  const pictures = Array.from({ length: 24 }, (_, at) => ({
    name: `logo${at}.png`,
    type: 'image/png',
    content: 'png',
    inline: true,
  }));
  const message = await received(mailWith([...pictures, { name: 'a.txt', type: 'text/plain', content: 'text' }]));
  const kept = message.attachments?.map(({ filename }) => filename);
  assert.deepEqual(kept, [...pictures.slice(0, 19).map(({ name }) => name), 'a.txt']);
  assert.deepEqual(
    message.data.email.not_kept?.map(({ filename, reason }) => `${filename} ${reason}`),
    pictures.slice(19).map(({ name }) => `${name} too_many`),
  );
  assert.match(
    message.body,
    /^Here they are\.\n\n\[Not kept.*: logo19\.png \(3 bytes\), .*logo23\.png \(3 bytes\)\]\n$/,
  );
});

test('a file that is too large is named in place of being kept, and the mail is answered', async () => {
  const from = `${unique('ada')}@example.com`;
  const parts = [
    { name: 'large.bin', type: 'application/octet-stream', content: Buffer.alloc(2_001) },
    { name: 'small.txt', type: 'text/plain', content: 'small' },
  ];
  const message = await received(mailWith(parts, from), from);
  assert.deepEqual(
    [message.attachments?.map(({ filename }) => filename), message.data.email.not_kept],
    [
      ['small.txt'],
      [{ filename: 'large.bin', content_type: 'application/octet-stream', size: 2_001, reason: 'too_large' }],
    ],
  );
  assert.equal((await leftFor(outbox, from)).length, 1);
});

test('a mail that cannot be answered is told so without its own files', async () => {
  const from = `${unique('ada')}@example.com`;
  const closed = await client.newMailbox(home, { behavior: { name: 'agent' } });
  const parts = [{ name: 'plan.txt', type: 'text/plain', content: 'Our secret plan.' }];
  const text = mailWith(parts, from).replaceAll(address, closed.address);
  const reply = await sendMail(port, { from, to: [closed.address], text });
  const id = /^250 2\.0\.0 Received as (msg_\w+)/.exec(reply)?.[1] ?? assert.fail(reply);
  const body = { error: 'Nobody is here.', status: 'failed' };
  const { status, text: said } = await client.api('POST', `/mail/messages/${id}/answer`, { key: home.key, body });
  assert.equal(status, 200, said);
  const [mail] = await leftFor(outbox, from);
  assert.match(mail?.text ?? '', /Your message could not be answered\. Nobody is here\./);
  assert.deepEqual(mail?.attachments, []);
});

test('invitations, forwarded mails and TNEF are kept as files, byte by byte', async () => {
  const forwarded = 'From: eve@example.org\r\nSubject: Old news\r\n\r\nOld.\r\n\r\n';
  const tnef = Buffer.from('789f3e22010006900800040000000000010001000107900600', 'hex');
  const invitation = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';
  const parts = [
    { name: 'invite.ics', type: 'text/calendar; method=REQUEST', content: invitation },
    { name: 'winmail.dat', type: 'application/ms-tnef', content: tnef },
  ];
  const text = mailWith(parts).replace(
    '--b--\r\n',
    `--b\r\nContent-Type: message/rfc822\r\n\r\n${forwarded}\r\n--b--\r\n`,
  );
  const message = await received(text);
  const files = await Promise.all(
    (message.attachments ?? []).map(async ({ id, filename, content_type }) => {
      const response = await fetch(`http://127.0.0.1:${new URL(inside.url).port}/api/v1/mail/attachments/${id}`, {
        headers: { authorization: `Bearer ${home.key}` },
      });
      return [filename, content_type, Buffer.from(await response.arrayBuffer()).toString('latin1')] as const;
    }),
  );
  assert.deepEqual(files, [
    ['invite.ics', 'text/calendar', invitation],
    ['winmail.dat', 'application/ms-tnef', tnef.toString('latin1')],
    ['Old news.eml', 'message/rfc822', forwarded],
  ]);
});

test('a mail for a namespace without storage is to be sent again later', async () => {
  const file = (at: number) => ({ name: `${at}.bin`, type: 'image/png', content: Buffer.alloc(1_900, at) });
  let reply = '';
  for (let at = 0; at < 12 && !reply.startsWith('452'); at++) {
    const parts = Array.from({ length: 10 }, (_, n) => file(at * 10 + n));
    reply = await sendMail(port, { from: FROM, to: [address], text: mailWith(parts) });
  }
  assert.match(reply, /^452 4\.2\.2 /);
  // What its owner may do about it is nothing for a stranger.
  assert.doesNotMatch(reply, /stored|delete/i);
});

test('who is full keeps others from their answer once, and is to be sent to alone from then on', async () => {
  const other = await client.newMailbox(await client.newNamespace());
  const from = `${unique('ada')}@example.com`;
  const file = { name: 'a.bin', type: 'image/png', content: Buffer.alloc(1_900) };
  const text = mailWith([file], from);
  assert.match(await sendMail(port, { from, to: [other.address, address], text }), /^452 4\.2\.2 /);
  await using smtp = await smtpClient(port);
  await smtp.all('EHLO client.example', `MAIL FROM:<${from}>`, `RCPT TO:<${other.address}>`);
  assert.match(await smtp.say(`RCPT TO:<${address}>`), /^452 4\.5\.3 /);
  assert.match(await smtp.all('DATA', `${text}\r\n.`), /^250 /);
});
