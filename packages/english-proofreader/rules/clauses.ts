import { baseOf } from '../forms.ts';
import { frequency } from '../frequency.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { isOne, isWord, type Rule, replace, words } from './rule.ts';

const OBJECT_OF: Readonly<Record<string, string>> = {
  i: 'me',
  he: 'him',
  she: 'her',
  we: 'us',
  they: 'them',
  you: 'you',
  it: 'it',
};

/** "I want that you help me": whom one wants to do it stands behind “want”, and then “to”. */
export const wantSomeoneTo: Rule = {
  id: 'want-someone-to',
  kind: 'grammar',
  words: 'want wants wanted',
  fixes: { 'I want that you help me.': 'I want you to help me.' },
  leaves: ['I want that book you read.', 'All I want that I can have is tea.', 'She wanted that to change.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const that = sentence[i + 1];
      if (!isOne(token, words('want wants wanted')) || that?.lower !== 'that' || that.locked) continue;
      const start = skipDeterminer(sentence, i + 2);
      const pronoun = sentence[i + 2]?.lower ?? '';
      const object = Object.hasOwn(OBJECT_OF, pronoun) ? OBJECT_OF[pronoun] : undefined;
      const end = object === undefined ? (start > i + 2 ? nounPhraseEnd(sentence, start) : undefined) : i + 2;
      const verb = sentence[(end ?? 0) + 1];
      if (
        end === undefined ||
        !isWord(verb) ||
        verb.pos !== 'VERB' ||
        sentence.slice(0, i).some(({ lower }) => /^(?:what|all|everything)$/.test(lower))
      )
        continue;
      const base = baseOf(verb.lower);
      if (/ing$/.test(verb.lower) || frequency(base) < 3_000_000) continue;
      const whom =
        object ??
        sentence
          .slice(i + 2, end + 1)
          .map(({ text }) => text)
          .join(' ');
      yield replace(
        that,
        verb,
        `${whom} to ${base}`,
        `“${token.text}” is followed by the person and “to”: “${whom} to ${base}”.`,
      );
    }
  },
};

const SIMPLE = words('always never usually often');
const PERSONS = words('i we they he she you');
/** "I go always to bed late": these adverbs stand before the verb. */
export const adverbBeforeVerb: Rule = {
  id: 'adverb-before-verb',
  kind: 'grammar',
  words: 'always never usually often',
  fixes: { 'I go always to bed late.': 'I always go to bed late.', 'Always I drink tea.': 'I always drink tea.' },
  leaves: [
    'He has always been late.',
    'I am never late.',
    'He promised never to go.',
    'She came, always late, at ten.',
  ],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, SIMPLE)) continue;
      const [earlier, verb] = [sentence[i - 2], sentence[i - 1]];
      const [next, after] = [sentence[i + 1], sentence[i + 2]];
      const opens = i === 0 || isOne(verb, words('and but because so'));
      if (opens && token.lower === 'always' && isOne(next, PERSONS) && next !== undefined && after?.pos === 'VERB') {
        const subject = next.text === 'I' || i > 0 ? next.text : next.text.charAt(0).toUpperCase() + next.text.slice(1);
        const why = `“${token.lower}” stands before the verb “${after.text}”.`;
        yield { start: token.start, end: next.end, replacement: `${subject} ${token.lower}`, explanation: why };
      }
      if (!isWord(verb) || verb.pos !== 'VERB' || !isOne(earlier, PERSONS) || /ing$/.test(verb.lower)) continue;
      if (!/^(?:DET|PRON|ADP|PART|NOUN|ADJ|NUM)$/.test(next?.pos ?? '')) continue;
      if (next?.lower === 'to' && token.lower === 'never') continue;
      if (
        token.lower === 'often' &&
        (!/^(?:DET|NOUN)$/.test(next?.pos ?? '') || isOne(next, words('this these those')))
      )
        continue;
      if (isOne(verb, words('have has had is was are were be been do does did'))) continue;
      if (sentence[i - 3]?.pos === 'AUX' || isOne(sentence[i - 3], words('do does did had has have'))) continue;
      yield replace(
        verb,
        token,
        `${token.lower} ${verb.lower}`,
        `“${token.lower}” stands before the verb “${verb.text}”.`,
      );
    }
  },
};
