import type { Step } from '../plan/index.ts';
import { unquote } from '../tasks/clause.ts';
import { placed } from '../tasks/grammar/index.ts';
import type { Task } from '../tasks/task.ts';
import { plain } from './courtesy.ts';
import { modifiedIn } from './modified.ts';
import { type Best, CLEAR, isClear, NOTHING_PASTED, type Part, usesResult } from './paraphrases.ts';
import type { PartReader } from './part-reader.ts';
import { isCovered, stepsOf } from './readings.ts';
import { orders, rewordings } from './rewordings.ts';
import { atAnd, atEachAnd } from './split.ts';
import { asVerb, verbOf } from './verbs.ts';

/** An end of which the next number is one more: "of 5, 10". */
const LISTED = /(?:\bof|:|\bbetween|\bamong)? [$€£]?\d[\d.]*,(?: [$€£]?\d[\d.]*,)* [$€£]?\d[\d.]*,?$/i;
const SURE_FIGURE = 0.8;
const HEAD = /^(.{1,180}\b(?:in|to|for|into|until|till|since)) \S/i;
const LINK = /^(?:in|to|for|into|until|till|since) /i;

/** Words that only say what the instructions behind them are about. */
const TAKEN =
  /^(?:take|use|look at|go through|consider|read|have a look at) (?:this|these|those|it|them|(?:the|this|these|those|my|our|all) (?:following )?[a-z]+(?: of [a-z]+)?(?: (?:below|above|here))?)$/i;

const GERUND = /^after ([a-z]+ing) (.{2,80}?), (.{3,120})$/i;
const BEFORE = /^before (?:you |we )?(?!i\b)([a-z]+) (.{2,60}?), (.{3,120})$/i;
const FIRST = /^(.{3,120}?),? (?:but|and) (?:please )?(.{3,80}?) (?:first|beforehand|before that)$/i;
const THEM = /\b(?:it|them)\b/i;
const THESE =
  /\b(?:these|those|this|the(?: [a-z]+)?(?= (?:below|above|here)))(?: (?:lines?|names?|items?|words?|list|entries|text))?(?: (?:below|above|here))?/i;

/** Two instructions in the order in which they are to be done: "number these, but sort them first". */
export function reordered(text: string): string | undefined {
  const [, doing = '', of = '', next] = GERUND.exec(text) ?? [];
  const verb = verbOf(doing);
  if (next !== undefined && verb !== undefined) return `${verb} ${of}, then ${next}`;
  const [, last = '', these = '', before] = BEFORE.exec(text) ?? [];
  if (before !== undefined && /^(?:these|those|this|the|my|it|them)\b/i.test(these))
    return `${before}, then ${last} it`;
  const [, then = '', first] = FIRST.exec(text) ?? [];
  return first === undefined || !THEM.test(first) || !THESE.test(then)
    ? undefined
    : `${first.replace(THEM, 'these')}, then ${then.replace(THESE, 'it')}`;
}

/**
 * Whether the first instruction, which may be of this kind itself, changes nothing and the second works on its result.
 */
export function isModified(reader: PartReader, first: Part, second: Part, depth = 0): boolean {
  const ways = [
    first.text,
    asVerb(first.text) ?? '',
    ...rewordings(first.text, first.data),
    ...orders(first.text, first.data),
  ].map((text) => reader.best({ ...first, text }));
  const one = ways.find((best) => isClear(best) && best.task.effects === 'none');
  const isDone =
    one !== undefined || (depth < 2 && modifiedIn(first).some((two) => isModified(reader, ...two, depth + 1)));
  const other = isDone ? reader.best(second, 1, one?.task.name ?? 'text') : undefined;
  return isClear(other) && other.task.effects === 'none' && (usesResult(other) || second.data !== undefined);
}

/** The steps of three or more instructions, each of which works on the result before it, so that each is read once. */
export function chainOf(reader: PartReader, pasted: Part): readonly Step[] | undefined {
  const [lead = '', ...rest] = atEachAnd(pasted.text);
  const texts = pasted.data !== undefined && TAKEN.test(lead) ? rest : [lead, ...rest];
  const steps: Step[] = [];
  const goesOn = (one: string, at: number): boolean => {
    const part = at === 0 ? { ...pasted, text: plain(one) } : { text: plain(one), ...NOTHING_PASTED };
    const fits = (best: Best | undefined): best is Best =>
      isClear(best) && isCovered(best) && best.task.effects === 'none' && (at === 0 || usesResult(best));
    const read = (text: string) => reader.best({ ...part, text }, steps.length, steps.at(-1)?.task);
    const own = read(part.text);
    const ways = (): readonly string[] => [...rewordings(part.text, part.data), ...orders(part.text, part.data)];
    const asks = own !== undefined && 'ask' in own.reading;
    const best = asks || fits(own) ? own : ways().map(read).find(fits);
    if (!fits(best)) return false;
    steps.push(...placed(stepsOf(best), reader.steps.length + steps.length));
    return steps.length <= reader.parts.max_steps;
  };
  return rest.length > 1 && (texts.every(goesOn) || steps.length > reader.parts.max_steps) ? steps : undefined;
}

/** A quotation at the end, which is that of both instructions: “trim and capitalize "a b"”. */
const OBJECT = /^([^"'“]{3,100}\S) ("[^"]+"|“[^”]+”|'[^']+')$/;

/** A second part that an edit may be meant for too: "remove the first word and the last". */
const ELLIPTIC = /^(?:the |its )?(?:first|second|third|fourth|last|next|other)\b[^,]{0,20}$/i;
const edits = ({ task, reading }: Best): boolean =>
  task.name === 'text' && 'input' in reading && !['list', 'count', undefined].includes(reading.input.does as undefined);

/** Two instructions that “and” joins. */
export function inTwo(reader: PartReader, part: Part, enough = CLEAR): readonly [Part, Part] | undefined {
  const [, head, object] = (part.data === undefined && OBJECT.exec(part.text)) || [];
  const shared = head && object && inTwo(reader, { ...part, text: head, data: unquote(object) }, enough);
  if (shared && isClear(reader.best(shared[0]))) return shared;
  for (const [head, tail] of atAnd(part.text)) {
    const first = { ...part, text: plain(head) };
    const best = reader.best(first);
    if (best === undefined || best.reading.sure < CLEAR) continue;
    if (ELLIPTIC.test(tail) && edits(best)) continue;
    const second = { text: plain(tail), ...NOTHING_PASTED };
    // "The sum of 3 km, 200 m and 1 mile" is one list, and so is "the total of 5, 10 and 15 with a discount".
    if (/^[$€£]?[\d.]/.test(tail) && (LISTED.test(head) || (/,/.test(head) && isClear(reader.best(part))))) continue;
    const other = reader.best(second, 1, best.task.name);
    if (other !== undefined && other.reading.sure >= enough) return [first, second];
  }
  return undefined;
}

/** Splits "what time is it in Tokyo and London" into the same read-only task for several things. */
export function alikeOf(reader: PartReader, part: Part): readonly Step[] | undefined {
  for (const [start, tail] of part.data === undefined ? atAnd(part.text) : []) {
    const head = start.length <= 200 && tail.length <= 60 ? HEAD.exec(start)?.[1] : undefined;
    if (head === undefined) continue;
    const last = `${head} ${tail.replace(LINK, '')}`;
    const items = start.slice(head.length).trim().split(/, /);
    // "New York, London and Tokyo" is three items, and "Paris, France and London" two.
    const found =
      eachAlike(reader, [start, last]) ??
      (items.length > 1 && items.length < 10
        ? eachAlike(reader, [...items.map((one) => `${head} ${one.replace(LINK, '')}`), last])
        : undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

function eachAlike(reader: PartReader, texts: readonly string[]): readonly Step[] | undefined {
  const steps: Step[] = [];
  let first: Task | undefined;
  for (const text of texts) {
    const seen = reader.best({ text: plain(text), ...NOTHING_PASTED });
    if (seen?.task.effects !== 'none' || 'ask' in seen.reading || seen.reading.sure < SURE_FIGURE) return undefined;
    first ??= seen.task;
    if (seen.task !== first) return undefined;
    steps.push({ task: first.name, input: seen.reading.input });
  }
  return steps;
}
