import type { Millis } from '@mailroom/behavior/values/clock';
import type { FieldError } from '@mailroom/behavior/values/error';
import type { Member } from '../../../core/entities/member.ts';
import type { RulesView } from '../../../core/entities/rules.ts';
import { type Html, html } from '../../../http/html.ts';
import { radios, tick } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { addressMark, counted, icon, note, stamp } from '../pieces.ts';
import type { RuleTrial } from './api.ts';
import { emptyState } from './empty.ts';
import { FormErrors, line } from './fields.ts';
import type { MailboxPage } from './mailbox-page.ts';
import type { TypedRule } from './rule-typed.ts';
import { addressPath, heading } from './shell.ts';
import { tokenField } from './sign-in-form.ts';
import { timeMark } from './times.ts';

const CHANNELS = { api: 'API', web: 'Page', smtp: 'Mail', a2a: 'A2A', mcp: 'MCP' } as const;

/** All rules in their order. */
export function listMain(
  { mailbox, mailDomain, signed }: MailboxPage,
  rules: RulesView,
  done: string | undefined,
  version: string,
): Html {
  const token = html`${tokenField(signed)}<input type="hidden" name="version" value="${version}">`;
  return html`${heading(html`${stamp(mailbox.behavior)} Rules of ${addressMark(mailbox, mailDomain)}`, done)}
<p class="row state"><a class="button ink" href="?edit=">Add a rule</a><a class="button quiet" href="../../${addressPath(mailbox)}?tab=checks">${icon('sliders')}Its settings</a></p>
${rules.length === 0 && emptyState({ behavior: mailbox.behavior, fact: 'No rules yet', rest: html`A rule labels, forwards or files messages as they arrive, before this address handles them. <a href="../../docs/rules">How they work</a>` })}
<ol class="lines taught-list rules">${rules.map((rule, at) => ruleRow(rule, at, rules.length, token))}</ol>`;
}

function ruleRow(rule: RulesView[number], at: number, count: number, token: Html): Html {
  const { id } = rule;
  const button = (what: string, label: string): Html =>
    html`<button class="button quiet" name="do" value="${what}">${label}<span class="sr"> ${id}</span></button>`;
  return html`<li><span class="name-cell"><span><b>${id}</b><br><span class="meta" dir="auto">If ${conditionWords(rule)}</span><br><span class="meta" dir="auto">${actionWords(rule)}</span></span></span>
<form class="row" method="post" action="">${token}<input type="hidden" name="of" value="${id}">${at > 0 && button('up', 'Up')}${at < count - 1 && button('down', 'Down')}<a class="button" href="?edit=${encodeURIComponent(id)}">Edit<span class="sr"> ${id}</span></a>${button('remove', 'Remove')}</form></li>`;
}

/** Conditions as words: “its subject has “invoice” and it has files”. */
export function conditionWords({ if: conditions }: RulesView[number]): string {
  const any = (values: string | readonly string[] | undefined, quote = false): string =>
    [values ?? []]
      .flat()
      .map((one) => (quote ? `“${one}”` : one))
      .join(' or ');
  const words: readonly (string | false)[] = [
    conditions.from !== undefined && `it is from ${any(conditions.from)}`,
    conditions.to !== undefined && `it is to ${any(conditions.to)}`,
    conditions.subject !== undefined && `its subject has ${any(conditions.subject, true)}`,
    conditions.body !== undefined && `its text has ${any(conditions.body, true)}`,
    conditions.has !== undefined && 'it has files',
    conditions.finding !== undefined && `${any(conditions.finding)} was found in it`,
    conditions.verified !== undefined && `its sender is ${conditions.verified ? '' : 'not '}proven`,
    conditions.channel !== undefined &&
      `it came by ${[conditions.channel]
        .flat()
        .map((one) => CHANNELS[one])
        .join(' or ')}`,
    conditions.label !== undefined && `it has the label ${any(conditions.label)}`,
  ];
  const holding = words.filter((one) => one !== false);
  return holding.length === 0 ? 'it arrives, whatever it is' : holding.join(', and ');
}

/** What a rule does, in words. */
type Acting = Pick<RulesView[number], 'then' | 'forward_confirmed' | 'forward_stopped'>;
export function actionWords({ then, forward_confirmed, forward_stopped }: Acting): Html {
  const { label, forward_to: target, assign, review, answer, done } = then;
  const held =
    forward_stopped === true
      ? html` <b>(its key may not any more: save a rule again)</b>`
      : forward_confirmed === false && html`, which <b>has not confirmed yet: nothing is forwarded</b>`;
  const words: readonly (Html | false)[] = [
    label !== undefined && html`label it ${label.join(', ')}`,
    target !== undefined && html`forward it to <span dir="ltr">${target}</span>${held}`,
    assign !== undefined && html`assign it to a member`,
    review === true && html`hold its answer for a review`,
    answer === false && html`leave it unanswered`,
    done === true && html`look at no later rule`,
  ];
  const all = words.filter((one) => one !== false);
  return html`Then ${all.map((one, at) => html`${at > 0 && ', '}${one}`)}.`;
}

interface RuleForm {
  readonly typed: TypedRule;
  readonly errors: readonly FieldError[];
  readonly title: string;
  readonly tried: Html | undefined;
  /** Of the rules that the page was made of. */
  readonly version: string;
  /** Who may take care of conversations of the address. */
  readonly members: readonly Member[];
}

/** The form of one rule, with what it would have done to the last messages. */
export function editMain({ mailbox, mailDomain, signed, here }: MailboxPage, form: RuleForm): Html {
  const { typed, errors: given, title, tried, version, members } = form;
  const errors = new FormErrors(given);
  const top = errors.at('', 'form');
  const id = errors.textLine(
    'id',
    'Name',
    'It is shown on the messages to which the rule applied. Lower-case letters, digits, - and _.',
    typed.id,
    html` maxlength="40" autocomplete="off" spellcheck="false" autocapitalize="none"`,
  );
  // Before the summary, which links to the errors that the fields have.
  const fields = html`${conditionFields(typed, errors)}
${actionFields(typed, errors, members)}`;
  return html`${heading(title, undefined)}<p class="meta taught">Of ${addressMark(mailbox, mailDomain)}</p>
${summary(errors.links)}${top !== undefined && html`<p class="error" id="form" tabindex="-1">${top}</p>`}
<form class="making fields rule" method="post" action="" novalidate>
${/* Enter in a field presses the first button: it tries and does not save. */ html`<button class="sr" name="do" value="try" tabindex="-1" aria-hidden="true">Try</button>`}
${tokenField(signed)}<input type="hidden" name="version" value="${version}"><input type="hidden" name="was" value="${typed.was}">
${id}
${fields}
<div class="row"><button class="button" name="do" value="try">Try on the last 100 messages</button></div>
${tried !== undefined && html`<section class="tested" aria-labelledby="tried"><h2 class="small-title" id="tried" tabindex="-1">Tried, nothing was changed</h2>${tried}</section>`}
<div class="row end"><button class="button ink" name="do" value="save">Save the rule</button><a class="button quiet" href="${here}">Back</a></div>
</form>`;
}

const EACH = 'One a line; one of them is enough.';

function conditionFields(typed: TypedRule, errors: FormErrors): Html {
  const list = (name: 'from' | 'to' | 'subject' | 'body' | 'finding' | 'label', label: string, hint: string): Html => {
    const error = errors.at(`/if/${name}`, name);
    return line({ id: name, label, hint: `${hint} ${EACH}`, error }, (attributes) => {
      const entries = name === 'subject' || name === 'body' ? html` dir="auto"` : html` dir="ltr" spellcheck="false"`;
      return html`<textarea class="input" ${attributes} rows="2" autocapitalize="none"${entries}>${`\n${typed[name]}`}</textarea>`;
    });
  };
  const channels = Object.entries(CHANNELS).map(([value, label]) =>
    tick('checkbox', 'channel', { value, label }, typed.channel.includes(value)),
  );
  return html`<fieldset class="field group"><legend class="label">If all of this holds</legend><p class="hint">What is empty is not looked at. Without any condition the rule applies to every message.</p>
${list('from', 'From', 'An address, *@ and a domain, or a namespace.')}
${list('subject', 'Subject has', 'A text, in whatever case.')}
${list('body', 'Text has', 'A text, in whatever case.')}
${tick('checkbox', 'has', { value: '1', label: 'It has files' }, typed.has)}
<details${(typed.to + typed.finding + typed.label + typed.verified !== '' || typed.channel.length > 0) && html` open`}><summary>More conditions</summary>
${list('to', 'To or Cc', 'An address, *@ and a domain, or a namespace.')}
${radios(
  'verified',
  'Its sender is proven',
  [
    { value: '', label: 'Either' },
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ],
  typed.verified,
)}
<fieldset class="field group"><legend class="label">It came by</legend><div class="ways">${channels}</div></fieldset>
${list('label', 'Label', 'A label that the service or an earlier rule set.')}
${list('finding', 'Finding', 'The kind of what was found in it, such as hidden_text.')}
</details></fieldset>`;
}

/** Who takes care of the conversation; one who left stays named until another is chosen. */
function assignField(typed: TypedRule, errors: FormErrors, members: readonly Member[]): Html | false {
  if (members.length === 0 && typed.assign === '') return false;
  const option = (value: string, name: string): Html =>
    html`<option value="${value}"${value === typed.assign && html` selected`}>${name}</option>`;
  const isGone = typed.assign !== '' && members.every(({ account_id }) => account_id !== typed.assign);
  const hint = 'The conversation becomes theirs, unless another member takes care of it.';
  return errors.line(
    'assign',
    'Assign it to',
    hint,
    (attributes) => {
      const named = members.map(({ account_id, name }) => option(account_id, name));
      return html`<select class="input" ${attributes}>${option('', 'No one')}${named}${isGone && option(typed.assign, 'A member who left')}</select>`;
    },
    '/then/assign',
  );
}

function actionFields(typed: TypedRule, errors: FormErrors, members: readonly Member[]): Html {
  const labels = errors.textLine(
    'add_labels',
    'Label it',
    'Labels with commas between them: a to z, 0 to 9, -, _ and /.',
    typed.add_labels,
    html` autocomplete="off" spellcheck="false" autocapitalize="none"`,
    '/then/label',
  );
  const forward = errors.textLine(
    'forward_to',
    'Forward it to',
    'An address, here or outside. One outside is asked by mail first, and gets nothing before it has confirmed.',
    typed.forward_to,
    html` autocomplete="off" spellcheck="false" autocapitalize="none" inputmode="email"`,
    '/then/forward_to',
  );
  const error = errors.at('/then', 'then');
  return html`<fieldset class="field group" id="then" tabindex="-1"><legend class="label">Then</legend>${error !== undefined && html`<p class="error">${error}</p>`}
${labels}
${forward}
${assignField(typed, errors, members)}
${tick('checkbox', 'review', { value: '1', label: 'Hold its answer for a review' }, typed.review)}
${tick('checkbox', 'unanswered', { value: '1', label: 'Leave it unanswered', hint: 'It is filed, and nothing handles it.' }, typed.unanswered)}
${tick('checkbox', 'done', { value: '1', label: 'Look at no later rule' }, typed.done)}
</fieldset>`;
}

/** Messages that are listed where a rule applies to more. */
const MAX_LISTED = 20;

/** What a rule would have done to the last messages, among the others of its list. */
export function triedPart({ items }: RuleTrial, id: string, now: Millis): Html {
  const applying = items.filter(({ rules }) => rules.includes(id));
  if (items.length === 0) return note('plain', 'clock', 'No messages yet.', 'Nothing has arrived at this address.');
  const fact = `It applies to ${applying.length} of the last ${counted(items.length, 'message')}.`;
  const shown = applying.slice(0, MAX_LISTED);
  return html`${note('plain', applying.length === 0 ? 'clock' : 'check', fact, applying.length === 0 ? 'A rule before it may end the list with “Look at no later rule”.' : 'The newest first, with what all rules together would have done:')}
<ul class="lines tried">${shown.map(
    ({ message, then }) =>
      html`<li><span class="name-cell"><span><a href="../../console?message=${message.id}" dir="auto">${message.subject ?? 'No subject'}</a><br><span class="meta"><bdi>${message.from ?? 'Without an address'}</bdi> · ${timeMark(message.created_at, now)}</span><br><span class="meta" dir="auto">${outcomeWords(then)}</span></span></span></li>`,
  )}</ul>${applying.length > MAX_LISTED && html`<p class="meta">And ${applying.length - MAX_LISTED} more.</p>`}`;
}

/** What all rules together would have done to a message, in words. */
export const outcomeWords = ({
  label,
  forward_to,
  assign,
  review,
  answer,
}: RuleTrial['items'][number]['then']): Html =>
  [label, forward_to, assign, review, answer].every((one) => one === undefined)
    ? html`Nothing but the end of the list.`
    : actionWords({
        then: {
          ...(label && { label }),
          ...(forward_to && { forward_to: forward_to.join(', ') }),
          ...(assign !== undefined && { assign }),
          ...(review && { review }),
          ...(answer === false && { answer }),
        },
      });
