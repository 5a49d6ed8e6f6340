import { type Receipt, type ReceiptStep, stepTexts } from '../../core/values/receipt.ts';
import { type Html, html } from '../../http/html.ts';
import { renderMarkdown } from '../../http/markdown.ts';
import { copyButton, counted } from './pieces.ts';
import { EFFECT_WORDS } from './tasks.ts';

const ENDS: Readonly<Record<ReceiptStep['status'], string>> = {
  completed: 'Done',
  failed: 'Failed',
  unknown: 'Unknown',
  skipped: 'Not done',
};

/** The answer of each step, where the reply is a list of them; undefined for a single step and for any other text. */
export async function stepsDone(body: string, receipt: Receipt): Promise<Html | undefined> {
  const texts = stepTexts(body, receipt);
  if (texts === undefined) return undefined;
  const items: Html[] = [];
  for (const [index, { task, status, error }] of receipt.steps.entries()) {
    const result =
      status === 'completed'
        ? html`<div class="prose">${await renderMarkdown(texts[index] ?? '')}</div>`
        : error !== null && html`<p class="step-error" dir="auto">${error}</p>`;
    items.push(
      html`<li class="${status}"><div class="step-head"><b>${task}</b>${status !== 'completed' && html`<span class="tag${status === 'skipped' ? '' : ' failed'}">${ENDS[status]}</span>`}</div>${result}</li>`,
    );
  }
  return html`<ol class="did">${items}</ol>`;
}

const PLANNERS: Readonly<Record<string, string>> = {
  builtin: 'The built-in parser for English',
  steps: 'The sender, step by step',
  model: 'The language model',
};

/** The receipt, folded: what ran, how long, with which effects, and how to verify it. */
export function receiptDetails({ steps, planner, instruction_sha256, jws }: Receipt, root: string): Html {
  const all = steps.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0);
  return html`<details class="receipt"><summary class="meta">Receipt: ${counted(steps.length, 'step')}, ${took(all)}</summary>
<table><thead><tr><th scope="col">Step</th><th scope="col">Ended</th><th scope="col">Took</th><th scope="col">Effects</th></tr></thead>
<tbody>${steps.map(({ step, task, status, duration_ms, effects, outside }) => html`<tr><th scope="row">${step}. ${task}${outside !== undefined && html`<br><span class="meta" dir="ltr">${outside.url}</span>`}</th><td>${ENDS[status]}</td><td>${took(duration_ms)}</td><td>${EFFECT_WORDS[effects]}</td></tr>`)}</tbody></table>
<dl><div><dt>Planned by</dt><dd>${PLANNERS[planner] ?? planner}</dd></div>
<div><dt>SHA-256 of the instruction</dt><dd><code>${instruction_sha256}</code></dd></div>
<div><dt>Signature</dt><dd>ES256, over the whole receipt. Verify it with any JWS library and <a href="${root}.well-known/jwks.json">these public keys</a>; <a href="${root}docs#getJwks">the reference</a> has more.</dd></div></dl>
<div class="row">${copyButton('Copy signed receipt', { text: jws })}</div></details>`;
}

function took(ms: number | null): string {
  if (ms === null) return 'none';
  if (ms < 1) return 'under 1 ms';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
