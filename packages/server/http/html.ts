/** Markup that needs no escaping. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | null | undefined | false | readonly Part[];

/** A loop over characters is faster than a replacer function here. */
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
  // Other objects are left out; only lists are rendered.
  if (typeof part === 'object') return Array.isArray(part) ? (part as readonly Part[]).map(write).join('') : '';
  return escaped(String(part));
}

/** Escapes each `${}` value unless it is Html; null, undefined and false render as nothing. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((text, string, at) => text + write(parts[at - 1]) + string));

/** Prose with `code` in backticks, as in the descriptions of the API. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((piece, at) => (at % 2 === 1 ? html`<code>${piece}</code>` : piece))}`;
