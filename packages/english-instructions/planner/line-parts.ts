import { isPolite, plain } from './courtesy.ts';
import { isClear, isQuotation, NOTHING_PASTED, type Part } from './paraphrases.ts';
import type { PartReader } from './part-reader.ts';
import type { Piece } from './pieces.ts';
import { isCovered } from './readings.ts';
import { orders, rewordings } from './rewordings.ts';
import { atThen, dataLast } from './split.ts';

const SURE = 0.9;
/** Questions to the mailbox, which are nothing to be reminded of. */
const ASKS_US = /^(?:what|how|which|tell me|give me|show me|calculate|compute|convert|is|are)\b/i;
const CHANCE_QUESTIONS = [
  '(?:so )?who (?:pays|goes|starts|begins|gets|drives|cooks|cleans|does|wins|takes|buys|plays|speaks|presents|leads|should|shall|will|has to|is (?:next|first|up|it|to))',
  'whose turn|(?:should|shall) (?:i|we)|where (?:should|shall|do) (?:i|we)|which one',
];
/** A question to be answered by chance. */
const FOR_CHANCE = new RegExp(String.raw`^(?:${CHANCE_QUESTIONS.join('|')})\b[^,:]{0,60}$`, 'i');
/** An instruction with the text pasted to it. */
export type Pasted = Omit<Piece, 'mark'>;

/** Several instructions in one sentence: "first reverse this, second count it". */
const ENUMERATED = /^first(?:ly)?,? [^\n]{3,300}, (?:and )?second(?:ly)?,? \p{L}/iu;

/** Splits a line into instructions and assigns its pasted text to one of them. */
export function partsOf(reader: PartReader, { text, data, language, fenced }: Pasted): readonly Part[] {
  const alone = { text: plain(text === '' ? nameOf(language) : text), data, language };
  if (isOneText(reader, text, alone)) return [alone];
  if (isCovered(reader.best(alone)) && !ENUMERATED.test(text)) return [alone];
  alone.text = dataLast(alone.text);
  if (isCovered(reader.best(alone)) && !ENUMERATED.test(text)) return [alone];
  const texts = meant(reader, atThen(text)).map((one) => dataLast(plain(one)));
  if (texts.length === 1) alone.text = texts[0] as string;
  if (texts.length < 2) return [alone];
  // A quotation at the start is the subject of the next instruction.
  const [first = '', ...others] = texts;
  if (data === undefined && isQuotation(first))
    return others.map((one, i) => (i === 0 ? { text: one, data: first, language } : { text: one, ...NOTHING_PASTED }));
  const later = laterOf(reader, alone, texts);
  if (later !== undefined) return later;
  const taker = fenced
    ? Math.max(
        0,
        texts.findIndex((one) => /\b(?:this|these|the following|below)\b/i.test(one)),
      )
    : takerOf(reader, alone, texts);
  return texts.map((one, i) => (i === taker ? { ...alone, text: one } : { text: one, ...NOTHING_PASTED }));
}

/** Whether a text is one instruction that ends with its sender's own words, of which no sentence is something to do. */
function isOneText(reader: PartReader, text: string, whole: Part): boolean {
  const [first = '', ...others] = atThen(text);
  const best = others.length === 0 ? undefined : reader.best({ text: plain(first), ...NOTHING_PASTED });
  const { words } = best?.task ?? {};
  const wording = words && best && 'input' in best.reading ? best.reading.input[words.input] : undefined;
  if (typeof wording !== 'string' || !plain(first).endsWith(wording)) return false;
  return (
    reader.best(whole)?.task === best?.task &&
    others.every((one) => isPolite(one) || !reader.isSure({ text: plain(one), ...NOTHING_PASTED }, best?.task.name))
  );
}

/**
 * The instruction that the text after a colon belongs to: the last one, unless that continues with the result before it
 * and the first needs a text, as in "sort this and then join it with dashes: c, a, b".
 */
function takerOf(reader: PartReader, pasted: Part, texts: readonly string[]): number {
  const last = texts.length - 1;
  const [first = '', end = ''] = [texts[0], texts[last]];
  if (pasted.data === undefined) return last;
  const without = reader.best({ text: first, ...NOTHING_PASTED });
  const lacks = without === undefined || 'ask' in without.reading;
  if (!lacks) return last;
  const ways = (): readonly string[] => [...rewordings(first, pasted.data), ...orders(first, pasted.data)];
  const own = reader.best({ ...pasted, text: first });
  const takes = isClear(own)
    ? own
    : ways()
        .map((text) => reader.best({ ...pasted, text }))
        .find(isClear);
  const goesOn = takes && reader.best({ text: end, ...NOTHING_PASTED }, 1, takes.task.name);
  return isClear(goesOn) ? 0 : last;
}

const NAME = /^\p{Lu}[\p{L}.'’-]{1,20}(?: \p{Lu}[\p{L}.'’-]{0,20}){0,2}$/u;
/** Whether a last sentence is the name of the sender behind a courtesy: "Thank you. Margaret". */
const isSigned = (text: string, texts: readonly string[], at: number): boolean =>
  at === texts.length - 1 && NAME.test(text) && isPolite(texts[at - 1] ?? '');

/** The instructions without greetings, thanks and questions that chance is then asked to answer. */
function meant(reader: PartReader, texts: readonly string[]): readonly string[] {
  const readAs = (text: string): number => reader.best({ text: plain(text), ...NOTHING_PASTED })?.reading.sure ?? 0;
  const sentences = texts.filter((text, at) => !(isPolite(text) || isSigned(text, texts, at)) || readAs(text) >= SURE);
  const asked = sentences.filter((text, at) => !FOR_CHANCE.test(text) || !isChance(reader, sentences[at + 1]));
  return asked.length === 0 ? texts : asked;
}

/**
 * The part that happens at a later time, with all instructions that belong to it. A reminder contains only words: a
 * question or a separate sentence that is an instruction is no part of it.
 */
function laterOf(reader: PartReader, whole: Part, texts: readonly string[]): readonly Part[] | undefined {
  const task = reader.best(whole)?.task.name;
  if (task !== 'schedule' && task !== 'remind') return undefined;
  if (reader.best({ ...whole, text: texts[0] as string })?.task.name !== task) return undefined;
  const pastedTo = (at: number) => (at === texts.length - 1 ? whole : NOTHING_PASTED);
  const isOwn = (text: string, index: number): boolean => {
    const sentence = /[.!?]\s*(?:(?:and|then|also|please|after that),?\s+)*$/i.test(
      whole.text.slice(0, Math.max(0, whole.text.lastIndexOf(text))),
    );
    return (ASKS_US.test(text) || sentence) && reader.isSure({ ...pastedTo(index), text });
  };
  const instructionIndex = texts.findIndex((text, at) => at > 0 && isOwn(text, at));
  if (task === 'schedule' || instructionIndex < 0) return [whole];
  const words = texts.slice(0, instructionIndex);
  const end = whole.text.indexOf(words.at(-1) as string) + (words.at(-1) as string).length;
  return [
    { text: whole.text.slice(0, end), ...NOTHING_PASTED },
    ...texts.slice(instructionIndex).map((text, at) => ({ ...pastedTo(instructionIndex + at), text })),
  ];
}

/** In "Who pays? Pick one of Ann, Bob" the question is for chance to answer. */
function isChance(reader: PartReader, text: string | undefined): boolean {
  const best = text === undefined ? undefined : reader.best({ text: plain(text), ...NOTHING_PASTED });
  return isClear(best) && best.task.name === 'random';
}

/** The instruction for a fenced block alone: run it as a script. */
const nameOf = (language: string | undefined): string =>
  language === 'js' || language === 'javascript' || language === 'mjs' ? 'run' : '';
