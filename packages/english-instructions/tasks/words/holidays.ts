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

const FEASTS: ReadonlyArray<readonly [pattern: string, date: (year: number) => PlainDate]> = [
  ['christmas eve|xmas eve', on(12, 24)],
  ['boxing day', on(12, 26)],
  ['christmas day|christmas|xmas|x-mas', on(12, 25)],
  ["new year['’]?s eve|silvester", on(12, 31)],
  ["new year['’]?s day|(?:the )?new year['’]?s?", on(1, 1)],
  ["halloween|hallowe['’]en", on(10, 31)],
  ["valentine['’]?s(?: day)?", on(2, 14)],
  ["(?:st\\.?|saint) patrick['’]?s(?: day)?", on(3, 17)],
  ['(?:us )?independence day', on(7, 4)],
  ['good friday', (year) => easter(year).subtract({ days: 2 })],
  ['easter monday', (year) => easter(year).add({ days: 1 })],
  ['easter sunday|easter', easter],
  ['ascension(?: day)?', (year) => easter(year).add({ days: 39 })],
  ['pentecost|whitsun', (year) => easter(year).add({ days: 49 })],
  ['(?:us )?thanksgiving(?: day)?', (year) => nthWeekday(year, 11, 4, 4)],
  ['black friday', (year) => nthWeekday(year, 11, 4, 4).add({ days: 1 })],
  ['(?:us )?labor day', (year) => nthWeekday(year, 9, 1, 1)],
  ['(?:us )?memorial day', (year) => nthWeekday(year, 5, 1, -1)],
  ["(?:us )?mother['’]?s day", (year) => nthWeekday(year, 5, 7, 2)],
  ["(?:us )?father['’]?s day", (year) => nthWeekday(year, 6, 7, 3)],
];

const READERS = FEASTS.map(([pattern, date]) => ({
  pattern: new RegExp(`\\b(?:${pattern})(?!['’\\w])(?:,? (?:of |in )?(\\d{4})\\b)?`, 'i'),
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
