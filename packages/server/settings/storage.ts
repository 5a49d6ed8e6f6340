import { type Setting, whole } from './parse.ts';

const database = (value: string) =>
  /^sqlite:.+/.test(value) || (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value))
    ? { value }
    : { must: 'must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE' };

const OPTIONS: ReadonlySet<string> = new Set(['endpoint', 'region']);

/** A bucket with an optional prefix of names. Of the options, `endpoint` is the URL of a server. */
const objectStorage = (value: string) => {
  const url = URL.parse(value);
  const endpoint = URL.parse(url?.searchParams.get('endpoint') ?? 'https://s3.amazonaws.com');
  const good =
    url?.protocol === 's3:' &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) &&
    /^[\w!./*'()-]*$/.test(url.pathname) &&
    (url.username === '') === (url.password === '') &&
    url.port + url.hash === '' &&
    [...url.searchParams.keys()].every((name) => OPTIONS.has(name)) &&
    /^https?:$/.test(endpoint?.protocol ?? '');
  return good ? { value } : { must: 'must be s3://BUCKET/PREFIX, with ?region=REGION&endpoint=https://HOST if needed' };
};

/** Each with its default, its meaning and its parser. */
export const storageSettings = {
  DATABASE_URL: {
    default: 'sqlite:./data/mailroom.db',
    meaning: 'where everything is kept: sqlite:PATH, one process a file, or postgres://…, any number of nodes',
    parse: database,
  },
  BLOBS_URL: {
    default: undefined,
    meaning:
      's3://BUCKET/PREFIX keeps the bytes of files in object storage (S3 API; ?region=…, ?endpoint=https://… for other servers than those of AWS), with the credentials of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; without it they are in the database',
    parse: objectStorage,
  },
  DATABASE_SECONDS: {
    default: '60',
    meaning: 'how long a start waits for a PostgreSQL server that does not answer; a wrong password ends it at once',
    parse: whole(0, 3600),
  },
} satisfies Readonly<Record<string, Setting<unknown>>>;
