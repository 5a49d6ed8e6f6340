import { frequency } from '../frequency.ts';
import type { Token } from '../tokens.ts';
import { isOne, isWord, type Rule, remove, replace, SUBJECT_PRONOUNS, words } from './rule.ts';

/** "Although it rained, but we went" → without "but"; "Because it rained, so we stayed" → without "so". */
export const oneConjunction: Rule = {
  id: 'one-conjunction',
  kind: 'grammar',
  words: 'although though because since even',
  fixes: { 'Although it was raining, but we went out.': 'Although it was raining, we went out.' },
  leaves: ['We have had no news since last month.', 'What we did surprised even our parents.'],
  *find(sentence) {
    const opener = sentence[0];
    if (
      !isOne(opener, words('although though because since')) &&
      !(opener?.lower === 'even' && sentence[1]?.lower === 'though')
    )
      return;
    const second = /^(?:although|though|even)$/.test(opener?.lower ?? '') ? 'but' : 'so';
    for (const [i, token] of sentence.entries()) {
      const next = sentence[i + 1];
      const between = sentence[i - 1]?.text === ',' || (second === 'but' && isOne(next, SUBJECT_PRONOUNS));
      if (token.lower !== second || token.locked || !between || next === undefined) continue;
      if (
        !/^(?:PRON|DET|NOUN|PROPN)$/.test(next.pos) ||
        /^(?:that|much|many)$/.test(next.lower) ||
        (next.pos === 'NOUN' && i < 3)
      )
        continue;
      const why = `“${opener?.text}” and “${token.text}” do not join the same clauses: one is enough.`;
      const last = sentence[i - 1] as Token;
      if (last.text === ',') yield remove(token, next, why);
      else yield { start: last.end, end: token.end, replacement: ',', explanation: why };
      return;
    }
  },
};

const NO_WORDS: Readonly<Record<string, string>> = {
  no: 'any',
  nothing: 'anything',
  nobody: 'anybody',
  nowhere: 'anywhere',
  none: 'any',
  'no-one': 'anyone',
};

/** "don't have no" → "don't have any", "can't see nothing" → "anything". */
export const doubleNegative: Rule = {
  id: 'double-negative',
  kind: 'negation',
  words: "n't not never",
  fixes: { "We don't have no money.": "We don't have any money." },
  leaves: ["He don't know nothing 'bout that, y'all.", 'It was nothing to worry about.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!(token.lower === "n't" || token.lower === 'not' || token.lower === 'never') || token.locked) continue;
      if (!(sentence[i - 1]?.pos === 'AUX' || sentence[i - 1]?.pos === 'VERB' || token.lower === 'never')) continue;
      for (let index = i + 1; index < Math.min(sentence.length, i + 5); index += 1) {
        const word = sentence[index];
        if (!isWord(word)) break;
        if (/^(?:but|and|because|if|that|or|only|mean|nor)$/.test(word.lower)) break;
        const right = NO_WORDS[word.lower];
        if (right === undefined) continue;
        // "Don't sit around doing nothing".
        if (/ing$/.test(sentence[index - 1]?.lower ?? '')) break;
        if (
          sentence[index - 1]?.pos !== 'VERB' &&
          sentence[index - 1]?.pos !== 'AUX' &&
          !/^(?:to|for|with|about|in|at)$/.test(sentence[index - 1]?.lower ?? '') &&
          !(word.lower === 'nowhere' && /^(?:it|him|her|them|me|us)$/.test(sentence[index - 1]?.lower ?? ''))
        )
          break;
        if (
          index === i + 1 ||
          (word.lower === 'no' &&
            /^(?:longer|more|less|one|matter|doubt|way)$/.test(sentence[index + 1]?.lower ?? '')) ||
          (/^(?:know|say|said|mean|means)$/.test(sentence[index - 1]?.lower ?? '') && word.lower === 'no')
        )
          break;
        yield replace(word, word, right, 'One negation is enough in a clause.');
        break;
      }
    }
  },
};

/** "It rains, however we go": “however” joins no clauses, so a semicolon stands before it. */
export const splice: Rule = {
  id: 'splice',
  kind: 'punctuation',
  fixes: { 'Everybody likes it, however I think it is dull.': 'Everybody likes it; however, I think it is dull.' },
  leaves: ['It is, however, too expensive for me.', 'He goes out for a run, however cold it is.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      const comma = sentence[i - 1];
      if (
        !isOne(token, words('however moreover furthermore nevertheless')) ||
        comma?.text !== ',' ||
        comma.locked ||
        i < 4
      )
        continue;
      const direct = sentence[i + 1]?.text !== ',';
      const subject = direct ? sentence[i + 1] : sentence[i + 2];
      const verb = direct ? sentence[i + 2] : sentence[i + 3];
      if (!isOne(subject, words('i we they he she it you')) || !/^(?:VERB|AUX)$/.test(verb?.pos ?? '')) continue;
      // "The results, however, they say": the first clause needs a verb of its own.
      const first = sentence.slice(0, i - 1);
      const whole = first.some(
        ({ pos }, at) => /^(?:VERB|AUX)$/.test(pos) && /^(?:PRON|NOUN|PROPN|ADV)$/.test(first[at - 1]?.pos ?? ''),
      );
      if (
        !whole ||
        (!direct && isOne(subject, words('i you'))) ||
        first.some((word) => isOne(word, words('if when although though because while since as after before'))) ||
        (direct && sentence.slice(i).some(({ text }) => text === ','))
      )
        continue;
      yield {
        start: comma.start,
        end: token.end,
        replacement: `; ${token.text}${direct ? ',' : ''}`,
        explanation: `“${token.text}” begins a clause of its own, so a semicolon stands before it.`,
      };
    }
  },
};

/** Adds the full stop to a longer sentence at the end of a text, but not to headlines, chat or list items. */
export const fullStop: Rule = {
  id: 'full-stop',
  kind: 'punctuation',
  doubt: true,
  fixes: { 'There is no parking in front of the school': 'There is no parking in front of the school.' },
  leaves: ['A map of the town', 'There is no parking here.'],
  *find(sentence) {
    const last = sentence.at(-1);
    const first = sentence[0];
    if (
      last === undefined ||
      first === undefined ||
      !isWord(last) ||
      !last.ends ||
      sentence.length < 8 ||
      !/^\p{Lu}/u.test(first.text)
    )
      return;
    if (
      !sentence.some((token) => token.pos === 'AUX' || token.pos === 'VERB') ||
      !sentence.some((token) => token.pos === 'DET')
    )
      return;
    if (sentence.filter((token) => /^\p{Lu}/u.test(token.text)).length > sentence.length / 3) return;
    yield {
      start: last.start,
      end: last.end,
      replacement: `${last.text}.`,
      explanation: 'A sentence ends with a full stop.',
    };
  },
};

/** Capitalizes the first word of a full sentence, where Harper skips short ones. */
export const capital: Rule = {
  id: 'capital',
  kind: 'capitalization',
  fixes: { "can you send me the minutes of Monday's meeting?": "Can you send me the minutes of Monday's meeting?" },
  leaves: ['Please wait at gate no. 5 until we call you.'],
  *find(sentence) {
    const first = sentence[0];
    const end = sentence.at(-1);
    if (
      !isWord(first) ||
      !first.opens ||
      !/^[a-z]/.test(first.text) ||
      frequency(first.lower) < 30_000_000 ||
      (sentence[1]?.spaced === false && !/^[,’']/.test(sentence[1].text)) ||
      sentence.length < 4 ||
      !/^[.!?]$/.test(end?.text ?? '')
    )
      return;
    if (!sentence.some((token) => token.pos === 'AUX' || token.pos === 'VERB')) return;
    yield replace(
      first,
      first,
      first.text.charAt(0).toUpperCase() + first.text.slice(1),
      'A sentence begins with a capital letter.',
    );
  },
};

const ASKS = words('do does did are is was were have has');
const MAY_ASK = words('can could would will');
const NOMINATIVES = words('i you he she it we they');

/** "What are you doing.", "Do you like tea.": a question ends with its mark, and what is told of one does not. */
export const questionMark: Rule = {
  id: 'question-mark',
  kind: 'punctuation',
  fixes: {
    'Do you like green tea.': 'Do you like green tea?',
    'He asked whether I was hungry?': 'He asked whether I was hungry.',
  },
  leaves: [
    'Were he here, we would ask him.',
    'Do you know? I do.',
    'What you see is what you get.',
    'Could you please send it.',
  ],
  *find(sentence) {
    const end = sentence.at(-1);
    const [first, second, third] = sentence;
    if (end === undefined || end.locked || !/^[.?]$/.test(end.text) || sentence.length < 4) return;
    if (sentence.slice(0, -1).some(({ text, locked }) => locked || /^[,;:?!"“”]$/.test(text))) return;
    if (end.text === '?') {
      const told =
        isOne(second, words('asked wondered')) || (isOne(third, words('if whether')) && isOne(second, words('asks')));
      const open = sentence.findIndex((token) => isOne(token, words('if whether')));
      if (!told || open < 0 || open > 4 || !isOne(first, words('i he she we they'))) return;
      yield {
        start: end.start,
        end: end.end,
        replacement: '.',
        explanation: 'What someone asked is told here, so the sentence ends with a full stop.',
      };
      return;
    }
    const asking = isOne(first, words('what where when why how who'));
    const at = asking ? (isOne(second, words('old much many long far often tall big')) ? 2 : 1) : 0;
    const [help, subject] = [sentence[at], sentence[at + 1]];
    const timed = first?.lower === 'what' && second?.lower === 'time' && isOne(third, words('do does did is'));
    if (timed) {
      yield {
        start: end.start,
        end: end.end,
        replacement: '?',
        explanation: '“What time” asks, so a question mark stands at the end.',
      };
      return;
    }
    const placed = isOne(first, words('where')) && isOne(help, words("is 's are")) && subject?.pos === 'DET';
    const single = placed && !sentence.slice(at + 1).some(({ pos }) => pos === 'AUX');
    if (!(single || isOne(subject, NOMINATIVES)) || !first?.first) return;
    if (isOne(help, words('do did')) && subject?.lower === 'it') return;
    if (!(isOne(help, ASKS) || (isOne(help, MAY_ASK) && isOne(subject, words('you we i'))))) return;
    if (sentence.some((token) => isOne(token, words('please believe imagine')))) return;
    yield {
      start: end.start,
      end: end.end,
      replacement: '?',
      explanation: `“${help?.text} ${subject?.text}” asks, so a question mark stands at the end.`,
    };
  },
};
