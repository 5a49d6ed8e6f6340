import type { DeliveryResult, Failure } from '../../core/ports/delivery.ts';
import { NotAMail } from './compose.ts';

/** Commands whose refusal is about the mail; refusals of others are about the connection. */
const OF_THE_MAIL = /^(?:MAIL FROM|RCPT TO|DATA)/;
/** The code and the enhanced code (RFC 3463) at the start of a server's response. */
const ENHANCED = /^[245]\d{2}[ -]([245]\.\d{1,3}\.\d{1,3})(?![\d.])/;

/** A failed delivery; `reason` consists of codes, because a server's text may name the address. */
export const failure = (permanent: boolean, reason: string): { readonly kind: 'failed' } & Failure => ({
  kind: 'failed',
  permanent,
  reason,
});

/**
 * The result of an error of nodemailer or of a socket. Permanent is only a refusal (5yz) of the sender, the recipient or
 * the message, or what cannot be written as a mail; every other one may pass (RFC 5321, sections 4.2.1 and 4.5.4.1).
 */
export function failureOf(error: unknown): { readonly kind: 'failed' } & Failure {
  if (error instanceof NotAMail) return failure(true, 'ENOTAMAIL');
  const { code, originalCode, response, responseCode, command, permanent } = error as {
    readonly code?: string;
    readonly originalCode?: string;
    readonly response?: string;
    readonly responseCode?: number;
    readonly command?: string;
    readonly permanent?: boolean;
  };
  const enhanced = ENHANCED.exec(response ?? '')?.[1];
  const parts = [originalCode ?? code ?? 'unknown', responseCode, command, enhanced].filter(
    (word) => word !== undefined,
  );
  const failed = failure(permanent === true && OF_THE_MAIL.test(command ?? ''), parts.join(' '));
  // What a server says about the operator's name and password is not for those who write mail.
  const isShown = response !== undefined && response !== '' && !/^AUTH/.test(command ?? '');
  return isShown ? { ...failed, response: oneLine(response) } : failed;
}

const MAX_RESPONSE = 500;
const oneLine = (text: string): string =>
  text
    .slice(0, MAX_RESPONSE)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();

/** An error of ours that `failureOf` reads like one of a server. */
export const refusal = (code: string, command: string, permanent: boolean): Error =>
  Object.assign(new Error(code), { code, command, permanent });

/** Not an address, whatever a server would say. */
export const NO_ADDRESS: DeliveryResult = failure(true, 'not an address of mail');
