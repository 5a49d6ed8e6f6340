import type { Behavior } from '@mailroom/behavior';
import type { FieldError } from '@mailroom/behavior/values/error';
import { type Html, html } from '../../../http/html.ts';
import { field, input, type Option, radios } from '../form/controls.ts';
import type { Page } from '../layout.ts';
import { addressMark, icon, stamp } from '../pieces.ts';
import type { ErrorLink } from '../schema-form.ts';
import { wordsOf } from '../words.ts';
import { steps, summary } from './parts.ts';
import { type PreviewState, previewCard } from './preview-card.ts';
import { errorLinks, LINE_LABEL, settingsFields } from './settings.ts';
import { LINE, type Typed } from './typed.ts';

export interface BehaviorStep {
  readonly typed: Typed;
  readonly behaviors: readonly Behavior[];
  /** Errors of the chosen behavior's settings. */
  readonly errors: readonly FieldError[];
  readonly preview: PreviewState;
  /** Bytes of a message to preview at most. */
  readonly max: number;
  /** Why nothing was made, where no field is wrong. */
  readonly note?: Html;
}

/** The second step: how the address answers, with a preview beside it. */
export function behaviorPage({ typed, behaviors, errors, preview, max, note }: BehaviorStep, mailDomain: string): Page {
  const links: ErrorLink[] = [...errorLinks(typed, errors)];
  const wrong = errors.find(({ pointer }) => pointer === LINE)?.message;
  const panels = behaviors.map((behavior) => {
    const isChosen = behavior === typed.behavior;
    const { heading } = wordsOf(behavior);
    const { fields } = settingsFields(behavior, typed, isChosen ? errors : []);
    return html`<section class="panel${isChosen && ' on'}" aria-label="${heading}"><h2>${heading}</h2>${fields}</section>`;
  });
  if (preview.error !== undefined) links.push({ href: '#body', text: preview.error });
  const address = { local_part: typed.local, namespace: typed.name };
  return {
    title: `${links.length > 0 ? 'Error: ' : ''}How should ${typed.local}@${typed.name} answer? · Mailroom`,
    root: '',
    private: true,
    styles: ['forms.css'],
    scripts: ['new.js'],
    main: html`<form class="making" method="post" action="new" novalidate data-new>
${/* Enter in a field presses the first button: it previews and makes nothing. */ html`<button class="sr" name="do" value="preview" tabindex="-1" aria-hidden="true">Preview</button>`}
<input type="hidden" name="name" value="${typed.name}">
<input type="hidden" name="local" value="${typed.local}">
<input type="hidden" name="once" value="${typed.idempotency}">
${steps(2)}
<h1>How should ${addressMark(address, mailDomain)} answer?</h1>
${summary(links)}${note}
<div class="beside-preview">
<div class="main">
<fieldset><legend class="sr">Behavior</legend><div class="cards">${behaviors.map((one) => card(one, one === typed.behavior))}</div></fieldset>
<button class="button pick" name="do" value="choose">Show its settings</button>
<div class="about">${lineField(typed.line, wrong)}</div>
<div class="panels">${panels}</div>
${radios('visibility', 'Who can find it', FINDERS, typed.listed ? 'listed' : 'unlisted')}
</div>
<aside>${previewCard(typed, behaviors, preview, max)}</aside>
<div class="row end"><button class="button ink large" name="do" value="make" data-make><span>Make the address</span>${icon('right')}</button><button class="button quiet large" name="do" value="address">Back</button></div>
</div>
</form>`,
  };
}

const FINDERS: readonly Option[] = [
  { value: 'unlisted', label: 'Only by link', hint: 'It is not listed. Anyone with the link can write to it.' },
  {
    value: 'listed',
    label: 'Listed',
    hint: 'Shown in the directory on the home page to people, search engines and agents.',
  },
];

const LINE_WORDS = {
  label: LINE_LABEL,
  hint: 'Shown on its page and in previews of its link.',
} as const;

function lineField(line: string, error: string | undefined): Html {
  const schema = { maxLength: 300 };
  const shown = { ...LINE_WORDS, id: 'line', name: 'line', optional: true, error: error, schema, words: undefined };
  return field(shown, input(shown, { kind: 'text', long: false, as: 'text' }, line));
}

/** A behavior to choose, with a real example of its answer where there is one. */
function card(behavior: Behavior, chosen: boolean): Html {
  const { name } = behavior;
  const { title, line, example } = wordsOf(behavior);
  return html`<div class="pick-card">
${stamp(name)}
<div><label for="behavior-${name}">${title}</label><p id="line-${name}">${line}</p></div>
<input type="radio" id="behavior-${name}" name="behavior" value="${name}" aria-describedby="line-${name}${example && ` example-${name}`}"${chosen && html` checked`}>
${example && html`<dl id="example-${name}"><div><dt>You</dt><dd>${example.body}</dd></div><div><dt>Answer</dt><dd>${example.reply}</dd></div></dl>`}
</div>`;
}
