import type { Json } from '@mailroom/behavior/values/json';
import { isJson } from '@mailroom/behavior/values/json';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { accounting, type Clause, explicitReferences, operand, placeholder, type Reading, unquote } from '../clause.ts';

/** Maximum characters of an instruction; a longer text is no instruction or has its data not set apart. */
const MAX_INSTRUCTION = 2_000;

const POINTING_WORDS =
  'of from in on for to at out the this these that those it its them my our your here all each every any both two following given above below next pasted attached previous last and sure up again back too instead list table array set bunch piece block body text title string sentence phrase paragraph word line row item element entry entries value name number letter character thing message input output result outcome answer data content snippet passage document file code json csv'.split(
    ' ',
  );
/** Words that only refer to the data: "of the following object", "in it". */
const POINTING = new RegExp(String.raw`^(?:(?:${POINTING_WORDS.join('|')})s?(?:\s+|,\s*|$))+$`, 'i');
const QUOTED = /^(?:"[^"\n]*"|“[^”\n]*”|‘[^’\n]*’|«[^»\n]*»|`[^`\n]*`|'(?:[^'\n]|\b'\b)*')$/;

/** Whether a text only refers to something else. */
const points = (text: string): boolean => text === '' || (text.length <= 120 && POINTING.test(text));

const isQuoted = (text: string): boolean => QUOTED.test(text.trim());

/** What an instruction works on: its data, else `rest`, else the result before. */
function target(rest: string, clause: Clause): string | undefined {
  const plain = rest.trim();
  if (clause.data !== undefined) return clause.data;
  const explicit = explicitReferences(plain);
  const only = /^(?:(?:of|from|in|on|for|the|text|words?|lines?|list) )*(\{\{[\w.]+\}\})$/.exec(explicit);
  if (only !== null) return only[1];
  if (points(plain)) return clause.it === undefined ? undefined : placeholder(clause.it);
  return isQuoted(plain) ? unquote(plain) : operand(plain, clause);
}

/** The reading of an instruction about `rest`; asks for the data when there is none. */
function on(
  sure: number,
  rest: string,
  clause: Clause,
  input: { readonly [name: string]: Json },
  ask: string,
): Reading {
  const json = target(rest, clause);
  if (json === undefined) return { sure, ask, answered: (answer) => `${clause.text}: ${answer}` };
  return { sure, input: { ...input, json } };
}

type Read = (text: string, clause: Clause) => Reading | undefined;

const WHICH = 'Which JSON do you mean?';

const looksJson = ({ data, language }: Clause): boolean =>
  (data !== undefined && /^\s*[[{]/.test(data)) || (language !== undefined && /^json/.test(language));

/** Separates JSON within an instruction, as in `prettify {"a": 1}`, also when it was cut at its first colon. */
function withJsonApart(clause: Clause): Clause {
  const { text, data, language } = clause;
  const start = / [[{]/.exec(text.slice(0, MAX_INSTRUCTION))?.index;
  if (start === undefined || language !== undefined) return clause;
  const whole = data === undefined ? text : `${text}: ${data}`;
  const json = whole.slice(start + 1);
  if (
    !isJson(json) &&
    !(/[\]}]$/.test(json) && /^[[{]\s*["'{[}\]\w]/.test(json) && /\bjson\b/i.test(text.slice(0, start)))
  )
    return clause;
  return { ...clause, text: text.slice(0, start), data: json };
}

/** A reading of `rest`, which may only refer to something, because JSON is never plain words. */
const readingOf = (
  sure: number,
  rest: string,
  clause: Clause,
  input: { readonly [name: string]: Json },
): Reading | undefined => {
  if (sure < 0.5) return undefined;
  // Quotation marks around JSON make it a string of JSON.
  if (clause.data !== undefined) return { sure, input: { ...input, json: clause.data } };
  if (!points(rest) && !/\{\{|\bstep #?\d/i.test(rest) && !isQuoted(rest)) return undefined;
  return on(sure, rest, clause, input, WHICH);
};

const NAMED_QUERY =
  /^(?:(?:run|apply|evaluate|use|do|execute)(?: (?:the|this|a|following))* )?(?:jmespath|jmes|jq|json ?path|json query)(?: (?:query|expression|path|filter))? (.+)$/i;
const QUERY =
  /^query(?:(?: (?:this|the|that|my|following|it|json|data|object|array|list|document|file|here|below))* (?:for|with|by|using))? (.+)$/i;
/** The source named first: "from this json get me items[].price". */
const FROM_FIRST =
  /^(?:from|in|out of|with|on)((?: (?:this|the|that|my|following|it|json|data|object|array|list|document|file|below)){1,4}),? (?=[a-z])(.+)$/i;
const GET =
  /^(?:get|query|extract|read|pick|pull|select|show|find|give|what(?:['’]?s| is)|whats|return|fetch|look up|grab|take)(?: (?:me|out|up))*(?: the| its)?(?: (?:value|values|field|property|key|path|element|entry)s?)?(?: (?:of|at|for|under))?(?: the)? ([.$@]?(?:[\w-]+|"[^"\s]+"|\[[^\]]{0,80}\])(?:\.(?:[\w-]+|\*|"[^"\s]+")|\[[^\]]{0,200}\])*(?: field| property| value)?)(?: (of|in|from|on|out of|inside)(?: (.*))?)?$/i;

function expressionOf(said: string): string {
  const plain = isQuoted(said) && !/^[`'"]/.test(said.trim()) ? unquote(said) : said.trim();
  const bare = /^"[^"]*[.[][^"]*"$/.test(plain) ? plain.slice(1, -1) : plain;
  if (bare === '.' || bare === '$') return '@';
  return bare.replace(/^\$?\.(?=[\w"[*])/, '').replace(/^\$(?=\[)/, '');
}

/** The expression, and the words after "in" or "from" when they only refer to the data. */
function apart(words: string): { readonly expression: string; readonly rest: string } {
  for (const link of words.matchAll(/ (?:on|in|from|of|over|against|to|for)(?= |$)/gi)) {
    const rest = words.slice(link.index + link[0].length).trim();
    if (points(rest) || /^(?:\{\{[\w.]+\}\}|(?:the (?:result|output) of )?step #?\d{1,4})$/i.test(rest)) {
      return { expression: words.slice(0, link.index), rest };
    }
  }
  return { expression: words, rest: '' };
}

/** A property of the JSON worked on before: "give me the total". */
const THE_KEY = /^(?:get|extract|give|take|pick|pull|show|what)\b.{0,12} (?:the|its) /i;

const asKey = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));

const MAX_VALUES = 20_000;

/** The distinct paths to a name in JSON, with lists as `[]`; undefined when there is no JSON. */
function waysTo(name: string, data: string): readonly string[] | undefined {
  let root: unknown;
  try {
    root = JSON.parse(data);
  } catch {
    return undefined;
  }
  const ways = new Set<string>();
  const open: [value: unknown, way: string][] = [[root, '']];
  for (let at = 0; at < open.length && at < MAX_VALUES; at++) {
    const [value, way] = open[at] as [unknown, string];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) for (const one of value) open.push([one, `${way}[]`]);
    else
      for (const [key, item] of Object.entries(value)) {
        const to = way === '' ? asKey(key) : `${way}.${asKey(key)}`;
        if (key === name) ways.add(to);
        open.push([item, to]);
      }
  }
  return [...ways];
}

const readQuery: Read = (text, clause) => {
  const named = NAMED_QUERY.exec(text);
  const match = named ?? QUERY.exec(text);
  if (match !== null) {
    const { expression, rest } = apart(match[1] ?? '');
    if (points(expression) && !/^\w+$/.test(expression)) return undefined;
    const pathlike = /[.[\]()@*|]/.test(expression) || /^["\w-]+$/.test(expression);
    const sure = named !== null ? 0.98 : looksJson(clause) ? 0.98 : pathlike && !expression.includes(' ') ? 0.85 : 0.55;
    return readingOf(sure, rest, clause, { op: 'query', expression: expressionOf(expression) });
  }
  const got = GET.exec(text);
  if (got === null) return undefined;
  const [, said = '', link, rest = ''] = got;
  const path = said.replace(/ (?:field|property|value)$/i, '');
  const dotted = /^[.$@[]|\w\.\w|\[/.test(path);
  const certain = /^[.$@[]|\[/.test(path);
  if (!points(rest) && !/\{\{|\bstep #?\d/i.test(rest)) return undefined;
  if (
    !dotted &&
    (points(path) || /^(?:all|links|urls|emails|numbers|dates|mentions|hashtags)$/i.test(path)) &&
    path.toLowerCase() !== 'name'
  )
    return undefined;
  const sure = looksJson(clause)
    ? dotted
      ? 0.96
      : 0.88
    : clause.data !== undefined
      ? /\bjson\b/i.test(text)
        ? 0.85
        : 0
      : clause.it === undefined && !/\bjson\b|step/i.test(rest)
        ? 0
        : certain
          ? 0.9
          : link === undefined
            ? dotted && /^(?:json|fetch|run)$/.test(clause.after ?? '')
              ? 0.85
              : clause.after === 'json' && THE_KEY.test(text)
                ? 0.75
                : 0
            : dotted
              ? 0.85
              : 0.6;
  const expression = expressionOf(path);
  const ways =
    clause.data === undefined || !/^"?[\w-]+"?$/.test(path) ? undefined : waysTo(path.replaceAll('"', ''), clause.data);
  if (ways === undefined || sure < 0.5 || ways.includes(expression))
    return accounting(readingOf(sure, rest, clause, { op: 'query', expression }), 'only');
  const [way, other] = ways;
  if (way !== undefined && other === undefined)
    return accounting(readingOf(sure, rest, clause, { op: 'query', expression: way }), 'only');
  const ask =
    way === undefined
      ? `There is no “${path}” in it. What shall I get?`
      : `“${path}” stands in several places: ${ways.slice(0, 5).join(', ')}. Which one?`;
  return { sure, ask, answered: (answer) => `query ${answer}: ${clause.data}` };
};

/** Words without which an instruction is no query. */
const ANY =
  /query|jmes|jq\b|json ?path|get|extract|read|pick|pull|select|show|find|give|what|return|fetch|look|grab|take/i;

/** How the task understands an instruction. */
export function readJson(clause: Clause): Reading | undefined {
  if (clause.text.length > MAX_INSTRUCTION || !ANY.test(clause.text)) {
    // Long JSON may be part of the instruction.
    if (!/^[\w -]{2,80} [[{]/.test(clause.text) || !ANY.test(clause.text.slice(0, 100))) return undefined;
  }
  const clauseApart = withJsonApart(clause);
  if (clauseApart.text.length > MAX_INSTRUCTION) return undefined;
  const plain = withoutTrailing(clauseApart.text, '?!.').trim().replace(FROM_FIRST, '$2 from$1');
  if (plain === '') return undefined;
  const reading = readQuery(plain, clauseApart);
  return reading !== undefined && reading.sure >= 0.5 ? reading : undefined;
}
