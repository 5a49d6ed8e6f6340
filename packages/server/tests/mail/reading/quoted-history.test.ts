import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newText } from '../../../mail/reading/new-text.ts';
import { readHere } from './harness.ts';

const answer = { subject: 'Re: Opening hours', answers: true };
const BODY = 'Yes, that suits us.\nSee you there.';

/** Labels of Outlook for sender, date, recipient and subject, with a date as it writes it. */
const OUTLOOK: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  ar: ['من', 'تم الإرسال', 'إلى', 'الموضوع', 'الجمعة، ٢٧ نوفمبر ٢٠٢٦ ١٠:١٥ ص'],
  bg: ['От', 'Изпратено', 'До', 'Относно', 'петък, 27 ноември 2026 г. 10:15'],
  el: ['Από', 'Στάλθηκε', 'Προς', 'Θέμα', 'Παρασκευή, 27 Νοεμβρίου 2026 10:15 πμ'],
  et: ['Saatja', 'Saadetud', 'Adressaat', 'Teema', 'reede, 27. november 2026 10:15'],
  he: ['מאת', 'נשלח', 'אל', 'נושא', 'יום שישי 27 נובמבר 2026 10:15'],
  hi: ['प्रेषक', 'भेजा गया', 'प्रति', 'विषय', 'शुक्रवार, २७ नवंबर २०२६ १०:१५'],
  hr: ['Šalje', 'Poslano', 'Prima', 'Predmet', 'petak, 27. studenoga 2026. 10:15'],
  hu: ['Feladó', 'Elküldve', 'Címzett', 'Tárgy', '2026. november 27., péntek 10:15'],
  id: ['Dari', 'Dikirim', 'Kepada', 'Perihal', 'Jumat, 27 November 2026 10.15'],
  lt: ['Nuo', 'Išsiųsta', 'Kam', 'Tema', '2026 m. lapkričio 27 d., penktadienis 10:15'],
  lv: ['No', 'Nosūtīts', 'Kam', 'Tēma', 'piektdiena, 2026. gada 27. novembris 10:15'],
  ro: ['De la', 'Trimis', 'Către', 'Subiect', 'vineri, 27 noiembrie 2026 10:15'],
  sk: ['Od', 'Odoslané', 'Komu', 'Predmet', 'piatok 27. novembra 2026 10:15'],
  sl: ['Od', 'Poslano', 'Za', 'Zadeva', 'petek, 27. november 2026 10:15'],
  th: ['จาก', 'ส่ง', 'ถึง', 'เรื่อง', '๒๗ พฤศจิกายน ๒๕๖๙ ๑๐:๑๕'],
  tr: ['Kimden', 'Gönderildi', 'Kime', 'Konu', '27 Kasım 2026 Cuma 10:15'],
  uk: ['Від', 'Надіслано', 'Кому', 'Тема', '27 листопада 2026 р. 10:15'],
  vi: ['Từ', 'Đã gửi', 'Tới', 'Chủ đề', 'Thứ Sáu, 27 Tháng Mười Một 2026 10:15'],
};
for (const [language, [from, sent, to, subject, date]] of Object.entries(OUTLOOK))
  for (const rule of ['', `${'_'.repeat(32)}\n`])
    test(`what Outlook quotes is no part of an answer: ${language}${rule === '' ? '' : ', below a line'}`, () => {
      const headers = `${from}: Desk <desk@shop.example>\n${sent}: ${date}\n${to}: Ann\n${subject}: Opening hours`;
      assert.equal(newText(`${BODY}\n\n${rule}${headers}\n\nWe open at nine.\nThe desk`, answer), BODY);
    });

const A = 'Desk Team <desk@shop.example>';
const ATTRIBUTIONS: Readonly<Record<string, string>> = {
  ar: `في الجمعة، ٢٧ نوفمبر ٢٠٢٦ في ١٠:١٥ ص تمت كتابة ما يلي بواسطة ${A}:`,
  bg: `На пт, 27.11.2026 г. в 10:15 ${A} написа:`,
  el: `Στις Παρ, 27 Νοε 2026 στις 10:15 π.μ., ο/η ${A} έγραψε:`,
  et: `Kuupäev R, 27. november 2026 kell 10:15 kirjutas ${A}:`,
  fa: `در تاریخ جمعه ۲۷ نوامبر ۲۰۲۶ ساعت ۱۰:۱۵ ${A} نوشت:`,
  he: `‫בתאריך יום ו׳, 27 בנוב׳ 2026 ב-10:15 מאת ‪${A}‬‏>:‬`,
  hi: `शुक्र, 27 नव॰ 2026 को 10:15 बजे को ${A} ने लिखा:`,
  hr: `pet, 27. stu 2026. u 10:15 ${A} napisao je:`,
  hu: `${A} ezt írta (időpont: 2026. nov. 27., P, 10:15):`,
  id: `Pada tanggal Jum, 27 Nov 2026 pukul 10.15 ${A} menulis:`,
  lt: `2026-11-27, pn, 10:15 ${A} rašė:`,
  lv: `piektd., 2026. g. 27. nov., plkst. 10:15 — lietotājs ${A} rakstīja:`,
  ro: `vin., 27 nov. 2026 la 10:15, ${A} a scris:`,
  sk: `pi 27. 11. 2026 o 10:15 ${A} napísal(a):`,
  sl: `V V pet., 27. nov. 2026 ob 10:15 je oseba ${A} napisala:`,
  th: `ในวันที่ ศ. 27 พ.ย. 2026 เวลา 10:15 ${A} เขียนว่า:`,
  tr: `${A}, 27 Kas 2026 Cum, 10:15 tarihinde şunu yazdı:`,
  uk: `пт, 27 лист. 2026 р. о 10:15 ${A} пише:`,
  vi: `Vào Th 6, 27 thg 11, 2026 vào lúc 10:15 ${A} đã viết:`,
};
const quote = '\n\n> We open at nine.\n> The desk';
for (const [language, line] of Object.entries(ATTRIBUTIONS)) {
  const start = line.indexOf('<');
  const forms = {
    'one line': line + quote,
    'broken before the address': `${line.slice(0, start).trimEnd()}\n${line.slice(start)}${quote}`,
    'broken behind its bracket': `${line.slice(0, start + 1)}\n${line.slice(start + 1)}${quote}`,
    'its second line marked as quoted': `${line.slice(0, start).trimEnd()}\n> ${line.slice(start)}\n> We open at nine.`,
  };
  for (const [form, quoted] of Object.entries(forms))
    test(`an attribution is no part of an answer: ${language}, ${form}`, () => {
      assert.equal(newText(`${BODY}\n\n${quoted}`, answer), BODY);
    });
}

test('attributions of programs that end none with a colon are no part of an answer', () => {
  const date = 'Fri, 27 Nov 2026 10:15:01 +0100';
  const zoho = ` ---- On ${date} desk@shop.example wrote ----\n\nWe open at nine.`;
  const yahoo = `  On Fri, Nov 27, 2026 at 10:15 AM, Desk<desk@shop.example> wrote:   We open at nine.\nThe desk`;
  for (const quoted of [zoho, yahoo]) assert.equal(newText(`${BODY}\n\n${quoted}`, answer), BODY);
});

test('a name above its address is a part of an attribution, a text above one is none', () => {
  const rest = `<desk@shop.example> 于2026年11月27日周五 10:15写道：${quote}`;
  assert.equal(newText(`${BODY}\n\n支持团队\n${rest}`, answer), BODY);
  assert.equal(newText(`${BODY}\n${rest}`, answer), BODY);
});

test('a form of the author is kept, whatever its labels', () => {
  for (const form of [
    'Name: Ann Holm\nMail: ann@home.example\nWhen: 27 November 2026 10:15\nWhere: Berlin',
    'Kimden: Berlin\nKime: Paris\nTarih: 27 Kasım 2026 10:15',
    'Kontakt: ann@home.example\nTermin: 27.11.2026 10:15',
    'Meet <desk@shop.example> at 10:15 on 27 Nov 2026 with these:\n- a pen\n- paper',
  ])
    assert.equal(newText(`Please note:\n\n${form}\n\nThank you.`, answer), `Please note:\n\n${form}\n\nThank you.`);
});

test('attributions that name no verb, or no date, or stand in several paragraphs are no part of an answer', () => {
  for (const quoted of [
    '2026-11-27 10:15 GMT+01:00 Desk Team\n\nWe open at nine.',
    '2026/11/27 Desk via Shop <desk@shop.example>\n\n| We open at nine.\n| The desk',
    'Desk Team <desk@shop.example> wrote:\n\nWe open at nine.',
    'On Fri, 27 Nov 2026 at 10:15 Desk\n\n<\nmailto:Desk <desk@shop.example>\n> wrote:\n\nWe open at nine.',
    '*-------- Original Message --------*\n\nWe open at nine.',
    'Da: Desk\nRisposta: Desk\nData: venerdì 27 novembre 2026 10:15\nA: Ann\nOggetto: Orari\n\nApriamo alle nove.',
  ])
    assert.equal(newText(`${BODY}\n\n${quoted}`, answer), BODY, quoted);
});

test('signatures below two dashes of a name or a salutation, and lines of devices, are no part of an answer', () => {
  for (const below of [
    '--\nStefan Kohl @stefan\nEditor, Journal of Open Data',
    '--\nViele Grüße / Best regards\n\nBob',
    'Sent from my desk',
    'Sent from my TI-85',
    'Verzonden met BlackBerry Work\nGet [Outlook for Android](https://example.com/x)',
    'Von meinem Mobilgerät gesendet',
    '~~~~~\n======',
  ])
    assert.equal(newText(`${BODY}\n\n${below}`, answer), BODY, below);
});

test('what may be said by the author is kept, though it looks like a signature or an attribution', () => {
  for (const text of [
    'I got it.\n\nSent from my desk at work, so please call.',
    'Here it is.\n\nSent from my desk, which is easier than my mobile phone.',
    'Please order:\n\n--\nRed Team',
    'Options\n--\nNew York',
    'How good was it?\n\n****',
    '2026-11-27 Meet Bob Kohl <bob@shop.example>\n\nBring a pen.',
    'Costs:\n\n| item | price |\n|------|-------|\n| pen | 2 |',
  ])
    assert.equal(newText(text, answer), text);
});

/** What Apple Mail writes above a mail that it forwards, by language. */
const FORWARD_LINES = [
  'Begin forwarded message:',
  'Anfang der weitergeleiteten Nachricht:',
  'Début du message réexpédié :',
  'Inicio del mensaje reenviado:',
  'Inizio messaggio inoltrato:',
  'Begin doorgestuurd bericht:',
  'Início da mensagem reencaminhada:',
  'Początek przekazywanej wiadomości:',
  'Vidarebefordrat mejl:',
  'Videresendt melding:',
  'Start på videresendt besked:',
  'Välitetty viesti alkaa:',
  'Začátek přeposílané zprávy:',
  'Továbbított levél kezdete:',
  'Начало переадресованного сообщения:',
  'Початок листа, що пересилається:',
  'İleti başlangıcı:',
  '以下是转发的邮件：',
  '転送されたメッセージ：',
  '전달된 메시지:',
];
for (const line of FORWARD_LINES)
  test(`what stands above a forwarded mail that is cut is cut with it: ${line}`, () => {
    const mail =
      'From: Desk <desk@shop.example>\nSubject: Opening hours\nDate: 27 November 2026 at 10:15:03 CET\nTo: Ann\n\nWe open.';
    for (const quoted of [mail, mail.replace(/^/gm, '> ')])
      for (const space of ['\n', '\n\n', '\n\n\n'])
        assert.equal(newText(`${BODY}\n\n${line}${space}${quoted}`, answer), BODY);
    assert.equal(newText(`${line}\n\nBring a pen.`, answer), `${line}\n\nBring a pen.`);
  });

const UNKNOWN = 'Kutoka: Desk<br>Ilitumwa: Ijumaa 27 Novemba 2026 10:15<br>Kwa: Ann<br>Mada: Saa';
const QUOTES: Readonly<Record<string, string>> = {
  'of Outlook by name': `<hr><div id="divRplyFwdMsg" dir="ltr"><font>${UNKNOWN}</font></div><div>We open at nine.</div>`,
  'of Outlook by border': `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>${UNKNOWN}</b></p></div></div><p>We open at nine.</p>`,
  'of Outlook on phones': `<div id="mail-editor-reference-message-container"><div>${UNKNOWN}</div><div>We open at nine.</div></div>`,
  'of Gmail': `<div class="gmail_quote"><div dir="ltr" class="gmail_attr">Desk aliandika Ijumaa<br></div><blockquote class="gmail_quote">We open at nine.</blockquote></div>`,
  'of Yahoo': `<div id="yqt1" class="yahoo_quoted"><div>Ijumaa Desk aliandika</div><div>We open at nine.</div></div>`,
  'of Zoho': `<div class="zmail_extra" style="border:1px"><div>Ijumaa Desk aliandika</div><blockquote>We open at nine.</blockquote></div>`,
};
const MARKED: Readonly<Record<string, string>> = {
  'of Thunderbird':
    '<div class="moz-cite-prefix">Ijumaa Desk aliandika<br></div><blockquote type="cite">We open.</blockquote>',
  'of Proton Mail':
    '<div class="protonmail_quote">Ijumaa Desk aliandika<br><blockquote type="cite">We open.</blockquote></div>',
  'of Roundcube':
    '<p id="reply-intro">Ijumaa, Desk aliandika:</p><blockquote type="cite"><div>We open.</div></blockquote>',
  'of Airmail': '<p class="airmail_on">Ijumaa Desk aliandika</p><blockquote class="clean_bq">We open.</blockquote>',
  'of Mailspring':
    '<div class="gmail_quote_attribution">Ijumaa Desk</div><blockquote class="gmail_quote">We open.</blockquote>',
  'of Outlook on Macs': `<span id="OLK_SRC_BODY_SECTION"><div>${UNKNOWN}</div><div>We open.</div></span>`,
  'of Zimbra': `<hr id="zwchr"><div data-marker="__HEADERS__">${UNKNOWN}</div><div data-marker="__QUOTED_TEXT__">We open.</div>`,
  'of Outlook in Burmese': `<hr><div id="divRplyFwdMsg">${UNKNOWN.replace('27 Novemba 2026 10:15', '၂၇၊ ၂၀၂၆ ၁၀:၁၅')}</div><div>We open.</div>`,
  'of Outlook in Canadian French': `<hr><div id="divRplyFwdMsg">${UNKNOWN.replace('10:15', '10 h 15')}</div><div>We open.</div>`,
};
const htmlMail = (subject: string, html: string): Buffer =>
  Buffer.from(
    `From: ann@home.example\r\nTo: desk@shop.example\r\nIn-Reply-To: <a@shop.example>\r\nSubject: ${subject}\r\n` +
      `Content-Type: text/html; charset=utf-8\r\n\r\n${html}`,
  );
for (const [program, html] of Object.entries({ ...QUOTES, ...MARKED }))
  test(`what HTML marks as quoted is no part of an answer in any language: ${program}`, async () => {
    const { body } = await readHere(
      htmlMail('Re: Hours', `<div>Yes, that suits us.<br>See you there.</div><br>${html}`),
    );
    assert.equal(body, BODY);
  });

test('what HTML marks as an attribution above a forwarded mail is kept', async () => {
  const head =
    '---------- Forwarded message ---------<br>From: Desk &lt;desk@shop.example&gt;<br>Date: Fri, 27 Nov 2026';
  const html = `<div class="gmail_quote"><div class="gmail_attr">${head}</div><p>We open at nine.</p></div>`;
  const { body } = await readHere(htmlMail('Fwd: Hours', `<div>See below.</div>${html}`));
  assert.match(body, /^See below\.\n+-{10} Forwarded message -{9}\nFrom: Desk/);
  assert.match(body, /We open at nine\.$/);
});

test('a short answer is found above much quoted history', () => {
  const history = 'On Fri, 27 Nov 2026 at 10:15 Desk <desk@shop.example> wrote:\n';
  for (const line of ['> We open at nine.\n', 'We open at nine.\n'])
    assert.equal(newText(`${BODY}\n\n${history}${line.repeat(50_000)}`, answer), BODY);
});

test('a short answer is found above quotes of HTML that are deep within each other', async () => {
  const line = '<p>We open at nine and close at five.</p>';
  const quote = `${'<blockquote>'.repeat(200)}${line.repeat(5_000)}${'</blockquote>'.repeat(200)}`;
  const html = `<p>Yes.</p><p>On Fri, 27 Nov 2026 at 10:15 Desk &lt;desk@shop.example&gt; wrote:</p>${quote}`;
  const { body, text } = await readHere(htmlMail('Re: Hours', html));
  assert.equal(body, 'Yes.');
  assert.ok(text.length < 3 * html.length, `${text.length}`);
});
