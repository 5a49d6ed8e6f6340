import { KiB, type Setting, whole } from './parse.ts';

/** Rates, numbers and sizes that are allowed, each with its default, its meaning and its parser. */
export const limitSettings = {
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
      'new namespaces, and services that register for sign-in without a token, an hour per IP address (default: 5; 30 of programs on this machine while HOST is loopback and there is no BASE_URL)',
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
  LIMIT_REQUESTS_PER_SECOND: {
    default: '200',
    meaning:
      'requests and connections a second of one IP address (per /64 for IPv6) that is no proxy of TRUST_PROXY, a tenth of them at once; 32 KiB of bodies and of answers count as one, and those beyond it wait',
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
} satisfies Readonly<Record<string, Setting<unknown>>>;
