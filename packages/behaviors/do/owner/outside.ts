import type { Context, Incoming } from '@mailroom/behavior';
import { threadOf } from '@mailroom/behavior/values/ids';
import { isObject, type Json, type JsonObject } from '@mailroom/behavior/values/json';
import type { Step } from '@mailroom/english-instructions/plan/index';
import type { KnownRemote, KnownTool } from '@mailroom/steps/outside/known-remote';
import { plannedOutside } from '@mailroom/steps/outside/planned';
import { openRemotes, type Remotes } from '@mailroom/steps/outside/remotes';
import type { Remote } from '@mailroom/steps/outside/settings';
import { isReviewed, LEAVING_TASKS } from '@mailroom/steps/reviewed';
import type { Settings } from './settings.ts';

const CARD = '/.well-known/agent-card.json';

/** The URL of an agent without the place of its card, as which it may be listed or named. */
const agentUrl = (url: string): string => {
  const base = url.endsWith(CARD) ? url.slice(0, -CARD.length) : url;
  return base.endsWith('/') ? base.slice(0, -1) : base;
};

/**
 * The context with the tools of the listed servers and agents that the message may need: those it names, or `all` that its
 * sender may use. Others are not asked for their tools.
 */
export async function withRemotes(
  message: Incoming,
  context: Context<Settings>,
  remotes: Remotes,
  all: boolean,
): Promise<Context<Settings>> {
  const { settings, sender, mailbox, signal, services } = context;
  const open = openRemotes(settings.outside ?? [], sender, mailbox);
  if (open.length === 0) return context;
  const follows = threadOf(message.id) !== message.thread_id;
  const [thread, checkpoint, approved] = await Promise.all([
    follows ? services.thread() : [],
    context.again ? services.checkpoint() : undefined,
    context.again ? services.approved() : undefined,
  ]);
  const texts = [message.body, ...thread.map(({ body }) => body)];
  const values = [message.data, checkpoint, approved].filter((value) => value !== undefined);
  const text = [...texts, ...values.map((value) => JSON.stringify(value))].join('\n').toLowerCase();
  const named = all ? open : open.filter((remote) => isNamed(remote, text));
  if (named.length === 0) return context;
  const fresh = approved !== undefined;
  const known = await Promise.all(named.map((remote) => remotes.known(remote, mailbox, { fresh, signal })));
  return withSettings(context, settingsWith(settings, known));
}

const isNamed = ({ name, kind, url }: Remote, text: string): boolean =>
  text.includes(name) || (kind === 'a2a' && text.includes(agentUrl(url).toLowerCase()));

/** Settings objects with remotes, so that what is kept by settings object is kept for them too. */
const extended = new WeakMap<Settings, Settings & { readonly remotes: readonly KnownRemote[] }>();

function settingsWith(settings: Settings, remotes: readonly KnownRemote[]): Settings {
  const cached = extended.get(settings);
  const same =
    cached?.remotes.length === remotes.length && cached.remotes.every((remote, at) => remote === remotes[at]);
  if (cached !== undefined && same) return cached;
  const made = { ...settings, remotes };
  extended.set(settings, made);
  return made;
}

/** The context in which what is handed to others waits for approval, where an owner sees what leaves the mailbox. */
export function withReview(context: Context<Settings>): Context<Settings> {
  if (!isReviewed(context.mailbox)) return context;
  const { approval = [] } = context.settings;
  return withSettings(context, { ...context.settings, approval: [...approval, ...LEAVING_TASKS] });
}

/** The same context with other settings. */
export const withSettings = (context: Context<Settings>, settings: Settings): Context<Settings> => ({
  mailbox: context.mailbox,
  settings,
  sender: context.sender,
  ...(context.caller !== undefined && { caller: context.caller }),
  clock: context.clock,
  attachments: context.attachments,
  signal: context.signal,
  again: context.again,
  services: context.services,
  report: (text) => context.report(text),
  stream: (text) => context.stream(text),
});

/** The tool of others that a task calls. */
export const outsideTool = (task: string, { remotes = [] }: Settings): KnownTool | undefined =>
  remotes.flatMap(({ tools }) => tools).find(({ name }) => name === task);

/** The tools of others that a plan calls, as they are now; undefined when it calls none. */
export const outsideOf = (steps: readonly Step[], settings: Settings): JsonObject | undefined =>
  plannedOutside(steps, (task) => {
    const outside = outsideTool(task, settings);
    return outside && { effects: outside.effects, outside };
  });

/** Why one of these tasks cannot be used now; undefined when all can. */
export const unavailableOf = (tasks: readonly unknown[], { remotes = [] }: Settings): string | undefined =>
  remotes.find(
    ({ name, error }) =>
      error !== undefined &&
      tasks.some((task) => typeof task === 'string' && (task === name || task.startsWith(`${name}.`))),
  )?.error;

/** Structured steps in which `send` to the URL of a listed agent is a call of that agent. */
export function withAgents(steps: Json, { remotes = [] }: Settings): Json {
  if (!Array.isArray(steps) || remotes.length === 0) return steps;
  return steps.map((step) => {
    const { task, input } = isObject(step) ? step : {};
    if (task !== 'send' || !isObject(input) || typeof input.to !== 'string') return step;
    const { to, body, subject, ...rest } = input;
    const agent = remotes.find(({ kind, listed }) => kind === 'a2a' && agentUrl(listed) === agentUrl(to));
    if (agent === undefined) return step;
    const text = typeof subject === 'string' && typeof body === 'string' ? `${subject}\n\n${body}` : (body ?? null);
    return { task: `${agent.name}.ask`, input: { body: text, ...rest } };
  });
}
