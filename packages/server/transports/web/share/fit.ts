import { BLANKS, withoutTrailing } from '@mailroom/behavior/values/trailing';

/** The width of a text at a font size of 1. */
export type Measure = (text: string) => number;

/** A line of an address: the emphasized part, and the domain. */
export interface Line {
  readonly strong: string;
  readonly faint: string;
}

export interface Fitted {
  readonly lines: readonly Line[];
  readonly size: number;
}

const ONE_LINE = { least: 58, most: 92 };
const TWO_LINES = { least: 36, most: 84 };
/** The maximum font size of three lines, which fit below the stamp. */
const MAX_THREE = 44;
/** A longer domain is cut. */
const MAX_DOMAIN = 60;

/**
 * Breaks an address into as few lines as are readable: none, else before its domain or after its `@`, whichever allows
 * larger type, else both.
 */
export function fitAddress(
  local: string,
  namespace: string,
  domain: string,
  width: number,
  strong: Measure,
  faint: Measure,
): Fitted {
  const tail = `.${domain.length > MAX_DOMAIN ? `…${domain.slice(-MAX_DOMAIN)}` : domain}`;
  const mailboxPart = local === '' ? '' : `${local}@`;
  const sized = (lines: readonly Line[], max: number): Fitted => {
    const widest = Math.max(...lines.map((line) => strong(line.strong) + faint(line.faint)));
    return { lines, size: Math.min(max, Math.floor((width / widest) * 10) / 10) };
  };
  const whole = sized([{ strong: mailboxPart + namespace, faint: tail }], ONE_LINE.most);
  if (whole.size >= ONE_LINE.least) return whole;
  const domainLine = { strong: '', faint: tail };
  const two = [sized([{ strong: mailboxPart + namespace, faint: '' }, domainLine], TWO_LINES.most)];
  if (mailboxPart !== '') {
    two.push(
      sized(
        [
          { strong: mailboxPart, faint: '' },
          { strong: namespace, faint: tail },
        ],
        TWO_LINES.most,
      ),
    );
  }
  const best = two.reduce((a, b) => (b.size > a.size ? b : a));
  if (best.size >= TWO_LINES.least || mailboxPart === '') return best;
  return sized([{ strong: mailboxPart, faint: '' }, { strong: namespace, faint: '' }, domainLine], MAX_THREE);
}

/** The words of `text` on up to `max` lines; an ellipsis replaces what does not fit. */
export function wrap(text: string, width: number, max: number, measure: Measure): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === max - 1)
      return [...lines, shortened(`${line} ${words.slice(index).join(' ')}`, width, measure)];
    if (line !== '') lines.push(line);
    line = measure(word) <= width ? word : shortened(word, width, measure);
  }
  return line === '' ? lines : [...lines, line];
}

function shortened(text: string, width: number, measure: Measure): string {
  let cut = text.trim();
  while (cut !== '' && measure(`${cut}…`) > width) cut = cut.slice(0, -1);
  const word = cut.lastIndexOf(' ');
  return `${withoutTrailing(word > cut.length * 0.6 ? cut.slice(0, word) : cut, `${BLANKS},;:.–-`)}…`;
}
