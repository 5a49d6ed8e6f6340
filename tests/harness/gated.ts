import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Behavior } from '@mailroom/behavior';
import { Type } from 'typebox';
import { until } from './until.ts';

export type Step = 'began' | 'ended' | 'aborted';

/** A step of a run, recorded by the process that ran it. */
export interface Noted {
  /** Name of the process. */
  readonly node: string;
  /** Body of the message, which identifies it before it has an id. */
  readonly body: string;
  readonly step: Step;
  /** Milliseconds of the machine's clock, which all processes share. */
  readonly at: number;
}

const LOG = 'gated.log';
const LOOK_MS = 15;
const SEES_MS = 20_000;

const gateOf = (folder: string, body: string): string => join(folder, `open-${encodeURIComponent(body)}`);

/**
 * The behavior `gated`: it records each of its steps in a folder that tests and processes share, and ends when the test
 * opens the message's gate there. With `data.ms` it ends by itself after that time; with `data.deaf` it ignores its
 * signal, like a behavior that is blocked in a call. It replies with the name of its process.
 */
export const gated = (folder: string, node: string): Behavior => ({
  name: 'gated',
  title: 'Gated',
  description: 'Answers when a test lets it.',
  settings: Type.Object({}, { additionalProperties: false }),
  example: { body: 'Who are you?', reply: 'a' },
  async handle(message, { signal }) {
    const options = (message.data ?? {}) as { readonly ms?: number; readonly deaf?: boolean };
    const note = (step: Step): void => {
      const noted: Noted = { node, body: message.body, step, at: Date.now() };
      appendFileSync(join(folder, LOG), `${JSON.stringify(noted)}\n`);
    };
    note('began');
    const gate = gateOf(folder, message.body);
    const end = options.ms === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.ms;
    while (!existsSync(gate) && performance.now() < end) {
      if (signal.aborted && options.deaf !== true) {
        note('aborted');
        throw signal.reason;
      }
      await pause(LOOK_MS);
    }
    note('ended');
    // A value that only this run knows, so that a second settlement would be visible.
    return { kind: 'reply', body: node, data: { node, run: `${performance.timeOrigin}-${performance.now()}` } };
  },
});

/** The test's side of the shared folder. */
export interface Gates {
  /** Lets every run of the message with this body end, also runs that begin later. */
  open(body: string): void;
  /** Every step so far, in order of recording. */
  noted(): readonly Noted[];
  /** Resolves with the first step that matches; rejects when there is none within 20 s, or longer on a slow machine. */
  sees(fits: (noted: Noted) => boolean): Promise<Noted>;
  /** The first run of the message with this body on a node other than the named ones. */
  began(body: string, ...notOn: readonly string[]): Promise<Noted>;
}

export function gatesOf(folder: string): Gates {
  const log = join(folder, LOG);
  const noted = (): Noted[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Noted)
      : [];
  const sees = async (fits: (noted: Noted) => boolean): Promise<Noted> => {
    const { seen } = await until(
      SEES_MS,
      async () => noted(),
      (all) => all.some(fits),
    );
    return seen.find(fits) as Noted;
  };
  return {
    open: (body) => writeFileSync(gateOf(folder, body), ''),
    noted,
    sees,
    began: (body, ...notOn) => sees((one) => one.body === body && one.step === 'began' && !notOn.includes(one.node)),
  };
}
