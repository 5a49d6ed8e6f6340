import { type Html, html } from '../../../http/html.ts';
import { icon } from '../pieces.ts';
import type { ErrorLink } from '../schema-form.ts';

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** The list of errors, each a link to its field; it has the focus when the page loads. */
export function summary(links: readonly ErrorLink[]): Html | false {
  if (links.length === 0) return false;
  const count = `${NUMBERS[links.length] ?? links.length} ${links.length === 1 ? 'thing' : 'things'} to fix`;
  return html`<div class="note bad" id="summary" role="group" aria-labelledby="summary-title" tabindex="-1" autofocus>${icon('warn')}<div>
<h2 class="summary-title" id="summary-title">${count}</h2>
<ul>${links.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}</ul>
</div></div>`;
}

const STEPS = ['Address', 'Behavior', 'Share'];

/** Shows the current step. */
export const steps = (now: 1 | 2): Html =>
  html`<ol class="way" aria-label="Steps">${STEPS.map((step, index) =>
    index + 1 < now
      ? html`<li>${icon('check')}<span class="sr">Done: </span>${step}</li>`
      : html`<li${index + 1 === now && html` aria-current="step"`}>${index + 1} ${step}</li>`,
  )}</ol>`;

/** Hidden fields that carry the other fields of the form. */
export const carried = (form: URLSearchParams, without: readonly string[]): Html =>
  html`${[...form]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
