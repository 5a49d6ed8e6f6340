import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHere } from './harness.ts';

const reasonOf = async (fields: string, body = 'I am away.'): Promise<string | null> =>
  (await readHere(`${/^from:/i.test(fields) ? '' : 'From: Ann <ann@home.example>\n'}${fields}\n\n${body}\n`)).automatic;

test('authors that read no answers get none, in the spellings of many languages', async () => {
  for (const local of [
    ...['notreply', 'not-reply', 'no-email', 'autoreply', 'auto-reply', 'autoresponder', 'auto-confirm', 'automated'],
    ...['unattended', 'devnull', 'nobody', 'www-data', 'cron', 'antworten-verboten', 'neodpovedajte', 'neotvechaite'],
    ...['no-raspunde', 'cevapvermeyin', 'khongtraloi', 'alerts.noreply', 'system-noreply', 'noreponse'],
  ])
    assert.equal(await reasonOf(`From: <${local}@shop.example>\nSubject: s`), 'auto_submitted', local);
  for (const local of [
    'norepl',
    'piano-respondents',
    'reply',
    'casino.reply',
    'kyoto-reply',
    'root',
    'nora',
    'automat',
  ])
    assert.equal(await reasonOf(`From: <${local}@shop.example>\nSubject: s`), null, local);
});

/** What begins the subjects of away notices; people begin conversations with them too. */
const ABSENT = [
  ...['Vacation', 'On vacation', 'Away', 'Abwesend', 'Abwesenheit', 'Außer Haus', 'Urlaub', 'Absence', 'En congé'],
  ...['Ausente', 'Férias', 'Assenza', 'Afwezig', 'Frånvaro', 'Fravær', 'Poissa', 'Nieobecność', 'Poza biurem'],
  ...['Nepřítomnost', 'Mimo kancelář', 'Házon kívül', 'Ofis dışında', 'Нет на месте', 'Вне офиса', 'В отпуске'],
];
test('an answer whose subject begins with an absence is of an autoresponder, a conversation about one is not', async () => {
  for (const word of ABSENT) {
    assert.equal(await reasonOf(`Subject: ${word}: Hours\nIn-Reply-To: <1@shop.example>`), 'auto_submitted', word);
    assert.equal(await reasonOf(`Subject: ${word}: which days?`), null, word);
    assert.equal(await reasonOf(`Subject: Re: ${word}: which days?\nIn-Reply-To: <1@shop.example>`), null, word);
  }
  for (const subject of ['I am out of office', 'I’m on vacation until Monday', 'I am currently away'])
    assert.equal(await reasonOf(`Subject: ${subject}\nIn-Reply-To: <1@shop.example>`), 'auto_submitted', subject);
});

test('away notices say so in further spellings', async () => {
  for (const word of [
    ...['OOF', 'Out-of-office', 'Out Of Office Notification', 'Autom. Antwort', "Réponse d'absence", 'Otomatik cevap'],
    ...[
      'Absent(e) du bureau ',
      'Contestación automática',
      'Ausente do escritório',
      'Automaattivastaus',
      'Автовідповідь',
    ],
  ])
    assert.equal(await reasonOf(`Subject: ${word}: Re: Hours`), 'auto_submitted', word);
  assert.equal(await reasonOf('Subject: 【自動返信】Re: Hours'), 'auto_submitted');
});

test('programs are known by fields of their own, and calendars by the names of their files', async () => {
  for (const field of [
    'X-Yahoo-Vacation: x',
    'X-Amazon-Auto-Reply: true',
    'X-FreeScout-Mail-Type: auto.reply',
    'X-Mailer: vacation 1.2',
    'X-Away: yes',
  ])
    assert.equal(await reasonOf(`Subject: s\n${field}`), 'auto_submitted', field);
  assert.equal(await reasonOf('Subject: s\nX-Precedence: bulk'), 'precedence');
  assert.equal(await reasonOf('Subject: s\nX-FreeScout-Mail-Type: customer.message'), null);
  const calendar = (method: string): Promise<string | null> =>
    reasonOf(
      'Subject: Accepted\nContent-Type: application/octet-stream; name=reply.ics',
      `BEGIN:VCALENDAR\nMETHOD:${method}\nEND:VCALENDAR`,
    );
  assert.deepEqual([await calendar('REPLY'), await calendar('REQUEST')], ['auto_submitted', null]);
});
