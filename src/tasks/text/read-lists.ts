import type { Json } from '../../core/values/json.ts';
import { accounting, type Clause, type Reading } from '../clause.ts';
import { asked, ground, isQuoted, literal, NUMBER, numberNamed, on, points, signNamed } from './reading.ts';

type Read = (text: string, clause: Clause) => Reading | undefined;

const SORT = /^(sort|re-?order|order|arrange|alphabeti[sz]e|rank|put|organi[sz]e)\b(?!-| out\b)(?: (.*))?$/i;
const MAX =
  '(?:biggest|largest|highest|longest|smallest|lowest|shortest|greatest|least|most|oldest|newest|high|low|big|small|large|long|short)';
const MODIFIER = `(?:(?:in|by|into|from|on|using) )?(?:(?:the|an?|its|their) )?(?:(?:reverse[d]?|descending|ascending|natural|strict) )?(?:alphabetical(?:ly)?|alphabetic|alphabet|numerical(?:ly)?|numeric(?:ally)?|natural(?:ly)?|ascending(?:ly)?|descending(?:ly)?|desc|asc|reversed?|backwards?|a[- ]?(?:to[- ]?)?z|z[- ]?(?:to[- ]?)?a|${MAX}(?: (?:number|one|value|word)s?)? (?:to (?:the )?${MAX}|first|last)|(?<=(?:in|by|on) (?:the )?)(?:length|size|number|value|order|name|their length|word length)s?)(?: (?:order|sequence|first))?`;
const AT_START = new RegExp(`^${MODIFIER}(?=[\\s,]|$)[\\s,]*(?:and )?`, 'i');
const AT_END = new RegExp(`(?:^|\\s|, ?)(?:and )?${MODIFIER}$`, 'i');
const DOWN =
  /\b(?:descending(?:ly)?|desc|reversed?|backwards?|z[- ]?(?:to[- ]?)?a|(?:biggest|largest|highest|longest|greatest|most|newest|high|big|large|long)(?: \w+)? (?:to|first)|(?:smallest|lowest|shortest|least|oldest) last)\b/i;

/** A plural noun before items that begin with digits. */
const LABEL =
  /^(?:(?:the|these|my|following) ){0,2}[a-z]{2,20}s (?=[-+$€£v]?\d[^,;]{0,30}[,;](?: ?(?:and )?[-+$€£v]?\d[^,;]{0,30}(?:[,;]|$))+$)/i;

export const readSort: Read = (text, clause) => {
  const match = SORT.exec(text);
  if (match === null) return undefined;
  const verb = (match[1] ?? '').toLowerCase();
  let rest = match[2] ?? '';
  let how = '';
  for (let round = 0; round < 3; round += 1) {
    const found = AT_START.exec(rest) ?? AT_END.exec(rest);
    if (found === null || found[0].trim() === '') break;
    how += ` ${found[0]} `;
    rest = found.index === 0 ? rest.slice(found[0].length) : rest.slice(0, found.index);
  }
  rest = rest.trim().replace(/^(?:in|by|from)$/i, '');
  const plain = verb === 'sort' || verb.startsWith('alphabeti');
  if (!plain && how === '' && clause.data === undefined) return undefined;
  if (verb === 'put' && how === '' && !/\border\b/i.test(rest)) return undefined;
  rest = rest.replace(/\s*\bin order$/i, '');
  const by = /length|longest|shortest|\blong\b|\bshort\b/i.test(how)
    ? 'length'
    : /numer|number|value|size|biggest|largest|smallest|highest|lowest|greatest|least|\b(?:high|low|big|small)\b/i.test(
          how,
        )
      ? 'number'
      : /alphabet|natural|name|\ba[- ]?(?:to[- ]?)?z|\bz[- ]?(?:to[- ]?)?a/i.test(how) || verb.startsWith('alphabeti')
        ? 'natural'
        : undefined;
  const input: { [name: string]: Json } = { op: 'sort' };
  if (by !== undefined) input.by = by;
  if (DOWN.test(how)) input.descending = true;
  const key =
    clause.data === undefined ? undefined : /(?:^| )by ((?:the |their |its )?\p{L}[\p{L} _-]{0,40})$/u.exec(rest)?.[1];
  const column = / by (?:the |their )?([a-z]{3,12})\b/i.exec(how)?.[1] ?? key;
  const header =
    (clause.data ?? '')
      .slice(0, 400)
      .split('\n')[0]
      ?.toLowerCase()
      .split(/[,;\t|]/) ?? [];
  const named = column !== undefined && header.length > 1 && header.some((one) => one.trim() === column.toLowerCase());
  if (key !== undefined || (named && clause.data?.includes('\n') === true))
    return {
      sure: 0.9,
      ask: `I sort lines and items by the alphabet, by number or by length, and not by “${key ?? column}”. By which?`,
      answered: (answer) => `sort by ${answer.replace(/^by /i, '')}: ${clause.data}`,
    };
  // In "the times 10:30, 9:15" the noun is no item.
  const label = clause.data === undefined ? LABEL.exec(rest) : null;
  if (label !== null) {
    rest = rest.slice(label[0].length);
    if (/^(?:the )?(?:versions?|releases?) /i.test(label[0]) && input.by === undefined) input.by = 'natural';
  }
  const listed = /[,;]| and |^\S+(?: \S+)+$/.test(rest) ? (rest.includes(',') || how !== '' ? 0.9 : 0.65) : 0.3;
  const reading = on(
    (plain || how !== '' ? 0.98 : 0.75) * ground(rest, clause, listed),
    rest,
    clause,
    input,
    'What should be sorted?',
  );
  return accounting(reading, ...how.split('  ').map((one) => one.trim()));
};

const THINGS = '(?:lines?|items?|entries|words?|values?|names?|rows?|ones|elements?|numbers?)';
const DUPLICATES = new RegExp(
  `^(?:remove|delete|drop|strip|eliminate|get rid of|filter|take out|clear|kill|throw out|weed out)(?: (?:out|all|any|the|of|my))* (?:duplicated?s?|dupes?|doubles?|doublets|repeats|repetitions|repeated|double)(?: ${THINGS})?(?: (?:from|in|of|out of|within))?(?: (.*))?$`,
  'i',
);
const DEDUPE = /^de-?dup(?:e|licate)?(?: (.*))?$/i;
const UNIQUE = new RegExp(
  `^(?:(?:give|show|get|find|list|keep|return|make|what are|extract)(?: me)? )?(?:(?:only|just|all) )?(?:the )?(?:unique|distinct|uniq)(?: ${THINGS})?(?: (?:of|in|from|only|out of|among))?(?: (.*))?$`,
  'i',
);
const ANY_CASE =
  /[ ,(]*\b(?:ignor(?:e|ing)|regardless of|without regard to) (?:the )?(?:case|capitali[sz]ation)\)?|[ ,(]*\bcase[- ]insensitive(?:ly)?\)?/i;

export const readUnique: Read = (whole, clause) => {
  const text = whole.replace(ANY_CASE, '');
  const match = DUPLICATES.exec(text) ?? DEDUPE.exec(text) ?? UNIQUE.exec(text);
  if (match === null) return undefined;
  const rest = match[1] ?? '';
  const input = { op: 'unique', ...(text === whole ? {} : { ignore_case: true }) };
  const listed = rest.includes(',') ? 0.9 : 0.4;
  return accounting(on(0.97 * ground(rest, clause, listed), rest, clause, input, 'Which list do you mean?'), 'only');
};

const REVERSE = /^(reverse|flip|invert|mirror)(?: (.*?))?(?: (?:around|over|backwards?))?$/i;
const BACKWARDS =
  /^(?:(?:write|spell|print|type|put|say|read|turn|give me|what is|what['’]?s) )?(.+?) (?:spelled |written )?(?:backwards?|in reverse(?: order)?|reversed|back to front)$/i;
const ORDER_OF = /^(?:the )?order (?:of )?/i;

export const readReverse: Read = (text, clause) => {
  const match = REVERSE.exec(text);
  const rest = (match === null ? BACKWARDS.exec(text)?.[1] : (match[2] ?? ''))?.replace(ORDER_OF, '');
  if (rest === undefined) return undefined;
  const verb = (match?.[1] ?? 'reverse').toLowerCase();
  const by = /^(?:the |this |these |my )*words?\b(?! \S)|\bwords (?:of|in)\b|\bword order\b/i.test(rest)
    ? 'words'
    : /\blines\b/i.test(rest)
      ? 'lines'
      : /\b(?:letters|characters|string)\b|^(?:the )?(?:word|text|phrase) \S/i.test(rest)
        ? 'characters'
        : /\b(?:list|items)\b/i.test(rest)
          ? 'items'
          : undefined;
  const apart = /^(.{1,500}) (?:by|word by) (words?|lines?|letters?|characters?)$/i.exec(rest);
  if (apart !== null && clause.data === undefined) {
    const unit = (apart[2] as string).toLowerCase();
    const how = unit.startsWith('word') ? 'words' : unit.startsWith('line') ? 'lines' : 'characters';
    return on(0.9 * ground(apart[1] as string, clause, 0.95), apart[1] as string, clause, { op: 'reverse', by: how });
  }
  const of = rest.replace(/^(?:the )?(?:words?|lines|letters|characters)(?: order)? (?:of|in) /i, '');
  const loose = verb === 'reverse' && (match !== null || /^\S+$/.test(of)) ? 0.85 : 0.45;
  const sure = (verb === 'reverse' ? 0.97 : 0.85) * ground(of, clause, loose);
  return on(sure, of, clause, by === undefined ? { op: 'reverse' } : { op: 'reverse', by });
};

const SEPARATED =
  /^(split|break|cut|separate|chop|explode|divide|tokeni[sz]e)(?: up| apart)?(?: (.*?))?(?: up| apart)? (by|on|at|with|using|into|around|along)(?: (?:the|each|every|a|an|any|individual|single|its|separate))* (\S.{0,40}?)(?: (?:signs?|characters?|symbols?))?$/i;
const SPLIT = /^(?:split|tokeni[sz]e)(?: up)?(?: (.*))?$/i;

/** A separator that was named, quoted, or consists only of signs. */
function separator(said: string, clause: Clause): string | undefined {
  const named = signNamed(said);
  if (named !== undefined) return named;
  if (isQuoted(said)) return literal(said, clause);
  return /^[^\p{L}\p{N}\s"'{}]{1,5}$/u.test(said) ? said : undefined;
}

export const readSplit: Read = (text, clause) => {
  const match = SEPARATED.exec(text);
  if (match !== null) {
    const [, verb = '', rest = '', link = '', said = ''] = match;
    const units = /^into$/i.test(link)
      ? /^(words?|lines?|characters?|letters?|items?)$/i.exec(said)?.[1]?.toLowerCase()
      : undefined;
    const between =
      units === undefined
        ? separator(said, clause)
        : units.startsWith('word')
          ? ' '
          : units.startsWith('line')
            ? '\n'
            : units.startsWith('item')
              ? ','
              : '';
    if (between !== undefined && (units !== undefined || link.toLowerCase() !== 'into')) {
      const sure = /^(?:divide|cut)$/i.test(verb) ? 0.75 : 0.97;
      return on(sure * ground(rest, clause, 0.85), rest, clause, { op: 'split', separator: between });
    }
    return undefined;
  }
  const plain = SPLIT.exec(text);
  if (plain === null || clause.data === undefined || !points(plain[1] ?? '')) return undefined;
  return on(0.7, '', clause, { op: 'split' });
};

const JOIN =
  /^(join|glue|concatenate|concat|combine|merge|connect|string)(?: (.*?))??(?: (?:together|up))?(?: (?:with|by|using|separated by|delimited by|on)(?: (?:an?|the|single))? (\S.{0,40}?)(?: (?:between(?: them| each)?|in between|as (?:the )?separator|signs?))?)?$/i;

export const readJoin: Read = (text, clause) => {
  const match = JOIN.exec(text);
  if (match === null) return undefined;
  const [, verb = '', rest = '', said] = match;
  const strong = /^(?:join|glue|concat)/i.test(verb);
  const between = said === undefined ? undefined : (separator(said, clause) ?? (said.length <= 12 ? said : undefined));
  if (said !== undefined && between === undefined) return undefined;
  if (between === undefined && (clause.data === undefined || !strong) && !rest.includes(',')) return undefined;
  const spaced =
    between === ',' || between === ';' ? `${between} ` : /^\w+$/.test(between ?? '') ? ` ${between} ` : between;
  const sure = (strong ? 0.95 : 0.75) * ground(rest, clause, rest.includes(',') ? 0.9 : 0.4);
  return on(
    sure,
    rest,
    clause,
    { op: 'join', separator: spaced ?? (/^concat/i.test(verb) ? '' : ' ') },
    'Which list do you mean?',
  );
};

const UNIT = '(words?|characters?|chars?|letters?|lines?|rows?|sentences?|items?|elements?|entries)';
const ENDS = new RegExp(
  `^(?:(?:only|just|give me|show(?: me)?|get|take|keep|return|extract|what(?:['’]?s| is| are)|print) ){0,3}(?:the )?(?:very )?(first|last|top|bottom|final)(?: (${NUMBER}))? ${UNIT}(?: (?:only|of|from|in|on))*(?: (.*))?$`,
  'i',
);
/** A part of the list before: "the first 3 of them". */
const SOME_OF = new RegExp(
  `^(?:(?:only|just|give me|show(?: me)?|get|take|keep|return) ){0,3}(?:the )?(first|last|top|bottom) (${NUMBER})(?: (?:of|from|in) (?:them|these|those|it|the (?:list|results?)))?$`,
  'i',
);
const CUT = new RegExp(
  `^(?:truncate|shorten|cut|trim|limit|clip|crop|chop|restrict)(?: (?:off|down))?(?: (.*?))?(?: (?:off|down))? (?:to|at|after)(?: (?:just|only|the|first|a|max(?:imum)?|of|at most|no more than))* (${NUMBER}) ${UNIT}$`,
  'i',
);
const unitNamed = (unit: string): string => {
  const lower = unit.toLowerCase();
  if (/^(?:char|letter)/.test(lower)) return 'characters';
  if (/^row/.test(lower)) return 'lines';
  return /^(?:item|element|entr)/.test(lower) ? 'items' : `${lower.replace(/s$/, '')}s`;
};

export const readPart: Read = (text, clause) => {
  const match = ENDS.exec(text);
  if (match !== null) {
    const [, end = '', count = '1', unit = '', rest = ''] = match;
    const op = /first|top/i.test(end) ? 'first' : 'last';
    const items = unitNamed(unit) === 'items' && !rest.includes(',') ? 0.3 : 0.75;
    const bare = clause.data === undefined && clause.it === undefined && points(rest) ? 0.7 : 1;
    const input = { op, count: numberNamed(count), unit: unitNamed(unit) };
    return accounting(on(0.97 * Math.min(bare, ground(rest, clause, items)), rest, clause, input), 'only');
  }
  const some = SOME_OF.exec(text);
  if (some !== null && (clause.it !== undefined || clause.data !== undefined)) {
    const [, end = '', count = '1'] = some;
    return on(0.85, '', clause, {
      op: /last|bottom/i.test(end) ? 'last' : 'first',
      count: numberNamed(count),
      unit: 'items',
    });
  }
  const cut = CUT.exec(text);
  if (cut === null) return undefined;
  const [, rest = '', count = '', unit = ''] = cut;
  return on(0.96 * ground(rest, clause, 0.8), rest, clause, {
    op: 'first',
    count: numberNamed(count),
    unit: unitNamed(unit),
  });
};

const COMPARE =
  /^(?:(?:show me |find |what is |what['’]?s |whats |tell me )?(?:the )?(?:diff(?:erences?)?|changes)\b(?: (?:between|of|in|from))?|diff|compare|what(?:['’]?s| is| are|s)?(?: the)? (?:different|difference|differences|changed|changes|new)(?: (?:between|in|from))?|how do)(?: (.*?))?(?: differ)?$/i;
const PAIR =
  /^("[^"]*"|“[^”]*”|'(?:[^']|\b'\b)*'|‘[^’]*’|\{\{[\w.]+\}\}|step \d+|it|this|that)(?: text)? ?(?:and |with |to |vs\.? |versus |against |from |, ?)?("[^"]*"|“[^”]*”|'(?:[^']|\b'\b)*'|‘[^’]*’|\{\{[\w.]+\}\}|step \d+|it|this|that)$/i;

/** Two texts separated by a line of dashes, an empty line, the only line break, or "vs". */
function halves(data: string): readonly [string, string] | undefined {
  const ruled = data.split(/^[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*$/m);
  const apart = ruled.length === 2 ? ruled : data.split(/\n[ \t]*\n/).filter((part) => part.trim() !== '');
  const two = apart.length === 2 ? apart : data.trim().split('\n');
  if (two.length === 2) return [(two[0] ?? '').replace(/^\n|\n$/g, ''), (two[1] ?? '').replace(/^\n|\n$/g, '')];
  if (data.length > 2_000) return undefined;
  const quoted = PAIR.exec(data.trim());
  const against = quoted === null ? /^(.+?) (?:vs\.?|versus|\|\|?) (.+)$/s.exec(data.trim()) : quoted;
  return against === null ? undefined : [against[1] ?? '', against[2] ?? ''];
}

export const readDiff: Read = (text, clause) => {
  const match = COMPARE.exec(text);
  if (match === null) return undefined;
  const rest = (match[1] ?? '')
    .replace(/^(?:between|the texts?|these texts?|the two texts?) (?=["'“‘])/i, '')
    .replace(/ by (words?|lines?)$/i, '');
  const by = / by (word|line)s?$/i.exec(text)?.[1]?.toLowerCase();
  const input = { op: 'diff', ...(by === undefined ? {} : { by: `${by}s` }) };
  const pair = PAIR.exec(rest);
  if (pair !== null) {
    const [one, other] = [literal(pair[1] ?? '', clause), literal(pair[2] ?? '', clause)];
    return { sure: 0.95, input: { ...input, text: one, other } };
  }
  if (clause.data !== undefined && points(rest.replace(/\b(?:between|with|two|versions?|and)\b ?/gi, ''))) {
    const two = halves(clause.data);
    if (two !== undefined) {
      return { sure: 0.95, input: { ...input, text: literal(two[0], clause), other: literal(two[1], clause) } };
    }
    if (clause.it !== undefined)
      return { sure: 0.8, input: { ...input, text: `{{${clause.it}}}`, other: clause.data } };
    return asked(0.8, 'Which two texts? Write a line of --- between them.', clause);
  }
  if (clause.data !== undefined || !points(rest) || (rest === '' && !/^(?:diff|compare)$/i.test(text)))
    return undefined;
  return asked(0.6, 'Which two texts? Write a line of --- between them.', clause);
};
