import { AppError } from '@mailroom/behavior/values/error';
import { sha256 } from '@mailroom/behavior/values/hash';
import type { Authentication } from '../../core/entities/email.ts';
import { MAX_PEER_MESSAGES, type PeerMessage, type PeerResult, PeerResults } from '../../core/entities/peer-message.ts';
import type { ReceivedEmail } from '../../core/ports/email-transport.ts';
import { readJson } from '../../http/json.ts';
import { compileCheck } from '../../http/validate.ts';
import { domainOf, oneLine, usableAddress } from '../reading/addresses.ts';

const checkResults = compileCheck(PeerResults);
/** Names and values of the results of one document. */
const MAX_VALUES = 200 * MAX_PEER_MESSAGES;

/** Reads the results of a response; undefined where it has none. */
export function resultsIn(text: string): readonly PeerResult[] | undefined {
  try {
    const value = readJson(Buffer.from(text), MAX_VALUES);
    checkResults(value);
    return (value as { readonly results: readonly PeerResult[] }).results;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** How a message was proven, and when it was signed; null where the connection proves it. */
interface Proof {
  readonly authentication: Authentication;
  readonly signed_at: number | null;
}

/** An answer over a connection to its author's own server. */
export const PROVEN_BY_CONNECTION: Proof = {
  authentication: { spf: 'none', dkim: 'none', dmarc: 'none', arc: 'none', verified: true, verified_by: 'network' },
  signed_at: null,
};

const NO_BYTES = new Uint8Array(0);

/** A message as a mail that was received: its author, time and id make it one, however often it comes. */
export function receivedMessage(message: PeerMessage, { authentication, signed_at }: Proof): ReceivedEmail {
  const { id, to, subject = '', body, date, references = [], automatic } = message;
  const address = usableAddress(message.from.address);
  if (address === undefined)
    throw new AppError('malformed_request', 'The address in from is none that mail can be sent to.');
  const hash = sha256(`${address}\n${id}`);
  return {
    raw: NO_BYTES,
    rfc_id: id,
    references,
    subject: subject === '' ? null : oneLine(subject),
    date: Date.parse(date),
    from: { name: oneLine(message.from.name ?? ''), address: address.toLowerCase() },
    reply_to: [],
    to: [{ name: '', address: to.toLowerCase() }],
    cc: [],
    forwarded: false,
    body,
    html_body: null,
    text: body,
    headers: [],
    hidden: { text: '', why: [] },
    files: [],
    authentication,
    network: null,
    written_to: signed_at === null ? null : [to],
    not_answered: automatic === undefined ? null : 'auto_submitted',
    sha256: hash,
    signed_sha256: signed_at === null ? null : hash,
    signed_at,
  };
}

/** The domain of the author. */
export const authorDomain = ({ from }: PeerMessage): string =>
  domainOf(usableAddress(from.address) ?? '').toLowerCase();
