import type { Domain } from '../../language/grammar.ts';
import { rule } from './rules.ts';
import { asks } from './setting.ts';

/** Palindromes and anagrams. */
export const SAME_LETTERS: Domain = {
  lexicon: {
    CHECK: 'is|check if|check whether|are',
    WORDS: 'the word|the words|the phrase|the text|the sentence|the number',
    ANAGRAMS: 'anagrams|anagram|anagrams of each other|an anagram of each other',
  },
  rules: [
    rule('request = CHECK WORDS? <source> is? a? palindrome', ([{ text }]) => asks('text', { op: 'palindrome', text })),
    rule('request = CHECK WORDS? <number:whole> is? a? palindrome', ([{ expr }]) =>
      asks('text', { op: 'palindrome', text: expr }),
    ),
    rule(
      'request = CHECK WORDS? <source> (and|,) <source> are? ANAGRAMS',
      'CHECK WORDS? <source> is? an anagram of <source>',
      ([a, b]) => asks('text', { op: 'anagram', text: a.text, other: b.text }),
    ),
  ],
};
