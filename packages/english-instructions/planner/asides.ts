import { withoutTrailing } from '@mailroom/behavior/values/trailing';

import { isContext } from './context.ts';

/** Words that change what is asked. */
const LIMITING = /\b(?:not|only|except|excluding|without|unless|but|never)\b/;
const SAYS = '(?:say|says|said|thinks?|thought|claims?|claimed|reckons?|believes?|told me)';
const CLAIMED = new RegExp(`^(?:(?:my|the|our|his|her) [a-z]+|i|he|she|they|[a-z]+) ${SAYS},? (?:that )?`, 'i');
/** What asks whether a claim is true. */
const TAG =
  /,? (?:(?:is|was|are) (?:he|she|it|that|this|they|i) (?:right|correct|true)|am i right|isn'?t it|aren'?t they|is(?:n'?t)? that (?:right|correct|true|so)|right|correct|true(?: or false)?|yes or no)\??$/i;
const CLAIM = /^(.{1,60}?) (?:is|are|equals?|makes?) (.{1,60})$/i;
const FIGURE = /(?<![\p{L}\d.,])\d+(?:[.,]\d+)*/gu;
const ADJUNCT = / for (?:my|our|his|her|their) [a-z]{3,20}(?= (?:in|at|from|to|right now|now|today)\b|$)/i;
const LINKED = /^(.{3,120} (of|in|to|for|on|from) )[^.,?]{1,40}$/i;

/** What is said beside an instruction, and the same without it. */
const ASIDES: readonly (readonly [RegExp, string])[] = [
  [/ what(?:[’']?s| is) left$/i, ' it'],
  [/ (\d{1,2})[.:](\d\d) (?:this|in the) (?:afternoon|evening)\b/i, ' $1:$2 pm'],
  [
    /^(?:so )?how (?:long|much time) (?:have|do) (?:i|we) (?:still )?(?:got|have)(?: left)? (?:until|till|before) /i,
    'how long until ',
  ],
  [
    /\b(?:school |working |business |work|week)?days (?=\(mon\w* (?:to|-|until|through) fri\w*(?:, holidays don[’']t (?:matter|count))?\))/i,
    'weekdays ',
  ],
  [/(?<=\bweekdays) \(mon\w* (?:to|-|until|through) fri\w*(?:, holidays don[’']t matter)?\)/i, ''],
  [/^is there an? (?:29(?:th)?(?: of)? february|february 29(?:th)?) in (\d{4})$/i, 'is $1 a leap year'],
  [
    /(?<=\b(?:cups?|grams?|kilos?|kg|g|ml|litres?|liters?|pints?|ounces?|oz|lbs?|pounds?|tbsp|tsp|tablespoons?|teaspoons?)) of (?!it|that|them|the|this)[a-z]+$/i,
    '',
  ],
  // How the answer is to be given, behind the question.
  [/\?{1,3} (?=(?:in|as|to) [a-z][a-z ]{2,30}$)/i, ' '],
  [ADJUNCT, ''],
  [
    /^(reduce|increase|raise|lower|cut|decrease) (.{1,40}?) by (\d[\d.]*%) and(?: then| again)* by (?:another |a further )?(\d[\d.]*%)$/i,
    '$1 $2 by $3, then $1 it by $4',
  ],
  [/^(?:(?:which|what) date is |what is )?(\d+) weekdays (after|before|from) /i, '$1 working days $2 '],
  [/^((?:the )?(?:first|last) .{3,60}) in (?:capitals|capital letters|upper ?case)$/i, '$1, then uppercase it'],
];

/** The question whether a claim is true, as in "my son says 9 x 7 is 64, is he right?". */
function claimOf(said: string): string | undefined {
  if (!TAG.test(said)) return undefined;
  const [, one, other = ''] = CLAIM.exec(said.replace(TAG, '').replace(CLAIMED, '')) ?? [];
  if (one === undefined || !/\d/.test(one) || LIMITING.test(said)) return undefined;
  return `is ${one} ${/^[$€£]?\d/.test(other) ? `equal to ${other}` : other}`;
}

/** What a sum in signs or words is a number of: "how many good boxes is 14 x 48 minus 3". */
const OF_SUM =
  /^how (?:many|much)(?: \p{L}+){0,3} (?:is|are) (?=[\d.,]+ (?:x|\*|×|times|plus|minus|\+|-|÷|\/|divided by) \d)/iu;
const figuresIn = (text: string): readonly string[] => (text.match(FIGURE) ?? []).map((one) => one.replaceAll(',', ''));
/** The question at the end that repeats the figures it needs, behind what someone says of them. */
function repeatedIn(said: string): string | undefined {
  const sentences = said.split(/(?<=[.?!])\s+/);
  const [, last = ''] = /, so (?=what|how)(.+)$/i.exec(sentences.at(-1) ?? '') ?? [];
  const question = (last || (sentences.at(-1) ?? '')).replace(OF_SUM, 'what is ');
  const told = sentences.slice(0, -1);
  const figures = figuresIn(question);
  const toldFigures = new Set(figuresIn(told.join(' ')));
  if (told.length === 0 || figures.length < 2 || !figures.every((one) => toldFigures.has(one))) return undefined;
  // What is claimed of them is what the question asks for.
  const others = [...toldFigures].filter((one) => !figures.includes(one)).length;
  return others === 0 || (others === 1 && told.length === 1 && CLAIMED.test(told[0] as string)) ? question : undefined;
}

/** Two questions of which the second names only another thing: "What's 15% of 60? And of 85?". */
function repeatedFor(said: string): string | undefined {
  const [, first = '', link = '', other] =
    /^([^?\n]{5,120})\? (?:and|or|what about|how about|and what about|and how about) (of|in|to|for|on|from) ([^?\n]{1,40})\??$/i.exec(
      said,
    ) ?? [];
  const [, head, own] = LINKED.exec(first) ?? [];
  return head === undefined || other === undefined || own?.toLowerCase() !== link.toLowerCase()
    ? undefined
    : `${first}\n${head}${other}`;
}

/** A figure in hexadecimal or binary, in a sum. */
const BASED = /\b0(?:x[\da-f]+|b[01]+)\b/gi;
const IN_BASE =
  /[?.,]?(?: (?:and|then))?(?: (?:give|show|tell|write|print)(?: me)?)?(?: (?:the|your) (?:answer|result|sum|total)| it| that)? (?:in|as) (decimal|hex(?:adecimal)?|binary|octal)(?: too| again)?$/i;
function inDecimal(said: string): string | undefined {
  const [tail = '', base = 'decimal'] = IN_BASE.exec(said) ?? [];
  const plainly = said.slice(0, said.length - tail.length);
  if (!/ (?:plus|minus|times|\+|-|\*|x) /i.test(plainly) || /\b(?:hex|binary|octal)/i.test(plainly)) return undefined;
  const sum = plainly.replace(BASED, (figure) => String(Number(figure)));
  // In "0x1F plus 1 in hex" the 1 may be all that is to be converted.
  if (tail !== '' && !/^dec/i.test(base) && /\d/.test(plainly.replace(BASED, ''))) return undefined;
  return sum === plainly ? undefined : `${sum}${/^dec/i.test(base) ? '' : `, then convert it to ${base}`}`;
}

/** The question before what is only told behind it, as "My colleague there does not answer". */
function beforeBackground(said: string): string | undefined {
  const [question = '', ...rest] = said.split(/(?<=\?) +/);
  return rest.length > 0 &&
    rest.every((one) => !/[?\d]/.test(one) && one.split(/(?<=[.!]) +/).every((told) => isContext(told, question)))
    ? question
    : undefined;
}
/** The message without what is said beside its instruction, where there is such. */
export function withoutAsides(said: string): string | undefined {
  const bare = withoutTrailing(said.trim(), '?.!');
  const found =
    claimOf(bare) ?? repeatedFor(said.trim()) ?? repeatedIn(bare) ?? inDecimal(bare) ?? beforeBackground(said.trim());
  if (found !== undefined) return found;
  const plainly = ASIDES.reduce((text, [aside, by]) => text.replace(aside, by), bare);
  return plainly === bare ? undefined : plainly;
}
