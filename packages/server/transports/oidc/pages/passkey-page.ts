import { type Html, html } from '../../../http/html.ts';
import type { Frame } from '../../../http/page.ts';
import { MAX_PASSKEY_NAME } from '../passkeys.ts';
import { errorLine } from './words.ts';

export interface NewPasskeyView {
  /** The URL that receives the form. */
  readonly action: string;
  readonly token: Html;
  /** Options for `navigator.credentials.create`. */
  readonly options: string;
  /** The label of the name field. */
  readonly label: string;
  readonly name: string;
  readonly error: string | undefined;
}

/** The form that creates a passkey; it is shown only where scripts run, because it needs one. */
export const newPasskeyForm = (
  { action, token, options, label, name, error }: NewPasskeyView,
  kind: string,
  frame: Frame,
): Html =>
  html`<form class="passkey ways-in" method="post" action="${action}" hidden data-passkey="create" data-options="${options}">${token}<input type="hidden" name="do" value="add"><input type="hidden" name="response" value="">
<div class="field"><label for="passkey-name">${label}</label>
<input class="input" id="passkey-name" name="name" value="${name}" maxlength="${MAX_PASSKEY_NAME}" autocomplete="off" dir="auto" required></div>
<p class="error" role="alert" hidden data-passkey-error></p>
${error !== undefined && errorLine('passkey-error', error, frame)}
<button class="button ${kind}">${frame.icon('key')}Add a passkey</button></form>`;

/** Offers a passkey after a sign-in by code; it may be declined. */
export const offerMain = (view: NewPasskeyView, frame: Frame): Html => html`${frame.issuerStamp()}
<h1>Next time without a code?</h1>
<p class="gets">A passkey is kept by this device or your password manager, and opened by your finger, your face or a PIN. There is nothing to remember, and nothing that somebody could steal from us.</p>
${newPasskeyForm(view, 'ink large wide-button', frame)}
<form method="post" action="${view.action}">${view.token}<button class="button quiet wide-button" name="do" value="skip">Not now</button></form>`;
