import type { FieldError } from '@mailroom/behavior/values/error';
import type { Tasks } from '@mailroom/english-instructions/plan/index';
import { outsideErrors } from '@mailroom/steps/outside/settings';
import { zoneErrors } from '@mailroom/steps/time-zone';
import { procedureErrors } from './procedures.ts';
import type { Settings } from './settings.ts';

/** Errors in settings that are valid by the schema: unknown tasks, an unknown zone, invalid procedures. */
export function settingsErrors(
  { time_zone, procedures = [], rights = {}, approval = [], outside }: Settings,
  builtin: Tasks,
): readonly FieldError[] {
  const errors: FieldError[] = [...procedureErrors(procedures, builtin), ...zoneErrors(time_zone)];
  const taskNames = new Set([...builtin.keys(), ...procedures.map(({ name }) => name)]);
  errors.push(...outsideErrors(outside, [...taskNames]));
  const lists = {
    ...Object.fromEntries(Object.entries(rights).map(([who, names]) => [`rights/${who}`, names])),
    approval,
  };
  for (const [place, names] of Object.entries(lists)) {
    const index = names.findIndex((name) => !taskNames.has(name));
    if (index < 0) continue;
    const message = `There is no task "${names[index]}". There are: ${[...taskNames].join(', ')}.`;
    errors.push({ pointer: `/${place}/${index}`, message });
  }
  const harmful = rights.guests?.findIndex((name) => (builtin.get(name)?.effects ?? 'none') !== 'none') ?? -1;
  if (harmful >= 0) {
    const message = `"${rights.guests?.[harmful]}" has effects, and people without a key get tasks without effects only.`;
    errors.push({ pointer: `/rights/guests/${harmful}`, message });
  }
  return errors;
}
