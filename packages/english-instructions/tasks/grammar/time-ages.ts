import type { Domain } from '../../language/grammar.ts';
import { todayIn } from '../words/dates.ts';
import { thisYear } from './calendars.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { answering, asks, type Request } from './setting.ts';
import { about, between, question } from './time-requests.ts';
import { fixed, when } from './times.ts';

/** The year of birth of one who has an age on a day; two years where the birthday of the year may still come. */
const bornIn = (age: Num, year: number, passed: boolean): Request | undefined =>
  age.plain === undefined || age.plain > 150
    ? undefined
    : answering(
        passed
          ? String(year - age.plain)
          : `${year - age.plain}, or ${year - age.plain - 1} if the birthday is still to come this year`,
      );

/** The age in a year of one who was born in another. */
const ageIn = (year: number, birth: number): Request | undefined =>
  year > birth ? answering(`${year - birth}, or ${year - birth - 1} before the birthday in ${year}`) : undefined;

const rule = rulesOf<{ year: number; 'turned-in': number }>();

/** Ages, and days and years of births. */
export const TIME_AGES: Domain = {
  lexicon: {
    TURNS: 'turned|turns|turn|is turning|will be|became|will turn|is|was|becomes|am turning|are turning|be',
    BEINGONE: 'who|if he|if she|if they|if i|that|when he|when she|and',
    WHATYEAR: 'what year|which year|in what year|in which year|when|what birth year',
  },
  rules: [
    rule(
      'request = (how old|age|the age|what is the age) of? SOMEONE? ,? (if|when)? BORN <date>',
      'EVENT <date> ,? (so|and)? how old am i',
      'RELATIVE (was|is|were) BORN <date> ,? (so|and)? (how old|what age) ISHE? (now|today)?',
      'BORN <date> ,? (so|and)? (age|how old|what age) ISHE? (now|today)?',
      ([date]) => question('age', date),
    ),
    rule(
      'request = (how old|what age) SOMEONE (on|in|at|by) <date> ,? (if|when|being)? RELATIVE? (was|am|is)? BORN <date>',
      ([day, born], s) => between(born, day, 'years', s),
    ),
    rule(
      'request = DAYOF (i|he|she|someone|we|they) born ,? (if|when)? EVENT <date>',
      'DAYOF (i|he|she|someone|we|they) BORN <date>',
      'EVENT <date> ,? (so|and)? (what|which) (day|weekday|day of the week) was (that|it|i born)',
      ([date], s) => about('weekday', date, s),
    ),
    rule(
      'request = (when|in what year|in which year) (will|do|would) (i|he|she|they) (turn|be|become) <number:whole> ,? (if|when)? (i|he|she|they)? (was|were|am|is)? BORN <date>',
      ([n, { text }]) => asks('time', { what: 'add', date: text, length: `${n.plain} years` }),
    ),
    // Years of birth.
    rule('turned-in = (this|in|on|last)? <year>', ([year]) => year),
    rule('turned-in = (in|on|this|last)? <date:untimed>', ([date], s) => {
      const base = date.length === undefined ? date : fixed(date, s);
      const found = base && when(base.text, s);
      return found && todayIn(found.at, found.time_zone).year;
    }),
    rule('turned-in = (this|in) <month>', (_, s) => thisYear(s)),
    rule(
      'request = WHATYEAR (will|do|would|does|did) (i|he|she|they|someone|we) (turn|be|become|reach) <number:whole> APART? (if|when)? RELATIVE? (was|were|am|is)? BORN <year>',
      ([n, year]) => (n.plain === undefined ? undefined : answering(String(year + n.plain))),
    ),
    rule(
      'request -0.1 = #23 WHATYEAR (was|is) …:thing born (if|when)? BEINGONE? TURNS <number:whole> <turned-in>',
      '#23 (my|our|the) …:thing TURNS <number:whole> <turned-in> APART? WHATYEAR SOMEONE born',
      ([n, year]) => bornIn(n, year, true),
    ),
    rule(
      "request = (i'm|im|i am|he's|she's|they're) <number:whole> (years old)? NOWADAYS? APART? WHATYEAR SOMEONE born",
      ([n], s) => bornIn(n, thisYear(s), false),
    ),
    rule(
      'request = (how old|what age) SOMEONE (in|by) <year> APART? (if|when|being)? RELATIVE? (was|am|is)? BORN <year>',
      ([year, birth]) => ageIn(year, birth),
    ),
    rule(
      'request = (how old|age|the age|what age) of? SOMEONE? NOWADAYS? APART? (if|when)? RELATIVE? (was|am)? BORN <year> NOWADAYS?',
      'RELATIVE? (was|am|is|were)? BORN <year> APART? (how old|what age) (would|does|will|should) (that|this|it) make (me|him|her|them|us|someone)',
      ([birth], s) => ageIn(thisYear(s), birth),
    ),
  ],
};
