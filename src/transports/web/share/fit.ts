import { BLANKS, withoutTrailing } from '../../../core/values/trailing.ts';

/** How wide a text is at a size of 1. */
export type Measure = (text: string) => number;

/** A line of an address: what stands out, and the domain, which does not. */
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
/** Beneath the stamp there is room for no more. */
const MAX_THREE = 44;
/** Nobody reads more of a domain. */
const MAX_DOMAIN = 60;

/**
 * An address on as few lines as let it be read from afar: whole, else broken before its domain or after its `@`,
 * whichever is larger, else after both.
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
  const before = local === '' ? '' : `${local}@`;
  const sized = (lines: readonly Line[], max: number): Fitted => {
    const widest = Math.max(...lines.map((line) => strong(line.strong) + faint(line.faint)));
    return { lines, size: Math.min(max, Math.floor((width / widest) * 10) / 10) };
  };
  const whole = sized([{ strong: before + namespace, faint: tail }], ONE_LINE.most);
  if (whole.size >= ONE_LINE.least) return whole;
  const domainLine = { strong: '', faint: tail };
  const two = [sized([{ strong: before + namespace, faint: '' }, domainLine], TWO_LINES.most)];
  if (before !== '') {
    two.push(
      sized(
        [
          { strong: before, faint: '' },
          { strong: namespace, faint: tail },
        ],
        TWO_LINES.most,
      ),
    );
  }
  const best = two.reduce((a, b) => (b.size > a.size ? b : a));
  if (best.size >= TWO_LINES.least || before === '') return best;
  return sized([{ strong: before, faint: '' }, { strong: namespace, faint: '' }, domainLine], MAX_THREE);
}

/** The words of `text` on up to `most` lines; what has no room gives way to an ellipsis. */
export function wrap(text: string, width: number, max: number, measure: Measure): readonly string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const [at, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (lines.length === max - 1) return [...lines, shortened(`${line} ${words.slice(at).join(' ')}`, width, measure)];
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
