const { PlainDate } = Temporal;
type PlainDate = Temporal.PlainDate;

/** Easter Sunday of the Gregorian calendar (Meeus, Jones and Butcher). */
function easter(year: number): PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return new PlainDate(year, Math.floor(f / 31), (f % 31) + 1);
}

/** The nth weekday (1 Monday … 7 Sunday) of a month; n below 0 counts from its end. */
export function nthWeekday(year: number, month: number, weekday: number, n: number): PlainDate {
  const first = new PlainDate(year, month, 1);
  if (n > 0) return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (n - 1) });
  const last = first.add({ months: 1 }).subtract({ days: 1 });
  return last.subtract({ days: ((last.dayOfWeek - weekday + 7) % 7) - 7 * (n + 1) });
}

const on =
  (month: number, day: number) =>
  (year: number): PlainDate =>
    new PlainDate(year, month, day);

const afterEaster =
  (days: number) =>
  (year: number): PlainDate =>
    easter(year).add({ days });
const nth =
  (month: number, weekday: number, n: number, days = 0) =>
  (year: number): PlainDate =>
    nthWeekday(year, month, weekday, n).add({ days });

/** Longer names come before those that they contain. An apostrophe may be left out. */
const FEASTS: ReadonlyArray<readonly [names: string, date: (year: number) => PlainDate]> = [
  ['christmas eve|xmas eve', on(12, 24)],
  ["boxing day|st stephen's day", on(12, 26)],
  ['christmas day|christmas|xmas|x-mas', on(12, 25)],
  ["new year's eve|silvester|hogmanay", on(12, 31)],
  ["new year's day|the new year|new year's|new year", on(1, 1)],
  ["halloween|hallowe'en", on(10, 31)],
  ["valentine's day|valentine's|valentine", on(2, 14)],
  ["st patrick's day|st. patrick's day|saint patrick's day|st patrick's|st paddy's day", on(3, 17)],
  ["st george's day", on(4, 23)],
  ["st andrew's day", on(11, 30)],
  ["st david's day", on(3, 1)],
  ["st nicholas day|st nicholas' day", on(12, 6)],
  ['us independence day|independence day', on(7, 4)],
  ['burns night', on(1, 25)],
  ['bonfire night|guy fawkes night|guy fawkes day|guy fawkes', on(11, 5)],
  ["veterans day|veterans' day|remembrance day|armistice day", on(11, 11)],
  ["april fools' day|april fools day|april fool's day|april fools", on(4, 1)],
  ['may day', on(5, 1)],
  ['canada day', on(7, 1)],
  ['australia day', on(1, 26)],
  ['anzac day', on(4, 25)],
  ['bastille day', on(7, 14)],
  ['juneteenth', on(6, 19)],
  ['groundhog day', on(2, 2)],
  ['earth day', on(4, 22)],
  ["international women's day", on(3, 8)],
  ['epiphany', on(1, 6)],
  ["all saints' day|all saints day", on(11, 1)],
  ['good friday', afterEaster(-2)],
  ['maundy thursday', afterEaster(-3)],
  ['palm sunday', afterEaster(-7)],
  ['shrove tuesday|pancake day|mardi gras|fat tuesday', afterEaster(-47)],
  ['ash wednesday', afterEaster(-46)],
  ['mothering sunday', afterEaster(-21)],
  ['easter monday', afterEaster(1)],
  ['easter saturday', afterEaster(-1)],
  ['easter sunday|easter', easter],
  ['ascension day|ascension', afterEaster(39)],
  ['whit monday|pentecost monday', afterEaster(50)],
  ['pentecost|whitsun|whit sunday', afterEaster(49)],
  ['corpus christi', afterEaster(60)],
  ['us thanksgiving|thanksgiving day|thanksgiving', nth(11, 4, 4)],
  ['black friday', nth(11, 4, 4, 1)],
  ['cyber monday', nth(11, 4, 4, 4)],
  ['us labor day|labor day', nth(9, 1, 1)],
  ['us memorial day|memorial day', nth(5, 1, -1)],
  ['martin luther king day|mlk day', nth(1, 1, 3)],
  ["presidents' day|presidents day|president's day", nth(2, 1, 3)],
  ['columbus day', nth(10, 1, 2)],
  ["us mother's day|mother's day|mothers' day", nth(5, 7, 2)],
  ["us father's day|father's day|fathers' day", nth(6, 7, 3)],
];

/** The names of holidays, with and without their apostrophes. */
export const HOLIDAYS: readonly string[] = FEASTS.flatMap(([names]) =>
  names.split('|').flatMap((name) => [...new Set([name, name.replaceAll("'", '')])]),
);

const READERS = FEASTS.map(([names, date]) => ({
  pattern: new RegExp(
    `\\b(?:${names.replaceAll('.', '\\.').replaceAll("'", "['’]?")})(?!['’\\w])(?:,? (?:of |in )?(\\d{4})\\b)?`,
    'i',
  ),
  date,
}));

/**
 * `text` with its first holiday ("Christmas", "Easter Monday 2027") as an ISO date; without a year the next one from
 * `today` on, or with `past` the last one up to it. Holidays whose rule differs by country are those of the US.
 */
export function withoutHolidays(text: string, today: PlainDate, past = false): string {
  for (const { pattern, date } of READERS) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const year = found[1] === undefined ? undefined : Number(found[1]);
    let on = date(Math.max(year ?? today.year, 1));
    if (year === undefined) {
      const order = PlainDate.compare(on, today);
      if (!past && order < 0) on = date(today.year + 1);
      else if (past && order > 0) on = date(today.year - 1);
    }
    return `${text.slice(0, found.index)}${on.toString()}${text.slice(found.index + found[0].length)}`;
  }
  return text;
}
