import type { Domain } from '../../language/grammar.ts';
import { rule } from '../../language/grammar.ts';
import type { Counted } from '../text/count.ts';
import { type Extracted, PATTERNS } from '../text/extract.ts';
import { itemsIn, spokenText } from './listed.ts';
import type { Num } from './number.ts';
import { type Source, whole } from './selecting.ts';
import { type Free, question } from './setting.ts';
import {
  compared,
  counted,
  filled,
  halves,
  joined,
  occurring,
  padded,
  removed,
  replaced,
  SEVERAL,
  shortened,
  slugged,
  split,
  text,
} from './text-asks.ts';

/** What is counted, found, replaced, cut and joined in a text or a list as a whole. */
export const TEXT_EDITS: Domain = {
  rules: [
    // Counting.
    rule(
      'tally',
      [
        'COUNT (the|of the|of|its|their)? <countable>',
        "(what is|what's|whats|give me|get|show me|tell me)? (the|a)? <countable> (count|counts)",
        '<tally> ARETHERE',
      ],
      ([of]: [Counted]) => of,
    ),
    rule(
      'request',
      ['<tally> <wording> ENDSIGN?', '<tally> <wording> HAS ENDSIGN?', '<tally> WHAT HAS <wording> ENDSIGN?'],
      ([of, source]: [Counted, Source]) => counted(source, of),
    ),
    rule('request', '<tally> <listing> ENDSIGN?', ([of, source]: [Counted, Source]) =>
      of === 'items' ? counted(source, of) : undefined,
    ),
    rule('request', 'LENGTHOF NAMEDTEXT <wording>', ([source]: [Source]) => counted(source, 'characters')),
    rule('request', 'LENGTHOF (this|it)? :? <exact>', ([own]: [string]) => counted({ text: own }, 'characters')),
    rule(
      'request',
      'count (it|this|that|these|the following)? <lot>',
      ([source]: [Source]) => (source.text.includes('{{') || source.text.includes('\n') ? counted(source) : undefined),
      -0.2,
    ),
    rule(
      'request',
      '(count them|count these|count those|count them all|how many|how many of them|how many are there|how many are left|how many remain|how many are there now|how many are they|how many are these) <lot>',
      ([source]: [Source]) => (source.text.startsWith('{{') ? counted(source, 'items') : undefined),
      -0.15,
    ),
    rule(
      'request',
      'COUNT the? <signed> ARETHERE? <lot> ENDSIGN?',
      ([sign, source]: [string, Source]) => (sign === '' ? undefined : occurring(source, sign)),
      0.1,
    ),
    rule(
      'request',
      'COUNT EVERY? <literal> ARETHERE? <lot> ENDSIGN?',
      ([find, source]: [string, Source]) =>
        /^\p{L}(?:['’]?s)?$/u.test(find) ? occurring(source, find.slice(0, 1)) : undefined,
      -0.3,
    ),
    rule(
      'request',
      'COUNT (times|times the)? ATEXT <literal> ARETHERE? <lot> ENDSIGN?',
      ([find, source]: [string, Source]) => occurring(source, find),
    ),
    rule('often', ['OFTEN', 'OCCURRENCES'], () => true),
    rule(
      'request',
      '<often> ATEXT? <literal> APPEAR? <wording> ENDSIGN?',
      ([, find, source]: [boolean, string, Source]) => occurring(source, find),
    ),
    // What is found in it.
    rule(
      'request',
      'EXTRACT EVERY? <found> ARETHERE? FROM? WHAT? <data> ENDSIGN?',
      ([what, own]: [Extracted, string]) => text({ op: 'extract', what, text: own }),
    ),
    rule('request', 'EXTRACT EVERY? <found> ARETHERE? <lot> ENDSIGN?', ([what, { text: own }]: [Extracted, Source]) =>
      /\{\{/.test(own) || own.match(PATTERNS[what]) !== null ? text({ op: 'extract', what, text: own }) : undefined,
    ),
    rule(
      'request',
      '<found> FROM? WHAT? <data> ENDSIGN?',
      ([what, own]: [Extracted, string]) => text({ op: 'extract', what, text: own }),
      -0.2,
    ),
    rule(
      'request',
      '(extract|find|get|pull|pull out|grab|collect|pick out|list|show me|give me) EVERY? <found> ARETHERE? (of|from|in|out of|within|on)? WHAT? …',
      ([what, { text: own }]: [Extracted, Free]) => {
        PATTERNS[what].lastIndex = 0;
        return /\S\s+\S/.test(own) &&
          !/^(?:of|from|in|out|within|on|are|is|does|do|addresses|here|:)(?: |$)|: |["“]|\b(?:then|and (?:sort|count|send))\b/.test(
            own,
          ) &&
          PATTERNS[what].test(own) &&
          !/^(?:https?:\S+|\{\{.*)$/.test(own)
          ? text({ op: 'extract', what, text: own })
          : undefined;
      },
      -0.5,
    ),
    // Replacing and removing.
    rule('request', 'REPLACE EVERY? <piece> WITHIT <piece> <wording>', ([find, by, source]: [string, string, Source]) =>
      replaced(source, find, by),
    ),
    rule(
      'request',
      'REPLACE THEFIRST ATEXT? <piece> WITHIT <piece> <wording>',
      ([find, by, source]: [string, string, Source]) => replaced(source, find, by, { only_first: true }),
      0.1,
    ),
    rule(
      'request',
      'CHANGE <certain> WITHIT (the|a|an)? <piece> <wording>',
      ([find, by, source]: [string, string, Source]) => replaced(source, find, by),
      -0.05,
    ),
    rule(
      'request',
      'substitute <piece> for <piece> <wording>',
      ([by, find, source]: [string, string, Source]) => replaced(source, find, by),
      0.1,
    ),
    rule(
      'request',
      'FROM WHAT <exact> ,? REPLACE EVERY? <piece> WITHIT <piece>',
      ([own, find, by]: [string, string, string]) => replaced({ text: own }, find, by),
    ),
    rule(
      'request',
      'REMOVE EVERY? <certain> <wording>',
      ([find, source]: [string, Source]) => removed(source, find, true),
      -0.1,
    ),
    rule(
      'request',
      'REMOVE EVERY? ATEXT? <literal> <wording>',
      ([find, source]: [string, Source]) => removed(source, find, false),
      -0.2,
    ),
    rule(
      'request',
      'REMOVE EMPTYLINES <lot>',
      ([{ text: own }]: [Source]) => text({ op: 'trim', by: 'lines', text: own }),
      0.1,
    ),
    rule('trims', ['REMOVE EXTRA', 'TRIM EXTRA', 'TRIM SPACING'], () => true),
    rule('trims', 'trim', () => true, -0.1),
    rule(
      'request',
      '<trims> <wording>',
      ([, { text: own }]: [boolean, Source]) => text({ op: 'trim', text: own }),
      0.05,
    ),
    // Apart and together.
    rule(
      'request',
      'SPLIT <lot> (up|apart)? AT (each|every)? <separator> (sign|signs|character)?',
      ([source, sign]: [Source, string]) => split(source, sign),
    ),
    rule(
      'request',
      'SPLIT WHAT? (up|apart)? AT (each|every)? <separator> (sign|signs|character)? :? <wording>',
      ([sign, source]: [string, Source]) => split(source, sign),
    ),
    rule('request', 'SPLIT <wording> into (single|individual|separate)? <pieces>', ([source, unit]: [Source, string]) =>
      split(source, unit === 'words' ? ' ' : unit === 'lines' ? '\n' : ''),
    ),
    rule(
      'request',
      'SPLIT WHAT? into (single|individual|separate)? <pieces> <wording>',
      ([unit, source]: [string, Source]) => split(source, unit === 'words' ? ' ' : unit === 'lines' ? '\n' : ''),
    ),
    rule(
      'request',
      '(split|tokenize) <lot>',
      ([{ text: own }]: [Source]) => (own.includes('{{') ? undefined : text({ op: 'split', text: own })),
      -0.4,
    ),
    rule('request', 'JOIN <listing> ASONE? WITHSIGN <separator> BETWEEN?', ([source, sign]: [Source, string]) =>
      joined(source, sign),
    ),
    rule(
      'request',
      'JOIN … ASONE? WITHSIGN <separator> BETWEEN?',
      ([{ text: own }, sign]: [Free, string]) => {
        const items = itemsIn(own);
        return items === undefined ? undefined : joined({ text: items }, sign);
      },
      -0.2,
    ),
    rule(
      'request',
      'JOIN WHAT? ASONE? WITHSIGN <separator> BETWEEN? :? <listing>',
      ([sign, source]: [string, Source]) => joined(source, sign),
    ),
    rule(
      'request',
      'JOIN WHAT? ASONE? WITHSIGN <literal> :? <listing>',
      ([sign, source]: [string, Source]) => joined(source, sign),
      -0.2,
    ),
    rule(
      'request',
      'JOIN <listing> ASONE? WITHSIGN <literal>',
      ([source, sign]: [Source, string]) => joined(source, sign),
      -0.2,
    ),
    rule(
      'request',
      '(join|glue|concatenate|concat) <listing>',
      ([source]: [Source]) =>
        SEVERAL.test(source.text) && !source.text.startsWith('{{') ? joined(source, ' ') : undefined,
      -0.4,
    ),
    // The beginning or the end.
    rule(
      'request',
      'SHORTEN <wording> ATMOST <number:whole> <countable>',
      ([source, n, unit]: [Source, Num, Counted]) => shortened(source, n, unit === 'letters' ? 'characters' : unit),
    ),
    rule(
      'request',
      'SHORTEN WHAT? ATMOST <number:whole> <countable> <wording>',
      ([n, unit, source]: [Num, Counted, Source]) => shortened(source, n, unit === 'letters' ? 'characters' : unit),
    ),
    rule(
      'request',
      'SHORTEN … ATMOST <number:whole> <countable>',
      ([{ text: own }, n, unit]: [Free, Num, Counted]) =>
        spokenText(own) ? shortened({ text: own.trim() }, n, unit === 'letters' ? 'characters' : unit) : undefined,
      -0.3,
    ),
    rule('ending', 'ONLY? (the|the very)? (first|top) <number:whole> <countable>', ([n, of]: [Num, Counted]) => [
      'first',
      whole(n),
      of,
    ]),
    rule(
      'ending',
      'ONLY? (the|the very)? (last|bottom|final) <number:whole> <countable>',
      ([n, of]: [Num, Counted]) => ['last', whole(n), of],
    ),
    rule('request', '<ending> only? <wording>', ([[op, count, of], source]: [[string, number, Counted], Source]) =>
      text({ op, count, unit: of === 'letters' ? 'characters' : of, text: source.text }),
    ),
    rule(
      'request',
      'ONLY? the? (last|bottom) <number:whole> (of)? <lot>',
      ([n, { text: own }]: [Num, Source]) =>
        own.startsWith('{{') ? text({ op: 'last', count: whole(n), unit: 'items', text: own }) : undefined,
      -0.1,
    ),
    rule(
      'request',
      'ONLY? the? (first|top) <number:whole> (of)? <lot>',
      ([n, { text: own }]: [Num, Source]) =>
        own.startsWith('{{') ? text({ op: 'first', count: whole(n), unit: 'items', text: own }) : undefined,
      -0.1,
    ),
    // Two texts.
    rule('side', '<exact>', ([own]: [string]) => ({ text: own })),
    rule('side', '<source>', ([source]: [Source]) => (source.text.includes('{{') ? source : undefined)),
    rule('contrast', 'COMPARE (between|of|in|from)? WHAT?', () => ({})),
    rule(
      'request',
      '<contrast> <side> (and|with|to|vs|versus|against|from|,) <side> (differ)?',
      ([, one, other]: [unknown, Source, Source]) => compared(one, other),
    ),
    rule(
      'request',
      '<contrast> <side> (and|with|to|vs|versus|against|from|,) <side> by <pieces>',
      ([, one, other, by]: [unknown, Source, Source, string]) => compared(one, other, by),
    ),
    rule('request', '<contrast> <exact> <exact>', ([, one, other]: [unknown, string, string]) =>
      compared({ text: one }, { text: other }),
    ),
    rule('request', '<contrast> <lot>', ([, { text: own }]: [unknown, Source]) => {
      if (!/\n|\{\{| (?:vs\.?|versus|\|) /.test(own)) return undefined;
      const two = own.startsWith('{{') ? undefined : halves(own);
      return two
        ? compared({ text: two[0] }, { text: two[1] })
        : question('text', 'Which two texts? Write a line of --- between them.', 'compare these: {}');
    }),
    // Other forms.
    rule('request', 'MAKEOF WHAT (in|into|to|as) SLUG <wording>', slugged),
    rule(
      'request',
      ['MAKEOF? SLUG (for|of|from|out of|to)? <wording>', 'MAKEOF <wording> (in|into|to|as) SLUG'],
      slugged,
    ),
    rule(
      'request',
      'slugify …',
      ([{ text: own }]: [Free]) => (/["“:]|\bthen\b/.test(own) ? undefined : text({ op: 'slug', text: own })),
      -0.4,
    ),
    rule(
      'request',
      'FILL TEMPLATE? (in|out)? <source> (with|using|where|given) …',
      ([template, { text: said }]: [Source, Free]) => filled(template, said),
    ),
    rule('request', 'FILL TEMPLATE? (with|using|where|given) … <data>', ([{ text: said }, template]: [Free, string]) =>
      filled({ text: template }, said),
    ),
    rule(
      'request',
      'FILL TEMPLATE? <source> (with|using) <data>',
      ([template, said]: [Source, string]) => filled(template, said),
      0.1,
    ),
    rule('request', 'FILL TEMPLATE? (in|out)? <source>', ([{ text: own }]: [Source]) =>
      /\{\{ ?\d/.test(own) ? text({ op: 'say', text: own }) : undefined,
    ),
    rule(
      'request',
      'NUMBERING (to|in|on|before|at|with)? NUMBERED? <lot>',
      ([{ text: own }]: [Source]) => (/[\n[]|\{\{/.test(own) ? text({ op: 'number', text: own }) : undefined),
      -0.1,
    ),
    rule('request', 'WRAP <lot> ATWIDTH <number:whole> COLUMNS?', ([{ text: own }, n]: [Source, Num]) =>
      text({ op: 'wrap', length: whole(n), text: own }),
    ),
    rule('request', 'WRAP WHAT? ATWIDTH <number:whole> COLUMNS? <wording>', ([n, { text: own }]: [Num, Source]) =>
      text({ op: 'wrap', length: whole(n), text: own }),
    ),
    rule('padded', '<lot>', ([source]: [Source]) => source),
    rule('padded', '<literal>', ([own]: [string]) => ({ text: own }), -0.2),
    rule('widths', ['FIGURES', 'COLUMNS'], () => true),
    rule('request', 'PAD <padded> (to|until|up to) <number:whole> FIGURES long?', ([source, n]: [Source, Num]) =>
      padded(source, n, true),
    ),
    rule('request', 'PAD <padded> (to|until|up to) <number:whole> COLUMNS? long?', ([source, n]: [Source, Num]) =>
      padded(source, n, false),
    ),
    rule(
      'request',
      'PAD <padded> (to|until|up to) <number:whole> <widths>? (with|using) <piece>',
      ([source, n, , fill]: [Source, Num, unknown, string]) => padded(source, n, false, fill),
    ),
    rule(
      'request',
      'PAD <padded> with (zeros|zeroes|zero|0|0s) (to|until|up to) <number:whole> <widths>?',
      ([source, n]: [Source, Num]) => padded(source, n, false, '0'),
    ),
    rule('request', 'SAY <lot>', ([{ text: own }]: [Source]) => text({ op: 'say', text: own })),
    rule(
      'request',
      'SAY <literal>',
      ([own]: [string]) => (/^\p{L}+$/u.test(own) ? text({ op: 'say', text: own }) : undefined),
      -0.6,
    ),
    rule('request', 'tell me <exact>', ([own]: [string]) => text({ op: 'say', text: own })),
    rule(
      'request',
      'SAY :? …',
      ([{ text: own }]: [Free]) => (spokenText(own) ? text({ op: 'say', text: own }) : undefined),
      -0.5,
    ),
  ],
};
