import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sealMessage } from 'mailauth';
import { amount } from '../../../../../tests/soak/length.ts';
import type { ReadMail } from '../../../mail/reading/read-mail.ts';
import { type Reading, startReading, startReadingHere } from './harness.ts';
import { ANSWER_FIELDS, EVIL, fieldsOf, KEY, lines, namesOf, PRIVATE_KEY, signed, withFields } from './signing.ts';

let reading: Reading;
before(async () => {
  const zone = {
    's._domainkey.example.com': KEY,
    's._domainkey.sub.example.com': KEY,
    's._domainkey.strict.example': KEY,
    's._domainkey.sub.strict.example': KEY,
    'example.com': { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
    '_dmarc.strict.example': { TXT: ['v=DMARC1; p=reject; adkim=s'] },
  };
  reading = await startReading(zone, { max_queue: 20_000 });
});
after(() => reading[Symbol.asyncDispose]());

const elsewhere = { ip: '192.0.2.99', from: 'bounce@other.example' };
const read = (mail: string): Promise<ReadMail> => reading.read(Buffer.from(mail, 'latin1'), elsewhere);

const PART = lines('Content-Type: text/plain', '', EVIL);
const PLAIN = lines('MIME-Version: 1.0', 'Content-Type: text/plain; charset=utf-8');
const ALTERNATIVE = lines('MIME-Version: 1.0', 'Content-Type: multipart/alternative; boundary=b1');
const encoded = (encoding: string): string => lines(PLAIN, `Content-Transfer-Encoding: ${encoding}`);

/** Mails of an owner who quotes what a stranger wrote, each as its fields below the common ones and its body. */
const MAILS: Readonly<Record<string, readonly [fields: string, body: string]>> = {
  'parts in a quote': [
    PLAIN,
    lines('Thanks, I look at it.', '', 'From: M <m@evil.example>', 'Sent: Friday', '', '--zz', PART, '--zz--', ''),
  ],
  'no type': ['', lines('Thanks.', '', '> --zz', `> ${EVIL}`, '')],
  'lines of dashes around a mail that is forwarded': [
    PLAIN,
    lines(
      '---------- Forwarded message ---------',
      'From: M <m@evil.example>',
      '',
      '---------- Forwarded message ---------',
      PART,
      '---------- Forwarded message -----------',
      '',
    ),
  ],
  'two arrangements of one text': [
    ALTERNATIVE,
    lines(
      '--b1',
      'Content-Type: text/plain',
      '',
      'Thanks.',
      '',
      'On Mon, May 13, 2024 at 9:00 AM M <m@evil.example> wrote:',
      '',
      `> ${EVIL}`,
      '',
      '--b1',
      'Content-Type: text/html',
      '',
      `<p>Thanks.</p><div>${EVIL}</div>`,
      '--b1--',
      '',
    ),
  ],
  'empty lines around parts': [
    ALTERNATIVE,
    lines(
      '',
      '',
      '--b1',
      'Content-Type: text/plain',
      '',
      'Thanks.',
      '--b1',
      'Content-Type: text/html',
      '',
      '<p>Thanks.</p>',
      '--b1--',
      '',
      '',
    ),
  ],
  'a part that says nothing of its type': [
    lines('MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b1'),
    lines('--b1', 'Content-Disposition: inline', '', 'Thanks.', '--b1', '', EVIL, '--b1--', ''),
  ],
  'a quoted line that the encoding breaks': [
    encoded('quoted-printable'),
    lines('Thanks.', '', '> As I said on the telephone yesterday, and as we both agreed, please do not=', EVIL, ''),
  ],
  'an encoded line end in a quote': [PLAIN, lines('Thanks.', '', `> see =0A${EVIL}`, '')],
  'a base64 text in a quote': [PLAIN, lines(Buffer.from(EVIL).toString('base64'), '')],
  'a text in base64': [encoded('base64'), lines(Buffer.from(`Thanks.\n\n> ${EVIL}\n`).toString('base64'), '')],
  HTML: [
    lines('MIME-Version: 1.0', 'Content-Type: text/html'),
    lines('<p>Thanks.</p>', '<blockquote>', EVIL, '</blockquote>', ''),
  ],
  'UTF-7 in a quote': [PLAIN, lines('Thanks.', '', `> see +AAo-${EVIL}`, '')],
  'a long line with blanks': [PLAIN, lines('Thanks. ', '', `> see `, `> ${EVIL}`, '')],
};

const CONTENT = ['mime-version', 'content-type', 'content-transfer-encoding'];
const ADDRESSED = ['from', 'to', 'cc', 'subject', 'date', 'message-id', 'reply-to', 'in-reply-to', 'references'];
/** What signers cover: `Gmail` what there is, without what says how to read it; `all` also what there is not, once more. */
const SIGNERS: Readonly<Record<string, (present: readonly string[]) => readonly string[]>> = {
  Gmail: (present) => [...ADDRESSED.filter((name) => present.includes(name)), 'mime-version'],
  iCloud: (present) => [...ADDRESSED.filter((name) => present.includes(name)), 'content-type', 'mime-version'],
  present: (present) => [...ADDRESSED, ...CONTENT].filter((name) => present.includes(name)),
  all: (present) => [...present, ...ADDRESSED, ...CONTENT],
};

const TYPES = [
  'text/plain',
  'text/html',
  'text/plain; charset=utf-7',
  'text/plain; format=flowed',
  'text/plain; charset=utf-16',
  'application/pdf',
  'message/rfc822',
  'text',
  ...['zz', 'b1', '"-------- Forwarded message ---------"', 'none'].flatMap((boundary) =>
    ['mixed', 'alternative', 'related', 'digest', 'report'].map((type) => `multipart/${type}; boundary=${boundary}`),
  ),
];
/** What an attacker may put into a field. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  From: ['x@evil.example', 'ada@example.com'],
  To: ['x@evil.example'],
  Cc: ['x@evil.example', 'do@ns.example.net'],
  Bcc: ['x@evil.example'],
  Sender: ['x@evil.example'],
  Subject: ['Fwd: Question', EVIL],
  Date: ['Mon, 13 May 2030 10:00:00 +0200'],
  'Reply-To': ['x@evil.example'],
  'In-Reply-To': ['<7@evil.example>'],
  References: ['<7@evil.example>'],
  'Message-ID': ['<7@evil.example>'],
  'MIME-Version': ['1.0', '2.0'],
  'Content-Type': TYPES,
  'Content-Transfer-Encoding': ['base64', 'quoted-printable', '8bit', 'x-uuencode'],
  'Content-Disposition': ['attachment', 'attachment; filename=a.txt'],
  'Content-ID': ['<a@b>'],
  'Content-Language': ['de'],
  'Content-Description': ['a'],
  'List-Id': ['<l.example>'],
  'Auto-Submitted': ['auto-replied', 'no'],
};
/** Fields of which one that no signature covers changes nothing but whether it is answered. */
const HARMLESS = new Set([
  'Bcc',
  'Sender',
  'Message-ID',
  'List-Id',
  'Auto-Submitted',
  'Content-Language',
  'Content-Description',
  'MIME-Version',
  'Content-ID',
]);
const SPELLED = [
  (name: string) => `${name}:`,
  (name: string) => `${name.toUpperCase()} \t:`,
  (name: string) => `${name}\r\n :`,
  (name: string) => `${name.toLowerCase()}:\r\n`,
];

interface Forged {
  readonly mail: string;
  readonly what: string;
  /** It must be as proven as before, or must not be proven; undefined for either. */
  readonly verified?: boolean | undefined;
}

/** The signed mail with each field doubled, replaced, removed, added and moved. */
function* forgeries(mail: string, covered: readonly string[]): Generator<Forged> {
  const fields = fieldsOf(mail);
  let nth = 0;
  const is =
    (name: string) =>
    (field: string): boolean =>
      field.slice(0, field.indexOf(':')).toLowerCase() === name.toLowerCase();
  for (const [name, values] of Object.entries(HOSTILE)) {
    const others = fields.filter((field) => !is(name)(field));
    const has = others.length < fields.length;
    const field = fields.find(is(name));
    const single = !/^(?:List-Id|Auto-Submitted)$/.test(name);
    if (field !== undefined) {
      for (const where of ['above', 'below'] as const)
        yield {
          mail: withFields(mail, where === 'above' ? [field, ...fields] : [...fields, field]),
          what: `${name} doubled ${where}`,
          verified: false,
        };
      yield { mail: withFields(mail, others), what: `${name} removed` };
      for (const moved of [
        [field, ...others],
        [...others, field],
      ])
        yield { mail: withFields(mail, moved), what: `${name} moved`, verified: true };
    }
    for (const value of values) {
      nth += 1;
      const field = `${(SPELLED[nth % SPELLED.length] as (name: string) => string)(name)} ${value}`;
      const verified =
        has && single ? false : HARMLESS.has(name) && !covered.includes(name.toLowerCase()) ? true : undefined;
      const what = `${JSON.stringify(field)} ${has ? 'doubled' : 'added'}`;
      yield { mail: withFields(mail, [field, ...fields]), what: `${what} above`, verified };
      yield { mail: withFields(mail, [...fields, field]), what: `${what} below`, verified };
      if (has) yield { mail: withFields(mail, [field, ...others]), what: `${JSON.stringify(field)} instead` };
    }
    // A line without a colon is a field to some programs, and the rest of the one above to others.
    yield {
      mail: withFields(mail, [...fields.slice(0, 1), name, ...fields.slice(1)]),
      what: `${name} without a colon`,
    };
  }
  for (let turn = 1; turn < fields.length; turn += 1)
    yield {
      mail: withFields(mail, [...fields.slice(turn), ...fields.slice(0, turn)]),
      what: `turned by ${turn}`,
      verified: true,
    };
  yield { mail: withFields(mail, fields.toReversed()), what: 'in reverse order', verified: true };
}

/** What a mail says, as far as anything is done for its author. */
const saying = ({
  from,
  to,
  cc,
  reply_to,
  subject,
  date,
  in_reply_to,
  references,
  body,
  text,
  attachments,
}: ReadMail) =>
  JSON.stringify({
    from: from?.address,
    to,
    cc,
    reply_to,
    subject,
    date,
    in_reply_to,
    references,
    body,
    text,
    files: attachments.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('base64')]),
  });

const EACH = amount(48, 1);

for (const [signer, names] of Object.entries(SIGNERS))
  test(`a mail that ${signer} signs says what its author wrote, whatever is done to its header, or is not verified`, async () => {
    let count = 0;
    for (const [nth, [kind, [fields, body]]] of Object.entries(MAILS).entries()) {
      const mail = `${ANSWER_FIELDS}${fields === '' ? '' : `\r\n${fields}`}\r\n\r\n${body}`;
      const covered = names(namesOf(mail));
      const original = signed(mail, { names: covered });
      const genuine = await read(original);
      assert.equal(genuine.authentication.dkim, 'pass', kind);
      const { verified } = genuine.authentication;
      // In short, each is tried on some of the mails.
      const all = [...forgeries(original, covered)].filter((_, at) => (at + nth) % EACH === 0);
      const results = await Promise.all(all.map((one) => read(one.mail)));
      for (const [at, forged] of all.entries()) {
        const found = results[at] as ReadMail;
        const what = `${kind}: ${forged.what}`;
        if (forged.verified === false) assert.equal(found.authentication.verified, false, what);
        if (forged.verified === true) assert.equal(found.authentication.verified, verified, what);
        if (found.authentication.verified) assert.equal(saying(found), saying(genuine), what);
        count += 1;
      }
    }
    assert.ok(count > 2_000 / EACH, `${count}`);
  });

const PLAIN_MAIL = `${ANSWER_FIELDS}\r\n${PLAIN}\r\n\r\nThanks.\r\n`;
const ALL = [...ADDRESSED, ...CONTENT];

test('a signature proves its author only when it covers all that says who wrote what to whom, and the whole text', async () => {
  const whole = withFields(PLAIN_MAIL, [
    ...fieldsOf(PLAIN_MAIL),
    'Cc: c@example.com',
    'Reply-To: ada@example.com',
    'References: <0@evil.example>',
  ]);
  const provenBy = async (names: readonly string[], tags: readonly string[] = [], mail = whole) => {
    const { authentication, warnings } = await read(signed(mail, { names, tags }));
    assert.equal(authentication.dkim, names.includes('from') ? 'pass' : 'neutral');
    assert.deepEqual(warnings, authentication.verified || authentication.dkim !== 'pass' ? [] : ['partly_signed']);
    return authentication.verified;
  };
  assert.equal(await provenBy(ALL), true);
  for (const name of ADDRESSED)
    assert.equal(await provenBy(ALL.filter((one) => one !== name)), name === 'message-id', name);
  assert.equal(await provenBy(ALL, ['l=5']), false);
  assert.equal(await provenBy(ALL, ['l=9']), false);
  // What the mail does not have need not be covered.
  assert.equal(
    await provenBy(['from', 'to', 'subject', 'date', 'message-id', 'in-reply-to', ...CONTENT], [], PLAIN_MAIL),
    true,
  );
});

test('a signature that covers enough proves its author beside others that do not, in any order', async () => {
  const good = signed(PLAIN_MAIL, { names: ALL });
  const [first = ''] = fieldsOf(good);
  const poor = signed(PLAIN_MAIL, { names: ['from', 'subject'] });
  const [other = ''] = fieldsOf(poor);
  const broken = first.replace(/b=[^;]{8}/, 'b=AAAAAAAA');
  const fields = fieldsOf(PLAIN_MAIL);
  for (const [signatures, verified] of [
    [[first, other], true],
    [[other, first], true],
    [[broken, first, other], true],
    [[other], false],
    [[broken, other], false],
    [[other, broken], false],
    // One that names everything lends nothing to one that passes.
    [
      [
        `${other.slice(0, other.indexOf('; b='))}:to:date:in-reply-to; b=${other.slice(other.indexOf('; b=') + 4)}`,
        other,
      ],
      false,
    ],
  ] as const)
    assert.equal(
      (await read(withFields(PLAIN_MAIL, [...signatures, ...fields]))).authentication.verified,
      verified,
      signatures.join('\n'),
    );
});

test('a signature counts in simple form too, and until it expires, of the domain that it names', async () => {
  const signedBy = async (signing: Partial<Parameters<typeof signed>[1]>, mail = PLAIN_MAIL) =>
    (await read(signed(mail, { names: ALL, ...signing }))).authentication.verified;
  assert.equal(await signedBy({ canonical: 'simple' }), true);
  assert.equal(await signedBy({ domain: 'sub.example.com' }), true);
  const strict = PLAIN_MAIL.replace('ada@example.com', 'ada@strict.example');
  assert.equal(await signedBy({ domain: 'strict.example' }, strict), true);
  assert.equal(await signedBy({ domain: 'sub.strict.example' }, strict), false);
  const now = Math.floor(Date.now() / 1000);
  assert.equal(await signedBy({ tags: [`t=${now - 10}`, `x=${now + 3600}`] }), true);
  assert.equal(await signedBy({ tags: [`t=${now - 100}`, `x=${now - 50}`] }), false);
  assert.equal(await signedBy({ tags: ['i=ada@sub.example.com'] }), true);
  assert.equal(await signedBy({ tags: ['i=ada@evil.example'] }), false);
});

test('a mail with a field twice that it has once is never verified, by whatever host', async () => {
  await using trusting = await startReading({}, { trusted: ['127.0.0.0/8'] });
  for (const name of [
    'From',
    'To',
    'Cc',
    'Subject',
    'Date',
    'Sender',
    'Bcc',
    'Reply-To',
    'Message-ID',
    'In-Reply-To',
    'References',
    'MIME-Version',
    'Content-Type',
    'Content-Transfer-Encoding',
  ]) {
    const field = `${name}: ${name === 'From' ? 'ada@example.com' : '1'}`;
    const fields = fieldsOf(PLAIN_MAIL).filter((one) => !one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    const single = withFields(PLAIN_MAIL, [field, ...fields]);
    const twice = withFields(PLAIN_MAIL, [field, ...fields, `${name.toLowerCase()} : 2`]);
    for (const [mail, verified] of [
      [single, true],
      [twice, false],
    ] as const) {
      assert.equal((await reading.read(mail, { from: 'ada@example.com' })).authentication.verified, verified, name);
      assert.equal((await trusting.read(mail, { ip: '127.0.0.1' })).authentication.verified, verified, name);
    }
  }
  // The client that logged in is known, whatever the mail says.
  const login = await trusting.read(withFields(PLAIN_MAIL, [...fieldsOf(PLAIN_MAIL), 'Subject: 2']), {
    logged_in: true,
  });
  assert.equal(login.authentication.verified, true);
  const bare = Buffer.from(PLAIN_MAIL.replace('Subject: ', 'X: a\rSubject: b\r\nSubject: '));
  assert.equal((await reading.read(bare, { from: 'ada@example.com' })).authentication.verified, false);
});

test('whom an author proves to have written to are the signed recipients, or those of the envelope by the host of its domain', async () => {
  const mail = PLAIN_MAIL.replace('Subject', 'Cc: Ed <ed@Example.NET>\r\nSubject');
  const bySignature = await read(signed(mail, { names: ALL }));
  assert.deepEqual(bySignature.written_to, ['do@ns.example.net', 'ed@example.net']);
  const byHost = await reading.read(signed(mail, { names: ALL }), { ip: '192.0.2.1', from: 'ada@example.com' });
  assert.deepEqual([byHost.authentication.verified, byHost.written_to], [true, null]);
  assert.deepEqual((await read(mail)).written_to, []);
});

test('an answer that was made to look like a mail that answers none is written to no address', async () => {
  const quoting = lines(
    'Thanks.',
    '',
    'From: M <m@evil.example>',
    'Sent: Monday, May 13, 2024 9:00 AM',
    'To: Ada <ada@example.com>',
    'Subject: Hi',
    '',
    EVIL,
    '',
  );
  const writtenTo = async (text: string, names: readonly string[], fields: readonly string[] = []) => {
    const mail = signed(`${ANSWER_FIELDS.replace('Re: ', '')}\r\n${PLAIN}\r\n\r\n${text}`, { names });
    const left = fieldsOf(mail).filter((field) => !field.startsWith('In-Reply-To'));
    const { authentication, written_to } = await read(withFields(mail, [...left, ...fields]));
    assert.equal(authentication.verified, true);
    return written_to;
  };
  const few = ALL.filter((name) => name !== 'in-reply-to' && name !== 'references');
  assert.deepEqual(await writtenTo(quoting, few), []);
  assert.deepEqual(await writtenTo('Thanks.\r\n', few), ['do@ns.example.net']);
  // So is a text that may be one of several parts, after a line for programs that know none.
  const untyped = few.filter((name) => !CONTENT.includes(name));
  assert.deepEqual(await writtenTo(lines('Thanks.', '', '--zz', PART, '--zz--', ''), untyped), []);
  assert.deepEqual(await writtenTo(quoting, ALL, ['In-Reply-To: <0@evil.example>']), ['do@ns.example.net']);
});

test('a mail that is handed in again is recognized by what was signed, and another mail is not', async () => {
  const body = 'Remember: milk is white.\r\n';
  const mail = (text: string, names = ALL): string => signed(`${ANSWER_FIELDS}\r\n${PLAIN}\r\n\r\n${text}`, { names });
  const [genuine, ...again] = await Promise.all(
    [
      mail(body),
      `X-A: b\r\n${mail(body)}`,
      mail(body).replace('milk is', 'milk   is'),
      mail(body, [...ALL, ...ADDRESSED]),
      mail(
        body,
        ALL.filter((name) => name !== 'message-id'),
      ).replace('<1@', '<2@'),
    ].map(read),
  );
  assert.notEqual(genuine?.signed_sha256, null);
  for (const one of again)
    assert.deepEqual([one.authentication.verified, one.signed_sha256], [true, genuine?.signed_sha256]);
  assert.notEqual((await read(mail(`${body}It is cold.\r\n`))).signed_sha256, genuine?.signed_sha256);
  assert.equal((await reading.read(mail(body), { ip: '192.0.2.1', from: 'ada@example.com' })).signed_sha256, null);
});

test('a seal proves what the signature of the author and that of the forwarder cover together', async () => {
  const domains = { 's._domainkey.forwarder.example': KEY, 's._domainkey.example.com': KEY };
  const zone = { ...domains, '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] } };
  await using reading = await startReadingHere(zone, { arc_sealers: ['forwarder.example'] });
  const forwarded = async (
    mail: string,
    {
      covered = ['dkim-signature', ...ALL],
      by = 'spf=fail smtp.mailfrom=x@evil.example; dkim=pass header.d=example.com',
    } = {},
  ) => {
    const changed = mail.replace('Re: Question', '[List] Re: Question');
    const seal = await sealMessage(changed, {
      signingDomain: 'forwarder.example',
      selector: 's',
      privateKey: PRIVATE_KEY,
      cv: 'none',
      authResults: `forwarder.example; ${by}; dmarc=pass header.from=example.com`,
      headerList: covered.join(':'),
    });
    const { authentication } = await reading.read(`${seal.toString()}${changed}`, elsewhere);
    assert.deepEqual([authentication.arc, authentication.dmarc], ['pass', 'fail']);
    return authentication.verified_by;
  };
  const mail = (names: readonly string[], tags: readonly string[] = []): string => signed(PLAIN_MAIL, { names, tags });
  assert.equal(await forwarded(mail(ALL)), 'arc');
  assert.equal(await forwarded(mail(ALL), { covered: ['from', 'subject'] }), undefined);
  assert.equal(await forwarded(mail(['from', 'subject'])), undefined);
  assert.equal(await forwarded(mail(ALL, ['l=5'])), undefined);
  assert.equal(await forwarded(PLAIN_MAIL), undefined);
  assert.equal(await forwarded(PLAIN_MAIL, { by: 'spf=pass smtp.mailfrom=ada@example.com' }), 'arc');
  const [parts = ''] = Object.values(MAILS).map(([, body]) => body);
  const untyped = signed(`${ANSWER_FIELDS}\r\n\r\n${parts}`, { names: ADDRESSED });
  assert.equal(
    await forwarded(untyped.replace('Date:', 'Content-Type: multipart/mixed; boundary=zz\r\nDate:')),
    undefined,
  );
});
