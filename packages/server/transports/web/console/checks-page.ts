import type { Type } from 'typebox';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { OutgoingView } from '../../../core/entities/outgoing.ts';
import type { RulesView } from '../../../core/entities/rules.ts';
import { type Html, html } from '../../../http/html.ts';
import { counted, icon } from '../pieces.ts';
import type { RuleTrial } from './api.ts';
import { budgetPart } from './budget-part.ts';
import type { UsageBucket } from './charts.ts';
import { emptyState } from './empty.ts';
import { REVIEW_LINES } from './outgoing-form.ts';
import { actionWords, conditionWords, outcomeWords } from './rules-page.ts';
import { mailboxPath } from './shell.ts';

export interface ChecksView {
  readonly mailbox: Mailbox;
  readonly outgoing: Type.Static<typeof OutgoingView> | undefined;
  /** Messages of it that wait for a review, as text; empty for none. */
  readonly waiting: string;
  readonly rules: RulesView;
  /** What the rules would have done to the last messages; undefined where that is not known now. */
  readonly trial: RuleTrial | undefined;
  /** What it took of the language model by day; undefined for an address that asks none. */
  readonly days: readonly UsageBucket[] | undefined;
}

/** What may leave an address, its rules and its budget. */
export const checksMain = (view: ChecksView): Html =>
  html`<div class="checks">${outgoingPart(view)}${rulesPart(view)}${view.days !== undefined && budgetPart(view.mailbox, view.days)}</div>`;

const entries = ({ length }: readonly string[]): string => (length === 1 ? '1 entry' : `${length} entries`);

function outgoingPart({ mailbox, outgoing, waiting }: ChecksView): Html {
  const { review = 'never', allow = [], block = [], max_per_day: max = null } = outgoing ?? {};
  const [name, meaning] = REVIEW_LINES[review];
  const facts = [
    allow.length > 0 && `writes to ${entries(allow)} alone`,
    block.length > 0 && `never writes to ${entries(block)}`,
    max !== null && `at most ${counted(max, 'recipient')} a day`,
  ].filter((fact) => fact !== false);
  return html`<section aria-labelledby="outgoing"><header><div><h2 id="outgoing">Outgoing</h2><p>What a person reads before it leaves.</p></div><span class="row">${waiting !== '' && html`<a class="button" href="../reviews">${waiting} to approve</a>`}<a class="button" href="../../${mailboxPath('outgoing', mailbox)}">Change<span class="sr"> what may leave</span></a></span></header>
<p><b>${name}.</b> ${meaning}${facts.length > 0 && html` <span class="meta">It ${facts.join(', ')}.</span>`}</p></section>`;
}

function rulesPart({ mailbox, rules, trial }: ChecksView): Html {
  const list = `../../${mailboxPath('rules', mailbox)}`;
  const blank = html`A rule labels, forwards or files messages as they arrive. <a href="../../docs/rules">How they work</a>`;
  return html`<section aria-labelledby="rules"><header><div><h2 id="rules">Rules</h2><p>${rules.length === 0 ? 'Before it handles a message.' : 'Top to bottom, all that match, tried on the last messages.'}</p></div><span class="row">${rules.length > 0 && html`<a class="button quiet" href="${list}">Order and remove</a>`}<a class="button" href="${list}?edit=">${icon('plus')}Add a rule</a></span></header>
${rules.length === 0 ? emptyState({ behavior: mailbox.behavior, fact: 'No rules yet', rest: blank }) : html`<ol class="tried-rules">${rules.map((rule, nth) => rulePart(rule, nth, { mailbox, trial }))}</ol>`}</section>`;
}

/** Messages that are listed of a rule that is open. */
const MAX_LISTED = 20;

/** A rule in words with its strip; opened it lists the messages to which it applies, the newest first. */
function rulePart(
  rule: RulesView[number],
  nth: number,
  { mailbox, trial }: Pick<ChecksView, 'mailbox' | 'trial'>,
): Html {
  const { id } = rule;
  const edit = html`<a class="button quiet" href="../../${mailboxPath('rules', mailbox)}?edit=${encodeURIComponent(id)}">Edit<span class="sr"> ${id}</span></a>`;
  const words = html`<span class="n">${nth + 1}</span><span class="say"><b>${id}</b> <span dir="auto">If ${conditionWords(rule)}.</span> <span class="meta" dir="auto">${actionWords(rule)}</span></span>`;
  if (trial === undefined || trial.items.length === 0)
    return html`<li data-rule="${id}"><div class="rule">${words}</div><div class="row">${edit}</div></li>`;
  const { items } = trial;
  const hits = items.filter(({ rules }) => rules.includes(id));
  const rest = hits.length - MAX_LISTED;
  return html`<li data-rule="${id}"><details name="rule"><summary class="rule">${words}${strip(items.map(({ rules }) => rules.includes(id)).toReversed())}<span class="count">${hits.length} of ${items.length}</span></summary>
<div class="hits">${hits
    .slice(0, MAX_LISTED)
    .map(
      ({ message, rules, then }) =>
        html`<div><span class="cut" dir="auto">${message.from ?? 'Without an address'}</span><a class="cut" href="../../console?message=${message.id}" dir="auto">${message.subject ?? 'No subject'}</a><span class="meta">${outcome({ rules, then }, id)}</span></div>`,
    )}</div>${hits.length === 0 && html`<p class="meta">It applies to none of them.</p>`}${rest > 0 && html`<p class="meta">And ${rest} more.</p>`}<div class="row">${edit}</div></details></li>`;
}

function outcome({ rules, then }: Pick<RuleTrial['items'][number], 'rules' | 'then'>, id: string): Html {
  const others = rules.filter((other) => other !== id);
  return html`${outcomeWords(then)}${others.length > 0 && ` Also in ${others.join(', ')}.`}`;
}

const TICK = 2;
const HEIGHT = 14;

/** A tick for each of the last messages, oldest first: in ink where it applies. */
function strip(hits: readonly boolean[]): Html {
  const path = (isHit: boolean, shape: string): string =>
    hits.flatMap((hit, at) => (hit === isHit ? [`M${at * TICK} ${shape}`] : [])).join('');
  const label = `${hits.filter(Boolean).length} of the last ${hits.length}`;
  return html`<svg class="ticks" viewBox="0 0 ${hits.length * TICK} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path class="base" d="${path(false, '4h1v6h-1z')}"/><path class="hit" d="${path(true, '0h1.4v14h-1.4z')}"/></svg>`;
}
