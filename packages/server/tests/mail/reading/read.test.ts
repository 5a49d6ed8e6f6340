import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHere } from './harness.ts';

const FROM = 'From: Anna <anna@example.com>';
const textMail = (headers: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${FROM}\r\nMIME-Version: 1.0\r\n${headers}\r\n\r\n`), body]);

test('subject, addresses, ids, date and language are read from their headers', async () => {
  const mail = await readHere(`${FROM}
To: =?utf-8?Q?J=C3=B6rg?= <joerg@M=C3.example>, "B, C" <bc@Example.NET>, Team: d@example.net, e@example.net;
Cc: undisclosed-recipients:;
Reply-To: answers@example.com
Subject: =?utf-8?B?SGVsbG8g8J+YgA==?=
 and more
Date: Mon, 13 May 2024 10:00:00 +0200
Message-ID: <1@example.com>
In-Reply-To: Your message of Monday <0@ns.example.net>
References: <a@x> <b@x>
	<0@ns.example.net> <a@x>
Content-Language: de-DE, en

Hallo.
`);
  assert.equal(mail.subject, 'Hello 😀 and more');
  assert.deepEqual(mail.from, { name: 'Anna', address: 'anna@example.com' });
  assert.deepEqual(
    mail.to.map(({ address }) => address),
    ['bc@example.net', 'd@example.net', 'e@example.net'],
  );
  assert.deepEqual([mail.cc, mail.reply_to.map(({ address }) => address)], [[], ['answers@example.com']]);
  assert.equal(mail.message_id, '<1@example.com>');
  assert.deepEqual(mail.in_reply_to, ['<0@ns.example.net>']);
  assert.deepEqual(mail.references, ['<a@x>', '<b@x>', '<0@ns.example.net>']);
  assert.deepEqual([mail.date, mail.language], ['2024-05-13T08:00:00.000Z', 'de-DE']);
});

test('a mail without headers, or with unreadable ones, is read as what it is', async () => {
  const none = await readHere('');
  assert.deepEqual(
    [none.message_id, none.from, none.date, none.subject, none.text, none.warnings],
    [null, null, null, '', '', ['no_from']],
  );
  const wrong = await readHere(
    'From: Anna\nDate: yesterday\nMessage-ID: no-brackets@x.example\nReferences: none\n\nHi.\n',
  );
  assert.deepEqual(
    [wrong.from, wrong.date, wrong.message_id, wrong.references],
    [null, null, '<no-brackets@x.example>', []],
  );
});

test('a text is read in its charset, and in another one when that is unknown or certainly wrong', async () => {
  const cases: readonly (readonly [string, Buffer, string | RegExp])[] = [
    ['utf-8', Buffer.from('Grüße 😀'), 'Grüße 😀'],
    ['windows-1252', Buffer.from([0x93, 0x47, 0x72, 0xfc, 0xdf, 0x65, 0x94, 0x20, 0x80]), '“Grüße” €'],
    ['koi8-r', Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]), 'Привет'],
    ['gb18030', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), '你好'],
    ['iso-2022-jp', Buffer.from('\x1b$B$3$s\x1b(B'), 'こん'],
    ['utf-7', Buffer.from('caf+AOk-, 2 +- 2, +2D3eAA-, a+b, +ZeVnLIqe.'), 'café, 2 + 2, 😀, a+b, 日本語.'],
    ['unicode-1-1-utf-7', Buffer.from('+AGE-'), 'a'],
    ['utf-8', Buffer.from('A picture:\n\ufffc\nthat was it.'), 'A picture:\n\nthat was it.'],
    ['no-such-charset', Buffer.from('abc'), 'abc'],
    ['"\0; charset="', Buffer.from('abc'), 'abc'],
    ['utf-8', Buffer.from([0xc3, 0xa9, 0xff, 0x00, 0x62]), 'é\ufffd\ufffdb'],
    // What names a charset that it is not in.
    ['us-ascii', Buffer.from('Grüße 😀'), 'Grüße 😀'],
    ['iso-8859-1', Buffer.from('Grüße aus München'), 'Grüße aus München'],
    ['x-unknown', Buffer.from('Привет'), 'Привет'],
    ['utf-8', Buffer.from('Grüße aus München', 'latin1'), 'Grüße aus München'],
    ['iso-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['koi8-r', Buffer.from([0xc3, 0xa9]), 'ц╘'],
  ];
  for (const [charset, bytes, wanted] of cases) {
    const { text } = await readHere(textMail(`Content-Type: text/plain; charset=${charset}`, bytes));
    if (typeof wanted === 'string') assert.equal(text.trimEnd(), wanted, charset);
    else assert.match(text, wanted, charset);
  }
});

test('what a program hides in HTML is not in the text, and what is only laid out so is', async () => {
  const hidden = [
    '<div style="display:none;font-size:1px;max-height:0px;overflow:hidden">Preview &zwnj;&nbsp;</div>',
    '<div style="max-height:0; overflow:hidden; mso-hide:all">Preview</div>',
    '<p class="MsoNormal" style="DISPLAY : NONE !important">Preview</p>',
    '<span style="color:#fff; font-size:0px;">Tracking <b>more</b></span><p style="FONT-SIZE: 0PT">Tracking</p>',
    '<div hidden>Preview</div><span style="visibility:hidden">Preview</span>',
  ];
  // Columns without gaps are written so, and buttons for all programs but Outlook.
  const matches = [
    '<td style="font-size:0px;padding:0">gap<div style="font-size:13px">In <b>a</b> column</div> </td>',
    '<p style="font-size:0.9em;mso-hide:all">Small</p><p style="height:0">Flat</p><a style="mso-hide:all" href="#">Go</a>',
  ];
  const { text } = await readHere(
    textMail(
      'Content-Type: text/html; charset=utf-8',
      Buffer.from(`<body style="margin:0">${hidden.join('')}<table><tr>${matches[0]}</tr></table>${matches[1]}</body>`),
    ),
  );
  assert.equal(text.replace(/\s+/g, ' '), 'In a column Small Flat Go');
});

test('names and a subject in a charset of Windows or in UTF-8 are read, though no charset is named', async () => {
  const fields = [
    Buffer.from(
      'From: J\xf6rg M\xfcller <joerg@example.com>\r\nSubject: Gr\xfc\xdfe\r\n\tan \x84alle\x93\r\n',
      'latin1',
    ),
    Buffer.from('To: Zoë <zoe@example.com>\r\nCc: "Łukasz" <l@example.com>\r\n'),
  ];
  const mail = await readHere(Buffer.concat([...fields, Buffer.from('\r\nHi.\r\n')]));
  assert.deepEqual([mail.from?.name, mail.subject], ['Jörg Müller', 'Grüße an „alle“']);
  assert.deepEqual(
    [...mail.to, ...mail.cc].map(({ name }) => name),
    ['Zoë', 'Łukasz'],
  );
});

test('line breaks are kept as they are, whatever ends the lines', async () => {
  const { text } = await readHere(
    textMail('Content-Type: text/plain', Buffer.from('one\r\ntwo\nthree\rfour\r\n\r\n\r\nfive  \r\n')),
  );
  assert.equal(text, 'one\ntwo\nthree\nfour\n\n\nfive  \n');
});

test('flowed lines are joined by paragraph and depth (RFC 3676)', async () => {
  const flowed =
    'A paragraph \r\nthat flows.\r\n  stuffed\r\n> quoted \r\n> too \r\nmine\r\n>> deep \r\n> less\r\n-- \r\nAnna\r\n';
  const { text } = await readHere(textMail('Content-Type: text/plain; format=flowed', Buffer.from(flowed)));
  assert.equal(text, 'A paragraph that flows.\n stuffed\n> quoted too \nmine\n>> deep \n> less\n-- \nAnna\n');
  const deleted = 'Ein Ab \r\nsatz\r\n';
  const { text: joined } = await readHere(
    textMail('Content-Type: text/plain; format=flowed; delsp=yes', Buffer.from(deleted)),
  );
  assert.equal(joined, 'Ein Absatz\n');
});

const part = (headers: string, body = 'x'): string => `--b\n${headers}\n\n${body}\n`;
const mixed = (...parts: string[]): string =>
  `${FROM}\nContent-Type: multipart/mixed; boundary=b\n\n${part('Content-Type: text/plain', 'See the files.')}${parts.join('')}--b--\n`;

test('files are kept with safe names, types and bytes', async () => {
  const mail = await readHere(
    mixed(
      part(
        'Content-Type: application/pdf; name="../../etc/passwd"\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64',
        'AAEC',
      ),
      part(
        "Content-Type: image/png\nContent-Disposition: inline; filename*=utf-8''%E2%82%AC%20rates.png\nContent-ID: <img1@x>",
      ),
      part('Content-Type: text/calendar; method=REQUEST', 'BEGIN:VCALENDAR'),
      part('Content-Type: application/ms-tnef; name="winmail.dat"'),
      part('Content-Type: message/rfc822', 'From: c@x.example\nSubject: Old / order\n\nold'),
      part('Content-Type: ../../evil; name="a\u202egpj.exe"\nContent-Disposition: attachment'),
      part(`Content-Type: application/zip; name="${'a'.repeat(3_000)}.zip"\nContent-Disposition: attachment`),
      part(
        'Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="C:\\\\temp\\\\..\\\\CON\0.txt"',
      ),
    ),
  );
  assert.equal(mail.body, 'See the files.');
  assert.deepEqual(
    mail.attachments.map(({ name, content_type, inline, content_id }) => [
      name.length > 100 ? name.length : name,
      content_type,
      inline,
      content_id,
    ]),
    [
      ['passwd', 'application/pdf', false, null],
      ['€ rates.png', 'image/png', true, 'img1@x'],
      ['invitation.ics', 'text/calendar', false, null],
      ['winmail.dat', 'application/ms-tnef', false, null],
      ['Old order.eml', 'message/rfc822', false, null],
      ['agpj.exe', 'application/octet-stream', false, null],
      [255, 'application/zip', false, null],
      ['CON.txt', 'application/octet-stream', false, null],
    ],
  );
  assert.deepEqual([...(mail.attachments[0]?.bytes ?? [])], [0, 1, 2]);
});

test('a mail of HTML alone is readable, and one with an empty text too', async () => {
  const html =
    '<html><head><style>p{}</style><title>no</title></head><body><h1>Offer</h1><p>Dear Anna,<br>two <b>cats</b> &amp; a <a href="https://x.example/d">dog</a>.</p><ul><li>one</li></ul><table><tr><td>a</td><td>b</td></tr></table><script>no()</script></body></html>';
  const wanted = 'Offer\n\nDear Anna,\ntwo cats & a dog <https://x.example/d>.\n\n- one\n\na b';
  const alone = await readHere(`${FROM}\nContent-Type: text/html; charset=utf-8\n\n${html}\n`);
  assert.equal(alone.text, wanted);
  const both = await readHere(
    `${FROM}\nContent-Type: multipart/alternative; boundary=b\n\n${part('Content-Type: text/plain', '')}${part('Content-Type: text/html', html)}--b--\n`,
  );
  assert.equal(both.text, wanted);
});

test('a list of Outlook is a list', async () => {
  const item = (mark: string, text: string): string =>
    `<p class="MsoListParagraphCxSpMiddle" style="text-indent:-18.0pt;mso-list:l0 level1 lfo1"><![if !supportLists]><span style="font-family:Symbol"><span style="mso-list:Ignore">${mark}<span style="font:7.0pt &quot;Times New Roman&quot;">&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;
  const html = `<p class="MsoNormal">Tasks:</p>${item('·', 'one')}${item('o', 'two')}${item('1.', 'first')}${item('b)', 'second')}`;
  const { text } = await readHere(textMail('Content-Type: text/html; charset=utf-8', Buffer.from(html)));
  assert.equal(text, 'Tasks:\n- one\n- two\n1. first\nb) second');
});

test('broken parts lose nothing that can be read', async () => {
  const unclosed = await readHere(
    `${FROM}\nContent-Type: multipart/mixed; boundary=b\n\n${part('Content-Type: text/plain', 'Here.')}`,
  );
  assert.equal(unclosed.body, 'Here.');
  for (const type of ['multipart/mixed', 'multipart/mixed; boundary=c']) {
    const unnamed = await readHere(`${FROM}\nContent-Type: ${type}\n\n${part('Content-Type: text/plain', 'Here.')}`);
    assert.deepEqual(unnamed.warnings, ['unreadable']);
    assert.match(Buffer.from(unnamed.attachments[0]?.bytes ?? []).toString(), /\r\nHere\.\r\n/);
  }
  const empty = await readHere(`${FROM}\nContent-Type: text/plain\n\n \n\n`);
  assert.deepEqual([empty.warnings, empty.attachments], [[], []]);
  const deep = Array.from(
    { length: 1_000 },
    (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`,
  ).join('');
  const nested = await readHere(`${FROM}\n${deep}Content-Type: text/plain\n\nDeep.\n`);
  assert.deepEqual([nested.from?.address, nested.warnings], ['anna@example.com', ['unreadable']]);
  assert.deepEqual(
    nested.attachments.map(({ name, content_type }) => [name, content_type]),
    [['message.eml', 'message/rfc822']],
  );
  assert.match(Buffer.from(nested.attachments[0]?.bytes ?? []).toString(), /Deep\.\r\n$/);
});

test('too many headers, addresses and parts are cut, and the text is read', async () => {
  const long = await readHere(`X-Long: ${'a'.repeat(600_000)}\n${FROM}\nTo: b@example.net\n\nHere.\n`);
  assert.deepEqual([long.body, long.from?.address, long.warnings], ['Here.', 'anna@example.com', ['headers_cut']]);
  const folded = await readHere(`${FROM}\nX-Folded: a${'\n b'.repeat(3_000)}\n\nHere.\n`);
  assert.deepEqual([folded.body, folded.warnings], ['Here.', ['headers_cut']]);
  const many = await readHere(
    `${FROM}\nTo: ${Array.from({ length: 2_000 }, (_, n) => `u${n}@x.example`).join(', ')}\n\nHere.\n`,
  );
  assert.deepEqual([many.body, many.to.length, many.warnings], ['Here.', 1_000, ['too_many_addresses']]);
  const parts = await readHere(mixed(...Array.from({ length: 1_001 }, () => part('Content-Type: image/png'))));
  assert.deepEqual([parts.attachments.length, parts.warnings], [1, ['unreadable']]);
  const large = await readHere(`${FROM}\n\n${'word '.repeat(1_000_000)}`);
  assert.deepEqual(
    [large.text.length, large.warnings, large.attachments.map(({ name }) => name)],
    [4 * 1024 * 1024, ['text_cut'], ['text.txt']],
  );
});

test('an author is read without comments, blanks and routes (RFC 5322, appendix A.5)', async () => {
  const rows: readonly (readonly [string, string, string])[] = [
    [String.raw`Pete(A nice \) chap) <pete(his account)@silly.test(his host)>`, 'Pete', 'pete@silly.test'],
    ['Joe <@a.test,@b.test:joe@where.test>', 'Joe', 'joe@where.test'],
    ['Ann < ann @ home.example >', 'Ann', 'ann@home.example'],
    ['"Box <a@b.test>" <box@home.example>', 'Box <a@b.test>', 'box@home.example'],
  ];
  for (const [from, name, address] of rows)
    assert.deepEqual((await readHere(`From: ${from}\r\n\r\nHi`)).from, { name, address }, from);
});

test('an author is read from a link, in quotes, and with a dot behind the domain, and a name with a comma in its encoded word', async () => {
  for (const [from, name] of [
    ['Ann <mailto:ann@home.example>', 'Ann'],
    ['mailto:ann@home.example', ''],
    ['"Ann" <MAILTO:ann@home.example>', 'Ann'],
    ['Ann <URL:mailto:ann@home.example>', 'Ann'],
    ['Ann <SMTP:ann@home.example>', 'Ann'],
    ['Ann [mailto:ann@home.example]', 'Ann'],
    ['Ann <ann@home.example <mailto:ann@home.example>>', 'Ann'],
    ['Ann <ann@home.example<mailto:ann@home.example>>', 'Ann'],
    ["'Ann' <'ann@home.example'>", "'Ann'"],
    ['Ann <<ann@home.example>>', 'Ann'],
    ['Ann <ann@home.example.>', 'Ann'],
    ['=?utf-8?Q?M=C3=BCller,_J=C3=B6rg?= <ann@home.example>', 'Müller, Jörg'],
    ['=?iso-8859-1?Q?M=FCller,_J=F6rg_(Sales)?= <ann@home.example>', 'Müller, Jörg (Sales)'],
  ] as const) {
    const mail = await readHere(`From: ${from}\r\nReply-To: ${from}\r\nCc: ${from}\r\n\r\nHi`);
    assert.deepEqual(mail.from, { name, address: 'ann@home.example' }, from);
    assert.deepEqual(mail.reply_to[0]?.address, 'ann@home.example', from);
    assert.deepEqual(mail.cc[0]?.address, 'ann@home.example', from);
    assert.deepEqual(mail.warnings, [], from);
  }
  for (const from of ['Ann <mailto:>', 'Ann <mailto:mailto:x>', 'mailto:ann'])
    assert.equal((await readHere(`From: ${from}\r\n\r\nHi`)).from?.address, undefined, from);
});
