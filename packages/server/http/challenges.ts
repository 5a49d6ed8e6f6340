import { createHmac, randomInt } from 'node:crypto';
import { type Clock, DAY, MINUTE, type Millis, SECOND } from '@mailroom/behavior/values/clock';
import { AppError, invalid } from '@mailroom/behavior/values/error';
import type { ChallengeParameters, Challenge as Made, Payload } from 'altcha-lib/types';
import { Type } from 'typebox';
import type { States } from '../core/ports/states.ts';
import type { Limiter } from '../core/values/limits.ts';
import { type Counted, count } from './limits.ts';

/** A challenge as ALTCHA's clients read it (altcha-lib 2): the client searches the key that starts with `keyPrefix`. */
export const Challenge = Type.Object(
  {
    parameters: Type.Object({
      algorithm: Type.String({ examples: ['PBKDF2/SHA-256'] }),
      nonce: Type.String({ description: '16 bytes, in hex.' }),
      salt: Type.String({ description: '16 bytes, in hex.' }),
      cost: Type.Integer({ description: 'Iterations for each key.' }),
      keyLength: Type.Integer({ description: 'Bytes of a key.' }),
      keyPrefix: Type.String({ description: 'How the key to be found starts, in hex.' }),
      keySignature: Type.String(),
      expiresAt: Type.Integer({ description: 'Seconds since 1970.' }),
      data: Type.Object({ for: Type.String(), step: Type.Integer() }),
    }),
    signature: Type.String(),
  },
  {
    $id: 'Challenge',
    description:
      'Work for a program: find the counter, from 0 on, with which PBKDF2 over `nonce` followed by the counter (4 bytes, big-endian) gives a key that starts with `keyPrefix`. Any ALTCHA client does it.',
  },
);
export type Challenge = Type.Static<typeof Challenge>;

const ALGORITHM = 'PBKDF2/SHA-256';
/** Iterations per key; enough that hashing costs more than the call around it. */
const ITERATIONS = 5_000;
const LIVES_MS: Millis = 10 * MINUTE;
/** Solutions of a network in a day after which the next ones cost twice as much. */
const DOUBLES_AFTER = 10;
/** Characters of a payload; a usual one has about 900. */
const MAX_PAYLOAD = 4_096;
const KIND = 'challenge';

/** The request header, and the form field in lower case, that carry a solution. */
export const SOLUTION_HEADER = 'altcha';
const PATH = '/api/v1/challenges';

export interface ChallengesOptions {
  readonly states: States;
  readonly clock: Clock;
  /** Shared by all nodes and kept over restarts. */
  readonly secret: string;
  /** Keys tried on average for a network's first challenge of a day. */
  readonly cost: number;
  /** Solutions a network may spend in a UTC day. */
  readonly max: number;
}

/**
 * Proof of work for guests over a limit. A challenge is bound to the network that asked for it, can be spent once on
 * any node, and costs more with each one spent that day.
 */
export class Challenges {
  readonly #options: ChallengesOptions;

  constructor(options: ChallengesOptions) {
    this.#options = options;
  }

  /** A new challenge; AppError `rate_limited` when the network has spent its solutions of the day. */
  async create(network: string): Promise<Challenge> {
    const { clock, cost } = this.#options;
    const step = Math.floor((await this.#spent(network)) / DOUBLES_AFTER);
    const keys = cost * 2 ** step;
    const [{ createChallenge }, { deriveKey }] = await library();
    const challenge = await createChallenge({
      algorithm: ALGORITHM,
      cost: ITERATIONS,
      // A counter chosen beforehand makes the work about equal each time and its check almost free.
      counter: Math.floor(keys / 2) + randomInt(Math.max(1, keys)),
      deriveKey,
      data: { for: this.#mark(network, ''), step },
      expiresAt: Math.floor((clock() + LIVES_MS) / SECOND),
      ...this.#secrets(),
    });
    return challenge as Challenge;
  }

  /**
   * Spends a solution: base64 of ALTCHA's payload. AppError `validation_error` names what is wrong with it;
   * `rate_limited` when the network has spent its solutions of the day.
   */
  async redeem(payload: string, network: string): Promise<void> {
    const { clock, states } = this.#options;
    const { challenge, solution } = readPayload(payload);
    const parameters = challenge.parameters;
    if (!(Number(parameters.expiresAt) * SECOND > clock())) throw wrong('This challenge has expired.');
    const [{ verifySolution }, { deriveKey }] = await library();
    const result = await verifySolution({ challenge, solution, deriveKey, ...this.#secrets() }).catch(() => undefined);
    if (result?.verified !== true) throw wrong('This is not the solution of a challenge of this service.');
    if (parameters.data?.for !== this.#mark(network, '')) {
      throw wrong('This challenge was made for another network than you come from now.');
    }
    const now = clock();
    const expires_at = Math.max(endOfDay(now), Number(parameters.expiresAt) * SECOND);
    const put = await states.put(
      { kind: KIND, id: parameters.nonce, subject: this.#subject(network), value: '', expires_at },
      now,
    );
    if (!put) throw wrong('This solution was used before; each counts once.');
    try {
      // Counted after it is stored, so that solutions spent at the same moment are all counted.
      const before = (await this.#spent(network, 1)) - 1;
      if (Number(parameters.data.step) < Math.floor(before / DOUBLES_AFTER)) {
        throw wrong('Challenges take more work by now than this one did.');
      }
    } catch (error) {
      await states.remove(KIND, parameters.nonce);
      throw error;
    }
  }

  /**
   * Solutions this network has spent today, including `ownCount`, which is being spent. AppError `rate_limited` above the
   * limit.
   */
  async #spent(network: string, ownCount = 0): Promise<number> {
    const { states, clock, max } = this.#options;
    const now = clock();
    const spent = (await states.of(KIND, this.#subject(network), now)).length;
    if (spent - ownCount < max) return spent;
    throw new AppError(
      'rate_limited',
      `${max} solved challenges a day are allowed. Try again at 00:00 UTC, or send with a key.`,
      { retry_after_ms: endOfDay(now) - now },
    );
  }

  #subject(network: string): string {
    return this.#mark(network, String(Math.floor(this.#options.clock() / DAY)));
  }

  /** A keyed hash that replaces the network's address in what is stored and handed out. */
  #mark(network: string, day: string): string {
    return createHmac('sha256', this.#options.secret).update(`${day} ${network}`).digest('base64url').slice(0, 22);
  }

  #secrets() {
    const { secret } = this.#options;
    return { hmacSignatureSecret: `${secret}.challenge`, hmacKeySignatureSecret: `${secret}.key` };
  }
}

const library = () => Promise.all([import('altcha-lib'), import('altcha-lib/algorithms/pbkdf2')]);

const endOfDay = (now: Millis): Millis => now - (now % DAY) + DAY;

const wrong = (why: string): AppError =>
  invalid('/Altcha', `${why} Get a new challenge from ${PATH}, solve it and send its payload.`);

interface Read {
  readonly challenge: Made & { readonly parameters: ChallengeParameters };
  readonly solution: Payload['solution'];
}

/** The fields of the payload, each checked for its type. */
function readPayload(payload: string): Read {
  if (payload.length > MAX_PAYLOAD) throw wrong('This is longer than a solution is.');
  let read: Partial<Payload> | null;
  try {
    read = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Partial<Payload> | null;
  } catch {
    throw wrong("This is not ALTCHA's payload, base64 of JSON.");
  }
  const { challenge, solution } = read ?? {};
  const parameters: Partial<ChallengeParameters> | undefined = challenge?.parameters;
  const whole =
    typeof parameters === 'object' &&
    parameters !== null &&
    typeof parameters.nonce === 'string' &&
    typeof parameters.keySignature === 'string' &&
    typeof challenge?.signature === 'string' &&
    typeof solution === 'object';
  if (!whole || solution === null) throw wrong("This is not ALTCHA's payload: {challenge, solution}.");
  return { challenge: challenge as Read['challenge'], solution };
}

/**
 * Counts a guest's request against `limiters`. A request they refuse passes with a solved challenge, which is checked
 * and spent only then; without one, the AppError says how to get one.
 */
export async function admitGuest(
  limiters: readonly Limiter[],
  network: string,
  solution: string | undefined,
  challenges: Challenges,
): Promise<Counted> {
  const { headers, refused } = await count(limiters, network);
  if (refused === undefined) return { headers };
  if (solution !== undefined && solution !== '') {
    await challenges.redeem(solution, network);
    // It took nothing from these limits, so nothing is to be returned.
    return { headers: {} };
  }
  const { code, message, retry_after_ms } = refused;
  return {
    headers: { ...headers, link: `<${PATH}>; rel="urn:mailroom:rel:challenge"` },
    refused: new AppError(
      code,
      `${message} Or go on at once: POST ${PATH}, solve the challenge and repeat this with its payload in the header Altcha.`,
      retry_after_ms === undefined ? {} : { retry_after_ms },
    ),
  };
}
