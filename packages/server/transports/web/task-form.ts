import type { Behavior } from '@mailroom/behavior';
import { type Html, html } from '../../http/html.ts';
import { errorLine } from './form/controls.ts';
import { hereName, nameOf } from './form/kind.ts';
import { type ErrorLink, type FormOptions, readSettings, settingsForm } from './schema-form.ts';
import {
  EFFECT_WORDS,
  knownTasks,
  may,
  mayByDefault,
  PARTIES,
  type Party,
  type TaskDescription,
  type TaskSettings,
} from './tasks.ts';

/** Suggested time zones; any other can be typed. */
const ZONES =
  'UTC Europe/London Europe/Lisbon Europe/Paris Europe/Berlin Europe/Madrid Europe/Rome Europe/Warsaw Europe/Athens Europe/Istanbul Europe/Kyiv Africa/Lagos Africa/Cairo Africa/Nairobi Africa/Johannesburg Asia/Dubai Asia/Karachi Asia/Kolkata Asia/Dhaka Asia/Bangkok Asia/Jakarta Asia/Shanghai Asia/Singapore Asia/Manila Asia/Seoul Asia/Tokyo Australia/Sydney Pacific/Auckland America/Sao_Paulo America/Buenos_Aires America/Bogota America/New_York America/Toronto America/Chicago America/Mexico_City America/Denver America/Los_Angeles America/Anchorage Pacific/Honolulu'.split(
    ' ',
  );

const COLUMNS = [
  ['own', 'You', 'your own keys and addresses'],
  ['others', 'Keys', 'other people’s keys and addresses'],
  ['guests', 'Anyone', 'people without a key'],
] as const satisfies readonly (readonly [Party, string, string])[];

/**
 * The fields of a behavior's settings: a behavior that runs tasks gets a table of rights, any other the fields of its
 * schema. `nothing` is shown where there are none, or none that is usually needed.
 */
export function behaviorForm(
  behavior: Behavior,
  values: unknown,
  options: FormOptions & { readonly nothing: string },
): { readonly fields: Html; readonly links: readonly ErrorLink[] } {
  if (!runsTasks(behavior)) {
    const schema = shownSchema(behavior) as { readonly properties?: object };
    const form = settingsForm(schema, withoutOutside(values), options);
    const rare = Object.keys(schema.properties ?? {}).every((name) => options.more?.includes(name));
    return rare ? { ...form, fields: html`<p>${options.nothing}</p>${form.fields}` } : form;
  }
  return taskForm(knownTasks(behavior, values), (values ?? {}) as TaskSettings, options);
}

/** Reads the fields of `behaviorForm`. `kept`: the earlier settings, for the parts that are edited on other pages. */
export function readBehavior(behavior: Behavior, form: URLSearchParams, prefix: string, kept?: unknown): unknown {
  const { outside } = (kept ?? {}) as TaskSettings;
  const settings = runsTasks(behavior)
    ? readTasks(behavior, form, prefix, (kept ?? {}) as TaskSettings)
    : readSettings(shownSchema(behavior), form, prefix);
  if (outside === undefined || outside.length === 0) return settings;
  return { ...(settings as object), outside };
}

/** The schema of the settings without the servers and agents of others, which have a page of their own. */
function shownSchema({ settings }: Behavior): object {
  const { properties } = settings as { readonly properties?: Readonly<Record<string, unknown>> };
  if (properties?.outside === undefined) return settings;
  const { outside: _, ...rest } = properties;
  return { ...settings, properties: rest };
}

function withoutOutside(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values;
  const { outside: _, ...rest } = values as TaskSettings;
  return rest;
}

/** Whether its settings are those of a behavior that runs tasks. */
const runsTasks = ({ looks, tasks = [] }: Behavior): boolean => looks?.settings === 'rights' && tasks.length > 0;

function readTasks(behavior: Behavior, form: URLSearchParams, prefix: string, kept: TaskSettings): TaskSettings {
  const { procedures } = kept;
  const tasks = knownTasks(behavior, kept);
  const time_zone = (form.get(nameOf(prefix, 'time_zone')) ?? '').trim();
  const planner = form.get(nameOf(prefix, 'planner')) ?? '';
  const rights: { [party in Party]?: readonly string[] } = {};
  let approval: readonly string[] = [];
  if (form.has(hereName(prefix))) {
    for (const party of PARTIES) {
      const ticked = new Set(form.getAll(nameOf(prefix, party)));
      const open = tasks.filter((task) => party !== 'guests' || task.effects === 'none');
      // Defaults are not stored, so that tasks added later get their defaults too.
      if (open.every((task) => ticked.has(task.name) === mayByDefault(task, party))) continue;
      rights[party] = open.filter(({ name }) => ticked.has(name)).map(({ name }) => name);
    }
    const asked = new Set(form.getAll(nameOf(prefix, 'approval')));
    approval = tasks.filter(({ name }) => asked.has(name)).map(({ name }) => name);
  }
  return {
    ...(time_zone === '' ? {} : { time_zone }),
    ...(planner === '' ? {} : { planner }),
    ...(Object.keys(rights).length === 0 ? {} : { rights }),
    ...(approval.length === 0 ? {} : { approval }),
    ...(procedures === undefined || procedures.length === 0 ? {} : { procedures }),
  };
}

function taskForm(tasks: readonly TaskDescription[], settings: TaskSettings, options: FormOptions) {
  const { prefix, pointer = '/behavior/settings', errors = [] } = options;
  const links: ErrorLink[] = [];
  const errorAt = (part: string, id: string): string | undefined => {
    const at = `${pointer}/${part}`;
    const found = errors.find((one) => `${one.pointer}/`.startsWith(`${at}/`));
    if (found !== undefined) links.push({ href: `#${id}`, text: found.message });
    return found?.message;
  };
  const zone = nameOf(prefix, 'time_zone');
  const table = nameOf(prefix, 'rights');
  const planner = nameOf(prefix, 'planner');
  const zoneError = errorAt('time_zone', zone);
  const tableError = errorAt('rights', table) ?? errorAt('approval', table);
  const other = errors.find(
    (one) => one.pointer.startsWith(pointer) && !links.some(({ text }) => text === one.message),
  );
  if (other !== undefined) links.push({ href: `#${zone}`, text: other.message });
  const changed = settings.rights !== undefined || settings.approval !== undefined || tableError !== undefined;
  const fields = html`${other !== undefined && html`<p class="error">${other.message}</p>`}<div class="field"><label for="${zone}">Time zone</label>
<input class="input" id="${zone}" name="${zone}" value="${settings.time_zone}" list="${zone}~zones" placeholder="UTC" autocomplete="off" spellcheck="false" autocapitalize="none" dir="ltr" aria-describedby="${zone}~hint${zoneError !== undefined && ` ${zone}~error`}"${zoneError !== undefined && html` aria-invalid="true"`}>
<datalist id="${zone}~zones">${ZONES.map((one) => html`<option value="${one}"></option>`)}</datalist>
<p class="hint" id="${zone}~hint">For times without a zone, such as “tomorrow at 9”.</p>${zoneError !== undefined && errorLine(`${zone}~error`, zoneError)}</div>
<details class="more"${changed && html` open`}><summary>Who may use which task</summary>
<div class="field" id="${table}" tabindex="-1"><input type="hidden" name="${hereName(prefix)}" value="1">
<p class="hint">Tasks that read outside data or make changes always need a key. With “Ask me”, nothing runs until you approve the plan.</p>${tableError !== undefined && errorLine(`${table}~error`, tableError)}
${rightsTable(tasks, settings, prefix)}</div></details>
<details class="more"${settings.planner !== undefined && html` open`}><summary>More settings</summary>
<div class="field"><label for="${planner}">What reads instructions</label><select class="input" id="${planner}" name="${planner}" aria-describedby="${planner}~hint">${(
    [
      ['', 'The default of this service'],
      ['model', 'The language model, if there is one'],
      ['builtin', 'The built-in parser for English'],
    ] as const
  ).map(
    ([value, label]) =>
      html`<option value="${value}"${(settings.planner ?? '') === value && html` selected`}>${label}</option>`,
  )}</select>
<p class="hint" id="${planner}~hint">The built-in parser sends nothing to other services and always gives the same result.</p></div></details>`;
  return { fields, links };
}

function rightsTable(tasks: readonly TaskDescription[], settings: TaskSettings, prefix: string): Html {
  const box = (name: string, { name: task }: TaskDescription, on: boolean, label: string): Html =>
    html`<td><label class="cell"><input type="checkbox" name="${nameOf(prefix, name)}" value="${task}"${on && html` checked`}><span class="sr">${label}</span></label></td>`;
  const row = (task: TaskDescription): Html =>
    html`<tr><th scope="row"><b>${task.name}</b><span>${EFFECT_WORDS[task.effects]}</span></th>${COLUMNS.map(
      ([party, , who]) =>
        party === 'guests' && task.effects !== 'none'
          ? html`<td><span class="never" aria-hidden="true">–</span><span class="sr">Never for ${who}</span></td>`
          : box(party, task, may(task, party, settings), `${task.name} for ${who}`),
    )}${box('approval', task, settings.approval?.includes(task.name) ?? false, `${task.name} only after I approve`)}</tr>`;
  return html`<table class="rights"><thead><tr><th scope="col">Task</th>${COLUMNS.map(([, label]) => html`<th scope="col">${label}</th>`)}<th scope="col">Ask me</th></tr></thead><tbody>${tasks.map(row)}</tbody></table>`;
}
