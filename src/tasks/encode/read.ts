import type { Json } from '../../core/values/json.ts';
import { withoutTrailing } from '../../core/values/trailing.ts';
import type { Clause, Reading } from '../clause.ts';
import {
  asked,
  ground,
  isQuoted,
  literal,
  MAX_INSTRUCTION,
  on as onText,
  points,
  surest,
  target,
} from '../text/reading.ts';
import type { Codec } from './codecs.ts';
import type { Hash } from './hash.ts';
import { TOKEN } from './jwt.ts';

/** Words after an unquoted text that may say in which form the answer is wanted. */
const FORM =
  /\s(?:in|as|with|without|using|but|and|then)(?: (?:an?|the|all|its))? [\p{L}\d-]{2,20}(?: [\p{L}-]{2,20})?$/iu;
const CODED = /^(?:(?:the )?(?:base ?-?64|md-?5|sha-?\d+|hex|rot-?13|hash)|(?:en|de)code)\b.* \S/i;

/** As for a text, but asks about words that may refer to the result. */
function on(sure: number, rest: string, clause: Clause, input: { readonly [name: string]: Json }): Reading {
  const plain = rest.trim();
  const said =
    clause.data === undefined && !isQuoted(plain) && !points(plain)
      ? (CODED.exec(plain)?.[0] ?? FORM.exec(plain)?.[0])
      : undefined;
  if (said === undefined) return onText(sure, rest, clause, input);
  return asked(
    sure,
    `I cannot tell whether “${said.trim()}” belongs to the text. Put the text in quotation marks or behind a colon.`,
    clause,
  );
}

const CODEC =
  '(base ?-?64[- _]?url(?:[- ]safe)?|url[- ]?safe base ?-?64|base ?-?64|b64|hex(?:adecimal)?|binary|urls?(?:[- ]?(?:component|encoding|safe))?|uri(?:[- ]?component)?|percent|html(?:[- ]?entit(?:y|ies))?|xml|rot-?13|morse(?:[- ]code)?)';
const HASH = '(md-?5|sha-?3-256|sha[- ]?1|sha[- ]?256|sha[- ]?384|sha[- ]?512|crc-?32)';

const NAMES: readonly (readonly [RegExp, Codec])[] = [
  [/(?:64|b64).*url|url.*64/i, 'base64url'],
  [/64/, 'base64'],
  [/hex/i, 'hex'],
  [/binary/i, 'binary'],
  [/ur[li]|percent/i, 'url'],
  [/html|xml/i, 'html'],
  [/rot/i, 'rot13'],
];
const codecNamed = (name: string): Codec => NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? 'morse';
const hashNamed = (name: string): Hash => {
  const plain = name.toLowerCase().replace(/[- ]/g, '');
  return plain === 'sha3256' ? 'sha3-256' : (plain as Hash);
};

/** Tasks whose result is usually a number, so that "it in hex" means a number base. */
const NUMERIC = new Set(['calculate', 'convert', 'run', 'random', 'time']);
const isNumeric = ({ after, data }: Clause): boolean => data === undefined && after !== undefined && NUMERIC.has(after);

/** Whether the text refers to a step before that gave a number. */
function isNumericStep(rest: string, clause: Clause): boolean {
  if (points(rest)) return isNumeric(clause);
  if (clause.data !== undefined) return false;
  const number = Number(/^\{\{(\d+)\}\}$/.exec(target(rest, clause) ?? '')?.[1]);
  return number === clause.it ? isNumeric(clause) : NUMERIC.has(clause.tasks?.[number - 1] ?? '');
}

/** Recognizes a number, as in "255 to hex". */
const isNumber = (text: string): boolean => /^(?:0x)?[\da-f., ]+$/i.test(text) && /\d/.test(text);

const ENCODE_FIRST = new RegExp(
  `^(?:(?:make|get|give me|create|generate|apply|use|what(?:['’]?s| is)) )?(?:(?:the|a) )?(?:encode(?: (?:in|as|to|into|using|with))? ${CODEC}|${CODEC}[- ]?(?:encod(?:e[ds]?|ing)|escaped?|form|version|representation|code)|(?:escape|encode)(?: (?:this|it|the following))? (?:for|in|as|to) (?:an? )?${CODEC}|escape ${CODEC}|${CODEC})(?: (?:of|for|from|to|on))?(?: (.*))?$`,
  'i',
);
const ENCODE_LAST = new RegExp(
  `^(?:(encode|escape|convert|turn|translate|transform|write|put|run|pass|change|make|show(?: me)?|give(?: me)?|print|display|express|output|return|tell me|how (?:do|would) (?:you|i) (?:write|say|spell)|what is|what['’]?s) )?(.*?) ?(?:(?:in|as|to|into|using|with|through|(?<=^(?:escape|encode) .*)for) |(?:safe|ready) (?:for|in) )(?:an? |the )?${CODEC}(?: (?:encoding|encoded|format|form|notation|representation|string|text|code|bytes|byte values|digits|values))?$`,
  'i',
);
const DECODE = new RegExp(
  `^(?:(?:un-?|de-?)${CODEC}|(?:decode|unescape|unencode|decrypt|decipher|translate|read)(?: (?:this|the|following|from|a|these|some|my)){0,3} ${CODEC}|${CODEC}[- ]?(?:decod(?:e[ds]?|ing)|unescaped?)|(?:what(?:['’]?s| is| does)|whats)(?: (?:this|the|following))* ${CODEC}(?: (?:say|mean|string|text|decoded?))*)(?: (?:code|string|text|data|encoded|value|message|escapes?|entities))*(?: (?:in|of|from|say|mean))?(?: (.*))?$`,
  'i',
);
const DECODE_LAST = new RegExp(
  `^(?:(?:decode|unescape|translate|convert|turn|change|transform|read)(?= |$))?(?: ?(.*?))? ?\\b(?:from|as|which is|(?:written|encoded) in|using|with) ${CODEC}(?: (?:in)?to (?:text|plain text|ascii|utf-?8|english|words|a string|letters|normal text))?$|^(?:convert|turn|change|translate|transform|decode)?(?: (?:the|this))* ?${CODEC}(?: (?:code|string))?(?: (.*?))? (?:in)?to (?:text|plain text|ascii|utf-?8|english|words|a string|letters|normal text)$`,
  'i',
);
const SAYS = new RegExp(
  `^what (?:does|do|is|would) (\\S+) (?:say|mean|read|decoded?)?(?: ?(?:in|from|as)) ${CODEC}$`,
  'i',
);

/** Reads "I have this string, it is base64, what does it say?". */
const DESCRIBED = new RegExp(
  `^(?:(?:i|we)(?:['’]ve| have)? (?:have|got|found|received|see|get)|(?:i|we)(?:['’]ve| have)|here(?: is|['’]s)|this is|it(?: is|['’]s)|there(?: is|['’]s)|got|found)\\b.{0,120}?\\b${CODEC}\\b.{0,40}?\\b(?:what (?:does|do|is|did)(?: (?:it|this|that|in|inside|the text|the string))+(?: (?:say|mean|contain|read|decode to))?|what it (?:says|means|contains)|(?:decode|read|unescape) (?:it|this|that)|need (?:it|this|that) decoded)$`,
  'i',
);

const firstOf = (match: RegExpExecArray, from: number, to: number): string | undefined =>
  match.slice(from, to + 1).find((one) => one !== undefined);

function readCodec(text: string, clause: Clause): Reading | undefined {
  return surest([readDecode(text, clause), readEncoding(text, clause)]);
}

const PLAIN_DECODE =
  /^(?:decode|un-?encode|unescape|decipher)(?: (?:this|the|following|string|text|it|message|code))*(?: (\S+|[01]{8}(?: [01]{8})+|[0-9a-f]{2}(?: [0-9a-f]{2})+))?$/i;

/** The probable encoding of a text; only short texts are ambiguous. */
function guess(text: string): Codec | 'jwt' | undefined {
  const plain = text.trim().slice(0, 10_000);
  if (TOKEN.test(plain)) return 'jwt';
  if (/%[0-9a-f]{2}/i.test(plain) && !/\s/.test(plain)) return 'url';
  if (/&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});/i.test(plain)) return 'html';
  if (/^[\s.·•/|−–—-]{3,}$/.test(plain)) return 'morse';
  if (/^[01\s]{8,}$/.test(plain)) return 'binary';
  if (/^(?:[0-9a-f]{2}[\s:]?){2,}$/i.test(plain) && /\d/.test(plain)) return 'hex';
  const signs = plain.replace(/\s+/g, '');
  if (/^[A-Za-z0-9+/]{4,}={0,2}$/.test(signs) && signs.length % 4 === 0) return 'base64';
  return /^[A-Za-z0-9_-]{6,}$/.test(signs) && !/\s/.test(plain) ? 'base64url' : undefined;
}

/** Reads "decode: …", where the text shows its encoding. */
function readGuessed(text: string, clause: Clause): Reading | undefined {
  const match = PLAIN_DECODE.exec(text);
  if (match === null) return undefined;
  const from = target(match[1] ?? '', clause);
  if (from === undefined || /^\{\{[\w.]+\}\}$/.test(from)) return undefined;
  const as = guess(from);
  if (as === undefined) {
    if (clause.data === undefined) return undefined;
    return {
      sure: 0.6,
      ask: 'From which encoding: base64, hex, URL, HTML …?',
      answered: (answer) => `${text} from ${answer}: ${clause.data}`,
    };
  }
  return { sure: 0.85, input: as === 'jwt' ? { op: 'jwt', text: from } : { op: 'decode', as, text: from } };
}

/** Whether "what is hello in base64" asks for the code of a word, because the word is no code of a readable text. */
function isPlainWord(text: string, [, word = '', name = '']: RegExpExecArray): boolean {
  if (!/^what (?:is|would)\b/i.test(text) || !/^(?:base64|hex)$/.test(codecNamed(name))) return false;
  const as = codecNamed(name) === 'hex' ? 'hex' : 'base64';
  if (!/^[\p{L}\d]+$/u.test(word) || !/^[\x20-\x7e]+$/.test(word)) return !/[=+/]/.test(word);
  const decoded = Buffer.from(word, as).toString('utf8');
  const whole = as === 'hex' ? /^(?:[\da-f]{2})+$/i.test(word) : word.length % 4 === 0;
  return !whole || !/^[\p{L}\p{N}\p{P}\p{S}\s]+$/u.test(decoded) || decoded.includes('\ufffd');
}

function readDecode(text: string, clause: Clause): Reading | undefined {
  if (isNumeric(clause) && /^what.*\b(?:hex(?:adecimal)?|binary)$/i.test(text)) return undefined;
  const says = SAYS.exec(text);
  if (says !== null && !isNumber(says[1] ?? '') && clause.data === undefined && !isPlainWord(text, says)) {
    return on(0.97, says[1] ?? '', clause, { op: 'decode', as: codecNamed(says[2] ?? '') });
  }
  const described = clause.data === undefined ? null : DESCRIBED.exec(text);
  if (described !== null) return on(0.95, '', clause, { op: 'decode', as: codecNamed(described[1] ?? '') });
  const last = DECODE_LAST.exec(text);
  const match = last === null ? DECODE.exec(text) : null;
  const name = last === null ? (match === null ? undefined : firstOf(match, 1, 4)) : (last[2] ?? last[3]);
  if (name === undefined) return undefined;
  const rest = ((last === null ? match?.[5] : (last[1] ?? last[4])) ?? '').replace(
    /^what do(?:es)? /i.test(text) ? / (?:say|mean|read)$/i : /^$/,
    '',
  );
  const as = codecNamed(name);
  // "What is the hex of Hi" asks about a text.
  if (last === null && /^(?:what(?:['’]?s| is)) .* of \S+$/i.test(text) && !/decod|unescape/i.test(text))
    return undefined;
  if (/^(?:what|whats)/i.test(text) && clause.data === undefined && !/^\S+$/.test(rest)) return undefined;
  const strong = /decod|unescape|^un|^de-?(?:base|b64|hex|url)/i.test(text) ? 1 : 0.95;
  return on(strong * ground(rest, clause, 0.93), rest, clause, { op: 'decode', as });
}

function readEncoding(text: string, clause: Clause): Reading | undefined {
  const last = ENCODE_LAST.exec(text);
  const first = ENCODE_FIRST.exec(text);
  if (last !== null && !(first !== null && clause.data !== undefined)) {
    const [, verb, rest = '', name = ''] = last;
    const as = codecNamed(name);
    if (isNumber(rest.trim()) && as !== 'base64' && as !== 'base64url') return undefined;
    if (as === 'hex' && /\bcolou?rs?\b|\brgb\b/i.test(rest)) return undefined;
    if ((as === 'hex' || as === 'binary') && isNumericStep(rest, clause)) return undefined;
    const bare = verb === undefined || /^(?:what|show|make|put)/i.test(verb) ? 0.8 : 0.9;
    // "The page in html" and "send it as url" mean something else.
    const usual = /^(?:url|html)$/.test(as) && !/encode|escape|safe/i.test(text) ? 0.45 : 1;
    return on(usual * ground(rest, clause, bare), rest, clause, { op: 'encode', as });
  }
  if (first === null) return undefined;
  const name = firstOf(first, 1, 5) ?? '';
  const rest = first[6] ?? '';
  const as = codecNamed(name);
  const only = first[5] !== undefined;
  if (only && /^(?:url|html)$/.test(as)) return undefined;
  if (
    only &&
    (as === 'hex' || as === 'binary') &&
    (isNumericStep(rest, clause) || isNumber(rest || (clause.data ?? '')) || /^colou?r|search|tree/i.test(rest))
  )
    return undefined;
  // Morse and base64 can be distinguished from text.
  if (only && as === 'morse' && /^[\s./|·•−–—-]+$/.test(clause.data ?? rest) && (clause.data ?? rest) !== '') {
    return on(0.95, rest, clause, { op: 'decode', as });
  }
  return on((only ? 0.95 : 1) * ground(rest, clause, only ? 0.85 : 0.93), rest, clause, { op: 'encode', as });
}

const HASH_FIRST = new RegExp(
  `^(?:(?:what(?:['’]?s| is)|give me|tell me|get|take|return|calculate|compute|make|create|generate|show(?: me)?|find) )?(?:(?:the|an?|its|their) )?(?:${HASH}[- ]?(?:sum)?(?: (?:hash|checksum|digest|sum|hex ?digest))?|(?:hash|checksum|digest)(?: (?:with|using|in))? ${HASH})(?:(?: (?:of|for|from))?(?: (.*))?|\\((.*)\\))$`,
  'i',
);
const HASH_LAST = new RegExp(
  `^(?:(?:what(?:['’]?s| is)|give me|get|calculate|compute|make|show(?: me)?) )?(?:the )?(hash|checksum|digest|fingerprint)(?: of)?(?: (.*?))?(?: (?:with|using|by|in|as|via|under)(?: (?:the|an?))? ${HASH}(?: (?:hash|algorithm))?)?$`,
  'i',
);

function readHash(text: string, clause: Clause): Reading | undefined {
  const first = HASH_FIRST.exec(text);
  if (first !== null) {
    const rest = first[3] ?? first[4] ?? '';
    return on(ground(rest, clause, 0.93), rest, clause, { op: 'hash', as: hashNamed(first[1] ?? first[2] ?? '') });
  }
  const last = HASH_LAST.exec(text);
  if (last === null) return undefined;
  const [, , rest = '', name] = last;
  const loose = name === undefined ? (/^hash(?: of)? \S+$/i.test(text) ? 0.6 : 0.45) : 0.93;
  const sure = name === undefined ? 0.9 : 1;
  return on(sure * ground(rest, clause, loose), rest, clause, {
    op: 'hash',
    as: name === undefined ? 'sha256' : hashNamed(name),
  });
}

const HMAC = /^(?:(?:what(?:['’]?s| is)|give me|get|calculate|compute|make|create|generate|sign) )?.*\bhmac\b/i;
const KEY =
  /,? ?\b(?:(?:with|using|by|under|and)(?: (?:the|a|this|key|is))* (?:secret key|secret|key|password)|(?:key|secret)(?= ?[=:]))(?: (?:of|is|being))? ?[=:]? ?("[^"]{1,2000}"|“[^”]{1,2000}”|'[^']{1,2000}'|‘[^’]{1,2000}’|\S{1,2000})/i;
const AROUND = new RegExp(
  `\\b(?:what(?:['’]?s| is)|give me|get|calculate|compute|make|create|generate|sign|the|an?|of|for|with|using|as|hmac|${HASH.slice(1, -1)})\\b[- ]?`,
  'gi',
);

function readHmac(text: string, clause: Clause): Reading | undefined {
  if (!HMAC.test(text)) return undefined;
  const name =
    new RegExp(`\\bhmac[- ]?(?:using |with )?${HASH}\\b`, 'i').exec(text)?.[1] ??
    new RegExp(`\\b${HASH}\\b`, 'i').exec(text)?.[1];
  const as = name === undefined ? 'sha256' : hashNamed(name);
  const key = KEY.exec(text);
  if (key === null) {
    return {
      sure: 0.9,
      ask: 'With which key?',
      answered: (answer) => `${text} with key "${answer}"${clause.data === undefined ? '' : `: ${clause.data}`}`,
    };
  }
  const without = text.slice(0, key.index) + text.slice(key.index + key[0].length);
  const quoted = /"[^"]*"|“[^”]*”|'[^']*'|‘[^’]*’/.exec(without)?.[0];
  const rest = quoted ?? without.replace(AROUND, '').trim();
  return on(0.98, rest, clause, { op: 'hmac', as, key: literal(key[1] ?? '', clause) });
}

const JWT =
  /^(?:(?:decode|read|parse|show|open|inspect|explain|check|look (?:in|into|at)|what(?:['’]?s| is| does)(?: (?:in|inside(?: of)?))?|whats(?: (?:in|inside))?|unpack|debug)(?: (?:me|this|the|my|following|a|that|of))* )?(?:jwt|json web token|(?:access|id|bearer|auth) ?token)s?(?: (?:token|say|contain|payload|header|claims))?(?: (.*))?$/i;

function readToken(text: string, clause: Clause): Reading | undefined {
  const token = TOKEN.exec(text) ?? (clause.data === undefined ? null : TOKEN.exec(clause.data.trim()));
  if (
    token !== null &&
    (clause.data === undefined || /^(?:decode|read|parse|explain|what|inspect|jwt|token|open)/i.test(text))
  ) {
    return { sure: 0.96, input: { op: 'jwt', text: token[1] as string } };
  }
  const match = JWT.exec(text);
  if (match === null) return undefined;
  const rest = match[1] ?? '';
  if (
    clause.data === undefined &&
    rest !== '' &&
    !/^eyJ/.test(rest) &&
    !isQuoted(rest) &&
    target(rest, clause)?.startsWith('{{') !== true
  )
    return undefined;
  if (target(rest, clause) === undefined) return asked(0.8, 'Which token?', clause);
  return on(0.97, rest, clause, { op: 'jwt' });
}

/** Words without which an instruction is not about encoding. */
const ANY =
  /decode|encode|escape|decipher|64|hex|binary|ur[li]\b|url|percent|html|xml|rot-?13|morse|md-?5|sha-?\d|sha |crc|hash|checksum|digest|fingerprint|hmac|jwt|token|eyJ/i;

/** How the task understands an instruction. */
export function readEncode(clause: Clause): Reading | undefined {
  const { text } = clause;
  if (text.length > 3 * MAX_INSTRUCTION || !ANY.test(text)) return undefined;
  const plain = withoutTrailing(text, '?!').trim();
  if (plain.length > MAX_INSTRUCTION) return readToken(plain, clause);
  const hmac = readHmac(plain, clause);
  if (hmac !== undefined) return hmac;
  return surest([
    readToken(plain, clause),
    readHash(plain, clause),
    readCodec(plain, clause),
    readGuessed(plain, clause),
  ]);
}
