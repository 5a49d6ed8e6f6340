import type { Domain } from '../../language/grammar.ts';
import { bounded, MANY, type Values } from './bounded.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import type { Free, Request } from './setting.ts';

const whole = ({ plain }: Num): number => plain as number;

/** What a password must have and must not. */
function password(spec: Values, count: number): Request {
  const length = typeof spec.length === 'number' ? spec.length : 20;
  const input = { kind: 'password', ...spec, length, times: count };
  if (count > MANY[1]) return bounded(count, MANY, 'passwords', `generate {} passwords of ${length} characters`, input);
  return bounded(length, [4, 256], 'characters', 'generate a password of {} characters', input);
}

/** A purpose behind "for", which changes nothing. */
const isPurpose = ({ text }: Free): boolean =>
  text.length <= 60 &&
  /^(?:an?|the|my|our|this|some|testing|tests?|new|me|us)\b/i.test(text) &&
  !/[@:,]| (?:and|then|but|without|with|unless|if) /i.test(text);

const drawnWords = (count: number): Request =>
  bounded(count, MANY, 'words', 'give me {} random words', { kind: 'words', times: count });
const phrases = (count: number, words: number): Request =>
  bounded(words, [3, 20], 'words', 'a passphrase of {} words', { kind: 'passphrase', length: words, times: count });
const pin = (times: number, length: number): Values => ({ length, times, omits: ['symbols', 'lower', 'upper'] });

/** Two sets of wishes as one; undefined where both say the same thing differently. */
function joined(all: Values, more: Values): Values | undefined {
  if (all.length !== undefined && more.length !== undefined) return undefined;
  const omits = [...((all.omits ?? []) as string[]), ...((more.omits ?? []) as string[])];
  const least = { ...(all.least as Values), ...(more.least as Values) };
  if (omits.some((kind) => kind in least)) return undefined;
  return { ...all, ...more, ...(omits.length > 0 && { omits }), ...(Object.keys(least).length > 0 && { least }) };
}

const rule = rulesOf<
  Record<'secret' | 'spec', Values> &
    Record<'size' | 'version' | 'words' | 'repeat', number> &
    Record<'chance' | 'uuid', Request>
>();

/** Identifiers, passwords, PINs, passphrases and words by chance. */
export const SECRETS: Domain = {
  lexicon: {
    UUID: 'uuid|uuids|guid|guids|unique id|unique ids|universally unique identifier|unique identifier',
    PASSWORD: 'password|passwords',
    PASSPHRASE: 'passphrase|passphrases|pass phrase|word passphrase|word passphrases|word password|diceware passphrase',
    PIN: 'pin|pins|pin code|pin codes|pincode|pin number|code|passcode',
    CHARACTERS: 'character|characters|char|chars|letters long|characters long|chars long|letter|letters',
    DIGITS: 'digit|digits|number|numbers|figures',
    WITHOUT: 'without|no|with no|excluding|but no|without any|but without|and no',
    version: { 'v4|version 4': 4, 'v7|version 7': 7 },
    repeat: { once: 1, twice: 2, thrice: 3 },
    some: { 'a|an|one|the|another|some|any|a single': 1, 'a few': 3, 'a couple of|a couple': 2, 'a pair of': 2 },
    numbered: {
      'number|numbers|integer|integers|whole number|whole numbers|int|ints': [1, 0],
      'even number|even numbers|even integer|even integers': [2, 0],
      'odd number|odd numbers|odd integer|odd integers': [2, 1],
    },
    kinds: {
      'symbols|symbol|special characters|special character|punctuation|special chars': 'symbols',
      'digits|digit|numbers|number|numerals': 'digits',
      'capitals|capital letters|capital letter|uppercase letters|uppercase letter|upper case letters|uppercase':
        'upper',
      'lowercase letters|lowercase letter|lowercase|lower case letters|small letters': 'lower',
    },
    AMBIGUOUS:
      'ambiguous characters|ambiguous letters|similar characters|lookalikes|look-alikes|lookalike characters|confusing characters',
  },
  rules: [
    rule('chance = <uuid>'),
    rule('chance = <secret>', ([{ times, ...spec }]) => password(spec, times as number)),
    rule('request = MAKE? <chance> (for me)?'),
    rule('request -0.3 = MAKE <chance> (for|to use in|to test) …', ([one, thing]) =>
      isPurpose(thing) ? one : undefined,
    ),
    // Identifiers.
    rule('uuid = <many>? <version>? UUID OPEN? <version>? CLOSE?', ([n = 1, a, b]) =>
      bounded(n, MANY, 'UUIDs', `generate {} uuids v${a ?? b ?? 4}`, { kind: 'uuid', version: a ?? b ?? 4, times: n }),
    ),
    rule('uuid = <version>? UUID (x|times) <number:whole>', ([version = 4, n]) =>
      bounded(whole(n), MANY, 'UUIDs', `generate {} uuids v${version}`, { kind: 'uuid', version, times: whole(n) }),
    ),
    // Passwords.
    rule('size = <number:whole> -? CHARACTERS long?', ([n]) => whole(n)),
    rule('secret = <many>? FRESH? PASSWORD', ([n = 1]): Values => ({ times: n })),
    rule('secret = <some>? FRESH? <size> ,? FRESH? PASSWORD', ([, length]): Values => ({ length, times: 1 })),
    rule('secret = <many>? <number:whole> -? (digit|digits|number|numbers)? PIN', ([n = 1, length]) =>
      pin(n, whole(length)),
    ),
    rule('secret = <many>? PIN (of|with)? <number:whole>? DIGITS?', ([n = 1, length]) =>
      pin(n, length === undefined ? 4 : whole(length)),
    ),
    rule('secret = PASSWORD :', () => ({ times: 1 })),
    rule('secret = <secret> <spec>', ([all, more]) => joined(all, more)),
    rule('secret = <secret> each'),
    rule(
      'spec = (,|and|but)? (of|with|that is|that has|having|using|has)? (length|a length of|length of)? <size>',
      ([length]) => ({ length }),
    ),
    rule('spec -0.1 = ,? of? <number:whole>', ([n]) => ({ length: whole(n) })),
    rule('spec = (,|and|but)? WITHOUT any? <kinds>', ([kind]) => ({ omits: [kind] })),
    rule('spec = (,|and|but)? WITHOUT any? AMBIGUOUS', () => ({ readable: true })),
    rule(
      'spec -0.1 = (,|and|but)? (with|including|containing|that has|with a minimum of)? (at least|a minimum of)? <number:whole> <kinds>',
      ([n, kind]) => ({ least: { [kind]: whole(n) } }),
    ),
    rule(
      'spec = (,|and|but)? (with|of|using|made of|from)? (only|just) (letters and digits|letters and numbers|alphanumeric characters)',
      () => ({ omits: ['symbols'] }),
    ),
    rule(
      'spec = (,|and|but)? (with|of|using|made of|from)? (letters and digits|letters and numbers) only',
      'spec 0.1 = (,|and|but)? (with|of|using|made of|from) (letters and digits|letters and numbers|digits and letters|numbers and letters)',
      () => ({ omits: ['symbols'], least: { digits: 1 } }),
    ),
    rule('spec = (,|and|but)? (with|of|using|made of|from)? (only|just) letters', () => ({
      omits: ['symbols', 'digits'],
    })),
    rule('spec = (,|and|but)? (with|of|using|made of|from)? (only|just) (digits|numbers)', () => ({
      omits: ['symbols', 'lower', 'upper'],
    })),
    // Words.
    rule('chance = <many>? (with|of)? PASSPHRASE', ([n = 1]) => phrases(n, 5)),
    rule('chance 0.1 = a? <number:whole> -? PASSPHRASE', ([n]) => phrases(1, whole(n))),
    rule('chance = <many>? PASSPHRASE (of|with|from)? <number:whole> RANDOM? words', ([n = 1, words]) =>
      phrases(n, whole(words)),
    ),
    rule('words = <number:whole> RANDOM (word|words|english words|nouns)', ([n]) => whole(n)),
    rule('words = (a|an|one)? RANDOM (word|words|english word|noun)', () => 1),
    rule('request = MAKE? <words>', 'DRAW <words>', ([n]) => drawnWords(n)),
  ],
};
