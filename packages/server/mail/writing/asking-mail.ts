import { fullAddress } from '@mailroom/behavior/values/address';
import type { Millis } from '@mailroom/behavior/values/clock';
import type { Message } from '../../core/entities/message.ts';
import { type Html, html } from '../../http/html.ts';
import { EDGE, mailPage, QUIET, STYLES, withBreaks } from './html.ts';

/** A mail of the service: its plain text and its HTML say the same. */
export interface Written {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A part of a mail in both forms. */
export interface Part {
  readonly text: string;
  readonly html: Html;
}

/** What an owner is asked to decide. */
interface Asking {
  readonly subject: string;
  /** The address that waits. */
  readonly address: string;
  /** What it does, after its address. */
  readonly waits: string;
  /** All that is decided on. */
  readonly what: Part;
  /** What a yes leads to. */
  readonly yes: string;
  /** Who sees the reason of a no. */
  readonly reader: string;
  /** How a no is called: `refuse`. */
  readonly no: string;
  /** The owner's address, from which an answer counts. */
  readonly to: string;
  /** Where the console shows it. */
  readonly url: string;
  /** Until when an answer counts; undefined where none does. */
  readonly until: Millis | undefined;
  /** What led to it. */
  readonly request: Part | undefined;
}

/** Characters of the message that is answered. */
const MAX_REQUEST = 1_000;
/** The mark before each line of a text that others wrote. */
const MARK = '   | ';

/** Each line begins with a mark, so that no text of others looks like one of the mail itself. */
export const quoted = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((line) => `${MARK}${line}`.trimEnd())
    .join('\n');

export const block = (text: string): Html =>
  html`<blockquote dir="auto" style="${STYLES.blockquote};white-space:pre-wrap">${withBreaks(text)}</blockquote>`;

/** What a message says, behind who sent it. */
export function requestPart(intro: string, message: Message, mailDomain: string): Part {
  // A mail without a text says it in its subject.
  const body = message.body.trim() === '' ? (message.subject ?? '') : message.body;
  const text = body.length > MAX_REQUEST ? `${body.slice(0, MAX_REQUEST).toWellFormed()}…` : body;
  const sender = senderOf(message, mailDomain);
  return {
    text: `${intro} ${sender}:\n\n${quoted(text)}`,
    html: html`<p style="${STYLES.p};${QUIET}">${intro} <span dir="auto">${sender}</span>:</p>${block(text)}`,
  };
}

/** Asks an owner to decide, by an answer or in the console. */
export function askingMail(asking: Asking): Written {
  const { subject, address, waits, what, yes, reader, no, to, url, until, request } = asking;
  const end = until === undefined ? undefined : `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const reason = `and, if you like, a reason that ${reader}. An answer counts from ${to}, until ${end}.`;
  const how =
    end === undefined
      ? `Approve or ${no} it in the console:`
      : `Answer this mail with “yes” ${yes}, or with “no” ${reason} Or decide in the console:`;
  return {
    subject,
    text: `${address} ${waits}\n\n${what.text}\n\n${how}\n${url}\n${request === undefined ? '' : `\n${request.text}\n`}`,
    html: mailPage(html`<p style="${STYLES.p}"><b dir="ltr">${address}</b> ${waits}</p>
${what.html}
<p style="${STYLES.p};padding:10px 12px;border:1px solid ${EDGE};border-radius:6px">${
      end === undefined
        ? html`Approve or ${no} it in the console.`
        : html`Answer this mail with “<b>yes</b>” ${yes}, or with “<b>no</b>” ${reason}`
    }</p>
<p style="${STYLES.p}"><a href="${url}">${end === undefined ? 'Decide in the console' : 'Or decide in the console'}</a></p>
${request?.html}`),
  };
}

/** Says what came of an answer to such a mail, or why nothing was done. */
export function resultMail(sentence: string, url: string): Written {
  return {
    subject: '',
    text: `${sentence}\n\n${url}\n`,
    html: mailPage(
      html`<p style="${STYLES.p}">${withBreaks(sentence)}</p><p style="${STYLES.p}"><a href="${url}">Open it in the console</a></p>`,
    ),
  };
}

/** Who sent a message, in a few words. */
function senderOf({ sender_kind, sender_id, from }: Message, mailDomain: string): string {
  if (from !== null) return fullAddress(from, mailDomain);
  if (sender_kind === 'email') return `${sender_id}, by mail`;
  return sender_kind === 'guest' ? 'a person without a key' : 'a program with a key';
}
