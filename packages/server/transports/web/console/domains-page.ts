import type { Millis } from '@mailroom/behavior/values/clock';
import type { DomainRecord, DomainStatus, DomainView } from '../../../core/entities/domain.ts';
import { type Html, html } from '../../../http/html.ts';
import { errorLine } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { copyButton, icon, note } from '../pieces.ts';
import { FormErrors } from './fields.ts';
import { heading } from './shell.ts';
import { type PageView, tokenField } from './sign-in-form.ts';
import { dayOf, timeMark, zonedMark } from './times.ts';

export interface DomainsPage extends PageView {
  readonly domains: readonly DomainView[];
  readonly typed: string;
  /** Whether the namespace has an owner, without whom it gets no domain. */
  readonly claimed: boolean;
}

export interface DomainPage extends PageView {
  readonly domain: DomainView;
}

const WORDS: Readonly<Record<DomainStatus, readonly [look: string, word: string]>> = {
  pending: ['tag asks', 'Pending'],
  verified: ['tag answered', 'Verified'],
  failed: ['tag failed', 'Failed'],
};
const RECORD_WORDS: Readonly<Record<DomainStatus, string>> = {
  pending: 'Not found yet',
  verified: 'Found',
  failed: 'Not right',
};
const ABOUT: Readonly<Record<DomainRecord['about'], string>> = {
  verification: 'Verification',
  mx: 'Mail to the domain (MX)',
  spf: 'Servers that send (SPF)',
  dkim: 'Signing key (DKIM)',
  dmarc: 'Policy (DMARC)',
};

const tag = (status: DomainStatus): Html => html`<span class="${WORDS[status][0]}">${WORDS[status][1]}</span>`;

/** Lines of a list, each with a link below `to`. */
const domainLines = (domains: readonly DomainView[], to: string, now: Millis): Html =>
  html`<ul class="lines" aria-label="Domains">${domains.map(
    ({ domain, status, created_at }) => html`<li><div><b dir="ltr" class="url">${domain}</b> ${tag(status)}
<p class="meta">added ${dayOf(created_at, now)}</p></div>
<a class="button quiet" href="${to}/${domain}">Open<span class="sr"> ${domain}</span></a></li>`,
  )}</ul>`;

/** The list, and the form for a new one. */
export function domainsMain(view: DomainsPage): Html {
  const { domains, typed, claimed, signed, done, now } = view;
  const { name } = signed.session.namespace;
  const errors = new FormErrors(view.errors);
  const whole = errors.at('', 'domain');
  const field = errors.textLine(
    'domain',
    'Domain',
    'One that receives no mail so far, such as mail.example.com.',
    typed,
    html` maxlength="400" required autocapitalize="none" autocomplete="off" spellcheck="false" inputmode="url" dir="ltr"`,
  );
  return html`${heading('Domains', done)}
${summary(errors.links)}
<p>With a domain of yours the addresses of ${name} receive mail at it too: <b>hello@mail.example.com</b> is then another name of <b>hello@${name}</b>, and its answers leave from there. <a href="../docs/email#your-own-domain">How it works</a></p>
${domains.length > 0 && domainLines(domains, 'domains', now)}
${
  claimed
    ? html`<section class="block" aria-labelledby="add"><h2 id="add">Add a domain</h2>
<form class="fields" method="post" action="domains">${tokenField(signed)}
${whole !== undefined && errorLine('form-error', whole)}${field}
<div class="row"><button class="button ink" name="do" value="add">Add the domain</button></div></form></section>`
    : note(
        'wait',
        'key',
        `${name} has no owner who can sign in.`,
        html`It needs one before it gets a domain. <a href="members">Add your address or a passkey</a>`,
      )
}`;
}

/** The page of a domain: how it stands, and the records to publish. */
export function domainMain({ domain, errors, done, signed, now }: DomainPage): Html {
  const { domain: name, records, keys, checked_at, next_check_at } = domain;
  const act = (value: string, label: string, look: string): Html =>
    html`<form method="post" action="${name}">${tokenField(signed)}<button class="${look}" name="do" value="${value}">${label}</button></form>`;
  const wrong = new FormErrors(errors).at('', 'verify');
  return html`<p class="meta"><a href="../domains">All domains</a></p>
${heading(html`<span dir="ltr" class="url">${name}</span>`, done)}
${wrong !== undefined && errorLine('form-error', wrong)}
${stateNote(domain)}
<p class="meta looked">${checked_at === null ? 'Not looked up so far' : html`Looked up ${timeMark(checked_at, now, 'full')}`}${next_check_at !== null && html` · next by itself ${zonedMark(next_check_at)}`}</p>
<div class="row">${act('verify', 'Look up now', 'button ink')}</div>
<section class="block" aria-labelledby="records"><h2 id="records">Records to publish</h2>
<p>Add them where the DNS of the domain is managed. Some providers want the name without the domain at its end, or show a TXT value in quotes.</p>
<ul class="records">${records.map(recordItem)}</ul></section>
<section class="block" aria-labelledby="keys"><h2 id="keys">Signing keys</h2>
${
  keys.some(({ status: use }) => use === 'waiting')
    ? html`<p>New keys wait for their records above, and sign once DNS has them all. Until then the keys before sign.</p>`
    : html`<details class="sure"><summary class="button quiet">Make new keys</summary><p>Their records are added above. The keys of now sign until DNS has those, and are kept for a week more.</p>${act('rotate', 'Make new keys', 'button ink')}</details>`
}</section>
<section class="block" aria-labelledby="remove"><h2 id="remove">Remove it</h2>
<details class="sure"><summary class="button quiet">Remove this domain</summary><p>Mail to its addresses is refused from then on, and its keys are deleted. Answers that wait leave from the addresses at the domain of the service.</p>${act('remove', `Remove ${name}`, 'button danger')}</details></section>`;
}

function stateNote({ status, error, failing_since }: DomainView): Html {
  if (status === 'failed') return note('bad', 'warn', 'It is not verified.', error ?? '');
  if (status === 'pending')
    return note('wait', 'warn', 'It waits to be verified.', error ?? 'Publish the records below.');
  if (failing_since !== null)
    return note(
      'wait',
      'warn',
      html`Its record of verification is missing since ${zonedMark(failing_since)}.`,
      'After a week without it the domain fails, and mail to it is refused.',
    );
  return note('plain', 'check', 'It is verified.', error ?? 'Leave the records where they are.');
}

const recordItem = (record: DomainView['records'][number], index: number): Html => {
  const { about, name, type, value, purpose, status, error, found } = record;
  const part = (label: string, text: string, id: string): Html =>
    html`<div><dt>${label}</dt><dd class="key"><code id="${id}" dir="ltr">${text}</code>${copyButton('Copy', { id })}</dd></div>`;
  return html`<li class="record"><h3>${ABOUT[about]} <span class="${WORDS[status][0]}">${RECORD_WORDS[status]}</span></h3>
<p class="meta">${purpose}</p>
${error !== null && html`<p class="error">${icon('warn')}<span>${error}</span></p>`}
${status === 'failed' && found.length > 0 && html`<p class="meta">DNS has: ${found.map((text) => html`<code class="url" dir="ltr">${text}</code> `)}</p>`}
<dl><div><dt>Type</dt><dd><code>${type}</code></dd></div>${part('Name', name, `name-${index}`)}${part('Value', value, `value-${index}`)}</dl></li>`;
};
