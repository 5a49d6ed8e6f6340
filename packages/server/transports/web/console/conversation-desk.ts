import type { Millis } from '@mailroom/behavior/values/clock';
import type { Member } from '../../../core/entities/member.ts';
import type { Message } from '../../../core/entities/message.ts';
import {
  CONVERSATION_STATES,
  type ConversationState,
  MAX_NOTE,
  type Standing,
  type ThreadNote,
} from '../../../core/entities/standing.ts';
import { type Html, html } from '../../../http/html.ts';
import { plainText } from '../../../http/markdown.ts';
import { errorLine } from '../form/controls.ts';
import { icon } from '../pieces.ts';
import { laterChoices, memberChoices } from './desk-choices.ts';
import { personFace } from './faces.ts';
import { type Filter, search } from './filter.ts';
import type { Root } from './shell.ts';
import { type Signed, tokenField } from './sign-in-form.ts';
import { timeMark, zonedMark } from './times.ts';
import { FORM_ZONE } from './typed-message.ts';

/** What each state is called. */
export const STAND_WORDS: Readonly<Record<ConversationState, string>> = {
  open: 'Open',
  waiting: 'Waiting',
  done: 'Done',
  later: 'Later',
};

/** Where a conversation stands, who may take care of it, and what members noted of it. */
export interface DeskView {
  readonly standing: Standing;
  readonly members: readonly Member[];
  readonly notes: readonly ThreadNote[];
  /** Whether the reader may change it, or only reads it. */
  readonly takesPart: boolean;
}

/** A note or a time that was not accepted, as it was typed. */
export interface DeskError {
  readonly field: 'note' | 'until';
  readonly typed: string;
  readonly message: string;
}

interface DeskOf {
  readonly message: Message;
  readonly desk: DeskView;
  readonly now: Millis;
  readonly filter: Filter;
  readonly root: Root;
  readonly signed: Signed;
  readonly error: DeskError | undefined;
}

const form = ({ message, filter, root, signed }: DeskOf, content: Html, more: Html | false = false): Html =>
  html`<form method="post" action="${root}console/conversations/${message.id}${search(filter)}"${more}>${tokenField(signed)}${content}</form>`;

/** Who may take care of it. */
function assignMenu(of: DeskOf): Html {
  const { standing, members } = of.desk;
  const choices = memberChoices(members, standing.assignee, of.signed.session.key.account_id);
  const none =
    standing.assignee !== null && html`<button class="button quiet" name="assignee" value="">No one</button>`;
  return html`<div class="menu">${
    members.length === 0
      ? html`<p class="meta">Members take care of conversations. This namespace has none so far.</p>`
      : form(of, html`${choices}${none}`)
  }</div>`;
}

/** What is done most: Assign, Later, Done. */
export function deskActs(of: DeskOf): Html {
  const { standing } = of.desk;
  const isDone = standing.state === 'done';
  const assign = html`<details class="more-acts" data-assign><summary class="ib" aria-label="Assign" title="Assign">${icon('person')}</summary>${assignMenu(of)}</details>`;
  const done = form(
    of,
    html`<button class="button" name="state" value="${isDone ? 'open' : 'done'}"${!isDone && html` title="Takes it out of the inbox until something new arrives in it" data-done`}>${icon(isDone ? 'inbox' : 'check')}<span>${isDone ? 'Move to the inbox' : 'Done'}</span>${!isDone && html`<kbd data-keys hidden>e</kbd>`}</button>`,
  );
  return html`${assign}${later(of)}${done}`;
}

function later(of: DeskOf): Html {
  const { error, now } = of;
  const wrong = error?.field === 'until' ? error : undefined;
  const timeField = html`<label for="until-at">At another time</label><input class="input" type="datetime-local" id="until-at" name="at" value="${wrong?.typed}"${wrong !== undefined && html` aria-invalid="true" aria-describedby="until-error"`}>
<label for="until-zone">Time zone</label><input class="input" id="until-zone" name="zone" value="${FORM_ZONE}" maxlength="60" autocomplete="off" spellcheck="false" dir="ltr" data-own-zone>
${wrong !== undefined && errorLine('until-error', wrong.message)}<button class="button" name="state" value="later">${icon('clock')}Bring back then</button>`;
  return html`<details class="more-acts" data-later${wrong !== undefined && html` open`}><summary class="ib" aria-label="Later" title="Later">${icon('clock')}</summary><div class="menu">${form(of, html`${laterChoices(now)}`)}${form(of, timeField, html` class="stack"`)}</div></details>`;
}

/** The state and who takes care of it, as menus. */
export function deskLine(of: DeskOf): Html {
  const { standing, members } = of.desk;
  const { state, until, assignee } = standing;
  const states = CONVERSATION_STATES.filter((one) => one !== 'later').map(
    (one) =>
      html`<button class="button quiet" name="state" value="${one}"${one === state && html` aria-pressed="true"`}>${STAND_WORDS[one]}</button>`,
  );
  const person = members.find(({ account_id }) => account_id === assignee);
  const stand = html`<span class="dot" aria-hidden="true"></span><span class="sr">State: </span>${STAND_WORDS[state]}${until !== null && html` until ${zonedMark(until)}`}`;
  const choice = html`<details class="more-acts"><summary class="pill stand-${state}">${stand}${icon('down')}</summary><div class="menu">${form(of, html`${states}`)}</div></details>`;
  const who =
    person === undefined
      ? html`<span class="sr">Assigned to </span>No one’s`
      : html`${personFace(person.name, ' tiny member')}<span class="sr">Assigned to </span><bdi>${person.name}</bdi>`;
  return html`<div class="standing">${of.desk.takesPart ? choice : html`<span class="pill still stand-${state}">${stand}</span>`}
${of.desk.takesPart ? html`<details class="more-acts"><summary class="pill">${who}${icon('down')}</summary>${assignMenu(of)}</details>` : html`<span class="pill still">${who}</span>`}</div>`;
}

/** A note among the turns of a conversation. */
export const noteTurn = ({ id, author, body, created_at: at }: ThreadNote, desk: DeskView, now: Millis): Html => {
  const name = author.name ?? 'A key';
  const isGone = author.kind === 'member' && desk.members.every(({ account_id }) => account_id !== author.id);
  return html`<section class="message note-turn" id="${id}" data-note="${id}">${personFace(name, ' member')}
<div class="who"><b dir="auto">${name}</b>${isGone && html` <span class="kind">left</span>`}<span class="kind">note, members only</span><span class="right">${timeMark(at, now, 'full')}</span></div>
<div class="body"><div class="noted prose">${plainText(body)}</div></div></section>`;
};

/** The form of a note, folded. */
export function noteForm(of: DeskOf): Html {
  const wrong = of.error?.field === 'note' ? of.error : undefined;
  const names = of.desk.members.map(({ name }) => `@${name.split(/[\s@]/u)[0]}`).join(' ');
  return html`<details class="note-form" data-note-form${wrong !== undefined && html` open`}><summary>${icon('write')}Note for members<kbd data-keys hidden>m</kbd></summary>
${form(
  of,
  html`<label class="sr" for="note">Note for members</label><textarea id="note" name="note" rows="2" dir="auto" aria-describedby="note-hint${wrong !== undefined && ' note-error'}"${wrong !== undefined && html` aria-invalid="true"`}>\n${wrong?.typed}</textarea>
${wrong !== undefined && errorLine('note-error', wrong.message)}<p class="meta" id="note-hint">Members alone see it, up to ${MAX_NOTE.toLocaleString('en-US')} characters.${names !== '' && ` Named, they are told: ${names}`}</p><button class="button" name="do" value="note">Add the note</button>`,
  html` class="stack" data-once`,
)}</details>`;
}
