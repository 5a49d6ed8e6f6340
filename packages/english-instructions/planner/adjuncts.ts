import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { CHOOSES } from '../tasks/grammar/texts.ts';
import { LIMITS } from '../tasks/words/limits.ts';
import { SELECTING } from './account.ts';
import { limits, mayChange } from './context.ts';
import { plain } from './courtesy.ts';
import { directly, OPERATORS } from './indirect.ts';

const WORD = String.raw`(?!(?:the|these|those|this|my|our|in|of|for|from)\b)\p{L}[\p{L}'’-]*`;
/** A few words that only name something. */
const NAMED = `(?<named>${WORD}(?: ${WORD}){0,4}?)`;
const THESE = '(?:the following|these|those|this|my|our|the)';
const IT = '(?:this|it|these|them|those|here|the following|this one|that)';
const LISTS = '(?:get|give|show|find|fetch|list|tell|return|print|send)(?: me| us)?';
const MONEY = '(?:pounds|euros?|dollars|quid|bucks|gbp|eur|usd)';

/** An instruction about a text or a list that stands beside it, with what is only said around it, and without. */
const AROUND: readonly (readonly [written: RegExp, meant: string])[] = [
  // What it is for, and when it was.
  [new RegExp(`,? for (?:the|my|our|a|an|his|her|their|your|this|next) ${NAMED}$`, 'iu'), ''],
  [/ (?:this|last) (?<named>week|weekend|month|year|morning|evening|time)$/i, ''],
  [new RegExp(`(?<![\\d.,])(\\d[\\d.,]{0,15}) (?<named>${MONEY})$`, 'i'), '$1'],
  // What is counted there.
  [
    new RegExp(
      `(?<=\\b(?:than|under|over|below|above|least|most) \\d[\\d.,]{0,12}) (?:in stock|on hand|left(?: over)?|remaining|available|(?<named>${WORD}))$`,
      'iu',
    ),
    '',
  ],
  // How the text or the list is called.
  [new RegExp(`^(average|mean|median) ${NAMED}(?: (?:per|an?|each) ${WORD})?$`, 'iu'), '$1'],
  [/ (?:in|from|of|for|to|on) (?:the following|this|that|my|our|the) letter(?: (?:here|below|above))?$/i, ''],
  [/ (?:here|below|above)$/i, ''],
  [new RegExp(`\\bof ${THESE} ${NAMED}(?: in ${WORD})?$`, 'iu'), 'of these'],
  [new RegExp(`(?<!\\b(?:of|${OPERATORS}) )\\b${THESE} ${NAMED}$`, 'iu'), 'these'],
  [/^(add up|total|sum|sort|number|list|count) what (?:i|we|they|he|she) (?<named>[\p{L}'’ ]{2,60})$/iu, '$1'],
  [
    new RegExp(
      `^(put|turn|make|write|convert|change|sort|set|show|print) ${THESE} ${NAMED} (?=(?:in|into|to|by|as|from) )`,
      'iu',
    ),
    '$1 this ',
  ],
  [new RegExp(`\\b(?:each|every|all the) ${NAMED}$`, 'iu'), 'each item'],
  [new RegExp(`^which of (?:these|those|them|${THESE} ${NAMED}) (?=\\S)`, 'iu'), 'rows that '],
  [
    new RegExp(
      `^which ${NAMED} (?=(?:is|are|were|was) (?:over|under|above|below|(?:more|less|bigger|smaller|higher|lower|larger|greater) than) )`,
      'iu',
    ),
    'which of these ',
  ],
  // The same with the verb at both ends.
  [new RegExp(`^(?:just|only) ${LISTS} (?:the )?|^${LISTS} (?:just|only) (?:the )?`, 'iu'), 'list the '],
  [/^(?:the )?([a-z]+(?: [a-z]+)?) only$/i, 'list the $1'],
  [new RegExp(`^(?:take|cut|strip|chop|knock) (.{3,60}) (?:off|away)(?: (?:of |from )?${IT})?$`, 'i'), 'remove $1'],
  [
    new RegExp(
      `^(?:write|show|give|say|type|print|put|copy|repeat)(?: me| out| down)? ${IT} (?:without|minus|with no) `,
      'i',
    ),
    'remove ',
  ],
  [
    new RegExp(`^(?:make|create|build|write|give)(?: me)? (an? .{3,30}?) (?:out of|from|of|with) ${IT}$`, 'i'),
    'turn this into $1',
  ],
  [new RegExp(` (?:in|from|of|for|to|on|out of) ${IT}$`, 'i'), ''],
];
const MAX_TEXT = 300;
/** The length of data in which the words of the instruction are looked for. */
const MAX_SEEN = 10_000;

const OF_FIGURES = /^(?:average|mean|median|sum|total|add)\b/i;
/** Lines of cells below their names: what figures are of there is one of these. */
const TABLE = /^[^\n\d,;\t|]*[,;\t|][^\n\d]*\n[^\n,;\t|]*[,;\t|]/;

/** A request behind what is said of the text. */
const REQUEST =
  /^(.{3,120}?)(?:,|[.!]| [-–]| so) (?:so )?((?:can|could|would|will) (?:you|u|ya) |(?:please|pls|plz),? )(?=\S)/i;

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
const says = (word: string): boolean =>
  LIMITS.has(word) || SELECTING.has(word) || /(?<!^(?:dai|week|month|year|quarter|fami|ear))ly$/.test(word);
const LINKS = /^(?:by|and|or|in|of|to|from|with|as|per|than|via)$/;
/** Places of a text, which name none of it. */
const PLACES = /^(?:start|beginning|front|head|end|ends|back|tail|top|bottom|middle|left|right|edges?)$/;
const CELLS = /^(?:columns?|fields?|rows?|cells?|keys?|headers?)$/;
/** Whether words only name something, which the data does not. */
export function names(words: string, data: string): boolean {
  const isTable = data.includes('\n');
  const seen = new Set(wordsOf(data.slice(0, MAX_SEEN)).map(singular));
  return wordsOf(words).every(
    (word) =>
      !says(word) &&
      !LINKS.test(word) &&
      !PLACES.test(word) &&
      !(isTable && CELLS.test(word)) &&
      (!CHOOSES.test(word) || /^(?:steps|results|times|dates|marks)$/.test(word)) &&
      !seen.has(singular(word)),
  );
}
const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/s$/, '');
/** Whether what is said before a request asks nothing. */
const isTold = (text: string): boolean =>
  !/["“:\d@]|^(?:by|in|with|as|to|from|using|for|into)\b/i.test(text) &&
  !wordsOf(text.replace(/^both /i, '')).some(says);

/** A request without what is said before it. */
function requestIn(text: string, data: string): string {
  const [said, about = '', lead = ''] = REQUEST.exec(text) ?? [];
  const rest = lead + text.slice(said?.length ?? 0);
  const isOther = /[.!]$/.test(text.slice(0, about.length + 1)) ? mayChange : limits;
  return said !== undefined && isTold(about) && !isOther(about, `${rest}: ${data.slice(0, MAX_SEEN)}`)
    ? plain(rest)
    : text;
}

const KEPT =
  /,? (?:but|and|while) keep(?:ing)? the (?:header|heading|headings|column names|top row)(?: row| line)?(?: (?:on|at the) top)?$/i;
const OF_NAMED = /^(average|mean|median|total|sum) of (?:the|these|those|my|our) (\p{L}+)$/iu;
/** The only column whose name is short for a word: "conc" for concentration, "amt" for amount. Words in the plural name rows. */
function shortOf(names: readonly string[], word: string): string | undefined {
  const whole = word.toLowerCase();
  if (whole.endsWith('s')) return undefined;
  const [one, more] = names.filter((name) => {
    const short = name.toLowerCase();
    if (!/^[a-z]{3,5}$/.test(short) || whole.length < short.length + 3) return false;
    return (short.length > 3 && whole.startsWith(short)) || (!/[aeiou]/.test(short.slice(1)) && isWithin(short, whole));
  });
  return more === undefined ? one : undefined;
}
/** Whether all letters of a word stand in another one in their order, the first and the last at its ends. */
const isWithin = (short: string, whole: string): boolean =>
  short[0] === whole[0] &&
  short.at(-1) === whole.at(-1) &&
  Array.from(short).reduce((at, sign) => (at < 0 ? at : whole.indexOf(sign, at) + 1 || -1), 0) > 0;

/** The header of a table stays anyway, and "these prices" are what stands below "price". */
function ofRows(request: string, data: string): readonly string[] {
  const [, figure, named = ''] = OF_NAMED.exec(request) ?? [];
  const cells =
    /^.*/
      .exec(data)?.[0]
      .split(/[,;\t|]/)
      .map((one) => one.trim()) ?? [];
  const cell = cells.find((one) => singular(one.toLowerCase()) === singular(named.toLowerCase()));
  const kept =
    KEPT.test(request) && /^sort\b/i.test(request) && !/\blines?\b/i.test(request) ? [request.replace(KEPT, '')] : [];
  const shortened = request.replace(/\p{L}{6,}/gu, (word) =>
    wordsOf(cells.join(' ')).includes(word.toLowerCase()) ? word : (shortOf(cells, word) ?? word),
  );
  if (shortened !== request) kept.push(shortened);
  return figure === undefined || cell === undefined ? kept : [...kept, `${figure} ${cell}`];
}

/** What an instruction about `data` asks without the words that only say where it stands, what it is and what it is for. */
export function withoutAdjuncts(text: string, data: string): readonly string[] {
  if (text.length > MAX_TEXT || (OF_FIGURES.test(text) && !/\d/.test(data))) return [];
  const request = requestIn(text, data);
  return [...(request === text ? [] : [request]), ...withoutNames(request, data)].filter((one) => one !== '');
}

/** The same of an instruction that is a wish, a duty or a question, as an order. */
export function asOrder(text: string, data: string): readonly string[] {
  if (text.length > MAX_TEXT || data === '') return [];
  const ofTable = OF_FIGURES.test(text) && TABLE.test(data);
  const seen = new Set(wordsOf(data.slice(0, MAX_SEEN)));
  const orders = directly(
    requestIn(text, data),
    (told) =>
      isTold(told) &&
      !wordsOf(told).some((word) => word.length > 3 && seen.has(word)) &&
      !limits(told, `this: ${data.slice(0, MAX_SEEN)}`),
    (named) => !ofTable && names(named, data),
  );
  const last = orders.at(-1);
  return last === undefined ? [] : [...orders, ...withoutNames(last, data)];
}

function withoutNames(text: string, data: string): readonly string[] {
  const found: string[] = [];
  // Amounts without a currency are in the one that is named.
  let all = /[£$€]/.test(data) ? text : text.replace(/(?<= (?:over|under|above|below|than)) [£$€](?=\d)/, ' ');
  const ofTable = OF_FIGURES.test(text) && TABLE.test(data);
  if (TABLE.test(data)) found.push(...ofRows(text, data));
  for (const [written, meant] of data === '' ? [] : AROUND) {
    const parts = written.exec(all);
    const named = parts?.groups?.named;
    if (parts === null || (named !== undefined && (ofTable || !names(named, data)))) continue;
    all = all.replace(written, meant).trim();
    found.push(plain(withoutTrailing(all, ' ,')));
  }
  return found;
}
