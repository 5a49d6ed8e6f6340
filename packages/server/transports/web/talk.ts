import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../http/html.ts';
import { assetPath } from './assets.ts';
import { isAnswered } from './looks.ts';
import { icon, note } from './pieces.ts';
import { type Answering, workingTurn } from './turns.ts';

/** What prevents a guest from sending the next message. */
export type SendProblem =
  | { readonly kind: 'error'; readonly message: string }
  /** `fact` replaces the seconds where there are too many to count down. */
  | { readonly kind: 'wait'; readonly seconds: number; readonly fact?: string; readonly sentence: Html };

export interface Talk {
  readonly mailbox: Answering;
  /** The form's target, relative to the page. */
  readonly action: string;
  readonly turns: Html | undefined;
  readonly examples: readonly string[];
  readonly placeholder: string;
  /** Continues the thread; undefined before the first message. */
  readonly thread_token?: string | undefined;
  /** What was typed and not sent. */
  readonly text?: string;
  /** Bytes of a message at most. */
  readonly max: number;
  readonly problem?: SendProblem | undefined;
  /** Shown in place of the conversation before there is one, such as that the mailbox is paused. */
  readonly before?: Html | undefined;
  readonly foot: string;
}

/** A conversation and the form that continues it; without scripts the form returns the page with both turns. */
export function talk(conversation: Talk): Html {
  const { problem, turns } = conversation;
  const wait = problem?.kind === 'wait' ? problem : undefined;
  const error = problem?.kind === 'error' ? problem.message : undefined;
  return html`<form class="talk" method="post" action="${conversation.action}#talk" id="talk" data-talk${isAnswered(conversation.mailbox.behavior) && html` data-later`} data-worker="${assetPath('solve-worker.js')}">
<input type="hidden" name="thread_token" value="${conversation.thread_token}">
<input type="hidden" name="once" value="${randomUUID()}">
<div class="turns" role="log" aria-live="off" aria-label="Conversation" data-turns>${conversation.before}${turns}</div>
<template data-working-turn>${workingTurn(conversation.mailbox)}</template>
<div class="compose">
${
  conversation.examples.length > 0 &&
  html`<div class="chips examples">${conversation.examples.map((example) => html`<button class="chip" name="example" value="${example}" dir="auto">${example}</button>`)}</div>`
}
<div data-send-wait>${problem?.kind === 'wait' && waitNote(problem)}</div>
<div class="box">
<label class="sr" for="body">Your message</label>
<textarea id="body" name="body" rows="2" dir="auto" placeholder="${conversation.placeholder}"${bounded(conversation.max, tooLong(conversation.max))}${
    error !== undefined && html` aria-invalid="true" aria-describedby="error"`
  }>${`\n${conversation.text ?? ''}`}</textarea>
<div class="box-foot"><span class="meta">${conversation.foot} <span class="keys" data-keys hidden>Enter starts a new line, <kbd>Ctrl</kbd>+<kbd>Enter</kbd> sends.</span></span>
<button class="button ink" data-send${wait !== undefined && html` aria-disabled="true"`}>${icon('send')}<span>${
    wait === undefined || wait.fact !== undefined ? 'Send' : `Send in ${wait.seconds} s`
  }</span></button></div>
</div>
<p class="row restart" data-restart${conversation.thread_token === undefined && html` hidden`}><a class="button quiet" href="${conversation.action}">${icon('again')}New conversation</a></p>
<p class="error" id="error" role="alert" data-error${error === undefined && html` hidden`}>${icon('warn')}<span>${error}</span></p>
</div>
<div class="sr" role="status" data-said></div>
</form>`;
}

/** Why a guest's text is not sent. `max`: bytes. */
export const tooLong = (max: number): string =>
  `Guests may send up to ${Math.floor(max / 1024)} KB. Send it in parts, or with a key.`;

/** Attributes of a field whose text is checked before it is sent, so that a long one does not travel for nothing. */
export const bounded = (max: number, error: string): Html => html` data-max-bytes="${max}" data-over="${error}"`;

/** A rate limit as a wait: the seconds count down where scripts run, and a solved challenge ends it at once. */
export const waitNote = ({ seconds, fact, sentence }: Extract<SendProblem, { kind: 'wait' }>): Html =>
  note(
    'wait',
    'clock',
    fact ?? html`Next message in <span data-left>${seconds}</span> s.`,
    html`${sentence}<span class="row" hidden data-go-on><button type="button" class="button">Continue now</button></span>`,
  );
