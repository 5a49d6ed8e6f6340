import type { Domain } from '../../language/grammar.ts';
import type { Part } from '../text/parts.ts';
import { rulesOf } from './rules.ts';
import { allOf, done, parts, type Source, VALUED } from './selecting.ts';
import { answering, asks, type Request } from './setting.ts';
import { cased, joined, replaced, reversed, SEVERAL, split, text } from './text-asks.ts';
import { each } from './text-words.ts';

/** Each occurrence in any case, where it is a whole word. */
function replacedInAnyCase(source: Source, find: string, by: string): Request | undefined {
  const words = source.text.match(/[\p{L}\p{M}\p{N}'’-]+/gu) ?? [];
  const lower = find.toLowerCase();
  if (
    !/^[\p{L}\p{N}'’-]+$/u.test(find) ||
    words.some((one) => one.toLowerCase() !== lower && one.toLowerCase().includes(lower))
  )
    return undefined;
  return done(source, parts('words', { where: [{ test: 'equals', text: find }] }), 'replace', { with: by });
}

/** The items of a text, joined by commas and a word before the last. */
function enumerated({ text: own }: Source, word: string): Request | undefined {
  const items = own
    .split(own.includes('\n') ? '\n' : /[,;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
  return items.length < 2 || own.includes('{{')
    ? undefined
    : asks('text', { op: 'say', text: `${items.slice(0, -1).join(', ')} ${word.trim()} ${items.at(-1)}` });
}

/** Each part of a text on a line of its own. */
function inLines(source: Source, of: Part): Request | undefined {
  const { text: own } = source;
  if (of === 'lines') return undefined;
  if (of === 'items') return SEVERAL.test(own) ? text({ op: 'split', text: own }) : undefined;
  if (of === 'words' && !own.includes('{{')) return split(source, ' ');
  return done(source, allOf(of), 'list', { with: '\n' });
}

/** Signs between the two sides of a line. */
const SIDE_SIGNS = ['->', '→', '=>', '=', ':', ' - ', ' – ', ' — ', '\t', '|', ';', ',', ' / '];
/** The lines with what stands before the one sign that each of them has behind it; undefined where several signs are such. */
function sidesSwapped({ text: own }: Source, sign?: string): Request | undefined {
  const lines = own.split('\n');
  const sidesOf = (one: string): readonly (readonly string[])[] =>
    lines.filter((line) => line.trim() !== '').map((line) => line.split(one));
  const fits = (one: string): boolean =>
    sidesOf(one).every((sides) => sides.length === 2 && sides.every((side) => side.trim() !== ''));
  const [found, ...others] = (sign === undefined ? SIDE_SIGNS : [sign]).filter(fits);
  if (found === undefined || own.includes('{{') || others.some((one) => !found.includes(one))) return undefined;
  const swapped = (line: string): string => {
    const [left = '', right] = line.split(found);
    if (right === undefined) return line;
    const [before, behind] = [left.trimEnd(), right.trimStart()];
    return `${behind.trimEnd()}${left.slice(before.length)}${found}${right.slice(0, right.length - behind.length)}${before.trimStart()}`;
  };
  return answering(lines.map(swapped).join('\n'));
}

const rule = rulesOf<{
  data: string;
  'data-text': Source;
  'into-part': Part;
}>();

/** What else a text is turned into: with other signs, apart, together, the other way round. */
export const TEXT_TURNS: Domain = {
  lexicon: {
    SWAPS: 'swap|switch|exchange|interchange|flip|invert|turn around|turn round',
    SIDES: each(
      '|the|the two|both|both the|two',
      'sides|halves|columns|two sides|two halves|two columns|first and second column|first and the second column|first and second columns|second and first column|two columns',
    ).concat(
      '|',
      each(
        '|the',
        'left and right|left and the right|left and right sides|left and right side|left and the right side|left side and the right side|left-hand and right-hand sides|left and right columns|left and right parts|left and right halves',
      ),
    ),
    EACHLINE: each(
      'of|in|on',
      'each line|every line|the lines|all lines|each of them|each entry|each pair|each row|every row',
    ),
    BESIDE: each(
      '|what is|what stands|the text|the parts|the words|the sides|the two sides|everything',
      'left and right of|to the left and right of|before and after|before and behind|on both sides of|either side of|on either side of|around|of',
    ).concat('|the left and right of|the left and the right of'),
  },
  rules: [
    rule(
      'request = SWAPS SIDES (around|round|over|with each other)? EACHLINE? (around|round|over)? <data-text>',
      '(put|write|show) the? (right|right-hand|second) (side|half|part|column) first EACHLINE? <data-text>',
      ([source]) => sidesSwapped(source),
    ),
    rule('request = SWAPS BESIDE (the|each|every|a)? <signed> (sign|signs)? EACHLINE? <data-text>', ([sign, source]) =>
      sign === '' ? undefined : sidesSwapped(source, sign),
    ),
    // Something else for a sign or a word.
    rule(
      'removable = (all|all the|every|each|any|the|all of the|any of the)? <signed>',
      '(all|all the|every|each|any|the)? (the)? <exact>',
      ([own]) => own,
    ),
    // Several words without quotation marks are those that are there.
    rule(
      'request -0.2 = (replace|change|exchange|swap|substitute) EVERY? … (with|by|for|to|into) … EVERYPLACE? <data>',
      ([{ text: find }, { text: by }, own]) =>
        /^[^"“,:]{3,60}$/.test(find) &&
        / /.test(find) &&
        /^[^"“,:]{2,60}$/.test(by) &&
        !/ (?:and|then|but|in|if|only|except|without|wherever|whenever|everywhere|throughout|each|every|all) /i.test(
          `${find} ${by} `,
        ) &&
        own.includes(find)
          ? replaced({ text: own }, find, by)
          : undefined,
    ),
    rule(
      'request -0.15 = EXCHANGES EVERY? <piece> (with|by|for|to|into) (the|a|an)? <piece> ,? ANYCASE <wording>',
      ([find, by, source]) => replacedInAnyCase(source, find, by),
    ),
    rule(
      'request -0.15 = EXCHANGES EVERY <certain> (with|by|for|to|into) (the|a|an)? <piece> <wording>',
      ([find, by, source]) => (source.text.includes(find) ? replaced(source, find, by) : undefined),
    ),
    rule(
      'request -0.1 = EXCHANGES (only|just)? the? <ordinal> (one of the)? <signed> (with|by|for|to|into) (the|a|an)? <piece> <wording>',
      ([at, find, by, source]) => done(source, parts('matches', { find, at }), 'replace', { with: by }),
    ),
    rule(
      'request -0.15 = WHAT? NONE <removable> <data-text>',
      '-0.15 = PUTS WHAT? NONE <removable> <wording>',
      '-0.15 = DROPS <removable> (from|out of|in|of|off)? WHAT? <wording>',
      ([sign, source]) =>
        sign === '' || sign.includes('\n') || !source.text.includes(sign) ? undefined : replaced(source, sign, ''),
    ),
    rule(
      'request -0.15 = WHAT? NONE (the|its|any|all|all the)? <part> <data-text>',
      '-0.15 = PUTS WHAT? NONE (the|its|any|all|all the)? <part> <wording>',
      '-0.15 = DROPS (all|all the|the|every|each|any|its)? <part> (from|out of|in|of)? WHAT? <wording>',
      ([of, source]) =>
        VALUED.includes(of as string) || of === 'numbers' ? done(source, allOf(of as Part), 'remove') : undefined,
    ),
    rule(
      'request -0.1 = TRIM EXTRA SINGLY <wording>',
      '-0.1 = (squash|shrink|turn|cut|make|compress) EXTRA SINGLY <wording>',
      ([source]) => text({ op: 'trim', text: source.text }),
    ),
    // Signs that are put between several texts, rather than looked for in them.
    rule(
      'request 0.2 = (separate|delimit) (them|these|those|the lines|the items|the names|all of them) with (a|an|the)? <separator> SIGNWORD? INBETWEEN? <lot>',
      '0.2 = #21 (separate|delimit) <lot> with (a|an|the)? <separator> SIGNWORD? INBETWEEN?',
      ([sign, source]) =>
        /\n|^\{\{/.test(source.text) && sign !== '' && !source.text.includes(sign) ? joined(source, sign) : undefined,
    ),
    // Apart.
    rule(
      'request -0.15 = SPLIT WHAT? (up|apart|off|down)? EVERYSIGN <separator> SIGNWORD? <place>',
      '-0.1 = SPLIT WHAT? (up|apart|off|down)? EVERYSIGN <separator> SIGNWORD? AND (give me|put|show|write|list|print|show me|place)? (each|every|the|all|all the|them|each of the|them all)? <into-part>? ALINE <place>',
      ([sign, ...more]) => {
        const source = more.at(-1) as Source;
        return sign !== '' && source.text.includes(sign) ? split(source, sign) : undefined;
      },
    ),
    rule(
      'request -0.15 = CUTS WHAT? (up|apart)? (into|in|to)? (one|single|a single|each|every|individual|separate)? <into-part> ALINE <place>',
      '-0.15 = (one|each|every) <into-part> ALINE <data-text>',
      ([of, source]) => inLines(source, of),
    ),
    rule(
      'request -0.1 = (make|one|create|put|write|start|give me) (one|a|a new)? line (per|for each|for every|for) <into-part> <place>',
      '0.1 = one line (per|for each|for every) <into-part> <place>',
      ([of, source]) => inLines(source, of),
    ),
    rule(
      'request -0.15 = CUTS WHAT (all)? ALINE <listing>',
      '-0.15 = CUTS (each|every|each one|every one|each of them|all|all of them|each of these) ALINE <listing>',
      ([source]) => inLines(source, 'items'),
    ),
    rule(
      'request -0.1 = (split|split up|break|break up|cut up|divide|separate|tokenize) WHAT? (up)? (into|in) (the)? (its|single|individual|separate|the|their)? words AND (drop|remove|without|leave out|omit|delete|leave|strip|lose) (the|all|any)? (punctuation|punctuation marks) <place>',
      ([source]) => done(source, allOf('words'), 'list', { with: '\n' }),
    ),
    // Together.
    rule(
      'request -0.1 = JOIN WHAT? ONELINE? ,? ASKEDSIGN <separator> SIGNWORD? INBETWEEN? <listing>',
      '-0.1 = PUTS WHAT? (all)? ONELINE ,? ASKEDSIGN (a|an|the)? <separator> SIGNWORD? INBETWEEN? <listing>',
      ([sign, source]) => (SEVERAL.test(source.text) ? joined(source, sign) : undefined),
    ),
    rule(
      'request -0.05 = JOIN WHAT? ONELINE? ,? ASKEDSIGN <separator> SIGNWORD? INBETWEEN? ,? (and|with|but)? (no spaces|no blanks|no space|without spaces|without blanks|without any spaces|without a space) INBETWEEN? <listing>',
      ([sign, source]) =>
        SEVERAL.test(source.text) ? text({ op: 'join', separator: sign, text: source.text }) : undefined,
    ),
    rule('request -0.1 = JOIN WHAT? ONELINE? ,? WITHOUTSIGN INBETWEEN? <listing>', ([source]) =>
      SEVERAL.test(source.text) ? joined(source, '') : undefined,
    ),
    rule(
      'request -0.1 = PUTS? WHAT? (as|in|into|to)? (a|one)? <separated> (list|string|line|text|values|row)? ONELINE? <listing>',
      '-0.1 = <separated> (list|string|line|text|values|row)? ONELINE? <data-text>',
      ([sign, source]) =>
        SEVERAL.test(source.text) ? text({ op: 'join', separator: sign, text: source.text }) : undefined,
    ),
    rule(
      'request 0 = ARRANGES WHAT? (a|one|an)? ONELINE? (from|of|out of)? WHAT? ,? (with|by|using) commas (and|with|plus) (an|a|the)? <exact> (before the last|before the last one|before the last item|before the last name|at the end) <listing>',
      ([word, source]) => enumerated(source, word),
    ),
    // The other way round.
    rule(
      'request -0.15 = OTHERWAY <data-text>',
      '0.1 = (put|bring|write|show|print) WHAT? in reverse order :? <listing>',
      '0.1 = (put|bring|write|show|print) <listing> in reverse order',
      '-0.15 = ARRANGES WHAT? OTHERWAY <listing>',
      '-0.1 = ARRANGES WHAT? FROMLAST TOFIRST <listing>',
      '-0.1 = ARRANGES WHAT (in reverse|reversed) <listing>',
      ([source]) => (/[,;\n]/.test(source.text) ? reversed(source, 'items') : undefined),
    ),
    rule(
      'request -0.1 = (turn|put|switch|change|make|swap) (the|its)? (word order|order of the words|words|order of words) (around|round|over|about|backwards|the other way round|the other way around|into reverse|in reverse|in reverse order) <wording>',
      ([source]) => reversed(source, 'words'),
    ),
    rule(
      'request -0.1 = FLIP (each|every|all|each of the|each of these|all the|all of the|every single) <into-part> ,? (individually|separately|by itself|on its own|in place|but leave them where they are|but keep their order|but keep the order|but keep them in place|but not their order|and keep their order|where they are|one by one|but keep the word order|and keep the word order)? <place>',
      ([of, source]) => (['words', 'lines', 'items'].includes(of) ? done(source, allOf(of), 'reverse') : undefined),
    ),
    rule(
      'request -0.1 = SPELL? WHAT BACKWARDS ,? (and)? (in|written in|all in|using) WHOLLY? <case> <lot>',
      ([to, source]) => {
        const turned = reversed(source);
        return turned && { steps: [...turned.steps, ...(cased({ text: '{{+1}}' }, to as 'upper')?.steps ?? [])] };
      },
    ),
  ],
};
