import { type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { type Html, html } from '../../../http/html.ts';
import { icon } from '../pieces.ts';
import { type Signed, tokenField } from './sign-in-form.ts';

interface Undo {
  /** Where the form goes, from the page that it is on. */
  readonly action: string;
  /** What it takes back. */
  readonly value: string;
  readonly signed: Signed;
}

/** Full seconds until then, at least one. */
export const secondsLeft = (at: Millis, now: Millis): number => Math.max(1, Math.ceil((at - now) / SECOND));

/** The seconds that a script counts down. */
export const leftMark = (seconds: number): Html => html`<span data-left>${seconds}</span> s`;

/** What was just done, with a button that takes it back; `seconds`: the seconds until that is over. */
export const toastView = (fact: Html, { action, value, signed }: Undo, seconds?: number): Html =>
  html`<div class="toast" role="status" data-toast${seconds !== undefined && html` data-leaves="${seconds}"`}><span>${fact}</span><form method="post" action="${action}">${tokenField(signed)}<button name="undo" value="${value}" data-undo>Undo <kbd data-keys hidden>z</kbd></button></form></div>`;

/** Says where it stands what leaves or runs, and takes it back. */
export const leavingView = (fact: Html, { action, value, signed }: Undo, seconds: number): Html =>
  html`<div class="leaves" role="status" data-leaves="${seconds}"><span>${fact}</span><form method="post" action="${action}">${tokenField(signed)}<button class="button" name="undo" value="${value}" data-undo>${icon('again')}Undo</button></form></div>`;
