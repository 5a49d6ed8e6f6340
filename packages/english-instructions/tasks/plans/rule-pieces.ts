import { type Moment, type Parts, refused } from './rule-parts.ts';

const DAY =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const COUNT = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve';
const COUNTS = COUNT.split('|');
const ORDINAL = '(?:first|second|third|fourth|fifth|last|\\d{1,2}(?:st|nd|rd|th))';
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];
const CLOCK = `(?:(?:noon|midday|midnight)|(?:half past|quarter past|quarter to) (?:${COUNT}|\\d{1,2})|(?:\\d{1,2})(?:[:.h]\\d{2})?(?: ?[ap]\\.?m\\b\\.?)?(?: ?o['’]?clock| sharp)?)(?![\\w/%]|:\\d| ?[-+*^=]\\s?\\d)`;
/** A time that cannot be a number with another meaning. */
const SURE_CLOCK = `(?:noon|midday|midnight|\\d{1,2}[:.]\\d{2}(?: ?[ap]\\.?m\\b\\.?)?|\\d{1,2} ?[ap]\\.?m\\b\\.?)(?![\\w/%]|:\\d)`;
const AND = '(?:, | ?(?:,? and|&|,? or) )';
const EVERY = '(?:every|each)';
const OF_MONTH = `(?: (?:of|in) (?:${EVERY}|the|a|any) (?:single )?month| (?:of|in) (?:${EVERY}|the) (quarter|year)| (?:${EVERY} month|a month|monthly))`;

const dayOf = (word: string): number => DAYS.indexOf(word.trim().slice(0, 3).toLowerCase());
const monthOf = (word: string): number => MONTHS.indexOf(word.trim().slice(0, 3).toLowerCase()) + 1;
const countOf = (word: string): number => COUNTS.indexOf(word.toLowerCase()) + 1 || Number(word);
const ordinalOf = (word: string): number => ORDINALS.indexOf(word.toLowerCase()) + 1 || Number.parseInt(word, 10);
const all = (text: string, word: string): string[] => text.match(new RegExp(`\\b${word}(?![a-z]{2})`, 'gi')) ?? [];
const range = (from: number, to: number, size: number): number[] =>
  Array.from({ length: ((to - from + size) % size) + 1 }, (_, i) => (from + i) % size);

function clockOf(text: string): Moment {
  const word = text.toLowerCase();
  if (/^(?:noon|midday)/.test(word)) return { hour: 12, minute: 0, half: true };
  if (word.startsWith('midnight')) return { hour: 0, minute: 0, half: true };
  const spoken = /^(half past|quarter past|quarter to) (\w+)/.exec(word);
  if (spoken !== null) {
    const hour = countOf(spoken[2] as string);
    if (spoken[1] === 'quarter to') return { hour: (hour + 23) % 24, minute: 45, half: false };
    return { hour, minute: spoken[1] === 'half past' ? 30 : 15, half: false };
  }
  const [, digits = '', minutes = '0', half] = /^(\d+)(?:[:.h](\d+))?(?: ?([ap]))?/.exec(word) ?? [];
  const hour = Number(digits);
  const minute = Number(minutes);
  if (hour > 23 || minute > 59 || (half !== undefined && (hour > 12 || hour === 0))) {
    throw refused(`“${text.trim()}” is no time of the day.`);
  }
  return { hour: half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0), minute, half: half !== undefined };
}

/** Adds a piece to a rule; false when it is none after all. */
type Piece = readonly [RegExp, (parts: Parts, found: readonly (string | undefined)[]) => boolean | undefined];
const piece = (source: string, add: Piece[1]): Piece => [new RegExp(`${source}(?![\\w-])`, 'iy'), add];

const PARTS_OF_DAY: Readonly<Record<string, number>> = {
  morning: 9,
  lunchtime: 12,
  noon: 12,
  midday: 12,
  afternoon: 15,
  evening: 20,
  night: 22,
  midnight: 0,
};
const PART_OF_DAY = `(${Object.keys(PARTS_OF_DAY).join('|')})s?`;
function partOfDay(parts: Parts, word: string): true {
  parts.part = word.toLowerCase();
  parts.around = PARTS_OF_DAY[parts.part] as number;
  return true;
}

function interval(parts: Parts, count: number, unit: string): true {
  if (parts.unit === undefined || parts.unit === 'day') {
    parts.unit = /^s/i.test(unit)
      ? 'second'
      : /^mo/i.test(unit)
        ? 'month'
        : /^m/i.test(unit)
          ? 'minute'
          : /^h/i.test(unit)
            ? 'hour'
            : /^d/i.test(unit)
              ? 'day'
              : /^w/i.test(unit)
                ? 'week'
                : /^q/i.test(unit)
                  ? 'quarter'
                  : 'year';
    parts.count = count;
  }
  parts.again = true;
  return true;
}

/** The pieces of a rule in the order they are tried; each begins where the one before ended. */
export const PIECES: readonly Piece[] = [
  piece(
    `(cron:? )?["\`]?([\\d*][\\d*,/-]*(?: [\\d*,/#LW?+-]+){2}(?: (?:[\\d*,/?#L+-]|${MONTH}|${DAY})+){2}(?: [\\d*,/?#L-]+){0,2})["\`]?`,
    (parts, [, marked, fields = '']) => {
      // "7 * 191 + 3" is a sum.
      if (
        marked === undefined &&
        !(fields.includes('*') && fields.split(' ').every((field) => /[\d*?a-z]/i.test(field)))
      ) {
        return false;
      }
      parts.cron = fields;
      return true;
    },
  ),
  // "The first Monday of each month", "every last Friday", "on the 1st and 3rd Tuesday".
  piece(
    `(?:on |at )?(?:(the|${EVERY}|on) )*(${ORDINAL}(?:${AND}(?:the )?${ORDINAL})*)(?: and (?:the )?(last))? (${DAY}|weekday|work(?:ing)? ?day|business day|day)s?(${OF_MONTH})?`,
    (parts, [whole = '', , ordinals = '', last, day = '', period]) => {
      const every = /\b(?:every|each)\b/i.test(whole.slice(0, 12));
      const named = dayOf(day) >= 0;
      if (period === undefined && /^(?:second|2nd)$/i.test(ordinals) && every && last === undefined) {
        if (!named && !/^day$/i.test(day))
          throw refused(`“${whole}” is no rule: say “every other day”, or “on the second Monday of every month”.`);
        if (named) parts.days.push(String(dayOf(day)));
        return interval(parts, 2, named ? 'week' : 'day');
      }
      const nth = ordinalOf(ordinals);
      if (
        period === undefined &&
        every &&
        /^day$/i.test(day) &&
        nth > 2 &&
        last === undefined &&
        !/[ ,]/.test(ordinals)
      )
        return interval(parts, nth, 'day');
      for (const one of [...all(ordinals, ORDINAL), ...(last === undefined ? [] : [last])]) {
        const n = /^last$/i.test(one) ? 'L' : ordinalOf(one);
        if (named) parts.days.push(n === 'L' ? `${dayOf(day)}L` : `${dayOf(day)}#${n}`);
        else if (/^day$/i.test(day)) parts.dates.push(String(n));
        else if (n === 1 || n === 'L') parts.dates.push(n === 1 ? '1W' : 'LW');
        else return false;
        if (named && n !== 'L' && n > 5) return false;
      }
      if (/quarter/i.test(period ?? '')) parts.months.push(1, 4, 7, 10);
      if (/year/i.test(period ?? '')) parts.months.push(1);
      // "The last day of the month" is that of this one.
      const once = !every && /^last$/i.test(ordinals) && /^day$/i.test(day) && /(?:of|in) the month$/i.test(whole);
      if ((period !== undefined || every) && !once) parts.again = true;
      return true;
    },
  ),
  // "On the 1st and 15th of each month", "the last of the month"; "on the 1st" alone says no "every".
  piece(
    `(?:on )?(?:(the|${EVERY}) )?((?:${ORDINAL}|first)(?:${AND}(?:the )?${ORDINAL})*)(?: day)?(${OF_MONTH})`,
    (parts, [, , ordinals = '', period]) => {
      for (const one of all(ordinals, ORDINAL)) parts.dates.push(/^last$/i.test(one) ? 'L' : String(ordinalOf(one)));
      if (/quarter/i.test(period ?? '')) parts.months.push(1, 4, 7, 10);
      if (/year/i.test(period ?? '')) parts.months.push(1);
      parts.again = true;
      return true;
    },
  ),
  // "Every December 24th", "on 1 May".
  piece(
    `(?:on )?(?:(${EVERY}) )?(?:the )?(?:(${MONTH}) (?:the )?(\\d{1,2})(?:st|nd|rd|th)?|(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH}))`,
    (parts, [, every, m1, d1, d2, m2]) => {
      parts.months.push(monthOf(m1 ?? m2 ?? ''));
      parts.dates.push(String(Number(d1 ?? d2)));
      if (every !== undefined) parts.again = true;
      return true;
    },
  ),
  piece(
    `(?:on )?(?:the )?((?:\\d{1,2}(?:st|nd|rd|th)|first)(?:${AND}(?:the )?\\d{1,2}(?:st|nd|rd|th))*)(?! [a-z]+ ?day| of)`,
    (parts, [, dates = '']) => {
      for (const one of all(dates, '(?:\\d{1,2}(?:st|nd|rd|th)|first)')) parts.dates.push(String(ordinalOf(one)));
      return true;
    },
  ),
  piece(
    `(?:on |from )?(?:${EVERY} )?(?:(?:week|work|working |business )days?|(?:week|work|working |business )day (?:morning)s?)(?= (?:morning|afternoon|evening|night)|)`,
    (parts, [whole = '']) => {
      parts.days.push('1-5');
      parts.again = /every|each|days/i.test(whole) || parts.again;
      return true;
    },
  ),
  piece(`(?:on |at )?(?:(?:${EVERY} )?weekends?|(?:the )?weekends)`, (parts) => {
    parts.days.push('6', '0');
    parts.again = true;
    return true;
  }),
  // "Monday to Friday".
  piece(
    `(?:(?:on|from|${EVERY}) )*(${DAY})s? ?(?:to|through|thru|until|till|-|–) ?(${DAY})s?`,
    (parts, [, from = '', to = '']) => {
      parts.days.push(...range(dayOf(from), dayOf(to), 7).map(String));
      parts.again = true;
      return true;
    },
  ),
  piece(
    `(?:(?:on|${EVERY}|and) )*(?:(other|alternate|second|2nd|two|2) )?(${DAY}s?(?:${AND}(?:(?:on|${EVERY}) )*${DAY}s?)*)`,
    (parts, [whole = '', other, days = '']) => {
      const every = /\b(?:every|each)\b/i.test(whole);
      if (other !== undefined) {
        if (!every) return false;
        parts.days.push(...all(days, DAY).map((one) => String(dayOf(one))));
        return interval(parts, 2, 'week');
      }
      const named = all(days, DAY);
      const plural = /days\b/i.test(days);
      if (!every && !plural && !/^on /i.test(whole) && parts.unit === undefined && !parts.again) return false;
      parts.days.push(...named.map((one) => String(dayOf(one))));
      if (every || plural) parts.again = true;
      return true;
    },
  ),
  piece(
    `(?:once |one time )?(?:every|each|per) (?:(\\d{1,6}|${COUNT}|other|second|third|half|quarter|couple)(?: of)? (?:an? )?)?(?:single )?(sec(?:ond)?s?|min(?:ute)?s?|hours?|hrs?|days?|weeks?|months?|quarters?|years?)(?! ?(?:word|line|letter|row|one|item|char|element)s?\\b)`,
    (parts, [, count = '1', unit = '']) => {
      if (/^half/i.test(count)) return /^h/i.test(unit) ? interval(parts, 30, 'minute') : false;
      if (/^quarter/i.test(count)) return /^h/i.test(unit) ? interval(parts, 15, 'minute') : false;
      return interval(
        parts,
        /^(?:other|second|couple)$/i.test(count) ? 2 : /^third$/i.test(count) ? 3 : countOf(count),
        unit,
      );
    },
  ),
  piece('(?:every|each) (\\d{1,4}) ?(s|m|h|d|w)', (parts, [, count = '', unit = '']) =>
    interval(parts, Number(count), unit),
  ),
  piece(
    `(once|twice|(\\d{1,2}|${COUNT}) times) (?:an?|per|every|each) (hour|day|week|month|year)`,
    (parts, [, often = '', number, unit = '']) => {
      const times = /^once/i.test(often) ? 1 : /^twice/i.test(often) ? 2 : countOf(number ?? '');
      if (times === 1) return interval(parts, 1, unit);
      if (/^h/i.test(unit) && 60 % times === 0) return interval(parts, 60 / times, 'minute');
      parts.often = /^d/i.test(unit) ? times : -1;
      return interval(parts, 1, 'day');
    },
  ),
  piece(
    '(?:(bi-?weekly|fortnightly|every fortnight)|hourly|daily|everyday|nightly|weekly|monthly|quarterly|yearly|annually)',
    (parts, [whole = '', two]) => {
      if (two !== undefined) return interval(parts, 2, 'week');
      if (/^nightly/i.test(whole)) partOfDay(parts, 'night');
      return interval(parts, 1, /^(?:daily|every|night)/i.test(whole) ? 'day' : /^ann/i.test(whole) ? 'year' : whole);
    },
  ),
  piece(`${EVERY} ${PART_OF_DAY}`, (parts, [, part = '']) => interval(parts, 1, 'day') && partOfDay(parts, part)),
  piece(
    `(?:in|on|during|at) the ${PART_OF_DAY}|(?:at )?(night)|(mornings|evenings|nights|afternoons|(?<=day |days )(?:morning|evening|afternoon|night|lunchtime))`,
    (parts, [, a, b, c]) => partOfDay(parts, (a ?? b ?? c ?? '').replace(/s$/i, '')),
  ),
  piece(
    `(?:in|of|during|(${EVERY})|only in) (${MONTH})(?: ?(?:to|through|until|-|–) ?(${MONTH})|((?:${AND}${MONTH})*))`,
    (parts, [, every, first = '', last, more = '']) => {
      if (last !== undefined)
        parts.months.push(...range(monthOf(first) - 1, monthOf(last) - 1, 12).map((one) => one + 1));
      else parts.months.push(monthOf(first), ...all(more, MONTH).map(monthOf));
      if (every !== undefined) parts.again = true;
      return true;
    },
  ),
  piece(
    '(?:at )?(?:(\\d{1,2})(?: min(?:ute)?s?)?|(half)|(?:a )?(quarter)) past(?: (?:the|every|each) hour)?|(?:at )(?:minute |:)(\\d{1,2})|on the (half )?hour',
    (parts, [whole = '', a, half, quarter, b, onHalf]) => {
      if (/ past$/i.test(whole)) return false;
      parts.minute = half !== undefined || onHalf !== undefined ? 30 : quarter === undefined ? Number(a ?? b ?? 0) : 15;
      if (/hour/i.test(whole) && parts.unit === undefined) interval(parts, 1, 'hour');
      return true;
    },
  ),
  piece(
    `(?:from |between )(${CLOCK}) ?(?:to|and|until|till|-|–) ?(${CLOCK})|during (?:business|working|office) hours`,
    (parts, [, from, to]) => {
      const first = from === undefined ? { hour: 9, minute: 0, half: true } : clockOf(from);
      const last = to === undefined ? { hour: 17, minute: 0, half: true } : clockOf(to);
      if (from === undefined) parts.days.push('1-5');
      parts.window = [first, last];
      return true;
    },
  ),
  piece(
    `(?:at|@|by|around|about) (${CLOCK})((?:, ${CLOCK})*(?:,? (?:and|&) (?:at )?${CLOCK})|(?:, ${SURE_CLOCK})*)`,
    (parts, [, first = '', more = '']) => {
      parts.times.push(clockOf(first), ...(more.match(new RegExp(CLOCK, 'gi')) ?? []).map(clockOf));
      return true;
    },
  ),
  piece(`(${SURE_CLOCK})`, (parts, [, time = '']) => {
    parts.times.push(clockOf(time));
    return true;
  }),
  piece(
    `(?:except|but not|excluding|other than|apart from|not|without)(?: on| for| at)? (?:the )?(weekends?|weekdays?|${DAY}s?(?:${AND}${DAY}s?)*)`,
    (parts, [, days = '']) => {
      parts.but.push(
        ...(/^weekend/i.test(days) ? [6, 0] : /^weekday/i.test(days) ? [1, 2, 3, 4, 5] : all(days, DAY).map(dayOf)),
      );
      return true;
    },
  ),
  piece('(?:my|local|our|your) (?:local )?time|starting (?:now|today|immediately)|from now on', () => true),
];
