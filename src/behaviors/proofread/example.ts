import type { Example } from '../../core/behavior.ts';

/** Really given like this: tests/proofread/behavior.test.ts compares. */
export const EXAMPLE: Example = {
  body: 'I recieved three message from teh support, but there answer dont help.',
  reply: [
    "I received three messages from the support, but their answer doesn't help.",
    '',
    '---',
    '',
    '**5 corrections**',
    '',
    '1. `recieved` → `received`: “recieved” is not spelled right; “received” is the word that fits.',
    '2. `message` → `messages`: “three” means more than one, so the plural “messages” follows.',
    '3. `teh` → `the`: The article is spelled “the”.',
    '4. `there` → `their`: “their” says whose, “there” names a place or that something exists, “they’re” is “they are”.',
    "5. `dont` → `doesn't`: “dont” is not spelled right; “don't” is the word that fits. “answer” is a singular, and the verb agrees with it.",
    '',
  ].join('\n'),
};
