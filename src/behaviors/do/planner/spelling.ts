/** First words of instructions without another English word one letter away, except those below. */
const KNOWN = 'calculate convert multiply subtract generate shuffle average translate'.split(' ');
const OTHERS = new Set('covert convent converts shuffled averaged averages generated translated'.split(' '));

/** The text with its first word corrected; undefined when that is no known word with one wrong letter. */
export function respelled(text: string): string | undefined {
  const first = /^[a-z]{5,12}(?= |$)/i.exec(text)?.[0];
  if (first === undefined) return undefined;
  const word = first.toLowerCase();
  const meant = OTHERS.has(word) ? undefined : KNOWN.find((known) => isNearly(word, known));
  return meant === undefined ? undefined : meant + text.slice(first.length);
}

function isNearly(word: string, known: string): boolean {
  if (word === known || Math.abs(word.length - known.length) > 1) return false;
  let at = 0;
  while (word[at] === known[at]) at++;
  const [rest, wanted] = [word.slice(at), known.slice(at)];
  return (
    rest.slice(1) === wanted.slice(1) ||
    rest === wanted.slice(1) ||
    rest.slice(1) === wanted ||
    (rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
  );
}
