import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sealMessage } from 'mailauth';
import { startReadingHere } from './harness.ts';
import { fieldsOf, KEY, namesOf, PRIVATE_KEY, signed, withFields } from './signing.ts';

const elsewhere = { ip: '192.0.2.99', from: 'bounce@other.example' };
const lines = (...all: readonly string[]): string => all.join('\r\n');
const mailOf = (from: string): string =>
  lines(
    `From: ${from}`,
    'To: do@ns.example.net',
    'Subject: Re: Question',
    'Date: Mon, 13 May 2024 10:00:00 +0200',
    'In-Reply-To: <0@evil.example>',
    'References: <0@evil.example>',
    '',
    'Thanks.',
    '',
    '> --zz',
    '',
  );

test('no domain proves another of which the name is written with characters that some programs map', async () => {
  // Each is example.com by UTS 46, and to a program that maps nothing the name behind it.
  const names = {
    'exam\u00adple.com': 'xn--example-oka.com',
    'exam\u200bple.com': 'xn--example-3z6c.com',
    'ｅxample.com': 'xn--xample-hy68a.com',
    'ⓔxample.com': 'xn--xample-9e7c.com',
    'exampℓe.com': 'xn--exampe-7w1c.com',
    'exªmple.com': 'xn--exmple-qia.com',
  };
  const zone = Object.fromEntries(Object.values(names).map((name) => [`s._domainkey.${name}`, KEY]));
  const spf = Object.fromEntries(Object.values(names).map((name) => [name, { TXT: ['v=spf1 ip4:192.0.2.66 -all'] }]));
  await using reading = await startReadingHere({ ...zone, ...spf });
  for (const [domain, name] of Object.entries(names)) {
    const mail = Buffer.from(mailOf(`Ada <ada@${domain}>`)).toString('latin1');
    const whole = Buffer.from(signed(mail, { names: namesOf(mail), domain: name }), 'latin1');
    for (const source of [
      elsewhere,
      { ip: '192.0.2.66', from: `ada@${name}` },
      { ip: '192.0.2.66', from: '', helo: name },
    ]) {
      const { authentication, from } = await reading.read(whole, source);
      assert.equal(authentication.dkim, 'pass', domain);
      assert.ok(!authentication.verified || from?.address === `ada@${name}`, `${domain} ${from?.address}`);
    }
  }
});

const SEALED = { 's._domainkey.forwarder.example': KEY, 's._domainkey.example.com': KEY };
const FEW = ['from', 'to', 'subject', 'date', 'in-reply-to', 'references'];

test('no signature that was added to a mail before or after it was forwarded lends its author what another one passed for', async () => {
  const zone = { ...SEALED, '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] } };
  await using reading = await startReadingHere(zone, { arc_sealers: ['forwarder.example'] });
  const evil = lines('Thanks.', '', '--zz', 'Content-Type: text/plain', '', 'EVIL', '--zz--', '');
  const [header = ''] = mailOf('Ada <ada@example.com>').split('\r\n\r\n');
  const plain = `${header}\r\n\r\n${evil}`;
  const genuine = signed(plain, { names: FEW });
  const [own = ''] = fieldsOf(genuine);
  const value = (field: string): string => /b=([^;]*)$/.exec(field)?.[1] ?? '';
  /** A signature of the author's domain that nothing stands behind, and that names all. */
  const forged = (b: string): string =>
    own
      .replace(/h=[^;]*/, `h=${[...FEW, 'content-type', 'content-transfer-encoding', 'mime-version'].join(':')}`)
      .replace(/b=[^;]*$/, `b=${b}`);
  const type = 'Content-Type: multipart/mixed; boundary=zz';
  const seen = async (
    fields: readonly string[],
    {
      results,
      covered = ['dkim-signature'],
      after = (sealed: string) => sealed,
    }: {
      readonly results: string;
      readonly covered?: readonly string[];
      readonly after?: (sealed: string) => string;
    },
  ) => {
    // The forwarder changes the subject, so that no signature of the author passes any more.
    const forwarded = withFields(genuine, [...fields, ...fieldsOf(plain)]).replace('Subject: ', 'Subject: [List] ');
    const seal = await sealMessage(forwarded, {
      signingDomain: 'forwarder.example',
      selector: 's',
      privateKey: PRIVATE_KEY,
      cv: 'none',
      authResults: `forwarder.example; spf=none; ${results}dmarc=pass header.from=example.com`,
      headerList: [...covered, ...FEW, 'content-type', 'content-transfer-encoding', 'mime-version'].join(':'),
    });
    const found = await reading.read(after(`${seal.toString()}${forwarded}`), elsewhere);
    assert.equal(found.authentication.dmarc, 'fail');
    return [found.authentication.arc, found.authentication.verified, found.text.includes('--zz')] as const;
  };
  const named = (b: string, result = 'pass'): string =>
    `dkim=${result} header.d=example.com header.s=s header.b="${b.slice(0, 8)}"; `;
  const own8 = named(value(own));
  // As it was sent, it is read as text, and proven by the forwarder.
  assert.deepEqual(await seen([own], { results: own8 }), ['pass', true, true]);
  const other = value(own).split('').reverse().join('');
  for (const [what, fields, options] of [
    ['a signature beside the real one', [type, forged(other), own], { results: own8 + named(other, 'fail') }],
    ['one below the real one', [type, own, forged(other)], { results: own8 + named(other, 'fail') }],
    ['one with the same beginning', [type, own, forged(value(own))], { results: own8 + named(value(own), 'fail') }],
    ['one of which no result tells', [type, own, forged(other)], { results: own8 }],
    ['results that name none', [type, own, forged(other)], { results: 'dkim=pass header.d=example.com; ' }],
    ['no results', [type, own, forged(other)], { results: '' }],
    [
      'one in place of the real one behind the forwarder',
      [type, own],
      { results: own8, covered: [], after: (sealed: string) => sealed.replace(own, forged(value(own))) },
    ],
    [
      'one added behind the forwarder',
      [type, own],
      { results: own8, after: (sealed: string) => `${forged(value(own))}\r\n${sealed}` },
    ],
  ] as const) {
    for (const covered of [options.covered ?? ['dkim-signature'], ['dkim-signature', 'dkim-signature']]) {
      const [, verified, asText] = await seen(fields, {
        ...options,
        ...(what.includes('in place') ? {} : { covered }),
      });
      assert.ok(!verified || asText, what);
    }
  }
});

test('a mail of two signatures that a list changed is proven by the one that its forwarder saw pass', async () => {
  const zone = { ...SEALED, '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] } };
  await using reading = await startReadingHere(zone, { arc_sealers: ['forwarder.example'] });
  const plain = mailOf('Ada <ada@example.com>');
  const good = signed(plain, { names: [...namesOf(plain), 'content-type'] });
  const [own = ''] = fieldsOf(good);
  const [also = ''] = fieldsOf(signed(plain, { names: namesOf(plain), tags: ['t=1'] }));
  const b = (field: string): string => (/b=([^;]*)$/.exec(field)?.[1] ?? '').slice(0, 8);
  const forwarded = withFields(good, [own, also, ...fieldsOf(plain)]).replace('Subject: ', 'Subject: [List] ');
  const seal = await sealMessage(forwarded, {
    signingDomain: 'forwarder.example',
    selector: 's',
    privateKey: PRIVATE_KEY,
    cv: 'none',
    authResults: `forwarder.example; dkim=pass header.i=@example.com header.b=${b(own)}; dkim=pass header.i=@example.com header.b="${b(also)}"; dmarc=pass header.from=example.com`,
    headerList: ['dkim-signature', 'dkim-signature', ...FEW].join(':'),
  });
  const found = await reading.read(`${seal.toString()}${forwarded}`, elsewhere);
  assert.deepEqual([found.authentication.verified_by, found.written_to], ['arc', ['do@ns.example.net']]);
});

test('an author whose address is a link is proven by the domain of it alone', async () => {
  const policy = { TXT: ['v=DMARC1; p=none'] };
  const zone = { 's._domainkey.example.com': KEY, 's._domainkey.evil.example': KEY };
  await using reading = await startReadingHere({
    ...zone,
    '_dmarc.example.com': policy,
    '_dmarc.evil.example': policy,
  });
  const readBy = async (domain: string, from: string) => {
    const mail = mailOf(from);
    const whole = Buffer.from(signed(mail, { names: namesOf(mail), domain }), 'latin1');
    const { authentication, from: author } = await reading.read(whole, elsewhere);
    return [author?.address, authentication.verified];
  };
  for (const from of ['Ada <mailto:ada@example.com>', 'mailto:ada@example.com', '<<ada@example.com>>'])
    assert.deepEqual(await readBy('example.com', from), ['ada@example.com', true], from);
  for (const from of [
    'Ada <mailto:ada@example.com>',
    '<x@evil.example <mailto:ada@example.com>>',
    '<smtp:ada@example.com> <x@evil.example>',
    '<<ada@example.com>x@evil.example>',
    '=?utf-8?Q?a,?= <ada@example.com> =?utf-8?Q?,b?= <x@evil.example>',
  ])
    assert.deepEqual(await readBy('evil.example', from), ['ada@example.com', false], from);
});
