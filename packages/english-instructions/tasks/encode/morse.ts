import { TaskError } from '../task.ts';

const SIGNS: ReadonlyMap<string, string> = new Map(
  (
    'A.- B-... C-.-. D-.. E. F..-. G--. H.... I.. J.--- K-.- L.-.. M-- N-. O--- P.--. Q--.- R.-. S... T- U..- V...- W.-- X-..- Y-.-- Z--.. ' +
    '0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----. ,--..-- ?..--.. \'.----. !-.-.-- /-..-. (-.--. )-.--.- &.-... :---... ;-.-.-. =-...- +.-.-. ".-..-. @.--.-. Ä.-.- Ö---. Ü..-- É..-..'
  )
    .split(' ')
    .map((one): [string, string] => [one.charAt(0), one.slice(1)])
    .concat([
      ['.', '.-.-.-'],
      ['-', '-....-'],
      ['_', '..--.-'],
    ]),
);
const LETTERS: ReadonlyMap<string, string> = new Map(Array.from(SIGNS, ([letter, code]) => [code, letter]));

/**
 * International Morse code with spaces between letters and " / " between words. Throws TaskError for characters without a
 * code.
 */
export function toMorse(text: string): string {
  const code = (letter: string): string => {
    const known = SIGNS.get(letter) ?? SIGNS.get(letter.normalize('NFD').charAt(0));
    if (known === undefined) throw new TaskError(`There is no Morse code for “${letter}”.`);
    return known;
  };
  const words = text.toUpperCase().match(/\S+/g) ?? [];
  return words.map((word) => Array.from(word, code).join(' ')).join(' / ');
}

/** The text of Morse code in dots and dashes. Throws TaskError that names an unknown letter. */
export function fromMorse(text: string): string {
  let letters = 0;
  const words = text
    .replace(/[·•∙]/g, '.')
    .replace(/[−–—_]/g, '-')
    .split(/[/|\n]| {3,}/)
    .map((word) => word.match(/\S+/g) ?? [])
    .filter((word) => word.length > 0);
  return words
    .map((word) =>
      word
        .map((code) => {
          letters += 1;
          const letter = LETTERS.get(code);
          if (letter === undefined) throw new TaskError(`“${code.slice(0, 40)}”, letter ${letters}, is no Morse code.`);
          return letter;
        })
        .join(''),
    )
    .join(' ');
}
