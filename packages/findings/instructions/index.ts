import { MAX_FINDINGS, type Match } from '../finding.ts';
import { folded } from '../folded.ts';
import { original } from '../projection.ts';
import { EN } from './en.ts';
import { DE, NL } from './germanic.ts';
import { MARKS } from './marks.ts';
import { JA, KO, RU, ZH } from './others.ts';
import type { Phrase, Purpose } from './phrase.ts';
import { ES, FR, IT, PT } from './romance.ts';
import { stemFinder } from './stems.ts';

const PHRASES: readonly Phrase[] = [MARKS, EN, DE, FR, ES, IT, PT, NL, RU, ZH, JA, KO].flat();

const BY_STEM = Map.groupBy(
  PHRASES.flatMap((phrase) => phrase.stems.map((stem) => ({ stem, phrase }))),
  ({ stem }) => stem,
);
const stemsOf = stemFinder(BY_STEM.keys());

const WHY: Readonly<Record<Purpose, string>> = {
  override: 'It tells a model to leave the instructions that it was given.',
  address: 'It speaks to a model, not to a person.',
  role: 'It gives a model another role.',
  prompt: 'It asks a model for the instructions that it was given.',
  secrecy: 'It tells a model to hide something from its user.',
  data: 'It tells a model what to do with the data, the mails or the trust of its user.',
  marks: 'It has marks that separate the turns of a conversation with a model.',
};

const isWord = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index);
  return unit < 0x80 ? (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) : unit < 0x2000;
};

/** Where a phrase stands in a text, from the beginning of a word. */
function occurrences(text: string, { form, purpose }: Phrase): Match[] {
  const found: Match[] = [];
  form.lastIndex = 0;
  for (let match = form.exec(text); match !== null && found.length < MAX_FINDINGS; match = form.exec(text)) {
    if (isWord(text, match.index) && isWord(text, match.index - 1)) form.lastIndex = match.index + 1;
    else found.push({ start: match.index, length: match[0].length, why: WHY[purpose] });
  }
  return found;
}

/** Where a text speaks to a model, in twelve languages: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese, Korean, and the marks of models. */
export function instructions(text: string): Match[] {
  const plain = folded(text);
  const stems = [...stemsOf(plain.text)];
  const likely = new Set(stems.flatMap((stem) => BY_STEM.get(stem) ?? []).map(({ phrase }) => phrase));
  const searched = PHRASES.filter((phrase) => likely.has(phrase));
  return original(
    plain,
    searched.flatMap((phrase) => occurrences(plain.text, phrase)),
  );
}
