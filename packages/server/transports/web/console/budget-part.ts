import type { Mailbox } from '../../../core/entities/mailbox.ts';
import { type Html, html } from '../../../http/html.ts';
import type { UsageBucket } from './charts.ts';
import { mailboxPath } from './shell.ts';
import { dayOf, millisOf } from './times.ts';

/** Of a budget that is used, from which on an event tells of it. */
const TOLD = 80;
const BAR = 14;
const STEP = 20;
const HEIGHT = 64;

const inWords = (count: number): string => count.toLocaleString('en-US');
const tokensIn = ({ input, output }: UsageBucket): number => input + output;

/** What an address may take of the language model, and what it took. */
export function budgetPart(mailbox: Mailbox, days: readonly UsageBucket[]): Html {
  const max = mailbox.budget?.tokens_per_day ?? null;
  const sender = mailbox.budget?.tokens_per_sender_per_day ?? null;
  const today = days.at(-1);
  const used = today === undefined ? 0 : tokensIn(today);
  const share = max === null ? 0 : Math.round((100 * used) / max);
  const limits =
    max === null && sender === null
      ? 'No limit.'
      : `${max === null ? 'No limit' : inWords(max)} tokens a day, ${sender === null ? 'no limit' : inWords(sender)} a sender.`;
  return html`<section aria-labelledby="budget"><header><div><h2 id="budget">Budget</h2><p>Tokens of the language model. Over it a message is rejected.</p></div><span class="row"><a class="button" href="../../${mailboxPath('usage', mailbox)}">Change<span class="sr"> the budget</span></a></span></header><div class="budget"><div><p><b>${limits}</b></p>${max !== null && meter(share)}
<p class="meta">${inWords(used)} used today${max !== null && `, ${share} %. Events tell at ${TOLD} % and at the end`}.</p></div>${chart(days, max)}</div></section>`;
}

const meter = (share: number): Html =>
  html`<svg class="meter" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${share} percent used, told at ${TOLD}"><rect class="of" width="100" height="10"/><rect class="used${share >= 100 && ' over'}" width="${Math.min(100, share)}" height="10"/><path class="told" d="M${TOLD} -4v18"/></svg>`;

/** A bar for each day, today's in ink and those over the budget in red, with a line at the budget. */
function chart(days: readonly UsageBucket[], max: number | null): Html {
  const most = Math.max(1, max ?? 0, ...days.map(tokensIn));
  const heightOf = (tokens: number): number => Math.round((tokens / most) * HEIGHT);
  const isOver = (day: UsageBucket): boolean => max !== null && tokensIn(day) >= max;
  const over = days.filter(isOver).length;
  const end = millisOf(days.at(-1)?.from ?? 0);
  const bars = days.map((day, at) => {
    const height = heightOf(tokensIn(day));
    const kind = isOver(day) ? 'over' : at === days.length - 1 ? 'now' : '';
    return html`<rect class="${kind}" x="${at * STEP}" y="${HEIGHT - height}" width="${BAR}" height="${height}"/>`;
  });
  const width = days.length * STEP - (STEP - BAR);
  const line = max !== null && html`<path d="M0 ${HEIGHT - heightOf(max)}H${width}"/>`;
  return html`<figure><figcaption class="meta">${days.length} days${over > 0 && `, ${over} at the budget`}</figcaption><svg class="days" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">${bars}${line}</svg>
<div class="sr"><table><caption>Tokens by day (UTC)</caption><tbody>${days.map(
    (day) => html`<tr><th scope="row">${dayOf(day.from, end)}</th><td>${inWords(tokensIn(day))}</td></tr>`,
  )}</tbody></table></div></figure>`;
}
