/** Markup that is safe as it stands. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** One character at a time: a function called for each that is found takes longer. */
const escaped = (text: string): string =>
  /[&<>"']/.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;')
    : text;

function write(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  // Whatever a look-up may have slipped in is left out; only lists are written out.
  if (typeof part === 'object') return Array.isArray(part) ? (part as readonly Part[]).map(write).join('') : '';
  return escaped(String(part));
}

/** Whatever stands in `${}` is escaped, unless it is Html itself; nothing comes of null, undefined and false. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((text, string, at) => text + write(parts[at - 1]) + string));

/** Prose with `code` in backticks, as the descriptions of the API are written. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
