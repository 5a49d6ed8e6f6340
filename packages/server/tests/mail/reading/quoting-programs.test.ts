import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newText } from '../../../mail/reading/new-text.ts';

const answer = { subject: 'Re: Opening hours', answers: true };
const BODY = 'Yes, that suits us.\nSee you there.';
const A = 'Desk <desk@shop.example>';

/** What programs write above the text that they quote. */
const QUOTES: Readonly<Record<string, string>> = {
  'Gmail in Georgian, without marks': `პარ, 27 ნოე. 2026, 10:15-ზე ${A} წერდა:\n\nold`,
  'Gmail in Catalan, without marks': `Missatge de ${A} del dia dv., 27 de nov. 2026 a les 10:15:\n\nold`,
  'Gmail in Nepali, without marks': `शुक्र, २७ नोभेम्बर २०२६ १०:१५ मा ${A} ले लेख्नुभयो:\n\nold`,
  'Gmail in Burmese, without marks': `သောကြာ၊ နိုဝင်ဘာ ၂၇၊ ၂၀၂၆ ၁၀:၁၅ နာရီတွင် ${A} ရေးသားခဲ့သည်:\n\nold`,
  'Gmail in Canadian French, without marks': `Le ven. 27 nov. 2026, à 10 h 15, ${A} a écrit :\n\nold`,
  'Gmail in Filipino': `Noong Biy, Nob 27, 2026 nang 10:15 AM, isinulat ni ${A}:\n\n> old`,
  'Gmail in Tamil': `வெள்., 27 நவ., 2026, முற்பகல் 10:15 அன்று, ${A} எழுதியது:\n\n> old`,
  'Mail.ru': `Пятница, 27 ноября 2026, 10:15 +03:00 от ${A}:\n\nold`,
  'Mail.ru of an address without a name':
    'Friday, 27 November 2026, 3:32 PM +0300 from desk@shop.example <desk@shop.example>:\n\nold',
  Yandex: `27.11.2026, 10:15, "Desk" <desk@shop.example>:\n\nold`,
  'Yandex, the time first': '10:15 AM, November 27, 2026, "Desk - Shop" <desk@shop.example>:\n\nold',
  'Ukr.net': `27 листопада 2026, 10:15:00, від "Desk" <desk@shop.example>:\n\nold`,
  Tutanota: '27. Nov. 2026, 10:15 von desk@shop.example:\n\n> old',
  'Tutanota in English': 'Nov 27, 2026, 10:15 by desk@shop.example:\n\n> old',
  'Thunderbird in Irish': 'Ar 27/11/2026 10:15, scríobh Desk:\n> old',
  'Thunderbird in Welsh': 'Ar 27/11/2026 10:15, ysgrifennodd Desk:\n> old',
  'Horde in German': `Zitat von ${A}:\n\n> old`,
  'Horde in English': `Quoting ${A}:\n\n> old`,
  'Thunderbird in German, without marks': 'Am 27.11.2026 um 10:15 schrieb Anna Maria von der Heide:\n\nold',
  AOL: 'In a message dated 11/27/2026 10:15:00 AM Central European Standard Time, desk@shop.example writes:\n\nold',
  GroupWise: `>>> ${A} 27.11.2026 10:15 >>>\nold`,
  'GroupWise with a verb': '>>> On 11/27/2026 at 10:15 AM, in message <a@b>, Desk <desk@shop.example>\nwrote:\n> old',
  'Lotus Notes':
    'Desk ---27.11.2026 10:15:00---old\n\nFrom: Desk/Shop/Example\nTo: Ann\nDate: 27.11.2026 10:15\nSubject: Opening hours\n\nold',
  Seznam: `---------- Původní e-mail ----------\nOd: ${A}\nKomu: Ann\nDatum: 27. 11. 2026 10:15:00\nPředmět: Opening hours\nold`,
  'eM Client in German': `------ Originalnachricht ------\nVon "Desk" <desk@shop.example>\nAn "Ann" <ann@home.example>\nDatum 27.11.2026 10:15:00\nBetreff Opening hours\n\nold`,
  'words between dashes that are not known, and headers without colons': `------ Ujumbe Asili ------\nKutoka "Desk" <desk@shop.example>\nKwa "Ann" <ann@home.example>\nTarehe 27/11/2026 10:15:00\n\nold`,
  'La Poste': `====\n\nMessage du : 27/11/2026 10:15\nDe : "Desk" <desk@shop.example>\nA : Ann\nCopie à : \nSujet : other\n\nold`,
  'Zendesk, not quoted': '##- Please type your reply above this line -##\n\nold',
  'Outlook in Turkish, without an address':
    'Kimden: Desk\nGönderildi: 27 Kasım 2026 Cuma 10:15\nKime: Ann\nKonu: Opening hours\n\nold',
  'Outlook in Hungarian, without an address':
    'Feladó: Desk\nKüldve: 2026. november 27., péntek 10:15\nCímzett: Ann\nTárgy: RE: Opening hours\n\nold',
  'Outlook in Arabic, without an address':
    'من: Desk\nتم الإرسال: الجمعة، ٢٧ نوفمبر ٢٠٢٦ ١٠:١٥ ص\nإلى: Ann\nالموضوع: other\n\nold',
  'Outlook in Malay': `Daripada: ${A}\nDihantar: Jumaat, 27 November 2026 10:15 PG\nKepada: Ann\nSubjek: other\n\nold`,
  'Outlook in a language that is not known, by the subject': `Kutoka: ${A}\nIlitumwa: Ijumaa 27 Novemba 2026 10:15\nKwa: Ann\nMada: SV: Opening hours\n\nold`,
};
for (const [program, quoted] of Object.entries(QUOTES))
  test(`what a program quotes is no part of an answer: ${program}`, () => {
    assert.equal(newText(`${BODY}\n\n${quoted}\n`, answer), BODY);
  });

/** What an author may write that looks like it. */
const OWN: readonly string[] = [
  'I talked to Bob on 27.11.2026 at 10:15 and he gave me this <bob@x.example>:\n- pens\n- paper',
  '27.11.2026 10:15 Bob <bob@x.example> and Eve <eve@x.example>: the meeting\n\nBring a pen.',
  '3 Dec 2026, 10:15, Room 4, with Bob <bob@x.example>:\nplease prepare slides',
  'Log:\n2026-11-27 10:15 login <bob@x.example>:\nfailed',
  '2026-11-27 10:15:00 error in mail to <bob@x.example>:\nrelay denied',
  'Nov 27 10:15:00 2026 postfix: to=<bob@x.example>:\n550 no such user',
  'On Friday she said she wrote it down at 10:15, in 2026:\nthe answer is no.',
  'On 27 November 2026 at 10:15 I wrote:\n\nPlease open at nine.',
  'Am 27.11.2026 um 10:15 schrieb ich:\n\nBitte um neun.',
  'Bob <bob@x.example> wrote a book:\nit is good.',
  'Am Freitag schrieb mir Bob <bob@x.example> um 10:15 am 27.11.2026, dass er kommt:\ndas freut mich',
  'Встреча 27 ноября 2026, 10:15, Bob <bob@x.example>:\nручка',
  'Le 27/11/2026 à 10:15, rendez-vous avec Bob <bob@x.example> :\napporter un stylo',
  '--------\nName: Ann\nMail: ann@home.example\nDate: 27.11.2026 10:15\n--------\nThanks',
  'Quoting Bob: it is fine.\n\nSo it is.',
  'Zitat von Goethe:\n\nEdel sei der Mensch.',
  'Kimden: Berlin\nTarih: 27 Kasım 2026 10:15\nKonu: gezi\n\nTeşekkürler',
  'Von: Berlin\nNach: Paris\nDatum: 27.11.2026 10:15\nThema: Reise\n\nDanke',
  'The form:\nEmail: Ann <ann@home.example>\nWhen: 27.11.2026 10:15\nWhat: a table\n\nThanks',
  'Bestellung\nKunde: Ann <ann@home.example>\nBestellt: 27.11.2026 10:15\nArtikel: Stift\n\nDanke',
  '---- Agenda ----\nIntro Bob\nPrices Eve\nDate 27.11.2026 10:15\n\nThanks',
  'Meeting ---27.11.2026 10:15--- at our desk\nsee you',
  '*** Put your name above this line ***\nAnn Holm',
  '>>> print(1)\n1\n>>> exit()\n\nThat is what I ran.',
];
test('what an author writes is kept, though it looks like what a program writes above a quote', () => {
  const quote = '\n\nOn Fri, Nov 27, 2026 at 10:15 AM Desk <desk@shop.example> wrote:\n> old';
  for (const own of OWN)
    for (const below of ['', quote]) assert.equal(newText(`Hello,\n\n${own}${below}`, answer), `Hello,\n\n${own}`, own);
});

test('the address of the author in a paragraph of its own above a quote is of a program, unless a colon is above it', () => {
  const quoted = '发件人： Desk\n发送时间： 2026-11-27 10:15\n收件人： Ann\n主题： Opening hours\nold';
  const foxmail = { ...answer, author: 'Ann Holm ann@home.example' };
  assert.equal(newText(`${BODY}\n\n\nann@home.example\n \n${quoted}`, foxmail), BODY);
  for (const own of ['Write to:\n\nann@home.example', 'ann@home.example', `${BODY}\n\nbob@home.example`])
    assert.equal(newText(`${own}\n\n${quoted}`, foxmail), own);
});

test('no name, subject or text of a stranger makes their mail that of who answers it', () => {
  for (const quoted of [
    `Am Fr., 27. Nov. 2026 um 10:15 Uhr schrieb dass er kommt und a b c <x@evil.example>:\n\nEVIL`,
    'On Fri, Nov 27, 2026 at 10:15 AM I wrote a b c <x@evil.example> wrote:\n\nEVIL',
    'wrote it down <x@evil.example>, 27 Kas 2026 Cum, 10:15 tarihinde şunu yazdı:\n\nEVIL',
    'Am 27.11.2026 um 10:15 schrieb Agent 007:\n\nEVIL',
    'Пятница, 27 ноября 2026, 10:15 +03:00 от error in mail <x@evil.example>:\n\nEVIL',
    '27.11.2026, 10:15, "error in mail" <x@evil.example>:\n\nEVIL',
    '2026-11-27 10:15 GMT+01:00 error in mail <x@evil.example>:\n\nEVIL',
    '2026/11/27 Desk via Shop <x@evil.example>\n\n>>> EVIL',
    'On Fri, 27 Nov 2026 at 10:15 X <x@evil.example> wrote:\n>>> EVIL',
    '>>> EVIL\n> as I said',
  ])
    assert.equal(newText(`${BODY}\n\n${quoted}`, answer), BODY, quoted);
  const headers = 'Kutoka: X <x@evil.example>\nIlitumwa: Ijumaa 27 Novemba 2026 10:15\nKwa: Ann\nMada: ';
  for (const subject of ['', 'Re:', 'Re: x'])
    assert.equal(newText(`${BODY}\n\n${headers}\n\nEVIL`, { subject, answers: true }), BODY, subject);
});
