import type { Token } from '../tokens.ts';
import { type Found, isOne, isWord, MODALS, type Rule, type Sentence, SUBJECT_PRONOUNS, words } from './rule.ts';

/** Inserts a comma after a word, shown with the word so that the correction can be read. */
export const commaAfter = (token: Token, explanation: string): Found => ({
  start: token.start,
  end: token.end,
  replacement: `${token.text},`,
  kind: 'punctuation',
  explanation,
});

const isVerb = (token: Token | undefined): boolean =>
  token !== undefined && (token.pos === 'VERB' || token.pos === 'AUX');

/** Whether a verb stands at or behind `from`. */
export const hasVerb = (sentence: Sentence, from: number): boolean => sentence.slice(from).some(isVerb);

const NOMINATIVE = words('i he she we they it there');
const FINITE_HELP = words(
  "am is are was were have has had do does did can could will would shall should may might must 'm 're 's 've 'll 'd ca wo",
);

/** Whether a clause begins here: a pronoun that can only be a subject, and its verb. */
function clauseAt(sentence: Sentence, index: number): boolean {
  const subject = sentence[index];
  if (!isOne(subject, NOMINATIVE) && subject?.lower !== 'you') return false;
  let verb = index + 1;
  while (sentence[verb]?.pos === 'ADV') verb += 1;
  return isVerb(sentence[verb]) && !/ing$/.test(sentence[verb]?.lower ?? '');
}

/** "the facts are": a determiner, a noun and a verb. */
function nounClauseAt(sentence: Sentence, index: number): boolean {
  if (!/^(?:the|this|these|those|my|your|his|her|our|their|some|many|most|people)$/.test(sentence[index]?.lower ?? ''))
    return false;
  const rest = sentence.slice(index, index + 5);
  const verb = rest.findIndex((token) => FINITE_HELP.has(token.lower));
  return (
    verb > 0 &&
    rest.slice(0, verb).some((token) => token.pos === 'NOUN') &&
    rest.slice(1, verb).every((token) => /^(?:ADJ|NOUN|ADV)$/.test(token.pos))
  );
}

const SUBORDINATORS = words(
  'if when because although though while since unless until after before as whenever where whether that who which what how why whose whom than',
);

/** Corrects "It was late but we stayed" to "It was late, but we stayed" (Chicago 6.22). Short clauses need no comma. */
export const beforeConjunction: Rule = {
  id: 'before-conjunction',
  kind: 'punctuation',
  doubt: true,
  words: 'but so',
  fixes: { 'I wanted to call you but my battery was dead.': 'I wanted to call you, but my battery was dead.' },
  leaves: ['It was small but good.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!isOne(token, words('but so')) || i < 3) continue;
      // "Can you send it today so I have time to read it?": what for.
      if (token.lower === 'so' && sentence.at(-1)?.text === '?') continue;
      const previous = sentence[i - 1];
      const next = sentence[i + 1];
      if (!isWord(previous) || next === undefined || !token.spaced) continue;
      if (!clauseAt(sentence, i + 1) && !(token.lower === 'but' && nounClauseAt(sentence, i + 1))) continue;
      if (
        next.lower === 'it' &&
        token.lower === 'and' &&
        !/^(?:is|was|will|has|can|would)$/.test(sentence[i + 2]?.lower ?? '')
      )
        continue;
      if (next.lower === 'you' && token.lower !== 'but') continue;
      const first = sentence.slice(0, i);
      if (!hasVerb(first, 0) || !first.some((word) => /^(?:PRON|NOUN|PROPN)$/.test(word.pos))) continue;
      if (
        !isVerb(sentence[1]) &&
        !isVerb(sentence[2]) &&
        !isVerb(sentence[3]) &&
        !isVerb(sentence[4]) &&
        token.lower !== 'but'
      )
        continue;
      const rest = sentence.length - i - 1;
      const least = token.lower === 'but' ? 3 : 6;
      if (i < least || rest < 4) continue;
      // Within a subordinate clause "and" does not join sentences.
      const subordinate = first.some((word) => SUBORDINATORS.has(word.lower));
      if (token.lower !== 'but' && token.lower !== 'so' && subordinate) continue;
      if (
        token.lower === 'so' &&
        (/^(?:do|did|does|and|or|not|think|hope|say|said|if|even|more|much|is|are|was|were|be)$/.test(previous.lower) ||
          /^(?:ADV|ADJ)$/.test(sentence[i + 1]?.pos ?? ''))
      )
        continue;
      if (token.lower === 'or' || /^(?:not|nothing|anything|all|everything|and|or)$/.test(previous.lower)) continue;
      if (first.some((word) => word.text === '“' || word.text === '"' || word.text === '(')) continue;
      yield commaAfter(previous, `A comma separates two clauses that “${token.lower}” joins.`);
    }
  },
};

const TELLING = words(
  'tell tells told telling assure assured show showed remind reminded convince convinced promise promised warn warned inform informed',
);
const OPENERS = words('if when although though because since while unless after before as once whenever whereas');

/** "If it rains we stay" → "If it rains, we stay" (Chicago 6.24). */
export const afterOpeningClause: Rule = {
  id: 'after-opening-clause',
  kind: 'punctuation',
  doubt: true,
  fixes: { 'When he came home we ate.': 'When he came home, we ate.' },
  leaves: ['When did he come home?'],
  *find(sentence) {
    let from = 0;
    if (/^(?:and|but|so)$/.test(sentence[0]?.lower ?? '')) from = 1;
    if (sentence[0]?.lower === 'even' && /^(?:if|though|when)$/.test(sentence[1]?.lower ?? '')) from = 1;
    const opener = sentence[from];
    if (!isOne(opener, OPENERS) || sentence.at(-1)?.text === '?') return;
    if (opener?.lower === 'as' && !isOne(sentence[from + 1], SUBJECT_PRONOUNS)) return;
    if (
      /^(?:because|since|after|before|as)$/.test(opener?.lower ?? '') &&
      !isOne(sentence[from + 1], words('i you he she we they it there'))
    )
      return;
    const clauses: number[] = [];
    for (let index = from + 3; index < sentence.length; index += 1) {
      const token = sentence[index] as Token;
      if (/^[,;:—–()“”"-]$/.test(token.text)) return;
      if (
        /^(?:that|which|who|what|how|why|whether|if|when|and|or|than|where|because|but|so)$/.test(token.lower) &&
        clauses.length === 0 &&
        /^(?:and|or|but|so)$/.test(token.lower) &&
        clauseAt(sentence, index + 1)
      )
        return;
      if (!clauseAt(sentence, index)) continue;
      const previous = sentence[index - 1] as Token;
      if (
        /^(?:and|or|but|that|which|who|what|how|why|whether|if|when|than|where|because|so|as|since|after|before|until|while|although|though|unless|once|the|a|think|thinks|thought|know|knows|knew|say|says|said|decide|decides|decided|realize|realizes|realized|realise|realised|find|finds|found|discover|discovered|notice|noticed|claim|claimed|admit|admitted|agreed|suppose|supposed|understand|understood|assume|assumed|guess|guessed|fear|feared|wish|wished|mean|means|meant|swear|swore|believe|hope|feel|sure|thing|things|everything|all|way|time|something|anything|much|many|see|saw|make|let|hear|tell|told|give|gave)$/.test(
          previous.lower,
        )
      )
        continue;
      // "When his parents told him they wanted".
      if (isOne(previous, words('me you him her us them it')) && isOne(sentence[index - 2], TELLING)) continue;
      clauses.push(index);
    }
    const [place] = clauses;
    if (place === undefined) return;
    const opening = sentence.slice(from + 1, place);
    if (!opening.some(isVerb) || opening.length < 2) return;
    const subject = sentence[place] as Token;
    const previous = sentence[place - 1] as Token;
    const help = sentence[place + 1]?.lower ?? '';
    // In "the book you gave" a relative clause follows. A helping verb after the pronoun, or no possible antecedent before
    // it, makes it the main clause.
    const main =
      FINITE_HELP.has(help) || /^(?:ADJ|ADV|VERB|PRON|AUX|ADP)$/.test(previous.pos) || subject.lower === 'there';
    if (!main && clauses.length > 1) return;
    if (
      previous.pos === 'NOUN' &&
      !MODALS.has(help) &&
      !(FINITE_HELP.has(help) && (subject.lower === 'it' || subject.lower === 'there'))
    )
      return;
    if (previous.pos === 'VERB' && /^(?:it|you)$/.test(subject.lower) && !FINITE_HELP.has(help)) return;
    if (previous.locked || !isWord(previous)) return;
    const last = previous.lower === 'then' ? (sentence[place - 2] as Token) : previous;
    if (last.locked || !isWord(last)) return;
    yield commaAfter(last, `A comma follows the clause that “${opener?.lower}” opens.`);
  },
};

/** "and etc." → "etc."; ", etc." */
export const etc: Rule = {
  id: 'etc',
  kind: 'word_choice',
  words: 'etc etc.',
  fixes: { 'It has books, pens and etc.': 'It has books, pens, etc.' },
  leaves: ['We sell pens, paper, etc.'],
  *find(sentence) {
    for (const [i, token] of sentence.entries()) {
      if (!/^etc\.?$/.test(token.lower) || token.locked) continue;
      const and = sentence[i - 1];
      if (and?.lower === 'and' && !and.locked) {
        const item = sentence[i - 2];
        yield {
          start: item?.text === ',' ? and.start : (item?.end ?? and.start),
          end: token.end,
          replacement: item === undefined || item.text === ',' ? token.text : `, ${token.text}`,
          explanation: '“etc.” means “and the rest”: another “and” says it twice.',
        };
      } else if (isWord(and) && i > 2) yield { ...commaAfter(and, 'A comma stands before “etc.”.'), doubt: true };
    }
  },
};
