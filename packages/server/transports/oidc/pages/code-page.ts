import { basename } from 'node:path';
import type { Attempt } from '../../../core/sign-in/sign-in.ts';
import { type Html, html, type Part } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { addressMark, errorLine, originMark, type StepView, triesLeft } from './words.ts';

export interface CodeView extends StepView {
  readonly attempt: string;
  /** Undefined when the attempt is over. */
  readonly state: Attempt | undefined;
  readonly error: string | undefined;
  /** The folder that receives mail when no mail server is set. */
  readonly outbox: string | undefined;
}

/** Asks for the code that was sent, or shows how the attempt ended and what to do next. */
export function codeMain(view: CodeView, frame: Frame): Html {
  const { state, service, base } = view;
  if (state === undefined) {
    return html`<h1>This code is no longer valid.</h1>
<p class="gets">It was used, has expired, or a newer one was requested. A code works once, for 10 minutes, in the browser that asked for it.</p>
<a class="button ink large wide-button" href="${base}">Ask for another code</a>`;
  }
  const where = service === undefined ? '' : html`, for <span class="origin">${originMark(service.origin)}</span>`;
  if (state.left === 0) {
    return html`<h1>Too many wrong codes.</h1>
<p class="gets">This code is now blocked and cannot be used any more, not even typed correctly. Another can be sent to ${addressMark(state.address)}.</p>
${again(view, 'ink large', 'Send another code')}
${other(base)}`;
  }
  return html`${frame.issuerStamp()}
<h1>Type the code</h1>
<p class="gets">It is on its way to ${addressMark(state.address)}${where}. It works for 10 minutes, in this browser. Addresses hosted here receive it in their own inbox.</p>
${outboxNote(view, frame)}
<form class="ways-in" method="post" action="${base}/code" data-once>${view.token}<input type="hidden" name="attempt" value="${view.attempt}"><input type="hidden" name="passkeys" value="" data-passkeys>
<div class="field"><label for="code">Code</label>
<input class="input code-input" type="text" id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" dir="ltr" required maxlength="40" aria-describedby="code-hint${view.error !== undefined && ' code-error'}"${view.error !== undefined && html` aria-invalid="true"`} autofocus>
${view.error !== undefined && errorLine('code-error', view.error, frame)}
<p class="hint" id="code-hint">8 letters and digits.${view.error === undefined && ` ${triesLeft(state.left)}.`}</p></div>
<button class="button ink large wide-button" name="do" value="verify">Sign in</button>
</form>
<div class="row under">${again(view, 'quiet', 'Send another code')}${other(base)}</div>`;
}

const again = ({ base, token, state }: CodeView, kind: string, label: string): Html =>
  html`<form method="post" action="${base}" data-once>${token}<input type="hidden" name="address" value="${state?.address}"><button class="button ${kind}" name="do" value="code">${label}</button></form>`;

const other = (base: string): Html => html`<a class="button quiet" href="${base}?other=1">Use another address</a>`;

const outboxNote = ({ outbox }: CodeView, frame: Frame): Part =>
  outbox !== undefined &&
  frame.note(
    'plain',
    'warn',
    'This service has no mail server yet.',
    html`Outgoing mail is stored in its folder <code>${basename(outbox)}</code> and shown in its terminal.`,
  );
