/** Words of instructions without another English word one letter away, except those below. */
const FIRST = 'calculate convert multiply subtract generate shuffle average translate divide'.split(' ');
const WITHIN = 'times minus percent divided multiplied'.split(' ');
const OTHERS = new Set(
  'covert convent converts shuffled averaged averages generated translated divine dimes tiles tires tides tines limes mimes timer timed menus divides multiplies percents'.split(
    ' ',
  ),
);

/** The text with its first word and those between figures corrected; undefined when none is a known word with one wrong letter. */
export function respelled(text: string): string | undefined {
  if (text.length > 200) return undefined;
  const figures = (text.match(/\d+/g) ?? []).length > 1 && !/["“]/.test(text);
  const fixed = text.replace(/(?<![\p{L}'’-])[a-z]{4,12}(?![\p{L}'’-])/giu, (word, at: number) => {
    const lower = word.toLowerCase();
    const known = [...(at === 0 && word.length > 4 ? FIRST : []), ...(figures ? WITHIN : [])];
    return (OTHERS.has(lower) ? undefined : known.find((one) => isNearly(lower, one))) ?? word;
  });
  return fixed === text ? undefined : fixed;
}

function isNearly(word: string, entry: string): boolean {
  if (word === entry || Math.abs(word.length - entry.length) > 1) return false;
  let at = 0;
  while (word[at] === entry[at]) at++;
  const [rest, wanted] = [word.slice(at), entry.slice(at)];
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  );
}
