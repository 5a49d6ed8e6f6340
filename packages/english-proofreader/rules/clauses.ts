import { baseOf, gerund, isPlural } from '../forms.ts';
import { frequency } from '../frequency.ts';
import { nounPhraseEnd, skipDeterminer } from './noun-phrase.ts';
import { isCountable } from './nouns.ts';
import { insertBefore, isAdjective, isOne, isWord, type Rule, replace, words } from './rule.ts';

const BE_OF: Readonly<Record<string, string>> = { i: 'am', he: 'is', she: 'is', it: 'is', we: 'are', they: 'are' };
const OBJECT_OF: Readonly<Record<string, string>> = {
  i: 'me',
  he: 'him',
  she: 'her',
  we: 'us',
  they: 'them',
  you: 'you',
  it: 'it',
};

/** "She reading a book now": a form with “ing” needs “be”. */
export const beBeforeGerund: Rule = {
  id: 'be-before-gerund',
  kind: 'verb_form',
  words: 'i he she we they',
  fixes: { 'She reading a book now.': 'She is reading a book now.' },
  leaves: ['They going first, we waited outside.', 'She loved reading.', 'I saw him reading.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const be = BE_OF[token.lower];
      if (be === undefined || !Object.hasOwn(BE_OF, token.lower) || token.locked || token.lower === 'it') continue;
      if (i > 0 && !isOne(sentence[i - 1], words('because but so and today now if when that'))) continue;
      const verbPlace = isOne(sentence[i + 1], words('not always still also just now')) ? i + 2 : i + 1;
      const verb = sentence[verbPlace];
      const base = baseOf(verb?.lower ?? '');
      if (
        !isWord(verb) ||
        verb.pos !== 'VERB' ||
        verb.lower !== gerund(base) ||
        base === verb.lower ||
        frequency(base) < 3_000_000
      )
        continue;
      const rest = sentence.slice(verbPlace + 1);
      const end = rest.findIndex(({ pos, text }) => /^(?:CCONJ|SCONJ)$/.test(pos) || /^[,;:]$/.test(text));
      const clause = end < 0 ? rest : rest.slice(0, end);
      if (rest[end]?.text === ',' || clause.length === 0) continue;
      if (i > 0 && isOne(sentence[i - 1], words('and')) && !sentence.slice(0, i).some(({ pos }) => pos === 'AUX'))
        continue;
      if (clause.some(({ pos }, n) => pos === 'AUX' || (pos === 'VERB' && clause[n - 1]?.lower !== 'to'))) continue;
      yield replace(token, token, `${token.text} ${be}`, `Before “${verb.text}” a sentence needs “${be}”.`);
    }
  },
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

/** "I was late because the traffic.": before a thing stands “because of”. */
export const becauseOfThing: Rule = {
  id: 'because-of-thing',
  kind: 'grammar',
  words: 'because',
  fixes: { 'I was late because the traffic.': 'I was late because of the traffic.' },
  leaves: ['I was late because the bus stopped.', 'Because the traffic was bad, I was late.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (token.lower !== 'because' || token.locked || i < 2) continue;
      const start = skipDeterminer(sentence, i + 1);
      const end = start === i + 1 ? undefined : nounPhraseEnd(sentence, start);
      const last = sentence[end ?? 0];
      if (end === undefined || end !== sentence.length - 2 || !/^[.!]$/.test(sentence[end + 1]?.text ?? '')) continue;
      // "because the phone rings": a verb that the tagger takes for a noun.
      if (end > start && (/s$/.test(last?.lower ?? '') || isPlural(sentence[end - 1]?.lower ?? ''))) continue;
      if (!sentence.slice(0, i).some(({ pos }) => pos === 'VERB' || pos === 'AUX')) continue;
      yield replace(
        token,
        token,
        `${token.text} of`,
        `Before “${sentence[i + 1]?.text} ${last?.text}”, which has no verb, stands “because of”.`,
      );
    }
  },
};

const JUDGED = words(
  'good bad nice great beautiful big small long short difficult easy interesting boring hard lovely cold hot expensive cheap important strong old young high low heavy funny sad',
);

/** "It was so good film": before an adjective and its noun stands “such”. */
export const suchBeforeNoun: Rule = {
  id: 'such-before-noun',
  kind: 'grammar',
  words: 'so',
  fixes: {
    'It was so good film.': 'It was such a good film.',
    'They are so nice people.': 'They are such nice people.',
  },
  leaves: ['It was so good that I stayed.', 'It is so hard work is slow.', 'So good a film is rare.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const [adjective, noun, next] = sentence.slice(i + 1);
      if (
        token.lower !== 'so' ||
        token.locked ||
        !isAdjective(adjective) ||
        !isOne(adjective, JUDGED) ||
        noun?.pos !== 'NOUN'
      )
        continue;
      if (
        !isOne(sentence[i - 1], words("is was are were 's 're had have has been")) ||
        !/^(?:[.!,]|that|and)$/.test(next?.text ?? '.')
      )
        continue;
      const many = isPlural(noun.lower);
      if (!many && !isCountable(noun.lower, 0.015)) continue;
      const such = many ? 'such' : /^[aeiou]/.test(adjective.lower) ? 'such an' : 'such a';
      yield replace(token, token, such, `Before “${adjective.text} ${noun.text}” stands “${such}”.`);
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

/** "Is very cold today.": a statement needs its subject. */
export const itBeforeIs: Rule = {
  id: 'it-before-is',
  kind: 'grammar',
  words: 'is was',
  fixes: { 'Is very cold today.': 'It is very cold today.' },
  leaves: ['Is it very cold today?', 'Is very cold water good for you?', 'Is happy.'],
  *find(sentence) {
    const [first, second, third] = sentence;
    if (first?.first !== true || !isOne(first, words('is was')) || sentence.at(-1)?.text !== '.' || sentence.length < 4)
      return;
    const by = isOne(second, words('very so too not really'));
    const what = by ? third : second;
    if (
      !isAdjective(what) ||
      !(
        by ||
        isOne(what, words('important necessary possible impossible better difficult easy')) ||
        isOne(sentence[2], words('today outside now here tonight'))
      ) ||
      sentence.slice(2).some(({ text }) => text === '?')
    )
      return;
    yield insertBefore(first, 'It', 'A statement needs a subject: “It”.');
  },
};
