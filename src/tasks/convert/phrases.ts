import { BLANKS, withoutTrailing } from '../../core/values/trailing.ts';
import type { Clause, Reading } from '../clause.ts';
import { operand, placeholder, subject } from '../clause.ts';
import { currencyOf, exchangeOf, moneyOf } from '../words/currency.ts';
import { parseWhen } from '../words/dates.ts';
import { spelledToDigits } from '../words/spelled-numbers.ts';
import { unitOf } from '../words/units.ts';
import { zoneOf } from '../words/zones.ts';
import { baseOf, wholeNumber } from './bases.ts';
import { colorFormat, isColor } from './colors.ts';
import { convertible, mixedOf, quantityOf } from './quantities.ts';

/** Longest text that is read as a conversion, in characters. */
const MAX_TEXT = 300;
const VERB = /^(?:convert|change|turn|transform|express|translate|write(?= [^ ]+ (?:in|as) ))(?: |$)/i;
const HOW_MANY =
  /^(?:so )?how (?:many|much) (.{1,60}?) (?:(?:are |is )?(?:there )?in|are|is|make(?:s)?(?: up)?|(?:do|does) .{1,60} (?:have|make)) (.{1,80})$/i;
const QUESTION =
  /^(?:what(?:['’]?s| is| are| would be| time is)?|how (?:much|many) (?:is|are)|how (?:hot|cold|warm|long|tall|heavy|far|fast|big) is|give me|tell me(?: what)?|show me)(?: |$)/i;
const IF_IT_IS =
  /^(?:if|when) it(?: is|['’]s) (.{1,40}?) (?:in|at) (.{1,40}?),? what(?: time is it| is the time|['’]s the time| time)(?: in| at) (.{1,40})$/i;
/** "Binary of 37", "the Roman numeral for 12". */
const BASE_OF =
  /^(?:(?:what(?: is|['’]?s)|give me|show(?: me)?|write|tell me) )?(?:the )?(hex(?:adecimal)?|binary|octal|decimal|roman(?: numerals?)?)(?: (?:of|for|value of|form of|value for|representation of|notation of|number of|number for))+ (?:the number )?(\S{1,60})$/i;
/** "What number is MMXXVI?" */
const NUMBER_IS =
  /^(?:what|which) (?:decimal )?number is (?:the )?(?:roman numerals? )?([MDCLXVI]{2,20}|0[xbo][0-9a-f]{1,60})$/i;
/** "I have 3 lbs of flour, how many grams is that?", "2 litres is how many pints?" */
const OF_THAT =
  /^(?:(?:i|we)(?:['’]ve)?(?: have| need| got| bought| ran| drove| weigh| am)*|(?:it|this|that)(?: is|['’]s)|there (?:is|are)) (.{1,30}?)(?: of [\p{L} ]{1,30})?(?:,| -)? (?:so )?how (?:many|much) ([a-z ]{1,30}?) (?:is|are|would|does) (?:that|it|this|they|those)(?: be| make)?$/iu;
const IS_HOW_MANY = /^(.{1,40}?) ?(?:=|is|are|equals?|makes?) how (?:many|much) ([a-z ]{1,30})$/i;
const WHEN_THERE =
  /^(?:(?:what|which)(?:['’]s| is)? (?:the )?|the )?time(?: is it| will it be| would it be| it is| is)? (?:in|at) (.{1,40}?),? (?:when|if)(?: it(?: is|['’]s)| the time is)? (.{1,40}?) (?:in|at) (.{1,60})$/i;
const SPLIT = /^(.+) (?:to|into|in|as|=) (.+)$/i;
const DAY =
  / ((?:on )?(?:today|tomorrow|yesterday|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{4}-\d\d-\d\d))$/i;
const TIME =
  /\b\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\.?)(?![a-z])|\b\d{1,2}:\d{2}\b|\b(?:noon|midnight)\b|\bo['’]clock\b|\b\d{1,2}h\b/i;
/** A base for the number before: "show it in hex", "to binary". */
const IT_IN =
  /^(?:(?:show|give|write|put|print|express|display|what(?: is|['’]?s))(?: me)? )?(?:(?:it|that|this|the (?:result|answer|outcome|output|value|number|sum|total)) )?(?:in ?to|to|in|as) (.{1,40})$/i;
/** Words that make it an instruction for that time. */
const TO_DO = /@\S|:\/\/|\b(?:send|e-?mail|remind|fetch|tell|ask|write|run|wake|every|each|daily)\b/i;
const PLACEHOLDER = /^\{\{[\w.]+\}\}$/;

/** The kind of a conversion. */
export type Kind = 'currency' | 'color' | 'number' | 'unit' | 'time';

/** The kind that a target names, whatever the source is. */
function kindOfTarget(to: string): Kind | undefined {
  if (unitOf(to) !== undefined) return 'unit';
  if (baseOf(to) !== undefined) return 'number';
  if (colorFormat(to) !== undefined) return 'color';
  if (currencyOf(to) !== undefined) return 'currency';
  return zoneOf(to) === undefined ? undefined : 'time';
}

/** The kind of a conversion from `from` to `to`; undefined when it is none. */
export function kindOf(from: string, to: string): Kind | undefined {
  const format = colorFormat(to);
  if (format !== undefined && isColor(from)) return 'color';
  if (currencyOf(to) !== undefined && moneyOf(from) !== undefined) return 'currency';
  const base = baseOf(to);
  if (base !== undefined && wholeNumber(spelledToDigits(from), base) !== undefined) return 'number';
  if (unitOf(to) !== undefined && quantityOf(from) !== undefined) return 'unit';
  const mixed = mixedOf(to);
  if (mixed !== undefined && quantityOf(from)?.unit.kind === mixed[0].kind) return 'unit';
  if (
    TIME.test(from) &&
    !TO_DO.test(from) &&
    !/^(?:what|which|how|when|where)\b/i.test(from) &&
    zoneOf(to) !== undefined
  )
    return 'time';
  return undefined;
}

function given(sure: number, from: string, to: string): Reading {
  const quantity = PLACEHOLDER.test(from) ? undefined : quantityOf(from);
  const unit = quantity && unitOf(to);
  // A recipe's ounces may be weight or volume.
  if (quantity === undefined || unit === undefined || convertible(quantity.unit, unit))
    return { sure, input: { from, to } };
  return {
    sure,
    ask: `${quantity.unit.symbol} is a unit of ${quantity.unit.kind}, and ${unit.symbol} of ${unit.kind}. Into which unit of ${quantity.unit.kind}?`,
    answered: (answer) => `convert ${from} to ${answer.replace(/^(?:in)?to /i, '')}`,
  };
}

const tidy = (text: string): string => text.trim().replace(/^(?:the )?(?:colou?r|number|value|time) (?=\S)/i, '');

/** How the task understands an instruction. */
export function readConversion(clause: Clause): Reading | undefined {
  if (clause.text.length > MAX_TEXT || (clause.data?.length ?? 0) > MAX_TEXT) return undefined;
  let text = withoutTrailing(clause.text, `${BLANKS}?!`).replace(/,? (?:for me|please|equal|equals|be)$/i, '');
  const explicit = VERB.test(text);
  if (explicit) text = text.replace(VERB, '').trim();
  if (explicit && text === '' && clause.data === undefined) {
    if (clause.it === undefined || /^(?:turn|change|transform|express|translate)/i.test(clause.text)) {
      return /^convert/i.test(clause.text)
        ? { sure: 0.7, ask: 'Convert what?', answered: (answer) => `convert ${answer}` }
        : undefined;
    }
  }
  if (clause.data !== undefined) return ofData(text, clause, explicit);
  const asked = explicit ? null : (IF_IT_IS.exec(text) ?? null);
  if (asked !== null) {
    const [, time, there, here] = asked as unknown as [string, string, string, string];
    return zoneOf(there) !== undefined && zoneOf(here) !== undefined
      ? given(0.95, `${time} in ${there}`, here)
      : undefined;
  }
  const there = explicit ? null : WHEN_THERE.exec(text);
  if (there !== null) {
    const [, here, time, at] = there as unknown as [string, string, string, string];
    const place = at.replace(DAY, '');
    return zoneOf(here) !== undefined && zoneOf(place) !== undefined
      ? given(0.96, `${time} in ${place}${at.slice(place.length)}`, here)
      : undefined;
  }
  const that = explicit ? null : (OF_THAT.exec(text) ?? IS_HOW_MANY.exec(text));
  if (that !== null && kindOf(that[1] as string, that[2] as string) === 'unit')
    return given(0.95, that[1] as string, that[2] as string);
  const many = explicit ? null : HOW_MANY.exec(text);
  if (many !== null) {
    const [, to, from] = many as unknown as [string, string, string];
    const source = operand(from, clause);
    if (PLACEHOLDER.test(source))
      return unitOf(to) === undefined ? undefined : given(0.8, lengthOf(source, clause), to);
    const money = exchangeOf(`${from} in ${to}`);
    if (money !== undefined) return exchange(money, 0.9);
    if (kindOf(from, to) === 'unit') return given(0.95, from, to);
  }
  const [, base = '', number = ''] = explicit ? [] : (BASE_OF.exec(text) ?? []);
  const [, roman] = explicit ? [] : (NUMBER_IS.exec(text) ?? []);
  if (roman !== undefined) return kindOf(roman, 'decimal') === 'number' ? given(0.95, roman, 'decimal') : undefined;
  if (number !== '') {
    const of = operand(number, clause);
    if (PLACEHOLDER.test(of)) return given(0.75, of, base);
    // Letters may be a text to encode.
    return /\d/.test(of) && kindOf(of, base) === 'number' ? given(0.96, of, base) : undefined;
  }
  const based =
    IT_IN.exec(text)?.[1] ?? /^(hex|binary|octal) (?:it|that|the (?:result|number|sum|total))$/i.exec(text)?.[1];
  if (clause.it !== undefined && based !== undefined && baseOf(based) !== undefined) {
    return given(explicit ? 0.8 : 0.75, placeholder(clause.it), based);
  }
  const question = !explicit && QUESTION.test(text);
  if (question) text = text.replace(QUESTION, '').trim();
  return ofPair(text, clause, explicit ? 1 : question ? 0.93 : 0.85, explicit);
}

/** A step about time may have given a date; its length is in another property. */
const lengthOf = (from: string, { after, it = 0 }: Clause): string =>
  after === 'time' && from === placeholder(it) ? placeholder(it, '.length') : from;

function ofPair(text: string, clause: Clause, sure: number, explicit: boolean): Reading | undefined {
  const money = exchangeOf(text);
  if (money !== undefined) return exchange(money, sure);
  const day = DAY.exec(text)?.[1];
  const plain = day === undefined ? text : text.slice(0, -day.length - 1);
  // "1F in decimal from hex"
  const based = /^(.+) (?:to|into|in|as) (.+) from (.+)$/i.exec(plain);
  if (based !== null && baseOf(based[2] as string) !== undefined && baseOf(based[3] as string) !== undefined) {
    return given(sure, `${based[1]} ${based[3]}`, based[2] as string);
  }
  const [, first, second] = SPLIT.exec(plain) ?? [];
  if (first === undefined || second === undefined) return explicit ? lacking(plain) : undefined;
  const from = operand(tidy(first), clause);
  const to = second.trim().replace(/^(?:an? |the )(?=\S)/i, '');
  if (PLACEHOLDER.test(from)) {
    const kind = kindOfTarget(to);
    // "It to hex" may be a color, a number or a text.
    const what = kind === 'unit' ? lengthOf(from, clause) : from;
    return kind === undefined ? undefined : given(explicit ? (kind === 'unit' ? 1 : 0.8) : 0.6, what, to);
  }
  const kind = kindOf(from, to);
  if (kind !== undefined) {
    const when = kind === 'time' && day !== undefined ? `${from} ${day}` : from;
    if (kind === 'time' && parseWhen(when, clause.now, clause.time_zone) === undefined) return undefined;
    return given(kind === 'time' && !explicit ? Math.min(sure, 0.9) : sure, when, to);
  }
  if (/^[-+]?\d[\d.,]*$/.test(from) && unitOf(to) !== undefined) {
    return {
      sure: explicit ? 0.95 : 0.55,
      ask: `${from} of what?`,
      answered: (answer) => `convert ${from} ${answer} to ${to}`,
    };
  }
  return undefined;
}

/** Asks for the missing target after a verb. */
function lacking(text: string): Reading | undefined {
  const what = text.replace(/ (?:to|into|in)$/i, '');
  if (quantityOf(what) === undefined && moneyOf(what) === undefined && !isColor(what)) return undefined;
  return {
    sure: 0.9,
    ask: 'Into what?',
    answered: (answer) => `convert ${what} to ${answer.replace(/^(?:in)?to /i, '')}`,
  };
}

function exchange({ money, to, rate }: NonNullable<ReturnType<typeof exchangeOf>>, sure: number): Reading {
  const from = `${money.amount} ${money.code}`;
  if (rate !== undefined) return { sure, input: { from, to, rate: Number(rate) } };
  return {
    sure,
    ask: `What is the rate? I know none: what is one ${money.code} in ${to}?`,
    answered: (answer) => `convert ${from} to ${to} at ${answer}`,
  };
}

/** "Convert this to feet: 3 m", "convert to hex: 255". */
function ofData(text: string, clause: Clause, explicit: boolean): Reading | undefined {
  const [, target] = /^(?:(?:it|this|that|these|the following)\b ?)?(?:to|into|in|as) (.+)$/i.exec(text) ?? [];
  const from = subject(undefined, clause)?.trim() ?? '';
  if (target === undefined) {
    if (explicit && text === '') return ofPair(from, { ...clause, data: undefined }, 1, true);
    return undefined;
  }
  return explicit && kindOf(from, target) !== undefined ? given(1, from, target) : undefined;
}
