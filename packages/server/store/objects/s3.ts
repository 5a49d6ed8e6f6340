import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SECOND } from '@mailroom/behavior/values/clock';
import { AppError } from '@mailroom/behavior/values/error';
import { CHUNK_BYTES } from '../../core/entities/attachment.ts';
import { digestOf, type Objects } from './objects.ts';

/** Attempts of one call: the server is slow, says 503, or breaks the connection. */
const ATTEMPTS = 3;
/** Until a server has answered one attempt. */
const ANSWER_MS = 5 * SECOND;
const CONNECT_MS = 3 * SECOND;
/** Connections at a time. */
const SOCKETS = 50;
/** Objects that are removed at a time. */
const ABREAST = 8;

/** Where objects are, from `s3://BUCKET/PREFIX?endpoint=…&region=…`. */
function placeOf(url: string) {
  const { hostname, pathname, searchParams, username, password } = new URL(url);
  const prefix = decodeURIComponent(pathname)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => `${part}/`)
    .join('');
  return {
    bucket: hostname,
    prefix,
    endpoint: searchParams.get('endpoint') ?? undefined,
    region: searchParams.get('region') ?? undefined,
    credentials:
      username === ''
        ? undefined
        : { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) },
  };
}

/**
 * Objects in a bucket that is reached by the S3 API, for a `BLOBS_URL`. Credentials and region that the URL does not name
 * come from where the AWS SDK finds them: `AWS_ACCESS_KEY_ID`, `AWS_REGION` and so on, or the role of the machine.
 */
export function openS3(url: string): Objects & Disposable {
  const { bucket: Bucket, prefix, endpoint, region, credentials } = placeOf(url);
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    maxAttempts: ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      socketTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      httpsAgent: { maxSockets: SOCKETS },
      httpAgent: { maxSockets: SOCKETS },
    },
    // The SHA-256 of each chunk is stored in the database; other servers of this API know no other checksum.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const placed = (name: string) => ({ Bucket, Key: prefix + name });

  /** Undefined where there is no such object; `body` rejects when the response breaks off. */
  const read = async (name: string) => {
    try {
      const { Body, ContentLength } = await client.send(new GetObjectCommand(placed(name)));
      return { body: (ContentLength ?? 0) > CHUNK_BYTES ? undefined : Body?.transformToByteArray() };
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      throw unreachable(error);
    }
  };

  return {
    async put(name, bytes, sha256) {
      const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
      await outcome(client.send(new PutObjectCommand({ ...placed(name), Body: bytes, ChecksumSHA256 })));
    },
    async get(name, sha256) {
      let broken: unknown;
      // A response that was cut or changed on its way is asked for again.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const found = await read(name);
        if (found === undefined) return undefined;
        const bytes = await found.body?.catch((error: unknown) => {
          broken = error;
        });
        if (bytes instanceof Uint8Array && digestOf(bytes) === sha256) return bytes;
      }
      if (broken !== undefined) throw unreachable(broken);
      return undefined;
    },
    async remove(names) {
      for (let first = 0; first < names.length; first += ABREAST) {
        const some = names.slice(first, first + ABREAST);
        await outcome(Promise.all(some.map((name) => client.send(new DeleteObjectCommand(placed(name))))));
      }
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

async function outcome(calls: Promise<unknown>): Promise<void> {
  try {
    await calls;
  } catch (error) {
    throw unreachable(error);
  }
}

const unreachable = (cause: unknown): AppError =>
  new AppError('unavailable', 'Files cannot be stored or read at the moment. Try again.', {
    retry_after_ms: SECOND,
    cause,
  });
