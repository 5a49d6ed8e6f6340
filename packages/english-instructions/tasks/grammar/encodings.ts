import type { Domain } from '../../language/grammar.ts';
import type { Token } from '../../language/lexer.ts';
import type { Planned } from '../clause.ts';
import type { Codec } from '../encode/codecs.ts';
import type { Hash } from '../encode/hash.ts';
import { TOKEN } from '../encode/jwt.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import type { Source } from './selecting.ts';
import { asks, type Free, question, type Request, type Setting } from './setting.ts';
import { GIVING } from './text-words.ts';

/** Tasks whose result is usually a number, so that "it in hex" means a number base. */
const NUMERIC: ReadonlySet<string> = new Set(['calculate', 'convert', 'run', 'random', 'time']);
const isNumber = (text: string): boolean => /^(?:0x)?[\da-f., ]+$/i.test(text) && /\d/.test(text);
/** Whether a text is a number, or the result of a step that gave one. */
function isNumeric(text: string, { it, after, previous, tasks = [] }: Setting): boolean {
  const step = /^\{\{(\d+)\}\}$/.exec(text)?.[1];
  if (step === undefined) return isNumber(text);
  const task = Number(step) === it ? (after ?? (it === 0 ? previous?.task : undefined)) : tasks[Number(step) - 1];
  return NUMERIC.has(task ?? '');
}

/** Words after a text without quotation marks that may say in which form the answer is wanted. */
const FORM =
  /\s(?:in|as|with|without|using|but|and|then)(?: (?:an?|the|all|its))? [\p{L}\d-]{2,20}(?: [\p{L}-]{2,20})?$/iu;
/** The same behind a comma. */
const FORMED = /,\s(?:and |but )?(?:written|given|shown|put|in|as|with|without|using|encoded|converted|printed)\s/i;
const CODED = /^(?:(?:the )?(?:base ?-?64|md-?5|sha-?\d+|hex|rot-?13|hash)|(?:en|de)code)\b.* \S/i;
const NO_TEXT =
  /^(?:decode|encode|escape|it|me|my|us|of|in|to|as|is|at|an?|the)(?= |$)|^(?:hash|checksum|digest|this|that|these|those|them|following|text|string|here|something)$|^colou?rs? |^\d+(?:, \d+)+$/i;
const plainSource = ({ text }: Source): Source | undefined =>
  FORM.test(text) || FORMED.test(text) || CODED.test(text) || NO_TEXT.test(text) ? undefined : { text };
/** Free text that can only be what is encoded. */
const free = ({ text }: Free): Source | undefined =>
  text.length > 200 || /["“:]|\b(?:only|first|last|it|this|that|then|each|every|and)\b/i.test(text) || FORM.test(text)
    ? undefined
    : { text };

const encoded = ({ text }: Source, as: Codec, setting: Setting): Request | undefined =>
  // A color is written in another way.
  ((as === 'hex' || as === 'binary') && isNumeric(text, setting)) || (as === 'hex' && /^(?:rgb|hsl)a?\b/i.test(text))
    ? undefined
    : asks('encode', { op: 'encode', as, text });
const decoded = ({ text }: Source, as: Codec): Request => asks('encode', { op: 'decode', as, text });
const hashed = ({ text }: Source, as: Hash): Request => asks('encode', { op: 'hash', as, text });
const isWeb = (as: Codec): boolean => as === 'url' || as === 'html';

const ofNumber = ({ expr }: Num, input: Planned['input']): Request => ({
  steps: [
    { task: 'calculate', input: { expression: expr } },
    { task: 'encode', input: { ...input, text: '{{+1}}' } },
  ],
});

function guess(text: string): Codec | 'jwt' | undefined {
  const plain = text.trim().slice(0, 10_000);
  if (TOKEN.test(plain)) return 'jwt';
  if (/%[0-9a-f]{2}/i.test(plain) && !/\s/.test(plain)) return 'url';
  if (/&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});/i.test(plain)) return 'html';
  if (/^[\s.·•/|−–—-]{3,}$/.test(plain)) return 'morse';
  if (/^[01\s]{8,}$/.test(plain)) return 'binary';
  // A plain word is no code: "translate nothing".
  if (/^[a-z]+$/.test(plain)) return undefined;
  if (/^(?:[0-9a-f]{2}[\s:]?){2,}$/i.test(plain) && /\d/.test(plain)) return 'hex';
  const signs = plain.replace(/\s+/g, '');
  if (/^[A-Za-z0-9+/]{4,}={0,2}$/.test(signs) && signs.length % 4 === 0) return 'base64';
  return /^[A-Za-z0-9_-]{6,}$/.test(signs) && !/\s/.test(plain) ? 'base64url' : undefined;
}
function guessed({ text }: Source): Request | undefined {
  if (/^\{\{/.test(text)) return undefined;
  const as = guess(text);
  if (as === undefined)
    return question('encode', 'From which encoding: base64, hex, URL, HTML …?', `decode from {}: ${text}`);
  return as === 'jwt' ? asks('encode', { op: 'jwt', text }) : decoded({ text }, as);
}
/** "What is hello in base64" asks for the code of a word, unless the word is the code of a readable text. */
function either(source: Source, as: Codec, setting: Setting): Request | undefined {
  const { text: word } = source;
  if (as !== 'base64' && as !== 'hex') return encoded(source, as, setting);
  if (isNumber(word)) return undefined;
  const read = Buffer.from(word, as).toString('utf8');
  const whole = as === 'hex' ? /^(?:[\da-f]{2})+$/i.test(word) : /^[\w+/]+=*$/.test(word) && word.length % 4 === 0;
  const readable = whole && /^[\p{L}\p{N}\p{P}\p{S}\s]+$/u.test(read) && !read.includes('\ufffd');
  return readable ? decoded(source, as) : encoded(source, as, setting);
}

const rule = rulesOf<
  Record<'codec' | 'decoding' | 'encoding', Codec> & Record<'hash' | 'mac' | 'macs', Hash> & { chunk: Source }
>();

/** Encodings, hashes and tokens of texts. */
export const ENCODINGS: Domain = {
  lexicon: {
    codec: {
      'base64|base 64|base-64|b64': 'base64',
      'base64url|base64-url|base64 url|base 64 url|url-safe base64|url safe base64|base64_url|url base64': 'base64url',
      'base32|base 32|base-32|b32': 'base32',
      'hex|hexadecimal|hex digits|hex bytes': 'hex',
      'binary|binary code|binary digits|ascii binary': 'binary',
      'url|urls|uri|uri component|url component|percent|url encoding|percent encoding': 'url',
      'html|html entities|html entity|xml': 'html',
      'rot13|rot-13|rot 13': 'rot13',
      'morse|morse code|morse-code': 'morse',
      'ascii code|ascii codes|ascii value|ascii values|ascii number|char code|character code|char codes': 'ascii',
    },
    /** Both words in one, as in "url-encode". */
    encoding: {
      'url-encode|percent-encode|url-encoded|urlencode|uri-encode|url-escape': 'url',
      'html-escape|html-encode|html-encoded': 'html',
      'hex-encode': 'hex',
    },
    decoding: {
      'un-base64|un-base 64|unbase64|debase64': 'base64',
      'url-decode|urldecode|unurl|un-url|percent-decode|uri-decode': 'url',
      'html-decode|html-unescape|unhtml': 'html',
      'unhex|un-hex|dehex|hex-decode': 'hex',
      unrot13: 'rot13',
    },
    hash: {
      'md5|md-5': 'md5',
      'sha1|sha-1|sha 1': 'sha1',
      'sha256|sha-256|sha 256': 'sha256',
      'sha384|sha-384|sha 384': 'sha384',
      'sha512|sha-512|sha 512': 'sha512',
      'sha3-256|sha-3-256|sha3 256': 'sha3-256',
      'crc32|crc-32|crc 32': 'crc32',
    },
    ENCODES:
      'encode|encoded|encodes|encoding|escape|escaped|form|version|representation|code|encode this|encode it|encode the following|-encode|- encode',
    ENCODE: 'encode|escape|now encode',
    DECODES: 'decode|decoded|decoding|unescape|unescaped|decode this|decode it|decode the following',
    DECODE: 'decode|unescape|unencode|un-encode|decrypt|decipher|translate|read|now decode',
    GET: GIVING.concat(
      "|its|tell me its|give me its|show me its|get its|what is its|calculate its|make|get|give me|create|generate|apply|use|what's the|what is the|what's|what is|whats|whats the|calculate|compute|show me|show|tell me|take|return|find|print|make a|give me the|get the|apply the|give me a|create a|generate a|tell me the|calculate the|show me the|give the|the|a",
    ),
    WRITES:
      'convert|turn|translate|transform|write|put|run|pass|change|make|show me|show|give me|print|display|express|output|return|tell me|how do you write|how would you write|how do i write|how do you say|how do you spell|spell|say',
    INFORM: 'in|as|to|into|using|with|through|in the|into the|to the|in a|to a|as a|into a|as an',
    FORMS:
      'encoding|encoded|format|form|notation|representation|string|text|code|bytes|byte values|digits|values|escaped',
    TEXTUAL: 'text|plain text|ascii|utf-8|utf8|english|words|a string|letters|normal text|readable text|plain english',
    OFIT: 'of|for|from|to|on|in',
    THISCODE: 'this|the|the following|that|my|a|some|from|from the|it from|this from|following',
    CODEWORD:
      'code|string|text|data|encoded|value|message|escapes|entities|encoding|line|text says|say|mean|string say|string mean|text say',
    SAYS: 'say|mean|read|says|means|decode to',
    HASHWORD: 'hash|checksum|digest|sum|hex digest|hashsum',
    HASHING:
      'what is the hash|hash|checksum|digest|fingerprint|the hash|the checksum|the digest|hash of|the hash of|checksum of|the checksum of|the fingerprint of|what is the hash of|give me the hash of|now hash',
    macs: {
      'hmac-sha256|hmac-sha-256': 'sha256',
      'hmac-md5': 'md5',
      'hmac-sha1|hmac-sha-1': 'sha1',
      'hmac-sha384': 'sha384',
      'hmac-sha512|hmac-sha-512': 'sha512',
    },
    HMACS: 'hmac|the hmac|an hmac|keyed hash',
    BYKEY:
      'with the key|with key|using the key|using key|with the secret|with secret|with the secret key|with secret key|using the secret|using secret|using the secret key|using secret key|with a key of|with password|by the key|and the key|and key|, key|key|secret',
    JWTS: 'jwt|json web token|access token|id token|bearer token|auth token|jwt token|token',
    JWTASK:
      "decode|read|parse|show|show me|open|inspect|explain|check|look into|look at|what's in|what is in|what's inside|whats inside|whats in|what is inside|what does|unpack|debug|what's inside of",
    GOTTEN:
      "i have|i've got|i got|i found|i received|here is|here's|this is|it is|it's|there is|got|found|i've found|i have got",
    WHATSIT:
      'what does it say|what does it mean|what does this say|what does this mean|what is it|what is in it|decode it|please decode it|can you decode it|what it says|what it means|what does that say|read it|what does that mean|unescape it|what is this|what does the text say|need it decoded',
  },
  /** What stands between blanks, groups of digits and of Morse, and tokens. */
  recognize: (tokens, add) => {
    const parts: { from: number; to: number; text: string }[] = [];
    for (const [index, { kind, text, spaced }] of tokens.entries()) {
      const last = parts.at(-1);
      if (kind === 'quoted' || kind === 'data' || kind === 'reference') continue;
      if (last !== undefined && !spaced && last.to === index) {
        last.to = index + 1;
        last.text += text;
      } else if (spaced || (tokens[index - 1] as Token).text === '(') parts.push({ from: index, to: index + 1, text });
    }
    for (const [index, { from, to, text }] of parts.entries()) {
      if (TOKEN.test(text)) add('jwt', from, to, text);
      if (to > from + 1 || text.length > 2) add('chunk', from, to, { text }, -0.4);
      let all = text;
      for (let end = index + 1; end < parts.length && goesOn(all, (parts[end] as { text: string }).text); end++) {
        all += ` ${parts[end]?.text}`;
        add('chunk', from, (parts[end] as { to: number }).to, { text: all }, -0.2);
      }
    }
  },
  tests: {},
  rules: [
    rule('coded = <lot>', 'OFIT? WHAT? :? <chunk>', '-0.5 = OFIT? <text-said>', ([source]) => plainSource(source)),
    rule('coded = OFIT? WHAT? :? <exact>', 'OFIT? WHAT? :? <data>', 'OFIT? ATEXT <literal>', ([text]) => ({ text })),
    rule('coded = OFIT? ATEXT <chunk>'),
    rule('coded -0.4 = OFIT? <literal>', ([text]) =>
      /^\p{L}$/u.test(text) ? { text } : /^[\p{L}\d]{1,2}$/u.test(text) ? plainSource({ text }) : undefined,
    ),
    rule('coded = OFIT? (an empty string|the empty string|empty string)', () => ({ text: '' })),
    // Encoding.
    rule(
      'request = <encoding> :? <coded>',
      'GET? <codec> ENCODES <coded>',
      'ENCODE WHAT? (in|as|to|into|using|with|for) (a|an|the)? <codec> FORMS? :? <coded>',
      'ENCODE <codec> FORMS? <coded>',
      'WRITES WHAT (safe|ready) (for|in) (a|an|the)? <codec> <coded>',
      '#21 ENCODE <coded> (in|as|to|into|using|with|for) (a|an|the)? <codec> FORMS?',
      '#21 WRITES <coded> (safe|ready) (for|in) (a|an|the)? <codec>',
      '#21 <coded> (encoded|escaped) INFORM <codec>',
      ([as, source], s) => encoded(source, as, s),
    ),
    rule('request -0.05 = GET? <codec> <coded>', ([as, source], s) => {
      if (isWeb(as)) return undefined;
      return as === 'morse' && guess(source.text) === 'morse' ? decoded(source, as) : encoded(source, as, s);
    }),
    rule(
      'request -0.06 = GET? <codec> ENCODES? OFIT <coded>',
      '-0.05 = #21 WRITES <coded> INFORM <codec> FORMS?',
      '-0.05 = WRITES WHAT? INFORM <codec> FORMS? <coded>',
      '-0.1 = #21 <coded> INFORM <codec> FORMS?',
      '-0.1 = (to|in|into|as) <codec> <coded>',
      ([as, source], s) => (isWeb(as) ? undefined : encoded(source, as, s)),
    ),
    rule('request -0.6 = ENCODE … (in|as|to|into|using|with|for) (a|an|the)? <codec> FORMS?', ([{ text }, as], s) =>
      /^[^"“:]{3,200}$/.test(text) && !/\b(?:then|and|it|this)\b/.test(text) ? encoded({ text }, as, s) : undefined,
    ),
    rule("request = (what is|what's|whats|what would be) ATEXT? <coded> INFORM <codec> FORMS?", ([source, as], s) =>
      isWeb(as) ? undefined : either(source, as, s),
    ),
    rule('request -0.8 = GET? <codec> ENCODES …', ([as, text], s) => {
      const source = free(text);
      return source && encoded(source, as, s);
    }),
    rule('request -0.6 = WRITES … (in|to|into|as) <codec> FORMS?', ([text, as], s) => {
      const source = free(text);
      return source === undefined || isWeb(as) ? undefined : encoded(source, as, s);
    }),
    // Of what is calculated.
    rule('request -0.1 = GET? <codec> ENCODES? OFIT? <number:worked>', ([as, n]) => ofNumber(n, { op: 'encode', as })),
    rule('request -0.1 = GET? <hash> HASHWORD? OFIT? <number:worked>', ([as, n]) => ofNumber(n, { op: 'hash', as })),
    // Decoding.
    rule(
      'request -0.1 = <coded> from <codec> (to|into|in)? TEXTUAL?',
      '0.1 = #21 (what does|what do) (this|the)? <codec> CODEWORD? <coded> SAYS',
      '0.1 = #21 DECODE THISCODE? <codec> CODEWORD? (of|from|in)? <coded>',
      '0.1 = #21 <codec> DECODES (of|from)? <coded>',
      '0.1 = #21 (what|which) (character|char|letter|sign|symbol) (is|has|has the|is the|with|for) <codec> <coded>',
      '0 = #21 <decoding> :? <coded>',
      '0.1 = DECODE <coded> (from|as|using|with|which is|written in|encoded in) <codec>',
      '0.1 = WRITES <coded> from <codec> (to|into|in)? TEXTUAL?',
      '0.1 = (what does|what do|what is|what would) <coded> SAYS (in|from|as)? <codec>',
      ([source, as]) => decoded(source, as),
    ),
    rule(
      "request 0.2 = (what is|what does|what's|whats|what do) (this|the following|the|that)? <codec> CODEWORD? <data>",
      ([as, text]) => decoded({ text }, as),
    ),
    rule('request = GOTTEN … <codec> … WHATSIT <data>', ([, as, , text]) => decoded({ text }, as)),
    rule('request -0.1 = DECODE (this|the|the following|following)? CODEWORD? WHAT? :? <coded>', ([source]) =>
      /^\S+$|^[\d a-f/.-]+$/i.test(source.text) && !/^(?:base|hex|rot|url|html|morse|binary)/i.test(source.text)
        ? guessed(source)
        : undefined,
    ),
    rule('request -0.05 = (decode|decipher|unescape) WHAT? <data>', ([text]) => guessed({ text })),
    // Hashes.
    rule(
      'request = GET? <hash> HASHWORD? OFIT? <coded>',
      'GET? <hash> HASHWORD? OPEN <coded> CLOSE',
      'GET? HASHING WHAT? (with|using|by|in|as) <hash> <coded>',
      '#21 HASHING <coded> (with|using|by|in|as|via|under) (the|an|a)? <hash> HASHWORD?',
      ([as, source]) => hashed(source, as),
    ),
    rule('request -0.6 = HASHING … (with|using|via) (the|an|a)? <hash> HASHWORD?', ([{ text }, as]) =>
      /^[^"“:]{3,200}$/.test(text) && !/\b(?:then|and|it|this)\b/.test(text) ? hashed({ text }, as) : undefined,
    ),
    rule('request -0.1 = HASHING <lot>', ([source]) => hashed(source, 'sha256')),
    rule('mac = HMACS -? <hash>', 'HMACS (with|using)? <hash>', '<hash> -? hmac', '<macs>'),
    rule('mac -0.1 = HMACS', () => 'sha256'),
    rule('keyed = ,? BYKEY (of|is|being)? (:|=)? <exact>'),
    rule('keyed -0.1 = ,? BYKEY (of|is|being)? (:|=)? <literal>'),
    rule('keyed = ,? BYKEY (of|is|being)? (:|=)? <chunk>', ([{ text }]) => text),
    rule('request = GET? <mac> OFIT? <coded> <keyed>', '#132 GET? <mac> <keyed> OFIT? <coded>', ([as, { text }, key]) =>
      asks('encode', { op: 'hmac', as, key, text }),
    ),
    rule('request -0.2 = GET? <mac> OFIT? <coded>', ([as, { text }]) =>
      question('encode', 'With which key?', `hmac ${as} with key "{}": ${text}`),
    ),
    // Tokens.
    rule(
      'request = <jwt>',
      '0.1 = JWTASK? (this|the|my|a|that)? JWTS? (say|contain)? :? <jwt> (say|contain|mean)?',
      ([text]) => asks('encode', { op: 'jwt', text }),
    ),
    rule('request = JWTASK (this|the|my|a|that)? JWTS (say|contain|payload|claims)? <lot>', ([{ text }]) =>
      /\{\{|^eyJ/.test(text.trim()) || text.includes('\n') ? asks('encode', { op: 'jwt', text }) : undefined,
    ),
  ],
};

function goesOn(before: string, next: string): boolean {
  const last = before.slice(before.lastIndexOf(' ') + 1);
  for (const group of [/^[01]{8}$/, /^[0-9a-f]{2}$/i, /^[.·•/|−–—-]{1,8}$/])
    if (group.test(last) && group.test(next)) return true;
  return false;
}
