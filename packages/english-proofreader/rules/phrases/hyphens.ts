import { group, type Patterns } from '../pattern.ts';

/** Numbers that stand before “-year-old” and the like. */
const NUMBERS = `two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,fifteen,twenty,thirty,${Array.from({ length: 29 }, (_, at) => at + 2).join(',')}`;

/** Words that are joined before a noun: a two-year-old son, a five-minute walk. */
export const HYPHENS: readonly Patterns[] = [
  group('punctuation', 'Before a noun the two words take a hyphen: “$2”.', [
    `a|an|my|his|her|our|the|their {${NUMBERS}}_years_old>{}-year-old NOUN`,
    `a|the|this {${NUMBERS}}_minutes>{}-minute walk|drive|break|ride|run|speech|video|call|talk|presentation`,
    `a|the|this {${NUMBERS}}_hours>{}-hour flight|drive|trip|meeting|drive|delay|walk|shift`,
    `a|the|this {${NUMBERS}}_days>{}-day trip|week|holiday|vacation|course|event|conference`,
    'a|an|very hard_working>hard-working $|,|and|NOUN|ADJ',
  ]),
];
