import type { Incoming } from '@mailroom/behavior';
import { isObject, type Json } from '@mailroom/behavior/values/json';

/** A request to an issuer. */
export type Request =
  /** `client_id`: the service that may redeem the token, where the audience is the issuer. */
  | { readonly op: 'token'; readonly audience: string; readonly client_id?: string }
  /** `service`: the origin that the sender expects to sign in to, where given. */
  | { readonly op: 'sign_in'; readonly url: string; readonly service: string | undefined }
  /** The request cannot be read; `why` is a sentence for people. */
  | { readonly op: 'unclear'; readonly why: string }
  | { readonly op: 'help' };

/** Longest text that is read, in characters. */
const MAX_BODY = 4096;

const POLITE =
  "(?:(?:hi|hello|hey)[,!]? +)?(?:please,? +)?(?:(?:can|could|may|would) +(?:you|i) +(?:please +)?)?(?:(?:i +(?:need|want|would +like)|i'd +like|give +me|get +me|send +me|issue(?: +me)?|make(?: +me)?|create|mint|get|have) +)?";
const END = '[,;]?(?: *please)?[.!?]?';
const TOKEN = new RegExp(
  `^${POLITE}(?:(?:an?|the|my) +)?(?:(?:signed|agent|identity|access|auth) +){0,2}(?:token|jwt) +(?:for|to|with) +(?:the +(?:service|audience) +)?<?([^\\s<>]+?)>?${END}$`,
  'i',
);
const SIGN_IN = new RegExp(
  `^(?:please,? +)?(?:(?:can|could|would) +you +(?:please +)?)?(?:sign|log)(?: +me)?(?: +|-)?in(?: +(?:to|at|with|by|via|using|here))?:? +<?(https?://[^\\s<>]+?)>?${END}$`,
  'i',
);

/** Reads `data` where it names an operation, otherwise the text, which must be a single instruction. */
export function readRequest({ body, data }: Pick<Incoming, 'body' | 'data'>): Request {
  if (isObject(data) && data.op !== undefined) return readData(data);
  const text = body.trim();
  if (text.length > MAX_BODY) return { op: 'help' };
  const token = TOKEN.exec(text)?.[1];
  if (token !== undefined) return { op: 'token', audience: token };
  const url = SIGN_IN.exec(text)?.[1];
  if (url !== undefined) return { op: 'sign_in', url, service: undefined };
  return { op: 'help' };
}

function readData({ op, audience, client_id, url, service }: { readonly [name: string]: Json }): Request {
  if (op === 'token') {
    if (typeof audience === 'string') {
      if (client_id === undefined || client_id === null) return { op, audience };
      if (typeof client_id === 'string') return { op, audience, client_id };
      return unclear('`client_id` is the id of the service that will redeem the token, a string.');
    }
    return unclear('A token is for one service: send data {"op": "token", "audience": "https://service.example"}.');
  }
  if (op === 'sign_in') {
    if (typeof url !== 'string') {
      return unclear('Say where to sign in: send data {"op": "sign_in", "url": "<the authorization URL>"}.');
    }
    if (service === undefined || service === null) return { op, url, service: undefined };
    if (typeof service === 'string') return { op, url, service };
    return unclear('`service` is the origin of the service, such as https://service.example.');
  }
  if (op === 'help') return { op };
  return unclear('The operations are "token", "sign_in" and "help".');
}

const unclear = (why: string): Request => ({ op: 'unclear', why });
