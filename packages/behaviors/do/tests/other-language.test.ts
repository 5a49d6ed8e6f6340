import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionInLanguage } from '../reading/other-language.ts';

/** Instructions of each language, and how its answer begins. */
const FOREIGN: Readonly<Record<string, readonly string[]>> = {
  'Ich verstehe': [
    'Erinnere mich morgen um 9 an den Zahnarzt',
    'Was ist 15% von 80?',
    'sende hallo an bob@acme.example.com',
  ],
  'Je ne comprends': ["Rappelle-moi demain à 9h d'appeler Anne", 'Combien font 12 fois 7 ?', 'convertis 5 km en miles'],
  'Solo entiendo': ['Recuérdame mañana a las 9 llamar a Ana', '¿Cuánto es 15 por ciento de 80?', 'ordena esta lista'],
  Capisco: ['Ricordami domani alle 9 di chiamare Anna', 'Quanto fa 12 per 7?'],
  'Só entendo': ['Lembre-me amanhã às 9 de ligar para Ana', 'Quanto é 15% de 80?'],
  'Ik begrijp': ['Herinner me morgen om 9 uur aan de tandarts', 'Hoeveel is 12 keer 7?'],
  Rozumiem: ['Przypomnij mi jutro o 9, żeby zadzwonić do Anny', 'Ile to jest 12 razy 7?'],
  'Jag förstår': ['Påminn mig imorgon klockan 9'],
  'Yalnızca İngilizce': ["Yarın saat 9'da bana hatırlat"],
  英語の: ['明日の9時に歯医者をリマインドして', '15の80パーセントはいくつですか'],
  我只能: ['明天早上9点提醒我看牙医', '12乘以7等于多少'],
  '영어로 된': ['내일 9시에 알려줘'],
  'Я понимаю': ['напомни мне завтра в 9 позвонить Анне'],
  'Я розумію': ['нагадай мені завтра о 9'],
  أفهم: ['ذكرني غدا في الساعة التاسعة'],
};

for (const [begins, all] of Object.entries(FOREIGN))
  for (const says of all)
    test(`${JSON.stringify(says)} is answered in its language, with what works`, () => {
      const answer = questionInLanguage(says) ?? '';
      assert.ok(answer.startsWith(begins), answer);
      assert.match(answer, /`remind me tomorrow at 9 to call Ann`/);
      assert.match(answer, /"steps"/);
    });

for (const says of [
  'solve 2x + 3 = 11 for x',
  '3 times as much as 15',
  'add eggs to my shopping list',
  'what is "Guten Morgen, wie geht es dir" in English',
  'ask hello@agents.example.com (in German) who they are',
  'translate mañana to German',
  'who is Karl von der Heide',
  'x',
  '',
])
  test(`${JSON.stringify(says)} is no instruction in another language`, () =>
    assert.equal(questionInLanguage(says), undefined));
