import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { HELLO, unique } from '../../../../tests/harness/client.ts';
import { sharedService } from '../../../../tests/harness/service.ts';
import { Mailroom } from '../../dist/index.js';
import { type Received, scriptedServer } from '../scripted-server.ts';
import type { Call, Result, Scenario, Step } from './scenario.ts';
import { plainScenarios, SCENARIOS } from './scenarios.ts';

/** A scenario as a driver is handed it: where its server is, and what to do. */
export interface Task {
  readonly url: string;
  readonly call: Call;
}

interface Checked {
  readonly name: string;
  /** Throws an AssertionError where the client did something else. */
  check(result: Result, parts?: { readonly withoutRetryAfter: true }): void;
  readonly task: Task;
}

async function write(step: Step, response: ServerResponse): Promise<void> {
  if (step.hang === true) return;
  if (step.status !== undefined) {
    response.writeHead(step.status, { ...step.headers, ...(step.gzip && { 'content-encoding': 'gzip' }) });
    for (const part of step.parts ?? []) {
      response.write(part);
      // Parts that are written at once would arrive as one.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const text = step.text ?? '';
    if (step.cut !== true) response.end(step.gzip === true ? gzipSync(text) : text);
    else await new Promise<void>((resolve) => response.write(text || ' ', () => setTimeout(resolve, 20)));
  }
  if (step.cut === true) response.destroy();
}

/** A server on which every scenario has a path of its own, so that all run at the same time. */
async function served(scenarios: readonly Scenario[]): Promise<readonly Checked[]> {
  const requests = scenarios.map((): Received[] => []);
  const { url } = await scriptedServer(async (request, response) => {
    const [, place = '', path = ''] = /^\/(\d+)(.*)$/.exec(request.path) ?? [];
    const own = requests[Number(place)] ?? [];
    own.push({ ...request, path });
    const step = scenarios[Number(place)]?.server?.[own.length - 1];
    await write(step ?? { status: 418, text: 'There is no further answer.' }, response);
  });
  return scenarios.map(({ name, call, result, requests: expected }, place) => ({
    name,
    task: { url: `${url}/${place}`, call },
    check(given, parts) {
      const { retry_after: _, ...error } = result.error ?? { code: '' };
      const isShort = parts !== undefined && result.error !== undefined;
      assert.partialDeepStrictEqual(given, isShort ? { error } : result);
      if (expected === undefined) return;
      const received = requests[place] ?? [];
      // What follows the last event is a connection that the client may have opened again already.
      const seen = received.map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual(call.do === 'events' ? seen.slice(0, expected.length) : seen, expected);
      const keys = new Set(received.map(({ headers }) => headers['idempotency-key']));
      assert.equal(keys.size, 1, 'one idempotency key');
    },
  }));
}

/** The plain scenarios at a real service. */
async function real(): Promise<readonly Checked[]> {
  const { url } = await sharedService();
  const { key } = await new Mailroom({ url, key: '' }).namespaces.create({ name: unique() });
  const secret = key.secret ?? '';
  const box = { local_part: 'a', behavior: HELLO };
  const { address } = await new Mailroom({ url, key: secret }).mailboxes.create(key.namespace, box);
  const given = { to: address, key: secret, introduction: HELLO.settings.introduction };
  return plainScenarios(given).map(({ name, call, result }) => ({
    name: `real ${name}`,
    task: { url, call },
    check: (own) =>
      assert.partialDeepStrictEqual(own, Object.keys(result).length === 0 ? { value: String(own.value) } : result),
  }));
}

/** Every scenario that a client can do. */
export async function everyCase(can: (call: Call) => boolean = () => true): Promise<readonly Checked[]> {
  const [scripted, plain] = await Promise.all([served(SCENARIOS.filter(({ call }) => can(call))), real()]);
  return [...scripted, ...plain.filter(({ task }) => can(task.call))];
}
