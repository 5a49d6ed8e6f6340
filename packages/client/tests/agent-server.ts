import type { ServerResponse } from 'node:http';
import { json, type Received, type ScriptedServer, scriptedServer } from './scripted-server.ts';

interface Held {
  readonly id: string;
  readonly body: string;
  status: string;
  reply: { body: string; data?: unknown; status: string; error?: unknown } | undefined;
  claim: string | undefined;
  lease_ms: number;
  until: number;
  due: number;
  /** Claims that it was handed out by. */
  readonly claims: string[];
  readonly progress: string[];
  readonly drafts: string[];
  /** Answers that were taken; more than one would be a defect. */
  answers: number;
}

export interface AgentServer extends ScriptedServer {
  /** Puts a message into the mailbox. */
  add(body: string): Held;
  readonly messages: ReadonlyMap<string, Held>;
  /** Resolves when every message is settled. */
  settled(): Promise<void>;
  /** Answers the next request whose path ends so in place of the mailbox. */
  next(end: string, instead: (response: ServerResponse) => void): void;
}

const ADDRESS = '/api/v1/mailboxes/echo@ada.mailroom.localhost/claim';
const NEVER = Number.POSITIVE_INFINITY;
/** A second of `release` here, in ms, so that tests need not wait for its pauses. */
const RELEASE_SECOND_MS = 5;

/** A mailbox of the behavior `agent` as the contract's section 11 describes it: claims, leases, answers. */
export async function agentServer(): Promise<AgentServer> {
  const messages = new Map<string, Held>();
  const waiting = new Set<() => void>();
  const replacements: { end: string; instead: (response: ServerResponse) => void }[] = [];
  let count = 0;
  const wake = (): void => {
    for (const one of waiting) one();
  };

  const envelope = ({ id, body, status, reply }: Held) => ({
    ...{ id, thread_id: 'thr_1', to: 'echo@ada.mailroom.localhost', body, status, progress: [] },
    ...{
      reply: reply === undefined ? null : { ...reply, in_reply_to: id },
      error: reply?.error === undefined ? null : { code: 'agent', message: reply.error },
    },
  });
  const problem = (response: ServerResponse, status: number, code: string): void =>
    json(response, status, {
      code,
      detail: code,
      title: code,
      status,
      errors: [],
      request_id: 'r',
      docs: '/',
      type: '',
    });

  async function claim({ body }: Received, response: ServerResponse): Promise<void> {
    const { max = 1, wait = 30, lease_seconds = 60 } = JSON.parse(body);
    const end = Date.now() + wait * 1000;
    let gone = false;
    response.on('close', () => {
      gone = true;
      wake();
    });
    for (;;) {
      const now = Date.now();
      const due = [...messages.values()].filter((one) => one.reply === undefined && one.until <= now && one.due <= now);
      if (gone) return;
      if (due.length > 0 || now >= end) {
        const items = due.slice(0, max).map((one) => {
          one.claim = `clm_${++count}`;
          one.claims.push(one.claim);
          one.lease_ms = lease_seconds * 1000;
          one.until = now + one.lease_ms;
          one.status = 'working';
          return {
            message: envelope(one),
            thread: [],
            claim: one.claim,
            lease_expires_at: new Date(one.until),
          };
        });
        json(response, 200, { items });
        return;
      }
      await new Promise<void>((resolve) => {
        const stop = (): void => {
          clearTimeout(timer);
          waiting.delete(stop);
          resolve();
        };
        const timer = setTimeout(stop, 20);
        waiting.add(stop);
      });
    }
  }

  function answered(message: Held, answer: { claim?: string; body?: string; status?: string }): void {
    const { claim: _, ...reply } = answer;
    message.answers++;
    const settling = message.reply ?? { status: 'completed', body: '', ...reply };
    message.reply = settling;
    message.status = settling.status;
    message.until = NEVER;
    wake();
  }

  /** What a claim may do while it holds. */
  function act(message: Held, verb: string, { body }: Received, response: ServerResponse): void {
    const question = JSON.parse(body);
    const holds = question.claim === message.claim && message.until > Date.now();
    if (question.claim !== undefined && !holds) {
      problem(response, 409, 'claim_lost');
      return;
    }
    if (verb === 'progress') {
      message.until = Date.now() + message.lease_ms;
      if (question.text !== undefined) message.progress.push(question.text);
      if (question.draft !== undefined) message.drafts.push(question.draft);
    } else if (verb === 'release') {
      message.claim = undefined;
      message.until = 0;
      message.status = 'submitted';
      message.due = Date.now() + (question.after_seconds ?? 0) * RELEASE_SECOND_MS;
    } else {
      answered(message, question);
    }
    json(response, 200, envelope(message));
  }

  const server = await scriptedServer(async (request, response) => {
    const at = replacements.findIndex(({ end }) => request.path.endsWith(end));
    const [replacement] = at === -1 ? [] : replacements.splice(at, 1);
    if (replacement !== undefined) {
      replacement.instead(response);
      return;
    }
    if (request.path === ADDRESS.replace(/claim$/, 'answers')) {
      const { answers } = JSON.parse(request.body) as { answers: { message_id: string; claim: string }[] };
      const items = answers.map(({ message_id, ...answer }) => {
        const message = messages.get(message_id);
        if (message === undefined || message.claim !== answer.claim)
          return { message_id, problem: { status: 409, code: 'claim_lost', title: 'Lost', detail: 'It was lost.' } };
        answered(message, answer);
        return { message_id, answer: { id: 'msg_r', settles: true } };
      });
      json(response, 200, { items });
      return;
    }
    if (request.path === ADDRESS) {
      await claim(request, response);
      return;
    }
    const [, id = '', verb = ''] =
      /^\/api\/v1\/mail\/messages\/(\w+)(?:\/(answer|progress|release))?/.exec(request.path) ?? [];
    const message = messages.get(id);
    if (message === undefined) problem(response, 404, 'message_not_found');
    else if (verb === '') json(response, 200, envelope(message));
    else act(message, verb, request, response);
  });

  return {
    ...server,
    messages,
    add(body) {
      const id = `msg_${messages.size + 1}`;
      const empty = { claims: [], progress: [], drafts: [], answers: 0 };
      const message = {
        id,
        body,
        status: 'submitted',
        reply: undefined,
        claim: undefined,
        lease_ms: 0,
        until: 0,
        due: 0,
        ...empty,
      };
      messages.set(id, message);
      wake();
      return message;
    },
    async settled() {
      while ([...messages.values()].some(({ reply }) => reply === undefined))
        await new Promise((resolve) => setTimeout(resolve, 10));
    },
    next: (end, instead) => void replacements.push({ end, instead }),
  };
}
