import { fenced } from '@mailroom/behavior/values/backticks';
import { closed } from '@mailroom/behavior/values/closed';
import { indentedJson } from '@mailroom/behavior/values/indented-json';
import type { Json } from '@mailroom/behavior/values/json';
import { Pool, PoolError } from '@mailroom/workers/pool';
import { Type } from 'typebox';
import { jsonDepth, MAX_JSON_DEPTH, wellFormedJson } from '../foreign-json.ts';
import { readBy } from '../grammar/index.ts';
import { FORMS } from '../grammar/pages.ts';
import { type Fetched, type Task, type TaskContext, TaskError, task } from '../task.ts';

import type { Link, Page } from './read-page.ts';
import type { PageTask } from './worker.ts';

type Form = (typeof FORMS)[number];
/** Not imported, which would load Node's own undici into each thread of tasks. */
const { STATUS_CODES } = process.getBuiltinModule('node:http');

export interface FetchOptions {
  /** Number of threads that read pages; they start with the first page. */
  readonly workers: number;
  /** Maximum time for reading one page, in ms; 3000 by default. */
  readonly read_ms?: number;
}

const Input = closed({
  url: Type.String({ minLength: 1, maxLength: 4_096, description: 'Of a public page or API: https:// or http://.' }),
  'as?': Type.Enum([...FORMS], {
    description:
      'What of it: the readable text, its title, its JSON, the HTML, or its links. By what it is, if not given.',
  }),
});

const Output = closed({
  result: Type.Unknown({ description: 'Text; of JSON its value; of links a list of {text, url}.' }),
  url: Type.String({ description: 'Where it was found, after redirects.' }),
  status: Type.Integer(),
  media_type: Type.String(),
  'title?': Type.String({ description: 'Of a page that has one.' }),
  cut: Type.Boolean({ description: 'There was more than may be read or given.' }),
});
type Output = Type.Static<typeof Output>;

const ACCEPT_PAGE = 'text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.5';
const ACCEPT: Readonly<Record<Form | 'any', string>> = {
  any: 'text/html, application/json;q=0.9, text/*;q=0.8, */*;q=0.5',
  json: 'application/json, */*;q=0.5',
  text: ACCEPT_PAGE,
  title: ACCEPT_PAGE,
  html: ACCEPT_PAGE,
  links: ACCEPT_PAGE,
};
const MAX_QUEUE = 200;
/** Bytes of the output limit that are reserved for what surrounds the result. */
const AROUND_BYTES = 1_024;
const MAX_URL = 2_048;
const MAX_TITLE = 300;

const isHtml = ({ media_type, text }: Fetched): boolean =>
  media_type === 'text/html' ||
  media_type === 'application/xhtml+xml' ||
  (media_type === '' && /^\s*(?:<!doctype html|<html|<head|<body)/i.test(text));
const isJson = (type: string): boolean => /^(?:application|text)\/(?:json|(?:[\w.-]+\+)json)$/.test(type);
const isText = (type: string): boolean =>
  type === '' ||
  /^text\/|[+/](?:json|xml|yaml|x-yaml|toml|csv|javascript|ecmascript|sql|graphql|x-ndjson|x-sh|rtf)$/.test(type);

const hostOf = (url: string): string => URL.parse(url)?.host ?? url.slice(0, 100);

/** Indented JSON is at most this many times longer than the compact form; longer JSON is not parsed. */
const INDENTED = 4;

const size = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** The beginning of the text that fits in `bytes` of JSON, cut between characters. */
function fitting(text: string, bytes: number): string {
  // Each character takes at least one byte, so the rest need not be measured.
  let kept = text.slice(0, bytes).replace(/[\ud800-\udbff]$/, '');
  for (let now = size(kept); now > bytes; now = size(kept)) {
    const share = Math.min(0.98, (bytes / now) * 0.99);
    kept = kept.slice(0, Math.max(0, Math.floor(kept.length * share))).replace(/[\ud800-\udbff]$/, '');
  }
  return kept;
}

function fittingLinks(links: readonly Link[], bytes: number): readonly Link[] {
  let room = bytes;
  const end = links.findIndex((link) => {
    room -= Buffer.byteLength(JSON.stringify(link)) + 1;
    return room < 0;
  });
  return end < 0 ? links : links.slice(0, end);
}

function parsed({ text, cut, url }: Fetched, bytes: number): Json {
  const host = hostOf(url);
  if (cut) throw new TaskError(`The JSON at ${host} is longer than can be read.`);
  if (text.length > bytes * INDENTED) throw tooLong(host);
  if (jsonDepth(text) > MAX_JSON_DEPTH) throw new TaskError(`The JSON at ${host} is nested too deep to be read.`);
  let value: Json;
  try {
    value = JSON.parse(wellFormedJson(text)) as Json;
  } catch {
    throw new TaskError(`The answer of ${host} is not JSON. Fetch it as text instead.`);
  }
  if (Buffer.byteLength(text) > bytes && Buffer.byteLength(JSON.stringify(value)) > bytes) {
    throw tooLong(host);
  }
  return value;
}

const tooLong = (host: string): TaskError =>
  new TaskError(`The JSON at ${host} is longer than a step may give. Ask for a part of it, if its API can.`);

const plain = (text: string): string => text.replace(/[\\`*_[\]<>#|~]/g, '\\$&').replace(/\s+/g, ' ');

function summary({ result, url, media_type, title, cut }: Output): string {
  const from = `From ${url.replace(/[()<>\s]/g, encodeURIComponent)}`;
  const more = cut ? ' There was more than is shown.' : '';
  if (
    Array.isArray(result) &&
    result.every((one) => typeof (one as Link).url === 'string' && media_type.includes('html'))
  ) {
    const list = (result as Link[]).map(
      (link) => `- ${plain(link.text === '' ? 'no text' : link.text)}: <${link.url}>`,
    );
    return `${from}:${more}\n\n${list.length === 0 ? 'It has no links.' : list.join('\n')}`;
  }
  if (typeof result !== 'string') return `${from}:${more}\n\n${fenced(indentedJson(result), 'json')}`;
  if (title !== undefined && title === result) return `${plain(title)}\n\n${from}.`;
  const heading = title === undefined ? '' : `**${plain(title)}**\n\n`;
  return `${heading}${from}:${more}\n\n${fenced(result === '' ? '(nothing to read)' : result)}`;
}

/**
 * Fetches public resources through the guarded fetch of the context. Pages are read on threads of its own, so the task must
 * be closed.
 */
export function makeFetch({ workers, read_ms = 3_000 }: FetchOptions): Task {
  const pool = new Pool<PageTask, Page>({
    name: 'pages',
    script: new URL('./worker.ts', import.meta.url),
    workers,
    max_queue: MAX_QUEUE,
    run_ms: read_ms,
    kill_on_abort: true,
    resource_limits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
  });

  const pageOf = async ({ text, url }: Fetched, { signal, caller = '' }: TaskContext): Promise<Page> => {
    try {
      return await pool.run({ html: text, url }, { signal, caller });
    } catch (error) {
      if (signal.aborted) throw error;
      const full = error instanceof PoolError && error.reason === 'full';
      throw new TaskError(
        full
          ? 'Too many pages are being read. Try again later.'
          : `The page at ${hostOf(url)} is too large or too deep to be read. Fetch it as html instead.`,
      );
    }
  };

  return task({
    name: 'fetch',
    description:
      'Reads a public web page or API: its readable text, title, links, HTML or JSON. Only addresses that are given; it searches nothing.',
    input: Input,
    output: Output,
    effects: 'reads',
    repeatable: true,
    examples: [
      'fetch https://example.com',
      'get the title of https://example.com',
      'download the json from https://api.example.com/items',
      'what does https://example.com say',
    ],
    read: readBy('fetch'),
    async run({ url: wanted, as }, context) {
      const { fetch, limits } = context;
      const text = wanted.trim();
      const url = /^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(text) ? `https://${text}` : text;
      const fetched = await fetch(url, ACCEPT[as ?? 'any']);
      const { status, media_type } = fetched;
      const host = hostOf(fetched.url);
      if (status < 200 || status > 299) {
        throw new TaskError(
          `${host} answered with status ${status}${STATUS_CODES[status] ? ` (${STATUS_CODES[status]})` : ''}.`,
        );
      }
      if (!isText(media_type)) throw new TaskError(`The page at ${host} is not text: it is ${media_type}.`);
      const room = Math.max(0, limits.output_bytes - AROUND_BYTES - size(fetched.url));
      const about = { url: fetched.url.slice(0, MAX_URL), status, media_type };
      if (as === 'json' || (as === undefined && isJson(media_type))) {
        return { ...about, result: parsed(fetched, room), cut: false };
      }
      const html = isHtml(fetched);
      if (as === 'html' || !html) {
        if (as === 'title' || as === 'links') throw new TaskError(`What is at ${host} is no page, and has no ${as}.`);
        const result = fitting(fetched.text, room);
        return { ...about, result, cut: fetched.cut || result.length < fetched.text.length };
      }
      const page = await pageOf(fetched, context);
      const title = fitting(page.title.slice(0, MAX_TITLE), AROUND_BYTES / 2);
      const named = title === '' ? about : { ...about, title };
      if (as === 'title') {
        if (title === '') throw new TaskError(`The page at ${host} has no title.`);
        return { ...named, result: title, cut: false };
      }
      if (as === 'links') {
        const links = fittingLinks(page.links, room);
        return { ...named, result: links, cut: fetched.cut || links.length < page.links.length };
      }
      const result = fitting(page.text, room);
      return { ...named, result, cut: fetched.cut || result.length < page.text.length };
    },
    says: ({ url, as }) => ({ does: as === undefined ? 'Fetch' : `Fetch the ${as} of`, text: url }),
    show: summary,
    close: () => pool.close(),
  });
}
