import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';

const STRING = /("(?:[^"\\]|\\.)*"|'[^']*')/;

/** Renders code on a page: strings are colored, and a button copies it. */
export interface CodeBlocks {
  /** Shell or JSON, line by line. */
  readonly code: (lines: readonly string[]) => Html;
  readonly json: (value: unknown) => Html;
}

/** The code blocks of one page; they are numbered, because the copy button needs an id. */
export function makeCodeBlocks({ copyButton }: Frame): CodeBlocks {
  let count = 0;
  const code = (lines: readonly string[]): Html => {
    count += 1;
    const id = `code-${count}`;
    // The button comes first because it floats, which leaves long lines the rest of the width.
    return html`<div class="code">${copyButton('Copy', { id })}<pre><code id="${id}">${lines.map((line, at) => [at > 0 && '\n', colored(line)])}</code></pre></div>`;
  };
  return { code, json: (value) => code(JSON.stringify(value, null, 2).split('\n')) };
}

/** Names in JSON objects keep their color. */
const colored = (line: string): Html => {
  const pieces = line.split(STRING);
  return html`${pieces.map((piece, at) => (at % 2 === 1 && !pieces[at + 1]?.startsWith(':') ? html`<span class="s">${piece}</span>` : piece))}`;
};
