import type { AccountSession } from '../../../core/sign-in/account-sessions.ts';
import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { addressMark, errorLine, type StepView, serviceIntro, signInHeading } from './words.ts';

export interface SignInView extends StepView {
  /** The address typed, or the one the service expects. */
  readonly address: string;
  readonly error: string | undefined;
  /** The error of a failed passkey. */
  readonly passkeyError: string | undefined;
  /** The session that may be used without a new authentication. */
  readonly session: AccountSession | undefined;
  /** Options for `navigator.credentials.get`; undefined where passkeys are unavailable. */
  readonly options: string | undefined;
  readonly cancels: boolean;
  readonly notice: string | undefined;
}

/** Asks for an address or a passkey, or offers the account already signed in. */
export function signInMain(view: SignInView, frame: Frame): Html {
  const { service, session, base, token, cancels, notice } = view;
  const cancel =
    cancels &&
    html`<form method="post" action="${base}">${token}<button class="button quiet wide-button" name="do" value="cancel" formnovalidate>Cancel</button></form>`;
  return html`${signInHeading(service, frame)}
${service === undefined ? html`<p class="gets">See your passkeys, where you are signed in, and the services you use.</p>` : serviceIntro(service)}
${notice !== undefined && frame.note('plain', 'out', notice, '')}
${session === undefined ? waysIn(view, frame) : continueAs(session, view, frame)}
${cancel}`;
}

const continueAs = (session: AccountSession, { base, token }: SignInView, { icon }: Frame): Html =>
  html`<form method="post" action="${base}">${token}<button class="button ink large wide-button" name="do" value="continue"><span>Continue as ${addressMark(session.address)}</span>${icon('right')}</button></form>
<a class="button wide-button" href="${base}?other=1">Use another address</a>`;

function waysIn({ base, token, address, error, passkeyError, options }: SignInView, frame: Frame): Html {
  const described = error !== undefined && html` aria-invalid="true" aria-describedby="address-error"`;
  return html`<form class="ways-in" method="post" action="${base}" novalidate data-once>${token}
<div class="field"><label for="address">Your address</label>
<input class="input" type="email" id="address" name="address" value="${address}" autocomplete="username webauthn" inputmode="email" autocapitalize="none" spellcheck="false" dir="ltr" required maxlength="320"${described}>
${error !== undefined && errorLine('address-error', error, frame)}</div>
<button class="button ink large wide-button" name="do" value="code">Send me a code</button>
</form>
${
  options !== undefined &&
  html`<form class="passkey" method="post" action="${base}" hidden data-passkey="get" data-options="${options}">${token}<input type="hidden" name="do" value="passkey"><input type="hidden" name="response" value="">
<button class="button wide-button">${frame.icon('key')}Use a passkey</button>
<p class="error" role="alert" hidden data-passkey-error></p></form>`
}
${passkeyError !== undefined && errorLine('passkey-error', passkeyError, frame)}`;
}
