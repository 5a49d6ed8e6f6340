import type { Html } from '../../../http/html.ts';
import { html } from '../../../http/html.ts';

const STRING = /("(?:[^"\\]|\\.)*"|'[^']*')/;

/** Shell or JSON with its strings set apart; JSON's names stay as they are. */
export const code = (lines: readonly string[]): Html =>
  html`<pre><code>${lines.map((line, at) => [at > 0 && '\n', colored(line)])}</code></pre>`;

const colored = (line: string): Html => {
  const pieces = line.split(STRING);
  return html`${pieces.map((piece, at) => (at % 2 === 1 && !pieces[at + 1]?.startsWith(':') ? html`<span class="s">${piece}</span>` : piece))}`;
};

export const json = (value: unknown): Html => code(JSON.stringify(value, null, 2).split('\n'));
