import type { Proposal } from './edits.ts';
import { explain, kindOf } from './explain.ts';
import { baseOf, past, singular } from './forms.ts';
import { frequency } from './frequency.ts';
import type { Finding } from './harper.ts';
import { isLikely } from './likely.ts';

/** Rules about unknown words, which `unknown-words.ts` corrects. */
const OF_UNKNOWN_WORDS = new Set(['SpellCheck', 'SplitWords', 'WrongNegative']);

export interface Sorted {
  readonly unknown: readonly Finding[];
  readonly proposals: readonly Proposal[];
  /** The number of findings with a suggestion that were dropped; their places may still be wrong. */
  readonly doubtfulCount: number;
}

/**
 * Harper's findings as proposals, each with its best suggestion; findings without one are dropped, and unknown words are
 * handled elsewhere.
 */
export function sortFindings(text: string, findings: readonly Finding[], continues = false): Sorted {
  // Harper does not mark a word as unknown where it suggests splitting it or a prefix.
  const unknown = findings.filter(
    (finding) =>
      finding.rule === 'SpellCheck' ||
      (OF_UNKNOWN_WORDS.has(finding.rule) && /^[a-z]+$/i.test(text.slice(finding.start, finding.end))),
  );
  const proposals: Proposal[] = [];
  let doubtfulCount = 0;
  for (const finding of findings) {
    const { start, end } = finding;
    const suggestions = inOrder(text, finding);
    const [replacement] = suggestions;
    if (replacement === undefined || OF_UNKNOWN_WORDS.has(finding.rule)) continue;
    if (unknown.some((word) => word.start === start && word.end === end)) continue;
    const original = text.slice(start, end);
    const first = continues && !/\S/.test(text.slice(0, start));
    if (first || !isLikely(text, finding, original, replacement)) {
      if (!OF_FORM.has(finding.rule)) doubtfulCount += 1;
      continue;
    }
    const explanation = explain(finding, original, replacement);
    proposals.push(
      narrowed(text, { start, end, replacement, kind: kindOf(finding), explanation, suggestions, rule: idOf(finding) }),
    );
  }
  return { unknown, proposals, doubtfulCount };
}

/** The id of a rule of Harper: its name in lower case, such as `an-a`. */
export const idOf = ({ rule }: Pick<Finding, 'rule'>): string =>
  rule.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-').toLowerCase();

/** What stands before a participle. */
const BEFORE_PARTICIPLE =
  /(?:\b(?:have|has|had|having|is|are|was|were|be|been|being|gets?|got)(?:n['’]t| not)?|['’]ve)\s+(?:(?:\w+ly|never|ever|already|just)\s+)?$/i;

/** Rules that suggest base forms in no order: "belie" and "believe" for "believed". */
const OF_BASES = new Set(['DidPast', 'WillNonLemma', 'InflectedVerbAfterTo']);
function inOrder(text: string, { rule, start, end, suggestions }: Finding): readonly string[] {
  // "This kind of problems": Harper suggests “thing” for each plural.
  if (rule === 'ThisTypeOfThing' && suggestions[0] === 'thing') {
    const one = singular(text.slice(start, end));
    return one === undefined ? [] : [one];
  }
  // "He drived home", "He has drived home": Harper names past and participle in any order.
  if (rule === 'RegularIrregulars') {
    const perfect = BEFORE_PARTICIPLE.test(text.slice(Math.max(0, start - 40), start));
    const isPast = (word: string): boolean => past(baseOf(word.toLowerCase())) === word.toLowerCase();
    return suggestions.toSorted((a, b) => Number(isPast(a) === perfect) - Number(isPast(b) === perfect));
  }
  if (OF_BASES.has(rule)) {
    // “Will met” is about the future, so “met” alone is no correction of it.
    const whole = suggestions.filter((text) => text.includes(' '));
    return (whole.length > 0 ? whole : suggestions).toSorted((a, b) => lastFrequency(b) - lastFrequency(a));
  }
  if (rule === 'CapitalizePersonalPronouns') return suggestions.map((word) => (word === 'Ive' ? "I've" : word));
  // "A education": the article has one capital.
  return rule === 'AnA' ? suggestions.map((article) => (article === 'AN' ? 'An' : article)) : suggestions;
}

const lastFrequency = (text: string): number => frequency(text.toLowerCase().replace(/^.* /, ''));

/** Rules that do not apply where a text is not prose. */
const OF_FORM = new Set(['Spaces', 'SentenceCapitalization', 'OrthographicConsistency']);

/** Narrows a proposal to the words that change; an inserted word keeps one beside it, so that it can be shown. */
function narrowed(text: string, proposal: Proposal): Proposal {
  const { start, end, replacement } = proposal;
  const oldWords = text.slice(start, end).split(/(?<=\s)(?=\S)/);
  const newWords = replacement.split(/(?<=\s)(?=\S)/);
  let head = 0;
  while (head < oldWords.length - 1 && head < newWords.length - 1 && oldWords[head] === newWords[head]) head += 1;
  let tail = 0;
  const fewer = Math.min(oldWords.length, newWords.length) - head;
  while (tail < fewer - 1 && oldWords.at(-1 - tail) === newWords.at(-1 - tail)) tail += 1;
  const original = text.slice(start, end);
  if (replacement !== '' && proposal.kind !== 'repetition' && original.startsWith(`${replacement} `))
    return { ...proposal, start: start + replacement.length, replacement: '', suggestions: [''] };
  if (head + tail === 0) return proposal;
  const offset = start + oldWords.slice(0, head).join('').length;
  const old = oldWords
    .slice(head, oldWords.length - tail)
    .join('')
    .trimEnd();
  const fresh = newWords
    .slice(head, newWords.length - tail)
    .join('')
    .trimEnd();
  return { ...proposal, start: offset, end: offset + old.length, replacement: fresh, suggestions: [fresh] };
}
