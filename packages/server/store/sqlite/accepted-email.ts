import type { StatementSync } from 'node:sqlite';
import type { Cell } from '../db.ts';
import { EMAIL_TERMS, emailSql } from '../statements/accepted-email.ts';

const NAMES = [...EMAIL_TERMS, 'message_id', 'mailbox_id', 'namespace_id', 'created_at'] as const;
type Of = Readonly<Record<Exclude<(typeof NAMES)[number], (typeof EMAIL_TERMS)[number]>, Cell>>;

/** Each statement with the places of its own parameters. */
function statementOf(
  prepare: (sql: string) => StatementSync,
  sqlOf: (typeof emailSql)[keyof typeof emailSql],
): (cells: readonly Cell[]) => void {
  const used: number[] = [];
  const sql = sqlOf((name) => `?${used.push(NAMES.indexOf(name))}`, '');
  const statement = prepare(sql);
  return (cells) => void statement.run(...used.map((at) => cells[at] as Cell));
}

/** Writes what is known of a mail whose message was accepted: `terms` are the cells of `EMAIL_TERMS`. */
export function makeInsertEmail(prepare: (sql: string) => StatementSync): (terms: readonly Cell[], of: Of) => void {
  const runInsert = statementOf(prepare, emailSql.known);
  const named = statementOf(prepare, emailSql.named);
  const labelled = statementOf(prepare, emailSql.labelled);
  const indexOf = (name: (typeof EMAIL_TERMS)[number]): number => EMAIL_TERMS.indexOf(name);
  return (terms, { message_id, mailbox_id, namespace_id, created_at }) => {
    const cells = [...terms, message_id, mailbox_id, namespace_id, created_at];
    runInsert(cells);
    if (terms[indexOf('rfc_id')] !== null) named(cells);
    if (terms[indexOf('email_label')] !== null) labelled(cells);
  };
}
