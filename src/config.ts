import { availableParallelism } from 'node:os';
import { isNamespaceName, RESERVED_NAMESPACES } from './core/values/address.ts';
import { withoutTrailing } from './core/values/trailing.ts';
import type { EmailConfig } from './settings/email.ts';
import { emailSettings } from './settings/email.ts';
import type { Setting } from './settings/parse.ts';
import { KiB, networks, oneOf, text, whole } from './settings/parse.ts';

/** The settings, read once from environment variables; no other file reads `process.env`. */
export interface Config extends EmailConfig {
  readonly HOST: string;
  readonly PORT: number;
  readonly BASE_URL: string | undefined;
  readonly DATABASE_URL: string;
  readonly DATABASE_SECONDS: number;
  readonly HOUSE_NAMESPACE: string;
  readonly BEHAVIORS: readonly string[];
  readonly OWNER_KEY_FILE: string | undefined;
  readonly TRUST_PROXY: readonly string[];
  readonly WEBHOOK_NETWORKS: readonly string[];
  readonly OUTSIDE_NETWORKS: readonly string[];
  readonly RATE_LIMITS: boolean;
  readonly LOG_LEVEL: string;
  readonly RETENTION_DAYS: number | undefined;
  readonly EVENT_DAYS: number;
  readonly COMPACT_HOUR: number | undefined;
  readonly SECURITY_CONTACT: string | undefined;
  readonly LIMIT_SENDS_PER_MINUTE: number;
  readonly LIMIT_SENDS_BURST: number;
  readonly LIMIT_NAMESPACE_SENDS: number;
  readonly LIMIT_CHANGES_PER_MINUTE: number;
  readonly LIMIT_TRIES_PER_MINUTE: number;
  readonly LIMIT_TRIES_PER_DAY: number;
  /** Undefined: 5, or more on its own machine. */
  readonly LIMIT_NAMESPACES_PER_HOUR: number | undefined;
  readonly LIMIT_PAGES_PER_MINUTE: number;
  readonly LIMIT_OIDC_PER_MINUTE: number;
  readonly LIMIT_SIGN_INS_PER_MINUTE: number;
  readonly LIMIT_SIGN_INS_BEGUN_PER_HOUR: number;
  readonly LIMIT_CODES_PER_HOUR: number;
  readonly LIMIT_CODES_ASKED_PER_HOUR: number;
  readonly LIMIT_CHALLENGES_PER_MINUTE: number;
  readonly LIMIT_SOLVED_PER_DAY: number;
  readonly CHALLENGE_COST: number;
  readonly LIMIT_GUEST_BODY: number;
  readonly LIMIT_MAILBOXES: number;
  readonly LIMIT_SETTINGS: number;
  readonly LIMIT_KEYS: number;
  readonly LIMIT_SCHEDULES: number;
  readonly LIMIT_WEBHOOKS: number;
  readonly LIMIT_WEBHOOK_DELIVERIES: number;
  readonly LIMIT_DRAFTS: number;
  readonly LIMIT_STORAGE: number;
  readonly LIMIT_STORAGE_UNCLAIMED: number;
  readonly LIMIT_STORAGE_NETWORK: number;
  readonly LIMIT_GUEST_STORAGE: number;
  readonly LIMIT_WAITING: number;
  readonly LIMIT_JSON: number;
  readonly LIMIT_VALUES: number;
  readonly LIMIT_BODY: number;
  readonly LIMIT_REPLY: number;
  readonly LIMIT_DATA: number;
  readonly LIMIT_ATTACHMENT: number;
  readonly LIMIT_ATTACHMENTS: number;
  readonly LIMIT_CONNECTIONS: number;
  readonly LIMIT_CONNECTIONS_PER_NETWORK: number;
  readonly LIMIT_PIPELINE: number;
  readonly LIMIT_UNREAD: number;
  readonly LIMIT_UNREAD_TOTAL: number;
  readonly LIMIT_BODIES: number;
  readonly LIMIT_STREAMS: number;
  readonly LIMIT_GUEST_STREAMS: number;
  readonly LIMIT_REJECTED_PER_MINUTE: number;
  readonly SYNC_SECONDS: number;
  readonly RUN_SECONDS: number;
  readonly RUN_MAX: number;
  readonly LEASE_SECONDS: number;
  readonly REQUEST_SECONDS: number;
  readonly STOP_SECONDS: number;
  readonly PROOFREAD_WORKERS: number;
  readonly PROOFREAD_QUEUE: number;
  readonly DO_STEPS: number;
  readonly DO_STEP_SECONDS: number;
  readonly DO_STEP_OUTPUT: number;
  readonly DO_OUTPUT: number;
  readonly DO_MEMORY: number;
  readonly SANDBOX_WORKERS: number;
  readonly SANDBOX_QUEUE: number;
  readonly FETCH_BYTES: number;
  readonly MODEL_BASE_URL: string | undefined;
  readonly MODEL_NAME: string | undefined;
  readonly MODEL_API_KEY: string | undefined;
  readonly MODEL_SECONDS: number;
  readonly MODEL_TOKENS: number;
  readonly MODEL_STEPS: number;
  /** Other variables of the environment, which behaviors may read. */
  readonly OTHER: Readonly<Record<string, string | undefined>>;
}

type Settings = { readonly [K in Exclude<keyof Config, 'OTHER'>]: Setting<Config[K]> };

const url = (value: string) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const plain = parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.search === '' && parsed.hash === '';
  return plain ? { value: withoutTrailing(value, '/') } : { must: 'must be an http:// or https:// URL without query' };
};

/** The URL of a server, without credentials: `fetch` takes no URL with a password, so they are sent in a header. */
const server = (value: string) => {
  const read = url(value);
  if ('must' in read) return read;
  const { username, password } = new URL(read.value);
  return username === '' && password === '' ? read : { must: 'must be a URL without user and password' };
};

const database = (value: string) =>
  /^sqlite:.+/.test(value) || (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value))
    ? { value }
    : { must: 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE' };

/** Names of packages, or paths of folders. */
const behaviors = (value: string) => {
  const names = value.split(',').map((name) => name.trim());
  return names.every((name) => /^[^\s,]{1,500}$/.test(name))
    ? { value: names }
    : { must: 'must be names of packages or paths of folders, separated by commas' };
};

/** Settings that are empty lists when they are not set. */
const LISTS: ReadonlySet<string> = new Set(['TRUST_PROXY', 'WEBHOOK_NETWORKS', 'OUTSIDE_NETWORKS', 'DNS_SERVERS']);

const workers = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Every setting with its default, its meaning and its parser. `--help` and docs/settings.md show this table. */
export const settings: Settings = {
  HOST: {
    default: '127.0.0.1',
    meaning: 'the address it listens on; 0.0.0.0 for all',
    parse: text(/^[0-9a-z.:[\]%_-]+$/i, 'must be an IP address or a host name'),
  },
  PORT: {
    default: '8080',
    meaning: 'the port it listens on; 0 picks a free one and prints it',
    parse: whole(0, 65_535),
  },
  BASE_URL: {
    default: undefined,
    meaning: 'how the outside reaches it (default http://localhost:PORT)',
    parse: url,
  },
  ...emailSettings,
  DATABASE_URL: {
    default: 'sqlite:./data/mailroom.db',
    meaning: 'where everything is kept: sqlite:PATH, one process a file, or postgres://…, any number of nodes',
    parse: database,
  },
  DATABASE_SECONDS: {
    default: '60',
    meaning: 'how long a start waits for a PostgreSQL server that does not answer; a wrong password ends it at once',
    parse: whole(0, 3600),
  },
  HOUSE_NAMESPACE: {
    default: 'agents',
    meaning: 'the namespace made on the first start',
    parse: (value) =>
      isNamespaceName(value) && !RESERVED_NAMESPACES.has(value)
        ? { value }
        : { must: 'must be a namespace name, 2 to 63 of a-z, 0-9 and -, that is not reserved' },
  },
  BEHAVIORS: {
    default: 'agent,hello,do,proofread,assistant,auth',
    meaning:
      'how addresses can answer, in the order they are offered: names of packages, or paths of folders such as ./examples/behavior; each has all rights of the service',
    parse: behaviors,
  },
  OWNER_KEY_FILE: {
    default: undefined,
    meaning: 'write the first owner key there (mode 0600) instead of printing it',
    parse: (value) => ({ value }),
  },
  TRUST_PROXY: {
    default: undefined,
    meaning: 'addresses or networks (comma-separated) of proxies whose X-Forwarded-* is believed',
    parse: networks,
  },
  WEBHOOK_NETWORKS: {
    default: undefined,
    meaning:
      'addresses or networks (comma-separated) that webhooks reach although they are not public, by http:// too; such as 127.0.0.1 to try them out',
    parse: networks,
  },
  OUTSIDE_NETWORKS: {
    default: undefined,
    meaning:
      'addresses or networks (comma-separated) whose MCP servers and A2A agents `do` and `assistant` may call although they are not public, by http:// too; such as 127.0.0.1 to try them out',
    parse: networks,
  },
  RATE_LIMITS: {
    default: 'on',
    meaning: 'off stops the counters (not the sizes), for benchmarks and tests',
    parse: (value) => (value === 'on' || value === 'off' ? { value: value === 'on' } : { must: 'must be on or off' }),
  },
  LOG_LEVEL: {
    default: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent; JSON lines when not a terminal',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  RETENTION_DAYS: {
    default: undefined,
    meaning: 'days after which settled messages are deleted (default: never)',
    parse: whole(1, 36_500),
  },
  EVENT_DAYS: {
    default: '30',
    meaning: 'days for which events, and deliveries that ended, are kept',
    parse: whole(1, 36_500),
  },
  COMPACT_HOUR: {
    default: '3',
    meaning:
      'the hour of the day (UTC, 0 to 23) for compactions of the SQLite file that take over a second; off leaves them to npm run compact',
    parse: (value) => {
      if (value === 'off') return { value: undefined };
      const hour = whole(0, 23)(value);
      return 'must' in hour ? { must: `${hour.must}, or off` } : hour;
    },
  },
  SECURITY_CONTACT: {
    default: undefined,
    meaning:
      'where to report a security problem, for security.txt: https://… or mailto:… (default BASE_URL/report); reports go to a mailto: address too',
    parse: (value) =>
      /^(?:https:\/\/|mailto:[^\s@]+@)[^\s@]+$/.test(value) && URL.canParse(value)
        ? { value }
        : { must: 'must be an https:// or mailto: URI' },
  },
  LIMIT_SENDS_PER_MINUTE: { default: '600', meaning: 'sends a minute per key', parse: whole(1, 1e9) },
  LIMIT_SENDS_BURST: { default: '100', meaning: 'sends at once per key', parse: whole(1, 1e9) },
  LIMIT_NAMESPACE_SENDS: {
    default: '1200',
    meaning: 'sends a minute per namespace, of all its keys, schedules and mailboxes, resends included',
    parse: whole(1, 1e9),
  },
  LIMIT_CHANGES_PER_MINUTE: {
    default: '300',
    meaning: 'changes of mailboxes, keys and all else a minute per namespace: each is an event that is kept',
    parse: whole(1, 1e9),
  },
  LIMIT_TRIES_PER_MINUTE: {
    default: '10',
    meaning: 'try-outs a minute per IP address (per /64 for IPv6)',
    parse: whole(1, 1e9),
  },
  LIMIT_TRIES_PER_DAY: { default: '100', meaning: 'the same, a UTC day', parse: whole(1, 1e9) },
  LIMIT_NAMESPACES_PER_HOUR: {
    default: undefined,
    meaning:
      'new namespaces an hour per IP address (default: 5; 30 of programs on this machine while HOST is loopback and there is no BASE_URL)',
    parse: whole(1, 1e9),
  },
  LIMIT_PAGES_PER_MINUTE: { default: '600', meaning: 'pages a minute per IP address', parse: whole(1, 1e9) },
  LIMIT_OIDC_PER_MINUTE: {
    default: '6000',
    meaning: 'OpenID Connect requests a minute per IP address; a service asks for all its users from one',
    parse: whole(1, 1e9),
  },
  LIMIT_SIGN_INS_PER_MINUTE: {
    default: '10',
    meaning: 'keys a minute per IP address that may be tried at the console',
    parse: whole(1, 1e9),
  },
  LIMIT_SIGN_INS_BEGUN_PER_HOUR: {
    default: '2000',
    meaning: 'sign-ins to services that browsers of one IP address may begin an hour; each is kept for half an hour',
    parse: whole(1, 1e9),
  },
  LIMIT_CODES_PER_HOUR: {
    default: '10',
    meaning: 'codes to sign in that an address is sent an hour',
    parse: whole(1, 1e9),
  },
  LIMIT_CODES_ASKED_PER_HOUR: {
    default: '30',
    meaning: 'codes to sign in an hour that may be asked for from an IP address (per /64 for IPv6)',
    parse: whole(1, 1e9),
  },
  LIMIT_CHALLENGES_PER_MINUTE: { default: '20', meaning: 'challenges a minute per IP address', parse: whole(1, 1e9) },
  LIMIT_SOLVED_PER_DAY: {
    default: '50',
    meaning: 'solved challenges that an IP address may spend, a UTC day, to go on beyond a limit for guests',
    parse: whole(1, 150),
  },
  CHALLENGE_COST: {
    default: '300',
    meaning:
      "the work of a day's first challenge, in keys of 5,000 iterations: 300 take a phone 1 to 2 s; it doubles with every 10 that were spent",
    parse: whole(1, 1e6),
  },
  LIMIT_GUEST_BODY: { default: '8192', meaning: "bytes of a guest's message", parse: whole(1, 256 * KiB) },
  LIMIT_MAILBOXES: { default: '1000', meaning: 'mailboxes of a namespace', parse: whole(1, 1e6) },
  LIMIT_SETTINGS: {
    default: '65536',
    meaning: "bytes of a mailbox's settings as JSON, for each behavior it had",
    parse: whole(KiB, 32 * KiB * KiB),
  },
  LIMIT_KEYS: { default: '100', meaning: 'keys of a namespace that work', parse: whole(1, 1e6) },
  LIMIT_SCHEDULES: { default: '100', meaning: 'schedules of a namespace', parse: whole(0, 1e6) },
  LIMIT_WEBHOOKS: { default: '20', meaning: 'webhooks of a namespace', parse: whole(0, 1e4) },
  LIMIT_WEBHOOK_DELIVERIES: {
    default: '5000',
    meaning: 'deliveries of a webhook that are kept; when so many wait, further events wait in the log',
    parse: whole(1, 1e6),
  },
  LIMIT_DRAFTS: { default: '1000', meaning: 'drafts of a namespace that are not sent', parse: whole(0, 1e6) },
  LIMIT_STORAGE: {
    default: '1073741824',
    meaning: 'bytes that a namespace may store: what its keys and mailboxes write, the answers to it, what it keeps',
    parse: whole(KiB, Number.MAX_SAFE_INTEGER),
  },
  LIMIT_STORAGE_UNCLAIMED: {
    default: '104857600',
    meaning: 'the same until a person claims the namespace',
    parse: whole(KiB, Number.MAX_SAFE_INTEGER),
  },
  LIMIT_STORAGE_NETWORK: {
    default: '209715200',
    meaning: 'bytes of all unclaimed namespaces together that were made from one IP address (per /64 for IPv6)',
    parse: whole(KiB, Number.MAX_SAFE_INTEGER),
  },
  LIMIT_GUEST_STORAGE: {
    default: '20971520',
    meaning: 'bytes that guests of one IP address may store, a UTC day',
    parse: whole(KiB, Number.MAX_SAFE_INTEGER),
  },
  LIMIT_WAITING: { default: '50000', meaning: 'messages waiting per mailbox', parse: whole(1, 1e9) },
  LIMIT_JSON: { default: '2097152', meaning: 'bytes of a JSON document', parse: whole(KiB, 64 * KiB * KiB) },
  LIMIT_VALUES: {
    default: '10000',
    meaning: 'values of a JSON document: names, texts, numbers, lists, objects',
    parse: whole(10, 1e7),
  },
  LIMIT_BODY: { default: '262144', meaning: "bytes of a message's body", parse: whole(1, 32 * KiB * KiB) },
  LIMIT_REPLY: {
    default: '1048576',
    meaning: "bytes of a reply's body and data together, as sent; what is longer is cut and says so",
    parse: whole(4 * KiB, 32 * KiB * KiB),
  },
  LIMIT_DATA: { default: '65536', meaning: "bytes of a message's data, as JSON", parse: whole(1, 32 * KiB * KiB) },
  LIMIT_ATTACHMENT: { default: '10485760', meaning: 'bytes of an attachment', parse: whole(1, 1024 * KiB * KiB) },
  LIMIT_ATTACHMENTS: {
    default: '26214400',
    meaning: 'bytes of all attachments of a message',
    parse: whole(1, 1024 * KiB * KiB),
  },
  LIMIT_CONNECTIONS: { default: '10000', meaning: 'connections that a node has open', parse: whole(1, 1e6) },
  LIMIT_CONNECTIONS_PER_NETWORK: {
    default: '500',
    meaning: 'the same of one IP address (per /64 for IPv6) that is no proxy of TRUST_PROXY',
    parse: whole(1, 1e6),
  },
  LIMIT_PIPELINE: {
    default: '32',
    meaning: 'requests in flight on one connection; it is not read further until they are answered',
    parse: whole(1, 10_000),
  },
  LIMIT_UNREAD: {
    default: '1048576',
    meaning: 'bytes of answers that a connection may leave unread for 10 s; then it is closed',
    parse: whole(64 * KiB, 1024 * KiB * KiB),
  },
  LIMIT_UNREAD_TOTAL: {
    default: '67108864',
    meaning: 'the same of all connections at any moment; those who read slowest are closed first',
    parse: whole(1024 * KiB, 64 * 1024 * KiB * KiB),
  },
  LIMIT_BODIES: {
    default: '67108864',
    meaning:
      'bytes of request bodies over 16 KiB that are being received, a quarter of them for an IP address; the next are read when there is room',
    parse: whole(1024 * KiB, 64 * 1024 * KiB * KiB),
  },
  LIMIT_STREAMS: {
    default: '50',
    meaning: 'event streams that a key may have open on a node; waiting requests: 20 times as many',
    parse: whole(1, 1e6),
  },
  LIMIT_GUEST_STREAMS: {
    default: '5',
    meaning:
      "event streams of a guest: of an IP address (per /64 for IPv6), and of a thread's token; waiting requests: 10 times as many",
    parse: whole(1, 1e6),
  },
  LIMIT_REJECTED_PER_MINUTE: {
    default: '600',
    meaning: 'requests a minute per IP address that may fail without being counted as those that succeed',
    parse: whole(1, 1e9),
  },
  SYNC_SECONDS: { default: '30', meaning: 'how long a sync send waits when it does not say', parse: whole(1, 120) },
  RUN_SECONDS: { default: '120', meaning: 'how long handling a message may take', parse: whole(1, 86_400) },
  RUN_MAX: {
    default: '64',
    meaning: 'how many messages a node handles at a time; most of them wait for a thread or for the outside',
    parse: whole(1, 10_000),
  },
  LEASE_SECONDS: {
    default: '30',
    meaning: 'after how long without a sign of life work goes to another',
    parse: whole(1, 3600),
  },
  REQUEST_SECONDS: {
    default: '30',
    meaning:
      'how long a request may take to arrive, a body at less than 64 KiB/s, and the reader of an export may pause',
    parse: whole(1, 3600),
  },
  STOP_SECONDS: { default: '10', meaning: 'how long a stop waits for running exchanges', parse: whole(0, 3600) },
  PROOFREAD_WORKERS: {
    default: String(workers),
    meaning: 'threads that proofread, 300 MB each',
    parse: whole(1, 64),
  },
  PROOFREAD_QUEUE: { default: '1000', meaning: 'texts that may wait for a thread', parse: whole(1, 1e6) },
  DO_STEPS: { default: '50', meaning: 'steps that a message to `do` may have', parse: whole(1, 1000) },
  DO_STEP_SECONDS: { default: '10', meaning: 'how long a step may take', parse: whole(1, 3600) },
  DO_STEP_OUTPUT: { default: '65536', meaning: "bytes of a step's result, as JSON", parse: whole(1, 32 * KiB * KiB) },
  DO_OUTPUT: {
    default: '262144',
    meaning: 'bytes of all results of a message together, as JSON',
    parse: whole(1, 32 * KiB * KiB),
  },
  DO_MEMORY: {
    default: '33554432',
    meaning: 'bytes of memory of a script',
    parse: whole(4 * KiB * KiB, 64 * KiB * KiB),
  },
  SANDBOX_WORKERS: {
    default: String(workers),
    meaning: 'scripts that run at the same time, each on a thread',
    parse: whole(1, 64),
  },
  SANDBOX_QUEUE: { default: '1000', meaning: 'scripts that may wait for a thread', parse: whole(1, 1e6) },
  FETCH_BYTES: {
    default: '2097152',
    meaning: 'bytes that are read of a page or an answer from outside',
    parse: whole(KiB, 64 * KiB * KiB),
  },
  MODEL_BASE_URL: {
    default: undefined,
    meaning:
      "an OpenAI-compatible server's URL up to /chat/completions, such as http://localhost:11434/v1 (default: no model is asked)",
    parse: server,
  },
  MODEL_NAME: {
    default: undefined,
    meaning: 'which of its models is asked; needed with MODEL_BASE_URL',
    parse: text(/^[\x20-\x7e]{1,200}$/, 'must be up to 200 ASCII characters'),
  },
  MODEL_API_KEY: {
    default: undefined,
    meaning: 'its API key, where it wants one',
    parse: text(/^[\x21-\x7e]+$/, 'must be ASCII characters without spaces'),
  },
  MODEL_SECONDS: { default: '60', meaning: 'how long one answer of the model may take', parse: whole(1, 300) },
  MODEL_TOKENS: { default: '20000', meaning: 'tokens a model may take for a message', parse: whole(100, 1e9) },
  MODEL_STEPS: { default: '12', meaning: 'how often a model is asked for a message', parse: whole(1, 1000) },
};

/** A wrong setting; the message is one line that names it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Hides secrets, and whole URLs with a password, because a malformed URL may have it anywhere. */
const withoutPassword = (name: string, text: string): string =>
  name === 'MODEL_API_KEY' || name === 'SMTP_URL'
    ? '…'
    : text.replace(/^(postgres(?:ql)?:\/\/).*$/is, '$1…').replace(/^(https?:\/\/).*@.*$/is, '$1…');

/** Reads every setting; an empty variable counts as not set. Throws ConfigError for the first wrong one. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const config: Record<string, unknown> = { OTHER: env };
  for (const [name, setting] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const given = env[name]?.trim() || setting.default;
    if (given === undefined) {
      config[name] = LISTS.has(name) ? [] : undefined;
      continue;
    }
    const read = setting.parse(given);
    if ('must' in read) throw new ConfigError(`${name} ${read.must}; it is "${withoutPassword(name, given)}".`);
    config[name] = read.value;
  }
  if (config.MODEL_BASE_URL !== undefined && config.MODEL_NAME === undefined) {
    throw new ConfigError('MODEL_NAME must be set, as MODEL_BASE_URL is: it says which model to ask.');
  }
  if ((config.SMTP_TLS_CERT === undefined) !== (config.SMTP_TLS_KEY === undefined)) {
    throw new ConfigError('SMTP_TLS_CERT and SMTP_TLS_KEY must both be set: a certificate needs its key.');
  }
  if ((config.SUBMISSION_LISTEN as readonly unknown[]).length > 0 && config.SMTP_TLS_CERT === undefined) {
    throw new ConfigError('SUBMISSION_LISTEN needs SMTP_TLS_CERT and SMTP_TLS_KEY: keys are taken over TLS alone.');
  }
  return config as unknown as Config;
}
