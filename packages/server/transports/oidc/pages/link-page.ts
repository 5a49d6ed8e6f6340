import type { Attempt } from '../../../core/sign-in/sign-in.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { addressMark, type StepView, signInHeading } from './words.ts';

/** The page behind the mail's link; opening it changes nothing. */
export function linkMain(
  view: StepView & { readonly attempt: string; readonly code: string; readonly state: Attempt },
  frame: Frame,
): Html {
  const { service, base, token, attempt, code, state } = view;
  return html`${signInHeading(service, frame)}
<p class="gets">As ${addressMark(state.address)}, with the code <b class="code">${code}</b>.</p>
<form class="ways-in" method="post" action="${base}/code" data-once>${token}<input type="hidden" name="attempt" value="${attempt}"><input type="hidden" name="code" value="${code}"><input type="hidden" name="passkeys" value="" data-passkeys>
<button class="button ink large wide-button" name="do" value="verify">Sign in</button>
</form>`;
}

/** The page in a browser that did not request the code: it shows the code and has no button. */
export const elsewhereMain = (code: string | undefined): Html =>
  code === undefined
    ? html`<h1>This link is incomplete.</h1>
<p class="gets">Type the code from the mail into the page that asked for it.</p>`
    : html`<h1>Your code</h1>
<p class="code large-code">${code}</p>
<p class="gets">Enter it on the page where you started: it works only in that browser. This page changes nothing.</p>
<p class="gets">It works once, for 10 minutes. If you did not start a sign-in, close this page: no one can sign in without the code.</p>`;
