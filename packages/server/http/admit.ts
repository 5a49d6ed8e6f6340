import { AppError } from '@mailroom/behavior/values/error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, missingScope, writingKey } from '../core/access/caller.ts';
import { hasScope } from '../core/entities/key.ts';
import { type AgentSignatures, maySigned } from './agent-signature.ts';
import type { Authenticator } from './authenticate.ts';
import { admitGuest, type Challenges, SOLUTION_HEADER } from './challenges.ts';
import type { Rejections } from './connections/rejections.ts';
import { checkFormType, checkOrigin } from './forms.ts';
import { type Counted, count } from './limits.ts';
import { accepts, acceptsJson, checkBytesType, checkMediaType } from './media.ts';
import { EVENT_STREAM, JSON_LINES, mediaTypeOf, type Route, streams } from './route.ts';

/** What admission needs of the server. */
export interface Admission {
  readonly authenticator: Authenticator;
  /** Verifies the signatures of agents; without it, signed requests are taken as unsigned ones. */
  readonly signatures?: Pick<AgentSignatures, 'verify'> | undefined;
  readonly rate_limits: boolean;
  /** Only the machine of the service reaches it: it listens on a loopback address and has no public URL. */
  readonly local?: boolean;
  readonly challenges: Challenges;
  /** Counts refused requests. */
  readonly rejections: Rejections;
}

/**
 * Checks that need no body, in the order of the contract: key, scope, rate, media type. Throws AppError; returns a
 * promise only when the key has to be looked up.
 */
export function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  admission: Admission,
): void | Promise<void> {
  const { authorization } = request.headers;
  const { ip, params } = request;
  const caller =
    route.authenticate?.({ authorization, ip, params: params as Record<string, string> }) ??
    admission.authenticator.caller(authorization, ip, route.checks_key !== true);
  const checked =
    caller instanceof Promise
      ? caller.then((found) => check(found, request, reply, route, admission))
      : check(caller, request, reply, route, admission);
  if (route.signed !== true || !maySigned(request.headers)) return checked;
  return identify(checked, request, admission.signatures);
}

/** Names the agent that signed the request, once it has passed the other checks. */
async function identify(
  checked: void | Promise<void>,
  request: FastifyRequest,
  signatures: Admission['signatures'],
): Promise<void> {
  await checked;
  const { method, headers, raw, ip, caller } = request;
  const signed = await signatures?.verify({ method, url: raw.url ?? '', headers }, ip);
  if (signed === undefined || caller === null) return;
  if (signed.digest !== undefined && String(headers['content-type']).startsWith('multipart/'))
    throw new AppError(
      'malformed_request',
      'The Content-Digest of a body with files is not verified: leave it out of the signature.',
    );
  request.caller = { ...caller, agent: signed.agent };
  request.digest = signed.digest;
}

function check(
  found: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  { rate_limits, local, challenges, rejections }: Admission,
): void | Promise<void> {
  const here = local === true && route.local_limits !== undefined && isLocal(request);
  const caller: Caller = here ? { ...found, local: true } : found;
  request.caller = caller;
  // These checks run before the body is read and parsed.
  if (rate_limits && route.body !== undefined && caller.kind !== 'key') rejections.check(request);
  checkAccess(caller, route);
  const counted = rate_limits ? countCall(caller, route, challenges, solutionOf(request)) : undefined;
  if (counted === undefined) return checkTypes(request, route);
  const go = ({ headers, refused }: Counted): void => {
    reply.headers(headers);
    if (refused !== undefined) throw refused;
    checkTypes(request, route);
  };
  return counted instanceof Promise ? counted.then(go) : go(counted);
}

/** Headers of proxies, and that of pages in a browser, which may be a stranger's. */
const FOR_OTHERS = /^(?:forwarded|via|origin|x-forwarded-.*|x-real-ip|(?:[a-z]+-)?(?:client|connecting)-ip)$/;

/** Whether a program on this machine asks for itself. */
const isLocal = ({ ip, headers }: FastifyRequest): boolean =>
  (ip === '127.0.0.1' || ip === '::1') && !Object.keys(headers).some((name) => FOR_OTHERS.test(name));

/** Counts a call against the route's limits; undefined where it has none. */
export function countCall(
  caller: Caller,
  route: Route,
  challenges: Challenges,
  solution?: string,
): Counted | Promise<Counted> | undefined {
  const limits = limitsOf(caller, route);
  if (limits === undefined) return undefined;
  return route.challenge === true
    ? admitGuest(limits, countedAs(caller, route), solution, challenges)
    : count(limits, countedAs(caller, route));
}

const solutionOf = ({ headers }: FastifyRequest): string | undefined => {
  const given = headers[SOLUTION_HEADER];
  return given === undefined ? undefined : String(given);
};

function checkTypes(request: FastifyRequest, route: Route): void {
  if (route.form) {
    checkOrigin(request.headers, request.host);
    checkFormType(request.headers, route.form_files !== undefined);
    return;
  }
  if (route.takes !== undefined) checkBytesType(request.headers, route.takes.type);
  else checkMediaType(request.headers, route.body !== undefined, route.upload !== undefined, route.types);
  const { accept } = request.headers;
  if (acceptsJson(accept)) return;
  const type = mediaTypeOf(route);
  if (type === undefined || (type === JSON_LINES && accepts(accept, type))) return;
  if (streams(route) && accepts(accept, EVENT_STREAM)) return;
  throw new AppError('not_acceptable', `The answer is ${type}. Send Accept: ${type}, or leave the header out.`);
}

/** AppError for a caller who may not call this route. */
export function checkAccess(caller: Caller, { access: authenticator, accounts, or_scope }: Route): void {
  if (authenticator === 'public') return;
  if (caller.kind === 'account') {
    if (accounts === undefined)
      throw new AppError('access_denied', 'An account that signed in may not do this. Use a key.');
    if (!caller.scopes.includes(accounts)) throw missingScope(accounts);
    return;
  }
  if (caller.kind === 'guest') {
    throw new AppError(
      'missing_key',
      'Send an API key: Authorization: Bearer mr_live_…. Creating a namespace gives you one.',
    );
  }
  if (caller.kind === 'thread') {
    if (authenticator === 'key_or_thread') return;
    throw new AppError(
      'invalid_key',
      "A thread token reads, waits for and cancels its thread's messages, nothing else. Send an API key.",
    );
  }
  if (authenticator === 'key' || authenticator === 'key_or_thread' || authenticator === 'session') return;
  if (or_scope !== undefined && hasScope(caller.key, or_scope)) return;
  if (!hasScope(caller.key, authenticator)) throw missingScope(authenticator);
}

/**
 * Returns what a request took from its limits when it created nothing, and leaves it out of the `RateLimit` headers.
 */
export function refund(request: FastifyRequest, reply: FastifyReply, route: Route): void {
  if (request.caller === null || reply.getHeader('ratelimit') === undefined) return;
  refundCall(request.caller, route);
  reply.removeHeader('ratelimit').removeHeader('ratelimit-policy');
}

/** Returns what a call took from the route's limits. */
export function refundCall(caller: Caller, route: Route): void {
  for (const limiter of limitsOf(caller, route) ?? []) limiter.refund(countedAs(caller, route));
}

const limitsOf = (caller: Caller, route: Route): Route['limits'] =>
  caller.local === true ? (route.local_limits ?? route.limits) : route.limits;

/** The API key, or the network for routes open to guests, so that creating more keys does not raise the limit. */
const countedAs = (caller: Caller, { access: authenticator, counted_for }: Route): string => {
  const key = authenticator === 'public' ? undefined : writingKey(caller);
  if (key === undefined) return caller.network;
  return counted_for === 'namespace' ? key.namespace_id : key.id;
};
