import type { FieldError } from '@mailroom/behavior/values/error';
import { type Html, html } from '../../../http/html.ts';
import { assetPath } from '../assets.ts';
import { FormErrors } from '../console/fields.ts';
import { waitWords } from '../guest-access.ts';
import type { Page } from '../layout.ts';
import { summary } from '../new/parts.ts';
import { icon, note } from '../pieces.ts';

/** What was typed into the form. */
export interface TypedReport {
  readonly about: string;
  readonly what: string;
  readonly answer_to: string;
  /** The idempotency key, which makes a second click the same report. */
  readonly idempotency: string;
}

export interface ReportState {
  readonly errors?: readonly FieldError[];
  /** Seconds until the next report may be sent. */
  readonly wait?: number;
  /** Why it was not filed, where no field is wrong. */
  readonly failed?: string;
}

/** In characters. */
export const MAX_ABOUT = 500;

/** The form of a report with what was typed. */
export function reportPage(
  typed: TypedReport,
  state: ReportState,
  place: { readonly contact: string | undefined; readonly quota: number },
): Page {
  const errors = new FormErrors(state.errors ?? []);
  const about = field(
    'about',
    'Which address or page?',
    errors,
    'Required. Paste it from the address bar, or type it: someone@name.',
    (attributes) =>
      input(html`${attributes} maxlength="${MAX_ABOUT * 2}" value="${typed.about}" dir="auto" aria-required="true"`),
  );
  const what = field(
    'what',
    'What happened?',
    errors,
    'Required. Describe it in your own words.',
    (attributes) =>
      html`<textarea class="input" ${attributes} rows="6" dir="auto" aria-required="true">${`\n${typed.what}`}</textarea>`,
  );
  const answer = field(
    'answer_to',
    'Where should we answer?',
    errors,
    'Optional. An e-mail address; leave it empty to stay anonymous.',
    (attributes) =>
      input(
        html`${attributes} value="${typed.answer_to}" dir="ltr" autocomplete="email" inputmode="email" maxlength="300"`,
      ),
  );
  const { length } = errors.links;
  return {
    title: `${length > 0 ? 'Error: ' : ''}Report abuse · Mailroom`,
    description: 'Report a harmful address or page to the people who run this service.',
    root: '',
    styles: ['forms.css', 'service.css'],
    scripts: ['report.js'],
    main: html`<form class="about-service" method="post" action="report" data-report>
<h1>Report abuse</h1>
<p class="lead">Is an address or page here harmful or illegal? Only the people who run this service see your report.</p>
${summary(errors.links)}${state.failed !== undefined && note('bad', 'warn', 'Your report was not filed.', state.failed)}
<input type="hidden" name="once" value="${typed.idempotency}">
${about}
${what}
${answer}
<div data-limit data-worker="${assetPath('solve-worker.js')}">${state.wait !== undefined && waiting(state.wait, place.quota)}</div>
<div class="row"><button class="button ink large" data-send><span>Send the report</span>${icon('right')}</button></div>
${place.contact !== undefined && html`<p class="meta">Found a security problem in the service itself? <a href=".well-known/security.txt">Tell its security contact</a>.</p>`}
</form>`,
  };
}

/** The confirmation with the id to name in questions about the report. */
export const filedPage = (id: string, answer_to: string): Page => ({
  title: 'Your report is filed · Mailroom',
  root: '',
  private: true,
  styles: ['service.css'],
  main: html`<div class="about-service">
<h1>Your report is filed</h1>
<p class="lead">The people who run this service have it in their inbox.${answer_to === '' ? ' You left no address for an answer.' : html` An answer goes to <b dir="ltr">${answer_to}</b>.`}</p>
<p class="lead">Your reference: <code>${id}</code></p>
<div class="row"><a class="button" href="./">Go to the home page${icon('right')}</a></div>
</div>`,
});

const input = (attributes: Html): Html => html`<input class="input" ${attributes}>`;

const field = (
  id: string,
  label: string,
  errors: FormErrors,
  hint: string,
  control: (attributes: Html) => Html,
): Html => errors.line(id, label, hint, control);

const waiting = (seconds: number, quota: number): Html =>
  note(
    'wait',
    'clock',
    html`Next report in <span data-left="${seconds}">${waitWords(seconds)}</span>.`,
    html`Without a key, one network can send ${quota} messages and reports a minute. What you typed stays here.<span class="row" hidden data-go-on><button type="button" class="button">Continue now</button></span>`,
  );
