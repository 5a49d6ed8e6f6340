import type { Behavior } from '@mailroom/behavior';
import type { ConsolePage, Looks } from '@mailroom/behavior/looks';
import { withHues } from './assets.ts';

interface Stamp {
  /** Strokes of 1.5 on a 16 × 16 grid. */
  readonly glyph: string;
  /** OKLCH, degrees. */
  readonly hue?: number | undefined;
}

/** Stamps that stand for no behavior. */
const OTHERS: Readonly<Record<string, Stamp>> = {
  webhook: {
    glyph:
      'M6.700 9.300a2.800 2.800 0 0 0 4 0l2.200-2.200a2.800 2.800 0 0 0-4-4L7.900 4M9.300 6.700a2.800 2.800 0 0 0-4 0L3.100 8.900a2.800 2.800 0 0 0 4 4L8.100 12',
    hue: 190,
  },
};
/** A robot's head. */
const PLAIN = 'M8 2v2M4 6.500h8v6H4ZM6.500 9v.01M9.500 9v.01M2 8.500v2M14 8.500v2';

/** The behaviors of this process by name, set as it starts, so that each page can draw the stamp of an address. */
const BEHAVIORS = new Map<string, Behavior>();

/** Has pages show addresses as these behaviors say; called before the first page is made. */
export function showBehaviors(behaviors: readonly Behavior[]): void {
  for (const behavior of behaviors) BEHAVIORS.set(behavior.name, behavior);
  withHues(
    [...BEHAVIORS.values()].flatMap(({ name, looks }) =>
      looks?.hue === undefined ? [] : [[name, looks.hue] as const],
    ),
  );
}

/** Whether a behavior is there: without it, each message to its addresses ends with an error. */
export const isLoaded = (behavior: string): boolean => BEHAVIORS.has(behavior);

export const looksOf = (behavior: string): Partial<Looks> => BEHAVIORS.get(behavior)?.looks ?? {};

/** The stamp of a behavior, or of what else has one; without a hue it is gray. */
export function stampOf(kind: string): Stamp {
  if (Object.hasOwn(OTHERS, kind)) return OTHERS[kind] as Stamp;
  const { glyph = PLAIN, hue } = looksOf(kind);
  return { glyph, hue };
}

/** Whether addresses of a behavior have this page of the console. */
export const hasPage = (behavior: string, page: ConsolePage): boolean =>
  looksOf(behavior).pages?.includes(page) === true;

/** Whether addresses of a behavior sign people in. */
export const isIssuer = (behavior: string): boolean => BEHAVIORS.get(behavior)?.issuer === true;

/** Whether messages to addresses of a behavior are answered from outside. */
export const isAnswered = (behavior: string): boolean => BEHAVIORS.get(behavior)?.answered !== undefined;

/** The behavior whose addresses sign people in; '' where there is none. */
export const issuerName = (): string => [...BEHAVIORS.values()].find(({ issuer }) => issuer)?.name ?? '';

/** The kinds of stamps on the picture of the whole service, in their order. */
export const coverKinds = (): readonly string[] =>
  [
    ...[...BEHAVIORS.values()].flatMap(({ name, looks }) =>
      looks?.cover === undefined ? [] : [[looks.cover, name] as const],
    ),
    [5, 'webhook'] as const,
  ]
    .sort(([a], [b]) => a - b)
    .map(([, kind]) => kind)
    .slice(0, 12);
