import type { Clock, Millis } from '@mailroom/behavior/values/clock';
import { DAY, SECOND } from '@mailroom/behavior/values/clock';
import type { DeliveryResult } from '../../core/ports/delivery.ts';
import type { States } from '../../core/ports/states.ts';
import type { PeerHttp } from '../../net/peer-http.ts';
import { PeerFailed } from '../../net/peer-http.ts';
import { failure } from '../writing/failure.ts';
import { wireAddress } from '../writing/headers.ts';
import type { PeerMail } from '../writing/session.ts';
import type { MailOut } from '../writing/transport.ts';
import type { AgentDoor } from './agent-door.ts';
import type { FindDoors } from './webfinger.ts';

interface Parts {
  readonly http: Pick<PeerHttp, 'request'>;
  readonly doors: FindDoors;
  readonly agents: AgentDoor;
  readonly states: Pick<States, 'get' | 'set' | 'remove'>;
  readonly clock: Clock;
}

const STATE = 'peer_asked';
/** As long as a delivery is tried, and a day more. */
const KEPT_MS: Millis = 6 * DAY;
const ATTEMPT_MS: Millis = 60 * SECOND;
const MAX_RESPONSE = 16 * 1024;
/** Answers after which the same request may be answered otherwise. */
const AGAIN: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Mail that goes to the server of its recipient by HTTP, where that names a door for it, and by `next` otherwise: also after
 * a refusal, or when nothing was written to the peer. Whether a peer has a mail may stay unknown; then it is asked again at
 * the same door, which knows the mail by what its signature binds.
 */
export function peerMailOut(next: MailOut, parts: Parts): MailOut {
  const { states, clock } = parts;
  return {
    place: next.place,
    // What is written as a file leaves by no other door.
    async send(mail, signal) {
      const to = wireAddress(mail.to);
      const { peer } = mail;
      if (to === undefined || peer === undefined) return next.send(mail, signal);
      const earlier = await states.get(STATE, mail.id, clock());
      const found = earlier === undefined ? await parts.doors(to.toLowerCase()) : (JSON.parse(earlier.value) as Doors);
      const door = found.mail ?? found.agent;
      if (door === undefined) return next.send(mail, signal);
      // Written first, because a process may end between the request and its answer.
      if (earlier === undefined) await keep(found);
      const result = await attempt(
        { ...mail, to, peer },
        found,
        AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
      );
      if (result !== undefined) return result;
      await states.remove(STATE, mail.id);
      return next.send(mail, signal);

      function keep(value: Doors): Promise<void> {
        const expires_at = clock() + KEPT_MS;
        return states.set({ kind: STATE, id: mail.id, subject: null, value: JSON.stringify(value), expires_at });
      }
    },
    [Symbol.dispose]: () => next[Symbol.dispose](),
  };

  /** Undefined where the peer has nothing of it for certain. */
  async function attempt(mail: PeerMail, doors: Doors, signal: AbortSignal): Promise<DeliveryResult | undefined> {
    if (doors.mail === undefined) return parts.agents.send(mail, doors.agent as string, signal);
    const url = URL.parse(doors.mail);
    if (url === null) return undefined;
    url.searchParams.set('to', mail.to);
    url.searchParams.set('from', mail.return_path);
    try {
      const headers = { 'content-type': 'message/rfc822', accept: 'application/json' };
      const body = await mail.peer.signed();
      const { status, headers: answered } = await parts.http.request(url, {
        ...{ method: 'POST', headers, body, signal },
        bytes: MAX_RESPONSE,
      });
      if (status === 200 || status === 202) return { kind: 'sent' };
      if (status < 500 && !AGAIN.has(status)) return undefined;
      const seconds = Number(answered['retry-after']);
      return { ...failure(false, `HTTP ${status}`), ...(seconds > 0 && { retry_after_ms: seconds * SECOND }) };
    } catch (error) {
      if (!(error instanceof PeerFailed)) throw error;
      return error.written ? failure(false, error.message) : undefined;
    }
  }
}

interface Doors {
  readonly mail?: string;
  readonly agent?: string;
}
