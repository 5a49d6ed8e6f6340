import type { Json } from '../../core/values/json.ts';
import { accounting, type Clause, type Reading } from '../clause.ts';
import { asked, ground, isQuoted, literal, NUMBER, numberNamed, on, points, signNamed } from './reading.ts';

type Read = (text: string, clause: Clause) => Reading | undefined;

const SOME = "(\"[^\"]{1,500}\"|“[^”]{1,500}”|'(?:[^']|\\b'\\b){1,500}'|‘[^’]{1,500}’|.{1,500}?)";
const OTHER = "(\"[^\"]{0,500}\"|“[^”]{0,500}”|'(?:[^']|\\b'\\b){0,500}'|‘[^’]{0,500}’|.{1,500}?)";
const KIND = '(?:words?|letters?|strings?|characters?|text|phrases?|signs?)';
const REPLACE = new RegExp(
  `^(?:(?:find|search) and |in (?:this|the)(?: following)? (?:text|string|sentence),? )?(replace|substitute|swap(?: out)?|change|switch|exchange)((?: (?:all|every|each|any|the|only|just|occurrences?|instances?|of|first|one)){0,6}) (?:${KIND} )?${SOME} (with|by|for|to|into) (?:the ${KIND} )?${OTHER}(?:,? (?:in|within|inside|throughout|on|everywhere in)(?: (.*))?)?$`,
  'i',
);
/** Names of things stored elsewhere, which are no text to work on. */
const ELSEWHERE = /^(?:my|our|the) .{0,40}?(?:list|notes?|reminders?|schedule|inbox|calendar|agenda)s?$/i;

const partOf = (said: string, clause: Clause): string => signNamed(said) ?? literal(said, clause);

export const readReplace: Read = (text, clause) => {
  const match = REPLACE.exec(text);
  if (match === null) return readRemove(text, clause);
  const [, verb = '', how = '', one = '', link = '', other = '', rest = ''] = match;
  const quoted = isQuoted(one);
  if (ELSEWHERE.test(rest) && clause.data === undefined && clause.it === undefined) return undefined;
  const swapped = /^substitute$/i.test(verb) && /^for$/i.test(link);
  const plain = /^(?:replace|substitute|swap)/i.test(verb) && /^(?:with|by|for)$/i.test(link);
  const every = /all|every|each|any/i.test(how) || signNamed(one) !== undefined;
  const [find, by] = swapped ? [other, one] : [one, other];
  const sure = plain ? 0.96 : quoted ? 0.9 : every ? 0.8 : clause.data === undefined ? 0.3 : 0.6;
  const input: { [name: string]: Json } = { op: 'replace', find: partOf(find, clause), with: partOf(by, clause) };
  if (/first|\bone\b/i.test(how)) input.only_first = true;
  const nothing = clause.data === undefined && clause.it === undefined && points(rest);
  if (/\b(?:using|matching|by) (?:the |a )?(?:regex|regexp|pattern)\b/i.test(one)) return undefined;
  // "A with b and c with d" contains two instructions.
  if (!isQuoted(other) && /\band\b.{1,60}\b(?:with|by|for|to|into)\b/i.test(other))
    return asked(sure, 'I replace one thing at a time. Which one first?', clause);
  const reading = on(sure * (nothing ? 0.8 : ground(rest, clause, 0.9)), rest, clause, input, 'In which text?');
  return accounting(reading, ...(/all|every|each|first/i.test(how) ? [how.trim()] : []));
};

const REMOVE = new RegExp(
  `^(?:remove|delete|strip|take out|drop|get rid of|cut out|erase)(?: (?:out|all|every|any|each|the|of)){0,4} (?:(${KIND}) )?${SOME}(?: (?:from|in|out of|within)(?: (.*))?)?$`,
  'i',
);
const EMPTY_LINES = /^(?:blank|empty) (?:lines?|rows?)$/i;
const EXTRA_SPACES =
  /^(?:(?:extra|double|multiple|trailing|leading|surrounding|unnecessary|superfluous|and) ){1,4}(?:white ?)?spaces?$/i;

const readRemove: Read = (text, clause) => {
  const match = REMOVE.exec(text);
  if (match === null) return undefined;
  const [, kind, some = '', rest = ''] = match;
  if (EMPTY_LINES.test(some)) return on(0.96 * ground(rest, clause, 0.6), rest, clause, { op: 'trim', by: 'lines' });
  if (EXTRA_SPACES.test(some)) return on(0.96 * ground(rest, clause, 0.8), rest, clause, { op: 'trim' });
  const sign = signNamed(some);
  // "The vowels" and "html" are no literal texts, unless the text contains the words.
  const there = clause.data?.includes(some) === true;
  const sure = sign !== undefined || isQuoted(some) ? 0.94 : kind !== undefined ? 0.85 : there ? 0.6 : 0.3;
  if (/^(?:duplicate|dupe|double|repeat|notes?\b|reminders?\b|schedules?\b)/i.test(some)) return undefined;
  if (ELSEWHERE.test(rest) && clause.data === undefined) return undefined;
  const of = sure * ground(rest, clause, 0.85);
  return on(of, rest, clause, { op: 'replace', find: sign ?? literal(some, clause), with: '' }, 'From which text?');
};

const TRIM =
  /^(?:(trim)|(?:strip|clean|tidy|normali[sz]e|collapse|squeeze|fix|reduce|trim)(?: up)?(?: (?:the|all|any|extra|surrounding|leading|trailing|double|multiple|and|off|away)){0,6} (?:white ?)?spac(?:es?|ing))(?: (?:in|of|from|around))?(?: (.*))?$/i;

export const readTrim: Read = (text, clause) => {
  const match = TRIM.exec(text);
  if (match === null) return undefined;
  const rest = match[2] ?? '';
  return on(0.95 * ground(rest, clause, match[1] === undefined ? 0.8 : 0.6), rest, clause, { op: 'trim' });
};

const FILL =
  /^(?:fill(?: in| out| up)?|populate|complete|render|use|apply)(?: (?:the|this|my|following|a|in))*(?: (?:template|form letter|form|blanks|placeholders|gaps))?(?: (?:in|of|for))?(?: (.*?))?,? ?\b(?:with|using|where|given)(?: (?:the|these|following|values))* (.{3,1500})$/i;
const FILL_POINTS =
  /^(?:fill(?: in| out| up)?|populate|complete|render)(?: (?:the|this|my|following|a))*(?: template)?(?: in| out| with)?$/i;
const FILL_DATA =
  /^(?:fill(?: in| out| up)?|populate|complete|render)(?: (?:the|this|my|following))*(?: template)?(?: (.*?))? (?:with|using)$/i;

/** A template that needs only results of steps, which are filled in when the plan runs. */
const FILL_STEPS =
  /^(?:fill(?: in| out| up)?|populate|complete|render)(?: (?:the|this|my|following|a))*(?: template)? (.*\{\{ ?\d{1,4}[.\w]* ?\}\}.*)$/i;

/** "name = Ann, city = Oslo and day=Friday" as an object; undefined when there is other text. */
function pairs(said: string): { [name: string]: Json } | undefined {
  const parts = said.trim().split(/[,;\n]\s*(?:and )?|\s+and\s+(?=[\w -]{1,40}\s?[=:])/);
  const found: [string, string][] = [];
  for (const one of parts) {
    if (one.trim() === '') continue;
    const match = /^\s*[{<]?([\p{L}_][\p{L}\p{N}_ -]{0,59}?)[}>]?\s*(?:=|:)\s*(.*)$/u.exec(one);
    if (match === null) return undefined;
    const value = (match[2] ?? '').trim();
    found.push([match[1] ?? '', isQuoted(value) ? value.slice(1, -1) : value]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

export const readTemplate: Read = (text, clause) => {
  const match = FILL.exec(text);
  const values = match === null ? undefined : pairs(match[2] ?? '');
  if (match !== null && values !== undefined) {
    const rest = match[1] ?? '';
    const holes = /\{[^{}]+\}|<[^<>]+>/.test(clause.data ?? rest);
    return on(
      holes ? 0.97 : 0.7,
      rest,
      clause,
      { op: 'template', values },
      'Which template? Write {name} where a value belongs.',
    );
  }
  const steps = FILL_STEPS.exec(clause.data === undefined ? text : '')?.[1];
  if (steps !== undefined && isQuoted(steps)) {
    return { sure: 0.97, input: { op: 'say', text: literal(steps, clause) } };
  }
  if (clause.data !== undefined && /\{\{ ?\d/.test(clause.data) && FILL_POINTS.test(text)) {
    return on(0.95, '', clause, { op: 'say' });
  }
  const rest = FILL_DATA.exec(text)?.[1];
  if (rest === undefined || clause.data === undefined || !/[{<]/.test(rest) || clause.data.length > 10_000)
    return undefined;
  const given = pairs(clause.data);
  if (given === undefined) return undefined;
  return { sure: 0.95, input: { op: 'template', values: given, text: literal(rest, clause) } };
};

const PAD = new RegExp(
  `^(?:(left|right)[- ])?pad(?: (.*?))?(?: with (zero(?:e?s)?|spaces?))?(?: (?:on|to|at|from) the (left|right|start|beginning|front|end))? (?:to|until|up to)(?: a)?(?: (?:width|length|total))?(?: of)? (${NUMBER})(?: (?:characters?|chars?|digits?|letters?|places?|long|wide))*(?: (?:with|using) ${OTHER})?(?: (?:on|to|at|from) the (left|right|start|beginning|front|end))?$`,
  'i',
);
const LINE_NUMBERS =
  /^(?:(?:add|put|insert|prepend|show)(?: the)? (?:line numbers|numbers)|number)(?: (?:to|in|on|before|at|with|of))?(?: (.*))?$/i;
const WRAP = new RegExp(
  `^(?:hard[- ]|word[- ]|re)?(?:wrap|flow)(?: (.*?))? ?\\b(?:at|to|after|within|every)(?: (?:column|width|a width of|max(?:imum)?))? (${NUMBER})(?: (?:columns?|characters?|chars?|cols?|wide|letters|per line|a line))*$`,
  'i',
);

export const readLayout: Read = (text, clause) => {
  const pad = PAD.exec(text);
  if (pad !== null) {
    const [, before, rest = '', early, middle, length = '', late, after] = pad;
    const fill = early ?? late;
    const side = /right|end/i.test(before ?? middle ?? after ?? '') ? 'right' : 'left';
    const named = /^(?:zero(?:e?s)?)$/i.test(fill ?? '') ? '0' : fill === undefined ? undefined : partOf(fill, clause);
    const input: { [name: string]: Json } = { op: 'pad', length: numberNamed(length), side };
    if (named !== undefined) input.with = named;
    // Zero-padded to three digits.
    else if (/\bdigits?\b/i.test(text) && /^\d+$/.test(rest.trim() || (clause.data ?? ''))) input.with = '0';
    return on(0.96 * ground(rest, clause, 0.9), rest, clause, input);
  }
  const wrap = WRAP.exec(text);
  if (wrap !== null && /wrap|flow/i.test(text)) {
    return on(0.95 * ground(wrap[1] ?? '', clause, 0.8), wrap[1] ?? '', clause, {
      op: 'wrap',
      length: numberNamed(wrap[2] ?? ''),
    });
  }
  const number = LINE_NUMBERS.exec(text);
  if (number === null) return undefined;
  const rest = number[1] ?? '';
  if (!points(rest) || (/^number/i.test(text) && !/\b(?:lines?|items?|rows?|list|entries)\b/i.test(rest)))
    return undefined;
  return on(0.93, rest, clause, { op: 'number' });
};
