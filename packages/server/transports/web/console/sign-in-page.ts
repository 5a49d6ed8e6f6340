import { type Html, html } from '../../../http/html.ts';
import type { Page } from '../layout.ts';
import { icon, note } from '../pieces.ts';

/** Why the sign-in page is shown. */
const NOTES = {
  ended: [
    'You are signed out.',
    'Your session ended because it was unused for 7 days, or because its key stopped working.',
  ],
  unsent: ['You are signed out.', 'Nothing was changed. Sign in and send it again.'],
  out: ['You are signed out.', 'Sign in to open the console again.'],
  everywhere: ['You are signed out everywhere.', 'All sessions of this name have ended.'],
  revoked: ['The key is revoked.', 'You were signed in with this key, so you are signed out.'],
  left: ['You are signed out.', 'You no longer own this name.'],
  deleted: ['Your name is deleted.', 'Its addresses no longer accept messages.'],
} as const;
export type SignInNote = keyof typeof NOTES;
export const isSignInNote = (text: unknown): text is SignInNote =>
  typeof text === 'string' && Object.hasOwn(NOTES, text);

export interface SignIn {
  readonly root: '' | '../' | '../../';
  /** Where to continue after signing in, from the root; empty for the inbox. */
  readonly next?: string;
  readonly note?: SignInNote | undefined;
  /** The pasted key opens no console. */
  readonly wrong?: boolean;
  /** After too many tries: the seconds until the next one, and how many are allowed per minute. */
  readonly wait?: { readonly seconds: number; readonly quota: number };
}

const WRONG = 'This key does not open a console. Check that you copied all of it.';

/** The sign-in page of the console. What was typed is never sent back. */
export function signInPage({ root, next = '', note: why, wrong = false, wait }: SignIn): Page {
  const [fact, rest] = why === undefined ? [] : NOTES[why];
  return {
    title: `${wrong ? 'Error: ' : ''}Sign in · Mailroom`,
    root,
    private: true,
    styles: ['console-pages.css'],
    scripts: ['console.js'],
    main: html`<div class="narrow-page stack">
<h1>Open your console</h1>
${fact !== undefined && note('plain', 'out', fact, rest)}
${wait !== undefined && waiting(wait)}
<form class="stack" method="post" action="${root}console">
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="key">Paste your owner key</label>
<input class="input" type="password" id="key" name="key" autocomplete="current-password" spellcheck="false" autocapitalize="none" required${
      wrong && html` aria-invalid="true" aria-describedby="key-error" autofocus`
    }>
${wrong && html`<p class="error" id="key-error" role="alert">${icon('warn')}<span>${WRONG}</span></p>`}</div>
<button class="button ink large">Open the console</button>
</form>
<form method="post" action="${root}console/enter"><button class="button large">Sign in with your address or passkey</button></form>
<p class="meta">The key begins with <code>mr_live_</code> and was shown once, when you made your name. No key yet? <a href="${root}new">Make your own address</a>.</p>
</div>`,
  };
}

const waiting = ({ seconds, quota }: NonNullable<SignIn['wait']>): Html =>
  html`<div data-wait>${note('wait', 'clock', html`Next try in <span data-left>${seconds}</span> s.`, `You can try ${quota} keys a minute.`)}</div>`;
