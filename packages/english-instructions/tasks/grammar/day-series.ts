import type { Domain } from '../../language/grammar.ts';
import { todayIn } from '../words/dates.ts';
import type { Num } from './number.ts';
import { rulesOf } from './rules.ts';
import { asks, type Moment, type Request, type Setting } from './setting.ts';
import { about } from './time-requests.ts';
import { DAYS, when } from './times.ts';

const MAX_DATES = 60;
/** The first dates of a weekday that comes every week, or every few weeks. */
function comingAgain(
  weeks: number | undefined,
  weekday: string,
  start: Moment,
  count: Num,
  setting: Setting,
): Request | undefined {
  const from = when(start.text, setting);
  if (from === undefined || (count.plain as number) > MAX_DATES) return undefined;
  const first = todayIn(from.at, from.time_zone);
  if (DAYS[first.dayOfWeek - 1] !== weekday) return undefined;
  return listing(Array.from({ length: count.plain as number }, (_, at) => first.add({ weeks: at * (weeks ?? 1) })));
}

const listing = (days: readonly Temporal.PlainDate[]): Request =>
  asks('text', {
    op: 'parts',
    text: days.map((day) => day.toLocaleString('en', { dateStyle: 'full' })),
    selection: { of: 'items' },
    does: 'list',
  });

const rule = rulesOf<{ repeated: number; 'calendar-month': Temporal.PlainYearMonth }>();

/** Days from one to another with both of them, and days that come again. */
export const DAY_SERIES: Domain = {
  lexicon: {
    LIVEDTO:
      'and died on|and died in|, died on|died on|and passed away on|and lived until|and died|, and died on|until|to|and lived to',
    ASKSAGE:
      'how old was she when she died|how old was he when he died|how old was she|how old was he|how old did she get|how old did he get|how old did he become|how old did she become|how old were they|what age did she reach|what age did he reach|at what age did she die|at what age did he die|how old was she at death|how old was he at death|how old was she then|how old was he then',
    OFWEEK: '( mon to fri )|( mon - fri )|( mon-fri )|( monday to friday )|( mo-fr )|( monday - friday )|( weekdays )',
    BOTHDAYS:
      'both included|both days included|both inclusive|inclusive|including both|including both days|including both dates|both dates included|( both included )|( inclusive )|, both included|counting both|counting both days|both counted|including the last day|including the first and last day',
    NOHOLIDAYS:
      ", holidays don't matter|, ignore holidays|, ignoring holidays|ignore holidays|? ignore holidays|. ignore holidays|ignoring holidays|, ignore public holidays|ignore public holidays|, holidays do not matter|? ignore public holidays",
    ALLDAYS:
      'list the dates of|the dates of|list|give me the dates of|give me|when are|which dates are|show me|what are the dates of|on which dates are|on what dates are|which days are|what dates are|name|dates of|name the dates of',
    repeated: { 'other|second': 2, 'third|three weeks on': 3, 'fourth|four weeks on': 4, 'two weeks on': 2 },
    STARTING:
      'starting|starting on|starts on|starts|beginning|beginning on|begins on|from|the first on|the first one on|first on|starting from',
    ASKSDATES:
      'what are the dates of the|what are the|which are the|list the dates of the|give me the dates of the|give me the|list the|the dates of the|when are the|what dates are the|on which dates are the|on what dates are the|the',
  },
  rules: [
    // How long it is to what comes on a day.
    rule(
      'request -0.1 = #23 (my|our|the|a|an|her|his|their) …:thing COMESON? <date> APART? (how many|so how many) <counted> TOGO ENDSIGN?',
      ([date, unit], s) => about('until', date, s, { unit }),
    ),
    // How old someone was at the end.
    rule(
      'request = #23 (my|the|our)? <literal> (was|is|were)? BORN <date:untimed> LIVEDTO <date:untimed> (,|.|;)? (so|and)? ASKSAGE ENDSIGN?',
      ([{ text: date }, { text: to }]) => asks('time', { what: 'between', date, to, unit: 'years' }),
    ),
    // From a day to another, with both of them.
    rule(
      'request = (how many|number of|the number of|count the|count)? <counted> OFWEEK? THERE? (between|from) <date:untimed> (and|to|until|till|through|-|–) <date:untimed> ,? BOTHDAYS NOHOLIDAYS? ENDSIGN?',
      ([unit, { text: date }, { text: to }]) =>
        unit === 'days' || unit === 'business'
          ? asks('time', { what: 'between', date, to, unit, inclusive: true })
          : undefined,
    ),
    rule(
      'request = how many <counted> OFWEEK? THERE? (between|from) <date:untimed> (and|to|until|till|through) <date:untimed> NOHOLIDAYS ENDSIGN?',
      ([unit, { text: date }, { text: to }]) =>
        unit === 'business' ? asks('time', { what: 'between', date, to, unit }) : undefined,
    ),
    rule(
      'request = ALLDAYS (all|all the|every|each|the)? <weekday> (in|of|during) <calendar-month>',
      ([weekday, month]) => {
        const days = Array.from({ length: month.daysInMonth }, (_, at) => month.toPlainDate({ day: at + 1 }));
        return listing(days.filter((day) => DAYS[day.dayOfWeek - 1] === weekday));
      },
    ),
    // Days that come again, from the first of them.
    rule(
      'request = every <repeated>? <weekday> ,? STARTING <date:untimed> (,|.|;)? (so|and)? ASKSDATES? first <number:whole> (dates|days|ones)? ENDSIGN?',
      ([weeks, weekday, start, count], s) => comingAgain(weeks, weekday, start, count, s),
    ),
  ],
};
