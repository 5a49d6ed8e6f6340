const TYPOS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:2nite|2night|tonite)\b/gi, 'tonight'],
  [/\b(?:tom+or+ow|tom+or+o|tmrw|tmw|2morrow|2moro)\b/gi, 'tomorrow'],
  [/\bwe(?:n|d)(?:e?n?)sday\b/gi, 'wednesday'],
  [/\bthrusday\b/gi, 'thursday'],
  [/\bsaterday\b/gi, 'saturday'],
  [/\bmoring\b/gi, 'morning'],
  [/\bev(?:ry|rey|eyr)\b/gi, 'every'],
  [/(?<=\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}) n (?=(?:mon|tue|wed|thu|fri|sat|sun))/gi, ' and '],
  [/^(remind \p{L}+) @ ?(?=\d)/iu, '$1 at '],
];
const TYPED =
  /^remind \p{L}+ @|2nite|2night|tonite|tom+or|tmr?w|2moro|2morrow|we[nd]e?n?sday|thrus|saterd|moring|\bev(?:ry|rey|eyr)\b|[a-z] n [mtwfs]/iu;

/** Corrects the spelling of days, of which "tomorrow" is mistyped most. */
export const spelled = (text: string): string =>
  TYPED.test(text) ? TYPOS.reduce((all, [typo, right]) => all.replace(typo, right), text) : text;
