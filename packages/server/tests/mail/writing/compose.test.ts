// Other programs: Python.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { composeMail, type MailInput, NotAMail } from '../../../mail/writing/compose.ts';
import { failureOf } from '../../../mail/writing/failure.ts';
import { marksOf } from '../../../mail/writing/marks.ts';

const input = (fields: Partial<MailInput> = {}): MailInput => ({
  id: '<dlv_0d8m3xk2q5v7w9y1a3c0@agents.mail.test>',
  from: { name: 'proofread', address: 'proofread@agents.mail.test' },
  to: 'ada@outside.example',
  subject: 'My text',
  in_reply_to: '<q1@outside.example>',
  references: [],
  markdown: 'Hello.\n',
  automatic: 'auto-replied',
  date: new Date('2026-11-23T10:00:00Z'),
  ...fields,
});

interface Read {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly defects: readonly string[];
  readonly text: string;
  readonly html: string;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly base64: string }[];
}

const READER = `
import base64, email, email.policy, io, json, sys
for length in sys.stdin.buffer:
  message = io.BytesIO(sys.stdin.buffer.read(int(length)))
  mail = email.message_from_binary_file(message, policy=email.policy.default)
  defects = [repr(one) for part in mail.walk() for one in part.defects]
  defects += [f'{name}: {one!r}' for name, value in mail.items() for one in value.defects]
  print(json.dumps({
    'headers': [[name, str(value)] for name, value in mail.items()],
    'defects': defects,
    'text': mail.get_body(('plain',)).get_content(),
    'html': mail.get_body(('html',)).get_content(),
    'attachments': [{
      'name': part.get_filename(), 'type': part.get_content_type(),
      'base64': base64.b64encode(part.get_payload(decode=True)).decode(),
    } for part in mail.iter_attachments()],
  }), flush=True)
`;

const python = spawn('python3', ['-c', READER], { stdio: ['pipe', 'pipe', 'inherit'] });
after(() => python.stdin.end());
const lines = createInterface(python.stdout)[Symbol.asyncIterator]();

/** What Python's parser makes of a mail; one process reads them all. */
async function readByPython(message: Buffer): Promise<Read> {
  python.stdin.write(`${message.length}\n`);
  python.stdin.write(message);
  const { value, done } = await lines.next();
  assert.ok(done !== true, 'Python ended.');
  return JSON.parse(value) as Read;
}

const header = ({ headers }: Read, name: string): readonly string[] =>
  headers.filter(([one]) => one.toLowerCase() === name.toLowerCase()).map(([, value]) => value);

const TEXTS: readonly string[] = [
  'Hello.\n',
  '',
  '\n\n  indented\n\ttab  \ntrailing   \n\n\n',
  'Grüße aus Zürich, 東京 and 🦊, عربي\n',
  '東京'.repeat(3_000),
  `${'x'.repeat(5_000)}\n${'ü'.repeat(2_000)}`,
  '.\n..\nFrom the start\n-- \n=3D =20 =\n',
  `# Title\n\n1. **one**\n2. \`two\`\n\n> quoted\n\n| a | b |\n| - | - |\n| 1 | 2 |\n`,
  '\u2028 line and \u0085 next and \u00a0 space \ufeff',
];

test('Python reads the plain text exactly as it was written, and finds no defect', async () => {
  await Promise.all(
    TEXTS.map(async (markdown) => {
      // A corrected text is not taken for Markdown.
      const marks = {
        kind: 'corrections',
        text: markdown,
        corrections: { corrected_text: markdown, edits: [] },
      } as const;
      const read = await readByPython(await composeMail(input({ markdown, marks })));
      assert.deepEqual(read.defects, []);
      // Lines end with CRLF in every mail; Python turns only those of some encodings into LF.
      assert.equal(read.text.replaceAll('\r\n', '\n').replace(/\n$/, ''), markdown.replace(/\n$/, ''));
    }),
  );
});

test('the plain text has no marks of Markdown but those of code and of a corrected text', async () => {
  const markdown =
    '# Result\n6 \\* 7 = **42**, *not* 2 * 3 * 4\n`a \\* **b**`\n```\n# C:\\*.txt\n```\nC:\\temp\n- [Notes](https://example.com/a) on x__y__z\n';
  const composed = async (more: object): Promise<string> =>
    (await readByPython(await composeMail(input({ markdown, ...more })))).text.replaceAll('\r\n', '\n');
  assert.equal(
    await composed({}),
    'Result\n6 * 7 = 42, not 2 * 3 * 4\na \\* **b**\n# C:\\*.txt\nC:\\temp\n- Notes (https://example.com/a) on x__y__z\n',
  );
  for (const [marked, plain] of [
    ['_em_ and __strong__, snake_case and _a b_.', 'em and strong, snake_case and a b.'],
    ['**use `npm` now**, _or `x_y_z`_', 'use npm now, or x_y_z'],
    ['[**bold** `a*b`](https://a.example/_x_) and [**b** `c`]', 'bold a*b (https://a.example/_x_) and [b c]'],
    ['https://a.example/_x_/y and **https://b.example/_z_**', 'https://a.example/_x_/y and https://b.example/_z_'],
    ['\\_no\\_ and 2 _ 3 _ 4, __init__.py', '_no_ and 2 _ 3 _ 4, init.py'],
    ['\ufffe and `a` \uffff https://a.example', '\ufffe and a \uffff https://a.example'],
  ] as const)
    assert.equal((await composed({ markdown: marked })).trimEnd(), plain);
  const marks = { kind: 'corrections', text: markdown, corrections: { corrected_text: markdown, edits: [] } };
  assert.equal(await composed({ marks }), markdown);
});

test('every line ends with CRLF and has at most 998 octets, and nothing leaves ASCII', async () => {
  for (const markdown of TEXTS) {
    const message = await composeMail(
      input({ markdown, subject: 'ü'.repeat(1_000), from: { name: 'N'.repeat(700), address: 'a@agents.mail.test' } }),
    );
    const lines = message.toString('latin1').split('\r\n');
    assert.ok(lines.every((line) => line.length <= 998 && !/[\r\n]/.test(line)));
    assert.ok(message.every((byte) => byte < 128));
  }
});

test('attachments arrive byte for byte with name and type, from bytes and from a stream', async () => {
  const every = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < every.length; at += 999) yield every.subarray(at, at + 999);
  }
  const text = Buffer.from('one\ntwo\r\nthree\rfour ü \n.\nFrom here');
  const read = await readByPython(
    await composeMail(
      input({
        attachments: [
          { name: 'every byte.bin', type: 'application/octet-stream', content: every },
          { name: 'streamed.bin', type: 'image/png', content: chunks() },
          { name: 'Grüße 東京 🦊.txt', type: 'text/plain', content: text },
          { name: 'inner.eml', type: 'message/rfc822', content: Buffer.from('Subject: in\n\nBcc: me\n') },
          { name: 'a\r\nBcc: eve@evil.example/../b.txt', type: 'text/plain\r\nBcc: eve@evil.example', content: text },
          { name: '', type: '', content: new Uint8Array() },
          { name: `${'long name '.repeat(60)}.pdf`, type: 'application/pdf', content: text },
        ],
      }),
    ),
  );
  assert.deepEqual(read.defects, []);
  const [whole, streamed, named, inner, hostile, empty, long] = read.attachments;
  for (const one of [whole, streamed]) assert.deepEqual(Buffer.from(one?.base64 ?? '', 'base64'), Buffer.from(every));
  assert.deepEqual([whole?.name, streamed?.type], ['every byte.bin', 'image/png']);
  assert.deepEqual([named?.name, named?.type], ['Grüße 東京 🦊.txt', 'text/plain']);
  assert.deepEqual(Buffer.from(named?.base64 ?? '', 'base64'), text);
  assert.equal(Buffer.from(inner?.base64 ?? '', 'base64').toString(), 'Subject: in\n\nBcc: me\n');
  assert.equal(inner?.name, 'inner.eml');
  assert.deepEqual([hostile?.name, hostile?.type], ['a Bcc: eve@evil.example_.._b.txt', 'application/octet-stream']);
  assert.deepEqual([empty?.name, empty?.base64], ['attachment', '']);
  assert.ok((long?.name.length ?? 0) <= 200 && long?.name.endsWith('.pdf'));
  assert.deepEqual(header(read, 'bcc'), []);
});

test('a file that cannot be read is an error, and no mail is written without it', async () => {
  async function* torn(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(100_000);
    throw new Error('the attachment was deleted');
  }
  const attachments = [{ name: 'a.bin', type: 'application/pdf', content: torn() }];
  await assert.rejects(composeMail(input({ attachments })), /the attachment was deleted/);
});

test('the headers say what it answers, when, and that a program wrote it', async () => {
  const read = await readByPython(
    await composeMail(input({ references: ['<a@x>', '<b@x>'], in_reply_to: '<b@x>', subject: 'AW: Re: Fwd: Grüße' })),
  );
  const headers = Object.fromEntries(
    ['From', 'To', 'Subject', 'In-Reply-To', 'References', 'Message-ID', 'Date', 'MIME-Version', 'Auto-Submitted'].map(
      (name) => [name, header(read, name).join('|')],
    ),
  );
  assert.deepEqual(headers, {
    From: 'proofread <proofread@agents.mail.test>',
    To: 'ada@outside.example',
    Subject: 'Re: Fwd: Grüße',
    'In-Reply-To': '<b@x>',
    References: '<a@x> <b@x>',
    'Message-ID': '<dlv_0d8m3xk2q5v7w9y1a3c0@agents.mail.test>',
    Date: 'Mon, 23 Nov 2026 10:00:00 +0000',
    'MIME-Version': '1.0',
    'Auto-Submitted': 'auto-replied',
  });
  assert.match(header(read, 'X-Auto-Response-Suppress').join(), /OOF.*AutoReply/);
  const person = await readByPython(
    await composeMail(input({ automatic: null, in_reply_to: null, subject: 'RE: new' })),
  );
  assert.deepEqual(header(person, 'Subject'), ['RE: new']);
  for (const name of ['Auto-Submitted', 'X-Auto-Response-Suppress', 'In-Reply-To', 'References', 'X-Mailer', 'Bcc']) {
    assert.deepEqual(header(person, name), [], name);
  }
});

test('a subject has one prefix of answers, in whatever language, and stays on one line', async () => {
  const subjects: readonly (readonly [given: string, sent: string])[] = [
    ['Hello', 'Re: Hello'],
    ['Re: Hello', 'Re: Hello'],
    ['RE: re: AW: Re[4]: SV: Hello', 'Re: Hello'],
    ['回复：你好', 'Re: 你好'],
    ['Reply: not a prefix', 'Re: Reply: not a prefix'],
    ['Regarding: x', 'Re: Regarding: x'],
    ['', 'Re:'],
    ['  a\r\n b\u2028c\u202e ', 'Re: a b c'],
    [`${'long '.repeat(300)}`, `Re: ${'long '.repeat(300).slice(0, 499)}…`],
  ];
  for (const [given, sent] of subjects) {
    assert.deepEqual(header(await readByPython(await composeMail(input({ subject: given }))), 'Subject'), [sent]);
  }
});

test('of many references the first and the last ones stay, and none that a header cannot hold', async () => {
  const many = Array.from({ length: 200 }, (_, at) => `<${at}.${'x'.repeat(30)}@outside.example>`);
  const odd = [
    'no brackets',
    '<two words@x>',
    '<ü@x>',
    '<a@x>\r\nBcc: eve@evil.example',
    `<${'y'.repeat(2_000)}@x>`,
    '<>',
  ];
  const read = await readByPython(
    await composeMail(
      input({ references: [...many.slice(0, 100), ...odd, ...many.slice(100)], in_reply_to: '<last@x>' }),
    ),
  );
  const kept = header(read, 'References').join().split(' ');
  assert.equal(kept[0], many[0]);
  assert.deepEqual(kept.slice(-3), [...many.slice(-2), '<last@x>']);
  assert.ok(kept.join(' ').length <= 998);
  assert.deepEqual(header(read, 'Bcc'), []);
  // Without In-Reply-To that can be named, the last reference is still the nearest one.
  const lone = await readByPython(await composeMail(input({ references: ['<a@x>', '<b@x>'], in_reply_to: 'damaged' })));
  assert.deepEqual([header(lone, 'References'), header(lone, 'In-Reply-To')], [['<a@x> <b@x>'], []]);
});

test('no field adds a header, a recipient or a part, whatever it holds', async () => {
  const breaks = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\0', '\v', '\r\n\r\n', '=?utf-8?Q?=0D=0A?=', '\r\n '];
  for (const position of breaks) {
    const evil = `x${position}Bcc: eve@evil.example${position}${position}--_NmP-Part_1${position}`;
    const read = await readByPython(
      await composeMail(
        input({
          subject: evil,
          from: { name: evil, address: 'a@agents.mail.test' },
          in_reply_to: `<a@x>${evil}`,
          references: [evil, `<b@x>${evil}`],
          signature: { name: evil, url: 'https://mail.test/a@agents' },
          markdown: evil,
        }),
      ),
    );
    const names = read.headers.map(([name]) => name.toLowerCase()).sort();
    assert.deepEqual(names, [
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'message-id',
      'mime-version',
      'subject',
      'to',
      'x-auto-response-suppress',
    ]);
    assert.deepEqual(read.attachments, []);
    for (const wrong of [
      { to: `ada@outside.example${position}Bcc: eve@evil.example` },
      { to: `ada@outside.example, ${position}eve@evil.example` },
      { from: { name: '', address: `a@b.test>${position}Bcc: eve@evil.example` } },
      { id: `<a@x>${position}Bcc: eve@evil.example` },
    ]) {
      await assert.rejects(composeMail(input(wrong)), (error) => {
        assert.ok(error instanceof NotAMail);
        // No later attempt would change it.
        return failureOf(error).permanent;
      });
    }
  }
});

test('an internationalized domain is written in A-labels, and only a local part outside ASCII needs SMTPUTF8', async () => {
  const domains = await composeMail(
    input({ to: 'ada@Bücher.Example', from: { name: 'ß', address: 'a@prüfung.test' } }),
  );
  assert.ok(domains.every((byte) => byte < 128));
  const read = await readByPython(domains);
  assert.deepEqual(header(read, 'To'), ['ada@xn--bcher-kva.example']);
  assert.deepEqual(header(read, 'From'), ['ß <a@xn--prfung-4ya.test>']);
  const local = await composeMail(input({ to: '用户@例え.example' }));
  assert.match(local.toString('utf8'), /^To: 用户@/m);
  for (const wrong of [
    'ada',
    'ada@',
    '@x.example',
    'a b@x.example',
    'ada@[192.0.2.1]',
    'ada@-x-..example',
    'a@b@c.example',
  ]) {
    await assert.rejects(composeMail(input({ to: wrong })), NotAMail, wrong);
  }
});

test('the signature follows its separator, which reading programs cut at', async () => {
  const signature = { name: 'proofread@agents.mail.test', url: 'https://mail.test/proofread@agents' };
  const read = await readByPython(await composeMail(input({ markdown: 'Hello.\n\n', signature })));
  assert.equal(read.text.trimEnd(), 'Hello.\n\n-- \nproofread@agents.mail.test · https://mail.test/proofread@agents');
  assert.ok(read.html.includes('href="https://mail.test/proofread@agents"'));
});

test('the HTML loads nothing, runs nothing, and marks what is hostile as text', async () => {
  const markdown = [
    '<script>alert(1)</script><img src=x onerror=alert(1)><style>*{}</style>',
    '![pixel](https://evil.example/pixel.png) [x](javascript:alert(1)) [y](data:text/html,x)',
    '<link rel=stylesheet href=https://evil.example><iframe src=//evil.example></iframe>',
  ].join('\n\n');
  const texts = { offset: 0, length: 1, original: '<', replacement: '<img src=x>', explanation: '<script>' };
  for (const marks of [
    undefined,
    { kind: 'corrections', text: '<b>', corrections: { corrected_text: 'x', edits: [texts] } },
    {
      kind: 'steps',
      steps: [
        { name: '<img src=x>', status: 'failed', text: '<script>' },
        { name: 'b', status: 'completed', text: markdown },
      ],
    },
  ] as const) {
    const { html } = await readByPython(await composeMail(input({ markdown, marks })));
    assert.doesNotMatch(html, /<(?:script|img|style|link|iframe|object|svg)\b/i);
    assert.doesNotMatch(html, /<[^>]*\s(?:on\w+|src|background)=|url\(|@import/i);
    assert.doesNotMatch(html, /href="(?!https?:|mailto:)/);
  }
});

test('a reply with corrections shows them in the text that was sent, and one of steps is a list', async () => {
  const sent = 'She have two cat.\nI <b> it.';
  const edits = [
    { offset: 4, length: 4, original: 'have', replacement: 'has', explanation: '“She” takes “has”.' },
    { offset: 13, length: 3, original: 'cat', replacement: 'cats', explanation: 'Two of them.' },
  ];
  const corrected = { body: 'x', data: JSON.stringify({ corrected_text: 'x', dialect: 'british', edits }) };
  const marked = await readByPython(
    await composeMail(input({ marks: marksOf(corrected, sent), markdown: 'as Markdown' })),
  );
  const bare = marked.html.replace(/ style="[^"]*"/g, '');
  assert.ok(
    bare.includes('She <del>have</del> <ins>has</ins> two <del>cat</del> <ins>cats</ins>.<br>I &lt;b&gt; it.'),
    bare,
  );
  assert.ok(bare.includes('2 corrections in British English') && bare.includes('“She” takes “has”.'));
  assert.equal(marked.text.trimEnd(), 'as Markdown');

  const step = (nth: number, task: string, status: string, error: string | null) => ({
    ...{ step: nth, task, status, error, duration_ms: 1, effects: 'none' },
  });
  const receipt = {
    ...{ kind: 'receipt', instruction_sha256: 'x', planner: 'builtin', issued_at: 'x', jws: 'x' },
    steps: [
      step(1, 'sort', 'completed', null),
      step(2, 'send', 'failed', 'No answer.'),
      step(3, 'now', 'skipped', null),
    ],
  };
  const body = '1. **sort**: **a**, b\n\n2. **send**: failed\n\n3. **now**: skipped';
  const marks = marksOf({ body, data: JSON.stringify(receipt) }, 'Sort b, a');
  const shown = await readByPython(await composeMail(input({ marks, markdown: body })));
  const listed = shown.html.replace(/ style="[^"]*"/g, '');
  for (const part of [
    '<b>sort</b>',
    '<strong>a</strong>, b',
    '<b>send</b> <span>failed</span>',
    'No answer.',
    'not done',
  ]) {
    assert.ok(listed.includes(part), `${part} in ${listed}`);
  }

  // Anything else is its Markdown.
  for (const data of [null, '{}', '[]', 'null', '"x"', JSON.stringify({ edits, corrected_text: 'x' })]) {
    assert.equal(marksOf({ body, data }, 'another text'), undefined);
  }
});
