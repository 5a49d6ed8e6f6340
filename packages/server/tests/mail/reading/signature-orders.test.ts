import assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { after, before, test } from 'node:test';
import { amount } from '../../../../../tests/soak/length.ts';
import type { ReadMail } from '../../../mail/reading/read-mail.ts';
import { type Reading, startReading } from './harness.ts';
import { ANSWER_FIELDS, EVIL, fieldsOf, KEY, lines, PRIVATE_KEY, signed, withFields } from './signing.ts';

// Every order of signatures of owners and others, on a mail that was changed in every way: it is never proven unless one of
// the owner's signatures counts by the check below, which shares nothing with the product, and says what the owner wrote.
const OWNER = createPublicKey(PRIVATE_KEY);
const { privateKey: stolen } = generateKeyPairSync('rsa', { modulusLength: 2048 });
let reading: Reading;
before(async () => {
  const zone = {
    's._domainkey.example.com': KEY,
    's._domainkey.evil.example': KEY,
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
    'evil.example': { TXT: ['v=spf1 ip4:192.0.2.66 -all'] },
  };
  reading = await startReading(zone, { max_queue: 20_000 });
});
after(() => reading[Symbol.asyncDispose]());
const read = (mail: string): Promise<ReadMail> =>
  reading.read(Buffer.from(mail, 'latin1'), { ip: '192.0.2.66', from: 'x@evil.example', helo: 'evil.example' });

const MAIL = lines(
  ANSWER_FIELDS,
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Thanks,  I look at it.',
  '',
  'From: M <m@evil.example>',
  'Sent: Monday, May 13, 2024 9:00 AM',
  'To: Ada <ada@example.com>',
  'Subject: Question',
  '',
  '--zz',
  'Content-Type: text/plain',
  '',
  EVIL,
  '--zz--',
  '',
);
const DECISIVE = ['from', 'to', 'cc', 'subject', 'date', 'reply-to', 'in-reply-to', 'references'];
const ALL = [...DECISIVE, 'message-id', 'mime-version', 'content-type', 'content-transfer-encoding'];
const fieldOf = (mail: string): string => fieldsOf(mail)[0] as string;
const by = (names: readonly string[], more: object = {}): string => fieldOf(signed(MAIL, { names, ...more }));
const good = by([...ALL, ...ALL]);

/** Signatures over the mail as its owner wrote it. */
const OF_OWNER: Readonly<Record<string, string>> = {
  good,
  'good without Content-Type': by(DECISIVE),
  'good in simple form': by(ALL, { canonical: 'simple' }),
  'too few fields': by(['from', 'subject', 'content-type']),
  'a part of the body': by(ALL, { tags: ['l=9'] }),
  expired: by(ALL, { tags: ['t=1700000000', 'x=1700000001'] }),
  broken: good.replace(/b=.{8}/, 'b=AAAAAAAA'),
};
/** Signatures over what an attacker made of it. */
const OF_ATTACKER: Readonly<Record<string, object>> = {
  'of the attacker': { domain: 'evil.example' },
  'in the name of the owner': { key: stolen },
};

type Change = (fields: readonly string[], body: string) => readonly [fields: readonly string[], body: string];
const other =
  (name: string, value: string): Change =>
  (fields, body) => [fields.map((field) => (field.startsWith(`${name}:`) ? `${name}: ${value}` : field)), body];
const above =
  (field: string): Change =>
  (fields, body) => [[field, ...fields], body];
const below =
  (field: string): Change =>
  (fields, body) => [[...fields, field], body];
const without =
  (name: string): Change =>
  (fields, body) => [fields.filter((field) => !field.startsWith(name)), body];
/** What no signature counts, so that the mail is as proven as before. */
const HARMLESS: Readonly<Record<string, Change>> = {
  nothing: (fields, body) => [fields, body],
  'the order of fields': (fields, body) => [fields.toReversed(), body],
  'signatures at the end': (fields, body) => [
    fields.toSorted((a, b) => Number(a.startsWith('DKIM')) - Number(b.startsWith('DKIM'))),
    body,
  ],
  'fields between': (fields, body) => [fields.flatMap((field, at) => [`Received: by ${at}.example`, field]), body],
};
const CHANGES: Readonly<Record<string, Change>> = {
  ...HARMLESS,
  'more lines for fields': (fields, body) => [fields.map((field) => field.replace(': ', ':\r\n\t ')), body],
  'names in capitals with blanks': (fields, body) => [
    fields.map((field) => field.replace(/^[\w-]+/, (name) => `${name.toUpperCase()} `)),
    body,
  ],
  'blanks of the body': (fields, body) => [fields, body.replaceAll(' ', '  ').replaceAll('\r\n', ' \r\n')],
  'wide blanks of the body': (fields, body) => [fields, body.replaceAll(' ', ' '.repeat(200))],
  'an empty body': (fields) => [fields, ''],
  'more body': (fields, body) => [fields, `${body}${EVIL}\r\n`],
  'other body': (fields) => [fields, `${EVIL}\r\n`],
  'line feeds alone': (fields, body) => [fields, body.replaceAll('\r\n', '\n')],
  'another author': other('From', 'M <m@evil.example>'),
  'another name': other('From', 'Eve <ada@example.com>'),
  'a second author above': above('From: M <m@evil.example>'),
  'a second author below': below('From: Ada <ada@example.com>'),
  'an author on a line that continues none': above(' From: M <m@evil.example>'),
  'another subject': other('Subject', EVIL),
  'a second subject': above(`Subject: ${EVIL}`),
  'another recipient': other('To', 'do@other.example.net'),
  'a second recipient': below('To: do@other.example.net'),
  'a copy': above('Cc: do@other.example.net'),
  'where answers go': above('Reply-To: x@evil.example'),
  'no date': without('Date'),
  'no thread': without('In-Reply-To'),
  parts: above('Content-Type: multipart/mixed; boundary=zz'),
  'parts instead': other('Content-Type', 'multipart/mixed; boundary=zz'),
  'no type': without('Content-Type'),
  HTML: other('Content-Type', 'text/html'),
  'an encoding': below('Content-Transfer-Encoding: base64'),
  'an attachment': above('Content-Disposition: attachment; filename=a.txt'),
  'a line without a colon': (fields, body) => [fields.flatMap((field) => [field, 'Subject']), body],
};

const bare = (text: string): string => text.replace(/\s+/g, '');
const relaxed = (field: string): string => {
  const [, name = '', value = ''] = /^([^:]*):([\s\S]*)$/.exec(field) ?? [];
  return `${name.trim().toLowerCase()}:${value
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;
};

/** Whether the owner signed the mail, by RFC 6376, and all that says who wrote what to whom. */
function isSigned(mail: string): boolean {
  const whole = mail.replace(/\r?\n/g, '\r\n');
  const end = whole.indexOf('\r\n\r\n');
  const fields = whole.slice(0, end).split(/\r\n(?![ \t])/);
  const body = whole.slice(end + 4);
  const nameOf = (field: string): string => field.split(':', 1)[0]?.trim().toLowerCase() ?? '';
  const names = fields.map(nameOf);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  if (twice.some((name) => ALL.includes(name))) return false;
  return fields.some((field) => {
    if (nameOf(field) !== 'dkim-signature') return false;
    const list = bare(field.slice(field.indexOf(':') + 1))
      .split(';')
      .map((tag): [string, string] => {
        const at = tag.indexOf('=');
        return [tag.slice(0, at), tag.slice(at + 1)];
      });
    const tags = Object.fromEntries(list);
    if (tags.d !== 'example.com' || 'l' in tags || Number(tags.x ?? Infinity) < Date.now() / 1_000) return false;
    const isRelaxed = tags.c === 'relaxed/relaxed';
    const counted = isRelaxed ? body.replace(/[ \t]+/g, ' ').replaceAll(' \r\n', '\r\n') : body;
    const kept = counted.replace(/(?:\r\n)+$/, '');
    const hashed = kept === '' && isRelaxed ? '' : `${kept}\r\n`;
    if (createHash('sha256').update(hashed, 'latin1').digest('base64') !== tags.bh) return false;
    const remaining = [...fields];
    const covered: string[] = [];
    for (const name of (tags.h ?? '').split(':')) {
      const at = remaining.findLastIndex((one) => nameOf(one) === name);
      if (at >= 0) covered.push(...remaining.splice(at, 1));
    }
    if (remaining.some((one) => DECISIVE.includes(nameOf(one)))) return false;
    const text = [...covered, field.replace(/(;\s*b=)[^;]*$/, '$1')].map((one) => (isRelaxed ? relaxed(one) : one));
    return verify('sha256', Buffer.from(text.join('\r\n'), 'latin1'), OWNER, Buffer.from(tags.b ?? '', 'base64'));
  });
}

const saying = ({ from, to, cc, reply_to, subject, date, in_reply_to, references, text, attachments }: ReadMail) =>
  JSON.stringify([from, to, cc, reply_to, subject, date, in_reply_to, references, text, attachments]).replace(
    /\\[rnt]|\s+/g,
    '',
  );

/** Every order of so many of these. */
function* ordersOf(kinds: readonly string[], count: number): Generator<readonly string[]> {
  if (count === 0) yield [];
  else
    for (const kind of kinds)
      for (const more of ordersOf(
        kinds.filter((one) => one !== kind),
        count - 1,
      ))
        yield [kind, ...more];
}

test('a mail with signatures in any order is proven by one of its owner alone, and says what that one signed', async () => {
  const kinds = [...Object.keys(OF_OWNER), ...Object.keys(OF_ATTACKER)];
  const orders = [0, 1, 2, 3, 4].flatMap((count) => [...ordersOf(kinds, count)]);
  const changes = Object.entries(CHANGES);
  const body = MAIL.slice(MAIL.indexOf('\r\n\r\n') + 4);
  const genuine = await read(signed(MAIL, { names: ALL }));
  assert.deepEqual([genuine.authentication.verified, genuine.written_to], [true, ['do@ns.example.net']]);
  const found = { proven: 0, unproven: 0 };
  // Of orders of four, each is tried with a few of the changes; in short, so is each.
  const every = (count: number): number =>
    count < 3 ? amount(11, 1) : amount(count < 4 ? 181 : 631, count < 4 ? 2 : 12);
  const cases = orders.flatMap((order, at) =>
    changes
      .filter((_, nth) => (at + nth) % every(order.length) === 0)
      .map(([what, change]) => ({ order, what, change })),
  );
  const tryOne = async ({ order, what, change }: (typeof cases)[number]): Promise<void> => {
    const [plain] = change(fieldsOf(MAIL), body);
    const whole = withFields(`\r\n\r\n${change([], body)[1]}`, plain);
    const made = order.map((kind) => OF_OWNER[kind] ?? fieldOf(signed(whole, { names: ALL, ...OF_ATTACKER[kind] })));
    const [fields, text] = change([...made, ...fieldsOf(MAIL)], body);
    const mail = `${fields.join('\r\n')}\r\n\r\n${text}`;
    const read_ = await read(mail);
    const { verified, dkim } = read_.authentication;
    const name = `${order.join(', ')}: ${what} (${dkim})`;
    const genuinely = isSigned(mail);
    if (verified && read_.from?.address !== 'm@evil.example') {
      assert.ok(genuinely, name);
      assert.equal(saying(read_), saying(genuine), name);
      if (read_.written_to?.length !== 0) assert.equal(bare(read_.body), bare(genuine.body), name);
    }
    if (what in HARMLESS) assert.equal(verified, genuinely, name);
    found[verified ? 'proven' : 'unproven'] += 1;
  };
  for (let at = 0; at < cases.length; at += 200) await Promise.all(cases.slice(at, at + 200).map(tryOne));
  assert.ok(found.proven > amount(10, 40) && found.unproven > amount(150, 500), JSON.stringify(found));
});
