import type { Domain } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import type { Num } from './number.ts';
import type { Source } from './selecting.ts';
import { asks } from './setting.ts';

/** Palindromes and anagrams. */
export const SAME_LETTERS: Domain = {
  lexicon: {
    CHECK: 'is|check if|check whether|are',
    WORDS: 'the word|the words|the phrase|the text|the sentence|the number',
    ANAGRAMS: 'anagrams|anagram|anagrams of each other|an anagram of each other',
  },
  rules: [
    rule('request', 'CHECK WORDS? <source> is? a? palindrome', ([{ text }]: [Source]) =>
      asks('text', { op: 'palindrome', text }),
    ),
    rule('request', 'CHECK WORDS? <number:whole> is? a? palindrome', ([{ expr }]: [Num]) =>
      asks('text', { op: 'palindrome', text: expr }),
    ),
    rule(
      'request',
      ['CHECK WORDS? <source> (and|,) <source> are? ANAGRAMS', 'CHECK WORDS? <source> is? an anagram of <source>'],
      ([a, b]: [Source, Source]) => asks('text', { op: 'anagram', text: a.text, other: b.text }),
    ),
  ],
};
