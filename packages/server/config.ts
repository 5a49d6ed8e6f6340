import { availableParallelism } from 'node:os';
import { isNamespaceName, LATER_RESERVED, RESERVED_NAMESPACES } from '@mailroom/behavior/values/address';
import { withoutTrailing } from '@mailroom/behavior/values/trailing';
import { emailSettings } from './settings/email.ts';
import { limitSettings } from './settings/limits.ts';
import { KiB, networks, oneOf, onOrOff, type Setting, share, text, type ValuesOf, whole } from './settings/parse.ts';
import { storageSettings } from './settings/storage.ts';

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

/** Names of packages, or paths of folders. */
const behaviors = (value: string) => {
  const names = value.split(',').map((name) => name.trim());
  return names.every((name) => /^[^\s,]{1,500}$/.test(name))
    ? { value: names }
    : { must: 'must be names of packages or paths of folders, separated by commas' };
};

/** Settings that are empty lists when they are not set. */
const LISTS = ['TRUST_PROXY', 'WEBHOOK_NETWORKS', 'OUTSIDE_NETWORKS', 'DNS_SERVERS'] as const;

const workers = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Every setting with its default, its meaning and its parser. `--help` and docs/settings.md show this table. */
export const settings = {
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
  ...storageSettings,
  HOUSE_NAMESPACE: {
    default: 'agents',
    meaning: 'the namespace made on the first start',
    parse: (value) =>
      isNamespaceName(value) && (!RESERVED_NAMESPACES.has(value) || LATER_RESERVED.includes(value))
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
  FEDERATION: {
    default: 'off',
    meaning:
      'on takes signed mail of other servers by HTTPS, and hands mail to addresses whose domain names a Mailroom or an A2A agent by WebFinger to that at once',
    parse: onOrOff,
  },
  RATE_LIMITS: {
    default: 'on',
    meaning: 'off stops the counters (not the sizes), for benchmarks and tests',
    parse: onOrOff,
  },
  LOG_LEVEL: {
    default: 'info',
    meaning: 'fatal, error, warn, info, debug, trace or silent; JSON lines when not a terminal',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  },
  LOG_SAMPLE: {
    default: '1',
    meaning: 'the share of requests that are logged, 0 to 1; those that fail (5xx) all are',
    parse: share,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: undefined,
    meaning:
      'an OpenTelemetry collector, such as http://127.0.0.1:4318, that gets traces and metrics by OTLP over HTTP; without it none are made',
    parse: server,
  },
  OTEL_METRIC_EXPORT_INTERVAL: {
    default: '60000',
    meaning: 'how often the collector gets metrics, in milliseconds',
    parse: whole(100, 3_600_000),
  },
  RETENTION_DAYS: {
    default: undefined,
    meaning: 'days after which settled messages are deleted (default: never)',
    parse: whole(1, 36_500),
  },
  TRASH_DAYS: {
    default: '30',
    meaning: 'days after which messages in the trash are gone',
    parse: whole(1, 36_500),
  },
  UNDO_SECONDS: {
    default: '10',
    meaning: 'how long what is sent in the console can be taken back before it leaves; 0 sends at once',
    parse: whole(0, 60),
  },
  RAW_DAYS: {
    default: '30',
    meaning: 'days for which the exact bytes of mails that came or left are kept; 0 keeps none',
    parse: whole(0, 36_500),
  },
  SEARCH_INDEX: {
    default: 'on',
    meaning: 'off keeps no index of messages, so that searching all of them answers 503',
    parse: onOrOff,
  },
  EVENT_DAYS: {
    default: '30',
    meaning: 'days for which events, and deliveries that ended, are kept',
    parse: whole(1, 36_500),
  },
  AUDIT_DAYS: {
    default: '400',
    meaning: 'days for which entries of the audit log are kept, and keys after they were revoked or expired',
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
  ...limitSettings,
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
  PREPARE_BEHAVIORS: {
    default: 'on',
    meaning:
      'load behaviors that are slow at first (`proofread`, `do`), and packages, once the service listens; off leaves it, and its 600 MB, to the first message or request',
    parse: onOrOff,
  },
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
  MODEL_TOKENS: {
    default: '20000',
    meaning: "tokens a model may take for a message, which each run reserves of its mailbox's budget",
    parse: whole(100, 1e9),
  },
  MODEL_STEPS: { default: '12', meaning: 'how often a model is asked for a message', parse: whole(1, 1000) },
} satisfies Readonly<Record<string, Setting<unknown>>>;

/** The settings, read once from environment variables; no other file reads `process.env`. */
export type Config = ValuesOf<typeof settings> & {
  readonly [name in (typeof LISTS)[number]]: readonly string[];
} & {
  /** Other variables of the environment, which behaviors may read. */
  readonly OTHER: Readonly<Record<string, string | undefined>>;
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
      config[name] = LISTS.some((list) => list === name) ? [] : undefined;
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
