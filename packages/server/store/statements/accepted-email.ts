import type { NewEmail } from '../../core/ports/emails.ts';
import type { Cell } from '../db.ts';
import { insertFromSql } from '../schema/table.ts';
import { emails, labels, messageIds } from '../schema/tables.ts';

/** The cells of an acceptance of a mail that follow those of its message: columns of `emails`, then its label. */
export const EMAIL_TERMS = [
  'rfc_id',
  'references_json',
  'authentication',
  'domain',
  'not_answered',
  'owed',
  'stranger_bytes',
  'email_label',
] as const;

/** Nulls where the message is no mail. */
export function pushEmail(cells: Cell[], email: NewEmail | undefined): void {
  if (email === undefined) {
    for (const _ of EMAIL_TERMS) cells.push(null);
    return;
  }
  const { rfc_id, references, authentication, domain, not_answered, owed, stranger_bytes, label } = email;
  cells.push(rfc_id, JSON.stringify(references), JSON.stringify(authentication), domain, not_answered);
  cells.push(owed ? 1 : 0, stranger_bytes, label);
}

type Name = (typeof EMAIL_TERMS)[number] | 'message_id' | 'mailbox_id' | 'namespace_id' | 'created_at';

/**
 * What is written with the message of a mail, each with SQL for the cells by name and the rest of the statement, which
 * gives the rows: the mail, its Message-ID and its label.
 */
export const emailSql = {
  known: (cell: (name: Name) => string, rest: string): string =>
    insertFromSql(
      emails,
      {
        message_id: cell('message_id'),
        rfc_id: cell('rfc_id'),
        references_json: cell('references_json'),
        authentication: cell('authentication'),
        domain: cell('domain'),
        not_answered: cell('not_answered'),
        owed: cell('owed'),
        stranger_bytes: cell('stranger_bytes'),
        queued_until: '0',
        created_at: cell('created_at'),
      },
      rest,
    ),
  named: (cell: (name: Name) => string, rest: string): string =>
    insertFromSql(
      messageIds,
      { namespace_id: cell('namespace_id'), rfc_id: cell('rfc_id'), message_id: cell('message_id') },
      rest,
    ),
  labelled: (cell: (name: Name) => string, rest: string): string =>
    insertFromSql(
      labels,
      { mailbox_id: cell('mailbox_id'), label: cell('email_label'), message_id: cell('message_id') },
      rest,
    ),
} as const;
