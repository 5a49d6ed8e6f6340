import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newText } from '../../../mail/reading/new-text.ts';
import { readHere } from './harness.ts';

// Inputs after public reports of other software, by the names of these; docs/foreign-reports.md logs others.

const ANSWER = 'Yes, Tuesday works.';
const answer = { subject: 'Re: Meeting', answers: true };
const TEXTS: Readonly<Record<string, string>> = {
  'github/email_reply_parser#33': `${ANSWER}\nFrom: Desk [desk@shop.example]\nSent: Friday, 23 March 2012 5:08 p.m.\nTo: Ann\nSubject: Meeting\n\nDoes it?`,
  'nylas/nylas-mail#2281': `${ANSWER}\n\nOn Fri, May 20, 2016 at 1:00 PM, Desk <desk@shop.example> wrote:\n> Does it?\n> Bo\n\n-- \nAnn Holm\n+49 30 1234567`,
  'thunderbird/thunderbird-android#6279': `${ANSWER}\n\nOn September 7, 2022 10:41:26 AM GMT+02:00, "Desk" <desk@shop.example> wrote:\nDoes it?\n\nOn September 7, 2022 10:40:11 AM GMT+02:00, "Ann" <ann@home.example> wrote:\nHello`,
  't2bot/node-email-reply-parser#24': `${ANSWER}\n\nOn Fri, May 20, 2016 at 1:00 PM, Desk <desk@shop.example> wrote:\n> We would like to know whether it suits you to come by on Tuesday of the\nnext week\n> or on the day after.`,
};
for (const [report, text] of Object.entries(TEXTS))
  test(`what others quoted wrongly is left out: ${report}`, () => {
    assert.equal(newText(text, answer), ANSWER);
  });

const head = (type: string, more = ''): string =>
  `From: Ann <ann@home.example>\r\nTo: desk@shop.example\r\nIn-Reply-To: <a@b>\r\nSubject: Re: Meeting\r\nMIME-Version: 1.0\r\n${more}Content-Type: ${type}\r\n`;
const bytes = (header: string, body: Buffer | string): Buffer =>
  Buffer.concat([Buffer.from(`${header}\r\n`, 'latin1'), typeof body === 'string' ? Buffer.from(body) : body]);

for (const mark of ['*-- *', '**-- **', '_-- _', '*--*'])
  test(`a separator in bold letters begins a signature: ${mark}`, () => {
    assert.equal(newText(`${ANSWER}\n\n${mark}\n*Ann Holm*\nann@home.example`, answer), ANSWER);
  });

const GBK: Readonly<Record<string, readonly [string, string]>> = {
  Chinese: ['d5e2cac7d2bbb7e2d3cabcfea3acc7ebb2e9cad5', '这是一封邮件，请查收'],
  Windows: [Buffer.from('Größe für Ärzte', 'latin1').toString('hex'), 'Größe für Ärzte'],
  'capitals of Windows': [Buffer.from('ÀÉ ÇÃO', 'latin1').toString('hex'), 'ÀÉ ÇÃO'],
};
for (const [what, [hex, subject]] of Object.entries(GBK))
  test(`a subject of raw bytes that no label names is read: ${what}`, async () => {
    const raw = Buffer.concat([
      Buffer.from('From: Ann <ann@home.example>\r\nTo: desk@shop.example\r\nSubject: '),
      Buffer.from(hex, 'hex'),
      Buffer.from('\r\n\r\nHi\r\n'),
    ]);
    assert.equal((await readHere(raw)).subject, subject);
  });

const PAGES: Readonly<Record<string, string>> = {
  'willdurand/EmailReplyParser#81': `<p>${ANSWER}</p><p>On Fri, 27 Nov 2026 at 10:15, Desk &lt;desk@shop.example&gt; wrote:</p><blockquote>Does it?</blockquote>`,
  'chatmail/core#1560': `<div>${ANSWER}</div><div name="quote"><div><b>Gesendet:</b> Freitag um 10:15<br><b>Von:</b> Desk</div><div name="quoted-content">Does it?</div></div>`,
  'opengovsg/postmangovsg#1251': `<div style="display:none;mso-hide:all">Does it?</div><p>${ANSWER}</p>`,
};
for (const [report, html] of Object.entries(PAGES))
  test(`HTML that others read wrongly is read: ${report}`, async () => {
    assert.equal((await readHere(bytes(head('text/html; charset=utf-8'), html))).body, ANSWER);
  });

const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  'jakartaee/mail-api#74': [`filename*0*="''attached%2E"; filename*1*="%62"; filename*2=at`, 'attached.bat'],
  'chatmail/core#2079': [`filename*0*=UTF-8''%61%CC%88; filename*1*=%C3%9F%2E%70%64%66`, 'äß.pdf'],
  'staktrace/mailparse#89': [`filename*0*=us-ascii''%28A%29%20; filename*1*=%E2%80%93%2Epdf`, '(A) –.pdf'],
  'MailCore/mailcore2#1744': [
    'filename*0="A long name, of";\r\n\tfilename*1=" three par";\r\n\tfilename*2="ts.pdf"',
    'A long name, of three parts.pdf',
  ],
  'RainLoop/rainloop-webmail#858': [
    'filename*0="Failure<62a98a@dersera";\r\n filename*1=".com>.xml"',
    'Failure<62a98a@dersera.com>.xml',
  ],
  'words in sections': [
    'filename*0="=?UTF-8?B?5pel5pys"; filename*1="6Kqe44Gu"; filename*2="44OV44Kh44Kk44OrLnR4dA==?="',
    '日本語のファイル.txt',
  ],
  'words in sections, cut inside a character': [
    'filename*0="=?utf-8?Q?Gr=C3"; filename*1="=BC=C3=9Fe?= =?utf-8?Q?_=E2"; filename*2="=82=AC.txt?="',
    'Grüße €.txt',
  ],
  'martinrusev/imbox#192': [`filename*=UTF-8''%C3%A9%6B%65%7A`, 'ékez'],
};
for (const [report, [parameter, name]] of Object.entries(NAMES))
  test(`a name of a file that others read wrongly is read: ${report}`, async () => {
    const parts = `--B\r\nContent-Type: text/plain\r\n\r\nHi\r\n--B\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; ${parameter}\r\n\r\nDATA\r\n--B--\r\n`;
    const { attachments } = await readHere(bytes(head('multipart/mixed; boundary=B'), parts));
    assert.equal(attachments[0]?.name.normalize(), name.normalize());
  });

const jis = (text: string): Buffer => Buffer.from(text.replace(/\[/g, '\u001b$B').replace(/\]/g, '\u001b(B'), 'latin1');
const CHARSETS: Readonly<Record<string, readonly [string, string | Buffer, string]>> = {
  'SpamScope/mail-parser#79': [
    'text/html',
    jis('<meta content="text/html; charset=iso-2022-jp"><p>[2q5D]</p>'),
    '会議',
  ],
  'zammad/zammad#6144': ['text/plain;', jis('[2q5D] ok'), '会議 ok'],
  'mikel/mail#1423': ['text/plain; charset=iso-2022-jp', 'ほげ', 'ほげ'],
  'nodemailer/mailparser#218': [
    'text/plain; charset="iso-2022-jp"\r\nContent-Transfer-Encoding: quoted-printable',
    '=1B$B2q5D=1B(B',
    '会議',
  ],
  'nodemailer/mailparser#161': ['text/plain; charset="gbk"; format=flowed', Buffer.from('b2e2cad4', 'hex'), '测试'],
  'eneam/mboxviewer#34': ['text/plain; charset="iso-2022-jp"', jis('[2q]Windows8[5D]URL'), '会Windows8議URL'],
  'demisto/content#25700': ['text/plain; charset=big5', Buffer.from('b4fab8d5', 'hex'), '測試'],
};
for (const [report, [type, body, text]] of Object.entries(CHARSETS))
  test(`a charset that others read wrongly is read: ${report}`, async () => {
    assert.equal((await readHere(bytes(head(type), body))).body, text);
  });

const AUTHORS: Readonly<Record<string, readonly [string, string, string]>> = {
  'nodemailer/mailparser#43': ['=?gb2312?B?sunK1A==?= <a@b.example>', '查试', 'a@b.example'],
  'php-mime-mail-parser/php-mime-mail-parser#191': [
    '=?ISO-2022-JP?B?GyRCMnE1RBsoQg==?= <a@b.example>',
    '会議',
    'a@b.example',
  ],
  'nodemailer/mailparser#375': ['Joe Foo, PhD <joe@b.example>', 'Joe Foo, PhD', 'joe@b.example'],
  'python/cpython#143938': ['John Smith, Jr <john@b.example>', 'John Smith, Jr', 'john@b.example'],
  'SpamScope/mail-parser#146': [
    '=?iso-8859-1?Q?Last=DFName=2C_First?= <a@b.example>',
    'LastßName, First',
    'a@b.example',
  ],
  'jackbearheart/email-addresses#13': [
    'Round: A Center for All <web@b.example>',
    'Round: A Center for All',
    'web@b.example',
  ],
  'modoboa/modoboa#4179': ['Berg, Kim T - Eagan, MN <kim@b.example>', 'Berg, Kim T - Eagan, MN', 'kim@b.example'],
  'MailCore/mailcore2#1594': ['"Tan Tanaka,<tan@b.example>', 'Tan Tanaka', 'tan@b.example'],
};
for (const [report, [from, name, address]] of Object.entries(AUTHORS))
  test(`an author whom others read wrongly is read: ${report}`, async () => {
    assert.deepEqual((await readHere(`From: ${from}\r\n\r\nHi`)).from, { name, address });
  });

const AUTOMATIC: Readonly<Record<string, string>> = {
  'osTicket/osTicket#1041':
    'Subject: Out of Office: Meeting\r\nX-Auto-Response-Suppress: All\r\nAuto-Submitted: auto-generated\r\n',
  'odoo/odoo#66329': 'Subject: Automatic reply: Your ticket\r\nIn-Reply-To: <a@b>\r\n',
  'Probesys/bileto#815': 'Subject: Re: Meeting\r\nX-Autoreply: yes\r\n',
  'Intermesh/groupoffice#64': 'Subject: Re: Meeting\r\nAuto-Submitted: auto-replied\r\n',
  'Nine-Minds/alga-psa#2772': 'Subject: Re: Meeting\r\nPrecedence: auto_reply\r\n',
};
for (const [report, fields] of Object.entries(AUTOMATIC))
  test(`a mail of a program that others answered is not answered: ${report}`, async () => {
    assert.notEqual((await readHere(`From: Ann <ann@home.example>\r\n${fields}\r\nI am away.`)).automatic, null);
  });
test('a mail of a program that others answered is not answered: faveosuite/faveo-helpdesk#150, frappe/helpdesk#3628', async () => {
  const daemon = 'From: Mail Delivery System <mailer-daemon@far.example>\r\nSubject: Undelivered\r\n';
  assert.notEqual((await readHere(`${daemon}\r\nNo such user.`, '')).automatic, null);
  const report = `${daemon}Content-Type: multipart/report; report-type=delivery-status; boundary=B\r\n\r\n--B\r\n\r\nNo.\r\n--B--\r\n`;
  assert.notEqual((await readHere(report, '')).automatic, null);
});

const PARTS: Readonly<Record<string, readonly [string, string, readonly string[]]>> = {
  'MailCore/mailcore2#122': ['--B\r\nContent-Type: text/plain\r\n\r\nHi', 'Hi', []],
  'nodemailer/mailparser#224': [
    '--B\r\n\r\nHi\r\n--B\r\nContent-Type: application/pdf; name=a.pdf\r\n\r\nDATA',
    'Hi',
    ['a.pdf'],
  ],
  'php-mime-mail-parser/php-mime-mail-parser#470': [
    '--B\r\n\r\nHi\r\n\r\n--B--More\r\n\r\n--B--\r\n',
    'Hi\n\n--B--More',
    [],
  ],
  'niax/rust-email#45': ['--B\r\n\r\nHi\r\n--B--\r\nepilogue', 'Hi', []],
  'jhillyerd/enmime#156': [
    '--B\r\nContent-Type: text/xml\r\nContent-ID: A\r\n\r\n<A></A>\r\n--B\r\nContent-Type: application/pdf\r\n\r\nJVBE',
    '',
    ['file', 'file.pdf'],
  ],
};
for (const [report, [parts, body, files]] of Object.entries(PARTS))
  test(`parts that others lost are found: ${report}`, async () => {
    const mail = await readHere(bytes(head('multipart/mixed; boundary=B'), parts));
    assert.deepEqual([mail.body, mail.attachments.map(({ name }) => name)], [body, files]);
  });
