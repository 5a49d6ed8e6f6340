import type { FieldError } from '@mailroom/behavior/values/error';
import { type Html, html, prose } from '../../../http/html.ts';
import { errorLine } from '../form/controls.ts';
import { summary } from '../new/parts.ts';
import { EFFECT_WORDS, type TaskDescription } from '../tasks.ts';
import { FormErrors, line } from './fields.ts';
import { TYPES, type TypedParameter, type TypedProcedure, type TypedStep } from './procedure-typed.ts';

export interface ProcedureForm {
  readonly typed: TypedProcedure;
  /** The tasks that steps may use. */
  readonly tasks: readonly TaskDescription[];
  /** Errors with their pointers into the procedure. */
  readonly errors: readonly FieldError[];
  readonly action: string;
  readonly back: string;
  readonly token: Html;
  /** The result of a test run. */
  readonly tested: Html | undefined;
}

/** The form of one procedure: name, parameters, steps, and a test run that stores nothing. */
export function procedureForm(form: ProcedureForm): Html {
  const { typed } = form;
  const errors = new Placed(form.errors);
  const name = errors.textLine(
    'name',
    'Name',
    'What people write to run it. Use a to z, 0 to 9, - and _.',
    typed.name,
    html` maxlength="40" autocapitalize="none" autocomplete="off" spellcheck="false"`,
  );
  const description = errors.textLine(
    'description',
    'Description',
    'What it does, for people and for the model.',
    typed.description,
    html` maxlength="300" autocomplete="off"`,
  );
  const parameters = typed.parameters.map((one, at) => parameterRow(one, at, errors));
  const whole = errors.at('/parameters', 'parameters');
  const steps = typed.steps.map((one, at) => stepRow(one, at, form.tasks, errors));
  const script = errors.line(
    'script',
    'Script',
    'JavaScript. The variable input holds its input; the value it returns is the result.',
    (attributes) =>
      html`<textarea class="input mono" ${attributes} rows="8" dir="ltr" spellcheck="false" autocapitalize="none" maxlength="16384">${`\n${typed.script}`}</textarea>`,
  );
  const otherErrors = errors.left('top');
  const way = (value: 'steps' | 'script', label: string): Html =>
    html`<label class="tick"><input type="radio" name="by" value="${value}"${typed.by === value && html` checked`}><span>${label}</span></label>`;
  return html`${summary(errors.links)}
<form class="making fields procedure" method="post" action="${form.action}">
${/* Enter in a field presses the first button: it tests and does not save. */ html`<button class="sr" name="do" value="test" tabindex="-1" aria-hidden="true">Test</button>`}
${form.token}<input type="hidden" name="was" value="${typed.was}">
${otherErrors !== undefined && html`<p class="error" id="top" tabindex="-1">${otherErrors}</p>`}
${name}
${description}
<fieldset class="field group" id="parameters" tabindex="-1"><legend class="label">Parameters</legend><p class="hint">Its inputs. A step refers to one as <code>{{input.name}}</code>.</p>${whole !== undefined && errorLine('parameters-error', whole)}
<div class="rows">${parameters}</div>
<button class="button" name="add" value="parameter">Add a parameter</button></fieldset>
<fieldset class="field group"><legend class="label">What it does</legend><div class="ways">${way('steps', 'Tasks, one after the other')}${way('script', 'A script')}</div>
<div class="by-steps"><p class="hint">The input is JSON. <code>{{1}}</code> is the result of the first step.</p><ol class="rows">${steps}</ol><button class="button" name="add" value="step">Add a step</button>
${takes(form.tasks)}</div>
<div class="by-script">${script}</div></fieldset>
${testRun(form)}
<div class="row end"><button class="button ink" name="do" value="save">Save the procedure</button><a class="button quiet" href="${form.back}">Back</a></div>
</form>`;
}

/** Errors by field; those that no field shows are listed at the top. */
class Placed extends FormErrors {
  readonly #all: readonly FieldError[];
  readonly #asked = new Set<string>();

  constructor(all: readonly FieldError[]) {
    super(all);
    this.#all = all;
  }

  override at(pointer: string, id: string): string | undefined {
    this.#asked.add(pointer);
    return super.at(pointer, id);
  }

  /** The first error at a pointer or below it. */
  within(pointer: string, id: string): string | undefined {
    const found = this.#all.find((one) => `${one.pointer}/`.startsWith(`${pointer}/`));
    return found && this.at(found.pointer, id);
  }

  left(id: string): string | undefined {
    const rest = this.#all.filter(({ pointer }) => !this.#asked.has(pointer));
    for (const { message } of rest) this.links.push({ href: `#${id}`, text: message });
    return rest.length === 0 ? undefined : rest.map(({ message }) => message).join(' ');
  }
}

const options = (all: Readonly<Record<string, string>>, chosen: string): Html =>
  html`${Object.entries(all).map(([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}`;

const faulty = (id: string, error: string | undefined): Html | false =>
  error !== undefined && html` aria-invalid="true" aria-describedby="${id}-error"`;

function parameterRow(
  { name, type, description, required, more }: TypedParameter,
  index: number,
  errors: Placed,
): Html {
  const id = `p.${index}`;
  const escaped = name.replaceAll('~', '~0').replaceAll('/', '~1');
  const error =
    errors.at(`/parameters/${index}`, `${id}.name`) ??
    (name === '' ? undefined : errors.within(`/parameters/properties/${escaped}`, `${id}.name`));
  const nth = html`<span class="sr"> of parameter ${index + 1}</span>`;
  return html`<div class="parameter"><input type="hidden" name="${id}.here" value="1"><input type="hidden" name="${id}.more" value="${more}">
<div class="field"><label for="${id}.name">Name${nth}</label><input class="input" id="${id}.name" name="${id}.name" value="${name}" maxlength="40" autocapitalize="none" autocomplete="off" spellcheck="false" dir="ltr"${faulty(`${id}.name`, error)}></div>
<div class="field"><label for="${id}.type">Type${nth}</label><select class="input" id="${id}.type" name="${id}.type">${options(TYPES, type)}</select></div>
<div class="field whole"><label for="${id}.description">Description${nth}</label><input class="input" id="${id}.description" name="${id}.description" value="${description}" maxlength="300" autocomplete="off" dir="auto"></div>
<div class="row-end"><label class="tick"><input type="checkbox" name="${id}.required" value="1"${required && html` checked`}><span>Required${nth}</span></label><button class="button quiet" name="remove" value="${id}">Remove<span class="sr"> parameter ${index + 1}</span></button></div>
${more !== '' && html`<p class="hint whole">Also kept: <code>${more}</code></p>`}${error !== undefined && errorLine(`${id}.name-error`, error)}</div>`;
}

const INPUT = '{"…": "{{input.name}}"}';

function stepRow({ task, input }: TypedStep, index: number, tasks: readonly TaskDescription[], errors: Placed): Html {
  const id = `s.${index}`;
  const taskError = errors.at(`/steps/${index}/task`, `${id}.task`);
  const error = errors.within(`/steps/${index}/input`, `${id}.input`) ?? errors.at(`/steps/${index}`, `${id}.input`);
  const nth = html`<span class="sr"> of step ${index + 1}</span>`;
  const known = tasks.some(({ name }) => name === task);
  return html`<li class="step-row"><input type="hidden" name="${id}.here" value="1">
<div class="field"><label for="${id}.task">Step ${index + 1}<span class="sr">, task</span></label><select class="input" id="${id}.task" name="${id}.task"${faulty(`${id}.task`, taskError)}><option value="">Choose one</option>${!known && task !== '' && html`<option value="${task}" selected>${task}</option>`}${tasks.map(
    ({ name, effects }) =>
      html`<option value="${name}"${name === task && html` selected`}>${name} (${EFFECT_WORDS[effects].toLowerCase()})</option>`,
  )}</select>${taskError !== undefined && errorLine(`${id}.task-error`, taskError)}</div>
<div class="field"><label for="${id}.input">Input${nth}</label><textarea class="input mono" id="${id}.input" name="${id}.input" rows="3" dir="ltr" spellcheck="false" autocapitalize="none" placeholder="${INPUT}"${faulty(`${id}.input`, error)}>${`\n${input}`}</textarea>${error !== undefined && errorLine(`${id}.input-error`, error)}</div>
<div class="row-end"><button class="button quiet" name="remove" value="${id}">Remove<span class="sr"> step ${index + 1}</span></button></div></li>`;
}

/** A reference of each task's input. */
function takes(tasks: readonly TaskDescription[]): Html {
  const fields = ({ input_schema }: TaskDescription): readonly Html[] => {
    const { properties = {}, required = [] } = (input_schema ?? {}) as {
      readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
      readonly required?: readonly string[];
    };
    return Object.entries(properties).map(
      ([name, { description = '' }]) =>
        html`<dd><code>${name}</code>${required.includes(name) && ', required'}${description !== '' && html`: ${prose(description)}`}</dd>`,
    );
  };
  return html`<details class="all takes"><summary>The input of each task</summary><dl>${tasks.map((task) => html`<div><dt>${task.name}</dt>${fields(task)}</div>`)}</dl></details>`;
}

/** The fields of a test run, and its result. */
function testRun({ typed, tested }: ProcedureForm): Html {
  const fields = typed.parameters
    .filter(({ name }) => name !== '')
    .map(({ name, type, description }) => {
      const id = `given.${name}`;
      const value = typed.given.get(name) ?? '';
      const hint = description === '' ? {} : { hint: description };
      return line({ id, label: name, error: undefined, ...hint }, (attributes) => {
        if (type === 'boolean') {
          return html`<select class="input" ${attributes}>${options({ '': 'Left out', true: 'Yes', false: 'No' }, value)}</select>`;
        }
        if (type === 'array')
          return html`<textarea class="input" ${attributes} rows="2" placeholder="One per line" dir="auto">${`\n${value}`}</textarea>`;
        return html`<input class="input" ${attributes} value="${value}" autocomplete="off" dir="auto"${type !== 'string' && html` inputmode="decimal"`}>`;
      });
    });
  return html`<section class="block test" id="test" aria-labelledby="test-title"><h2 id="test-title">Test run</h2>
<p class="meta">Runs it as shown here, without saving it. Nothing is stored.</p>
${fields}
<div class="row"><button class="button" name="do" value="test" formaction="#test">Run it</button></div>
${tested !== undefined && html`<div class="tested" role="status">${tested}</div>`}</section>`;
}
