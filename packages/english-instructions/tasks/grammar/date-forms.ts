import type { Domain, Recognizer } from '../../language/grammar.ts';
import { rulesOf } from './rules.ts';
import { asks, type Moment, type Request, type Setting } from './setting.ts';
import { fixed, when } from './times.ts';

const FIGURES = /^(?:d{1,2}|m{1,4}|y{2}|y{4})(?:([/.-]| )(?:d{1,2}|m{1,4}|y{2}|y{4})){2}$/i;
const MAX_TOKENS = 5;

/** "DD/MM/YYYY", which says how a date is written. */
const recognize: Recognizer = (tokens, add) => {
  for (const [index, { kind, lower }] of tokens.entries()) {
    if (kind !== 'word' || !/^[dmy]/.test(lower)) continue;
    let form = '';
    for (const [n, { text, spaced }] of tokens.slice(index, index + MAX_TOKENS).entries()) {
      form += n > 0 && spaced ? ` ${text}` : text;
      if (FIGURES.test(form)) add('date-form', index, index + n + 1, form.toUpperCase());
    }
  }
};

/** A day is written in its form, and a time of the day in that of a clock. */
function written(moment: Moment, form: string, setting: Setting): Request | undefined {
  const base = moment.length === undefined ? moment : fixed(moment, setting);
  const found = base && when(base.text, setting);
  return found === undefined || /[Hh]/.test(form) !== found.has_time
    ? undefined
    : asks('time', { what: 'format', date: (base as Moment).text, to: form });
}

const rule = rulesOf<Record<'date' | 'dated', Moment>>();

/** Dates and times in another form. */
export const DATE_FORMS: Domain = {
  lexicon: {
    'date-form': {
      'long date|a long date|long date format|a long date in english|day month year|day, month, year|day month and year|long form|long format|words|written out|the month in words|the month as a word|full form':
        'D MMMM YYYY',
      'month day year|month day and year|month, day, year': 'MMMM D, YYYY',
      'year month day|iso|iso 8601|iso8601': 'YYYY-MM-DD',
      'uk|british|european|french|spanish|italian|english': 'DD/MM/YYYY',
      'us|american': 'MM/DD/YYYY',
      'german|swiss|russian|polish': 'DD.MM.YYYY',
      '24 hour|24-hour|24 hours|24h|24 h|24hr|24 hr|military|24 hour clock|the 24 hour clock': 'HH:mm',
      '12 hour|12-hour|12 hours|12h|12 h|12hr|12 hr|am pm|am/pm|12 hour clock|am or pm': 'h:mm A',
    },
    WRITE:
      'format|write|convert|change|show|put|turn|express|give me|reformat|rewrite|display|print|say|transform|make',
    ASFORM: 'as|to|in|into|with|using|by|in the|as a|into a|to the|in an|to an|into the',
    FORMAT: 'format|style|form|notation|date|time|clock|date format|time format|standard|format please|order',
  },
  recognize,
  rules: [
    rule('dated = (the date|date|the time|time|this date|the following date|this time)? :? <date>'),
    rule("dated = (today's date|todays date|the date today|current date|the current date)", () => ({ text: 'today' })),
    rule(
      'request = WRITE? LEAD? (the|a)? <date-form> FORMAT (for|of|:|is) <dated>',
      'WRITE (the date|this date|this|it|date|the time)? ASFORM <date-form> FORMAT? :? <date>',
      ([form, moment], s) => written(moment, form, s),
    ),
    rule('request = WRITE? LEAD? <dated> ASFORM <date-form> FORMAT?', ([moment, form], s) => written(moment, form, s)),
    rule(
      'request -0.3 = WRITE … ASFORM <date-form> FORMAT?',
      'LEAD … ASFORM <date-form> FORMAT?',
      ([{ text }, form], s) => written({ text }, form, s),
    ),
  ],
};
