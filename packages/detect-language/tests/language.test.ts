import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEffort } from '../../../tests/harness/effort.ts';
import { detectLanguage, languageByWords } from '../index.ts';

const MESSAGES: readonly (readonly [string, string])[] = [
  ['en', 'Hi, how are you?'],
  ['en', 'Hello'],
  ['en', 'thanks a lot!'],
  ['en', 'Who are you?'],
  ['en', 'Good morning'],
  ['en', 'Meeting at 5pm'],
  ['en', 'no problem'],
  ['fr', 'Bonjour, comment ça va ?'],
  ['fr', 'merci beaucoup'],
  ['fr', 'Je ne sais pas'],
  ['de', 'Hallo! Wer bist du?'],
  ['de', 'danke schön'],
  ['de', 'Was machst du beruflich?'],
  ['es', 'Hola, ¿quién eres?'],
  ['es', 'buenos dias'],
  ['it', 'Ciao, chi sei?'],
  ['it', 'grazie mille'],
  ['pt', 'Olá, quem é você?'],
  ['nl', 'dank je wel'],
  ['sv', 'Vem är du?'],
  ['pl', 'Kim jesteś?'],
  ['tr', 'Sen kimsin?'],
  ['ru', 'Кто ты?'],
  ['uk', 'Хто ти? Що це є'],
  ['ja', 'あなたは誰ですか'],
  ['zh', '你是谁'],
  ['ko', '당신은 누구입니까'],
  ['ar', 'من أنت؟'],
  ['el', 'Ποιος είσαι;'],
  ['hi', 'आप कौन हैं'],
];

test('a message of a few words is recognized in its language', () => {
  for (const [language, message] of MESSAGES) assert.equal(detectLanguage(message), language, message);
});

test('English with many mistakes is English', () => {
  for (const message of [
    'I has two cat',
    'She dont like it',
    'ok see you tomorow',
    'their is many problem',
    'He go to school every day',
    'Informations about the product',
    'I am agree with you',
    'Your welcome',
    'teh quick borwn fox jump over the lazy dog',
  ]) {
    assert.equal(detectLanguage(message), 'en', message);
  }
});

test('a greeting of words that one language alone has needs no statistics', () => {
  for (const [language, message] of [
    ['en', 'Hi'],
    ['en', 'hello there!'],
    ['fr', 'Bonjour'],
    ['de', 'Danke'],
  ] as const)
    assert.equal(languageByWords(message), language, message);
  assert.equal(languageByWords('no'), undefined);
});

test('ids and figures are of no language, which is told without statistics', () => {
  for (const message of ['t3fa9c01d2e4b', 'order-7f3a9c 2026-11-26T10:00Z', 'x1', '£5 #a1 https://example.com/7'])
    assert.equal(languageByWords(message), null, message);
  for (const message of ['order 7f3a9c', 'Größe42', 'слово7'])
    assert.equal(languageByWords(message), undefined, message);
});

test('what cannot be told is null, not a guess', () => {
  for (const message of ['', '12345', '🎉🎉', '...', 'asdf', 'lol', '\ud800', '\u0000']) {
    assert.equal(detectLanguage(message), null, JSON.stringify(message));
  }
});

test('a long text is recognized by its beginning, at once', async () => {
  await assertEffort(50, 'a long text', () =>
    assert.equal(detectLanguage('The quick brown fox jumps over the lazy dog. '.repeat(6_000)), 'en'),
  );
});
