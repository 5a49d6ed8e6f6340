import type { Behavior } from '@mailroom/behavior';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Previewed } from '../../../core/runs/preview.ts';
import { type Html, html } from '../../../http/html.ts';
import { assetPath } from '../assets.ts';
import { examplesOf } from '../examples.ts';
import { icon, note } from '../pieces.ts';
import type { ErrorLink } from '../schema-form.ts';
import { bounded, type SendProblem, waitNote } from '../talk.ts';
import { turns, workingTurn } from '../turns.ts';
import type { Typed } from './typed.ts';

/** The state of the preview conversation. */
export interface PreviewState {
  /** The latest exchange. */
  readonly turns?: Html;
  /** The message of the latest exchange. */
  readonly tried?: string;
  /** What was typed and not sent. */
  readonly text?: string;
  readonly error?: string;
  /** What is missing or wrong in the settings; nothing was run. */
  readonly missing?: readonly ErrorLink[];
  readonly wait?: Extract<SendProblem, { kind: 'wait' }>;
}

/** A conversation with an address that does not exist yet. It is part of the form and uses the settings typed there. `max`: bytes of a message. */
export function previewCard(
  typed: Typed,
  behaviors: readonly Behavior[],
  state: PreviewState,
  max: number,
  action = 'new#preview',
  settings = 'Uses the settings you typed',
): Html {
  const { error, wait } = state;
  return html`<section class="card talk" id="preview" aria-labelledby="preview-title" data-preview data-worker="${assetPath('solve-worker.js')}">
<div class="card-head"><h2 id="preview-title">Preview</h2><span class="meta">${settings}</span></div>
<div class="turns" role="log" aria-live="off" aria-label="Conversation" data-turns>${state.missing === undefined ? state.turns : missingNote(state.missing)}</div>
<template data-working-turn>${workingTurn(answering(typed))}</template>
<input type="hidden" name="tried" value="${state.tried ?? ''}">
<div class="compose">
<div class="panels">${behaviors.map((one) => examples(one, typed, action))}</div>
<div data-send-wait>${wait !== undefined && waitNote(wait)}</div>
<div class="box">
<label class="sr" for="body">A message to try</label>
<textarea id="body" name="body" rows="2" dir="auto" placeholder="Write to it"${bounded(max, `At most ${Math.floor(max / 1024)} KB are previewed.`)}${
    error !== undefined && html` aria-invalid="true" aria-describedby="body-error"`
  }>${`\n${state.text ?? ''}`}</textarea>
<div class="box-foot"><span class="meta">Nothing is stored</span>
<button class="button ink" name="do" value="preview" formaction="${action}" data-send${wait !== undefined && html` aria-disabled="true"`}>${icon('send')}<span>${
    wait === undefined || wait.fact !== undefined ? 'Send' : `Send in ${wait.seconds} s`
  }</span></button></div>
</div>
<p class="error" id="body-error" data-error${error === undefined && html` hidden`}>${icon('warn')}<span>${error}</span></p>
</div>
</section>`;
}

/** In place of an answer: what has to be filled in first. */
const missingNote = (missing: readonly ErrorLink[]): Html =>
  note(
    'plain',
    'warn',
    'No answer yet.',
    html`It will answer here once you fix this:<ul>${missing.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li>`)}</ul>`,
  );

/** In place of an answer: its owner's program gives it, which is not connected yet. */
export const outsideNote = (
  next = 'The next page shows how to connect a program, with code to paste. By hand you answer in the console. Until then messages wait.',
): Html => note('plain', 'clock', 'Your program answers, or you do.', next);

/** Example messages to click, as its settings suggest. */
function examples(behavior: Behavior, typed: Typed, action: string): Html {
  const settings = settingsOf(typed.settings.get(behavior.name));
  const all = examplesOf({ behavior: behavior.name, settings }, behavior);
  return html`<div class="panel${behavior === typed.behavior && ' on'}"><div class="chips examples">${all.map(
    (one) => html`<button class="chip" name="example" value="${one}" formaction="${action}" dir="auto">${one}</button>`,
  )}</div></div>`;
}

/** Settings before validation; anything but an object counts as empty. */
const settingsOf = (value: unknown): Mailbox['settings'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mailbox['settings']) : {};

const answering = ({ local, name, behavior }: Typed) => ({
  local_part: local,
  namespace: name,
  behavior: behavior.name,
  status: 'online' as const,
});

/** An exchange as two turns. */
export const exchange = ({ message, mailbox }: Previewed): Promise<Html> => turns(message, mailbox, { fresh: true });

/** The message to preview: an example, what was typed, what was tried before, or the best example. */
export function messageOf(form: URLSearchParams, typed: Typed): string {
  const example = form.get('example');
  if (example !== null) return example;
  if (typed.body.trim() !== '') return typed.body;
  return typed.tried || firstExample(typed);
}

export const firstExample = ({ behavior, settings }: Typed): string =>
  examplesOf({ behavior: behavior.name, settings: settingsOf(settings.get(behavior.name)) }, behavior)[0] ??
  behavior.example?.body ??
  '';

/** The markup of what changed, for the script. */
export const previewJson = ({ turns, tried, error, wait, missing }: PreviewState): object => ({
  missing: missing === undefined ? null : missingNote(missing).text,
  turns: turns?.text ?? null,
  tried: tried ?? null,
  error: error ?? null,
  wait: wait === undefined ? null : { seconds: wait.seconds, html: waitNote(wait).text },
});
