/** The months as dates shorten them. */
export const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The first or last day from Monday to Friday of a month, as it is written. */
export const WORKDAY =
  /\b(?:the )?(first|last) (?:working|business|work|week) ?day (?:of|in) (?:(this|the|next) month|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?:,? (\d{4}))?)\b/i;

/** The first or last day from Monday to Friday of a month. */
export function workdayOf(
  [, which, shift, month, year]: readonly (string | undefined)[],
  today: Temporal.PlainDate,
): string {
  const last = which?.toLowerCase() === 'last';
  const named = MONTHS.indexOf(month?.toLowerCase() ?? '') + 1;
  const dayIn = (y: number, m: number): Temporal.PlainDate => {
    const first = new Temporal.PlainDate(y, m, 1);
    const edge = last ? first.add({ months: 1 }).subtract({ days: 1 }) : first;
    const over = edge.dayOfWeek - 5;
    return over <= 0 ? edge : last ? edge.subtract({ days: over }) : edge.add({ days: 3 - over });
  };
  if (named === 0) {
    const month = today.add({ months: shift?.toLowerCase() === 'next' ? 1 : 0 });
    return dayIn(month.year, month.month).toString();
  }
  const day = dayIn(Number(year ?? today.year), named);
  const over = year === undefined && Temporal.PlainDate.compare(day, today) < 0;
  return (over ? dayIn(today.year + 1, named) : day).toString();
}
