import type { Proposal } from './edits.ts';
import { explain, kindOf } from './explain.ts';
import { frequency, PAIR_SCALE, pairFrequency } from './frequency.ts';
import type { Finding } from './harper.ts';
import { INFORMAL } from './informal.ts';

/** Rules that look at words no dictionary has; those are corrected by `unknown-words.ts`. */
const OF_UNKNOWN_WORDS = new Set(['SpellCheck', 'SplitWords', 'WrongNegative']);

/** Rules that write two words as one. */
const JOINS = new Set(['CompoundNouns', 'MergeWords', 'DisjointPrefixes']);

/** Books write it as one word more often than as two ("homework", not "schoolteachers"); a hyphen is left as it is. */
function joinsWell(original: string, replacement: string): boolean {
  const [first, second, ...more] = original.toLowerCase().split(/\s+/);
  if (first === undefined || second === undefined || first.length < 2 || more.length > 0 || /[A-Z]{2}/.test(original))
    return false;
  const joined = frequency(replacement.toLowerCase());
  if (!/^[a-z]/.test(original) || /^(?:up|under|over|out|down|on|off|in|back|data|every)$/.test(first)) return false;
  const pairs = pairFrequency(first, second) / PAIR_SCALE;
  return joined > (pairs === 0 ? 100_000 : 1_000_000) && joined > 5 * pairs;
}

/** A sentence before it ended, on its line or the one above. What an exclamation in quotes or brackets ends goes on: “Oh!” he said. */
const AFTER_SENTENCE = /(?:(\p{L}+|[\d)\]%]|[`’”"])\.["'”’)\]]*|\p{L}[!?])[ \t]*(?:\r?\n)?[ \t]*["“‘(]?$/u;
/** The beginning of the text or of a paragraph that begins with no sign of a list. */
const AT_PARAGRAPH = /(?:^|\n[ \t]*\r?\n)[^\p{L}\p{N}\n*•–+#>|=~.:;,-]*$/u;
/** What a sentence begins with, and an entry of a list of changes does not. */
const CLAUSE_OPENERS =
  /^(?:the|a|an|i|we|you|he|she|it|they|this|that|these|those|there|my|your|his|her|our|their|however|and|but|so|if|when|while|because|although|as|many|some|most|people|yesterday|today)$/;
const ABBREVIATION =
  /^(?:\p{L}|inc|ltd|co|corp|etc|vs|dr|mr|mrs|ms|st|no|vol|fig|approx|dept|est|jr|sr|prof|gen|rev|eg|ie|resp|incl|ca|al|cf|sec|ed|eds|min|max|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|ave|blvd)$/iu;

/** Whether a sentence begins with a word that Harper would write with a capital: list items, labels and what goes on stay as they are. */
function beginsSentence(text: string, start: number, end: number): boolean {
  if (
    frequency(text.slice(start, end).toLowerCase()) === 0 ||
    /^(?:[-._/:=(*\]]\S|\*\*)/.test(text.slice(end, end + 2))
  )
    return false;
  const lead = text.slice(Math.max(0, start - 60), start);
  const sentence = AFTER_SENTENCE.exec(lead);
  if (sentence !== null && /\s/.test(sentence[0])) {
    const word = sentence[1] ?? 'word';
    return !ABBREVIATION.test(word) && !/(?:^|\n)\s*\d+\.\s*$/.test(lead) && !/\.\.\s*$/.test(lead);
  }
  const before = AT_PARAGRAPH.exec(text.slice(0, start));
  if (before === null) return false;
  const above = text.slice(0, before.index).trimEnd();
  if (above !== '' && !/[.!?]["'”’)]*$/.test(above)) return false;
  if (!text.includes('\n') && CLAUSE_OPENERS.test(text.slice(start, end)) && text.split(/\s+/, 7).length > 6)
    return true;
  const [paragraph = ''] = text.slice(start).split(/\n[ \t]*\r?\n/, 1);
  return /[.!?]["'”’)]*\s*$|[.!?]\s+\p{Lu}/u.test(paragraph);
}

/** "ipod", "NIce"; not "IDEs", which has capitals of its own. */
const isMiswritten = (original: string, replacement: string): boolean =>
  (/^[a-z]+$/.test(original) && !INFORMAL.has(original)) ||
  (/^[A-Z]{2}[a-z]+$/.test(original) && frequency(replacement.toLowerCase()) > 10_000_000);

/** Two spaces between two words of a text that does not align anything with spaces, as tables and justified lines do. */
function isStraySpace(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  if (
    text.length > 600 ||
    text.slice(start, end).trim() !== '' ||
    !/[a-z][a-z,;]$/.test(before) ||
    !/^[a-z]/i.test(text.charAt(end))
  )
    return false;
  const runs = text.match(/[^\s.!?:] {2,}\S| {4}|\t/g) ?? [];
  return runs.length <= MAX_STRAY_SPACES;
}
const MAX_STRAY_SPACES = 3;

export interface Sorted {
  readonly unknown: readonly Finding[];
  readonly proposals: readonly Proposal[];
  /** How many findings with a suggestion were dropped: what they point at may still be wrong. */
  readonly left: number;
}

/** Harper's findings as proposals, each with its best suggestion; what has none is dropped. Unknown words apart. */
export function sortFindings(text: string, findings: readonly Finding[], continues = false): Sorted {
  // Where Harper sees two words in one, or a prefix, it does not say that the word is unknown.
  const unknown = findings.filter(
    (finding) =>
      finding.rule === 'SpellCheck' ||
      (OF_UNKNOWN_WORDS.has(finding.rule) && /^[a-z]+$/i.test(text.slice(finding.start, finding.end))),
  );
  const proposals: Proposal[] = [];
  let left = 0;
  for (const finding of findings) {
    const { start, end, suggestions } = finding;
    const [replacement] = suggestions;
    if (replacement === undefined || OF_UNKNOWN_WORDS.has(finding.rule)) continue;
    if (unknown.some((word) => word.start === start && word.end === end)) continue;
    const original = text.slice(start, end);
    const first = continues && !/\S/.test(text.slice(0, start));
    if (first || !isLikely(text, finding, original, replacement)) {
      if (!OF_FORM.has(finding.rule)) left += 1;
      continue;
    }
    const explanation = explain(finding, original, replacement);
    proposals.push(narrowed(text, { start, end, replacement, kind: kindOf(finding), explanation, suggestions }));
  }
  return { unknown, proposals, left };
}

/** Rules whose findings are left where a text is no prose. */
const OF_FORM = new Set(['Spaces', 'SentenceCapitalization', 'OrthographicConsistency']);

function isLikely(text: string, { rule, start, end }: Finding, original: string, replacement: string): boolean {
  if (rule === 'SentenceCapitalization') return beginsSentence(text, start, end);
  if (rule === 'Spaces') return isStraySpace(text, start, end);
  if (rule === 'OrthographicConsistency') return isMiswritten(original, replacement);
  if (rule === 'AnA') return isArticle(text, start, end);
  // "The color's are fine": the apostrophe is wrong, not the verb.
  if (rule === 'SingleBe' && /\w['’]s\s*$/.test(text.slice(0, start))) return false;
  // "I am wrote to ask": "writing" may be meant.
  if (rule === 'SimplePastToPastParticiple' && /\bI(?:['’]m| am) $/.test(text.slice(Math.max(0, start - 6), start)))
    return false;
  // "Your the best": "you're" is meant.
  if (rule === 'TheMy' && /^your the$/i.test(original)) return false;
  if (JOINS.has(rule)) return joinsWell(original, replacement);
  if (/^(?:that that|had had|her her)$/i.test(original)) return false;
  if (/\p{Lu}{2}/u.test(original)) return false;
  if (
    rule === 'ToTwoToo' &&
    (replacement === 'to' ? /^ \w+ an? /.test(text.slice(end, end + 30)) : !beforeDegree(text, end))
  )
    return false;
  // "for they had stood there": a conjunction.
  if (
    rule === 'TheyToThem' &&
    !/\b(?:help|helps|helped|let|lets|make|makes|made|about|from|with) $/.test(
      text.slice(Math.max(0, start - 8), start),
    )
  )
    return false;
  // "to subscribed users": an adjective.
  if (
    rule === 'InflectedVerbAfterTo' &&
    !/\b(?:have|has|had|need|needs|want|wants|able|going) $/.test(text.slice(Math.max(0, start - 8), start))
  )
    return /^\s+(?:the|a|an|my|your|his|her|its|our|their|it|them|this|that)\b/.test(text.slice(end, end + 12));
  // "with respect to its clearing up", "Its being, he says".
  if (
    rule === 'ItsContraction' &&
    /^\s+(?:being|not|selected|\w+ed|(?!\w*thing\b)\w+ing)\b/i.test(text.slice(end, end + 20)) &&
    !/^\s+(?:been|going|raining|snowing|getting|working|not (?:a|an|the|so|very|that|as|my|your|our|fair|true|right|easy|good|bad|clear|possible|working|on|in|\w+ing)\b)/i.test(
      text.slice(end, end + 25),
    )
  )
    return false;
  if (rule === 'ItsPossessive' && (/^\s+(?:money|worth|time)\b/.test(text.slice(end, end + 10)) || /^I/.test(original)))
    return false;
  // "Who's going?": the capital is the sentence's.
  return !(original.charAt(0).toLowerCase() + original.slice(1) === replacement && /^\p{Lu}/u.test(original));
}

/** "too much", "too expensive," and not "oversight to senior, mid, and junior". */
const beforeDegree = (text: string, end: number): boolean =>
  /^\s+(?:much|many|late|little|few|(?!again|sometimes|often)\w+[.!?]|\w+ (?:to|for)\b)/.test(
    text.slice(end, end + 25),
  );

/** An article, not the letter: "node A", "Appendix A", “a is the so-and-so”; and before a word whose sound is plain. */
function isArticle(text: string, start: number, end: number): boolean {
  if (
    /\bA$/.test(text.slice(start, end)) &&
    !/(?:^|[.!?:]["”’)]*\s+|\n\s*|["“‘(])$/.test(text.slice(Math.max(0, start - 5), start))
  )
    return false;
  const next = text.slice(end, end + 20);
  if (
    /^\s+(?:is|was|are|were|and|or|as|about|in|of|on|at|if|if|isn|also|hotel|historic\w*|heroic|\p{Lu}{2,}|[b-df-hj-np-tv-xz]{2,}\b)/u.test(
      next,
    )
  )
    return false;
  return /^\s+["“‘(*_]?\p{L}/u.test(next);
}

/**
 * Without the words around that stay the same, so that only what is wrong is replaced. A word that is added keeps one
 * beside it to be told by.
 */
function narrowed(text: string, proposal: Proposal): Proposal {
  const { start, end, replacement } = proposal;
  const before = text.slice(start, end).split(/(?<=\s)(?=\S)/);
  const after = replacement.split(/(?<=\s)(?=\S)/);
  let head = 0;
  while (head < before.length - 1 && head < after.length - 1 && before[head] === after[head]) head += 1;
  let tail = 0;
  const fewer = Math.min(before.length, after.length) - head;
  while (tail < fewer - 1 && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const original = text.slice(start, end);
  if (replacement !== '' && proposal.kind !== 'repetition' && original.startsWith(`${replacement} `))
    return { ...proposal, start: start + replacement.length, replacement: '', suggestions: [''] };
  if (head + tail === 0) return proposal;
  const at = start + before.slice(0, head).join('').length;
  const old = before
    .slice(head, before.length - tail)
    .join('')
    .trimEnd();
  const fresh = after
    .slice(head, after.length - tail)
    .join('')
    .trimEnd();
  return { ...proposal, start: at, end: at + old.length, replacement: fresh, suggestions: [fresh] };
}
