import { type Html, html } from '../../http/html.ts';

/** A program as it is copied, and as it is shown, with its strings in `<span class="s">`. */
export interface Sample {
  readonly code: string;
  readonly marked: Html;
}

export interface SampleOf {
  readonly baseUrl: string;
  /** The recipient. */
  readonly address: string;
  /** The message. */
  readonly body: string;
  /** Whether it uses a key, `MAILROOM_KEY` in the environment; without one it uses the try-out for guests. */
  readonly key: boolean;
}

export class Text {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A program whose strings are marked. */
export function sample(strings: TemplateStringsArray, ...parts: readonly (Text | string)[]): Sample {
  const pieces = strings.flatMap((piece, at) => (at === 0 ? [piece] : [parts[at - 1] as Text | string, piece]));
  return {
    code: pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''),
    marked: html`${pieces.map((piece) => (typeof piece === 'string' ? piece : html`<span class="s">${piece.text}</span>`))}`,
  };
}

export const joined = (...all: readonly Sample[]): Sample => ({
  code: all.map(({ code }) => code).join(''),
  marked: html`${all.map(({ marked }) => marked)}`,
});

/** In single quotes a shell interprets nothing but the quote itself (POSIX.1, section 2.2.2). */
export const shell = (text: string): Text => new Text(`'${text.replaceAll("'", "'\\''")}'`);

/**
 * A JSON string is valid in JavaScript (ECMA-262, since 2019) and in Python; invisible characters are escaped so that
 * they survive copying.
 */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
export const quoted = (text: string): Text => new Text(jsonOf(text));
