import Negotiator from 'negotiator';
import type { Mailbox } from '../../core/mailbox.ts';
import type { Namespace } from '../../core/namespace.ts';
import type { Parts } from '../../http/parts.ts';
import type { Answer, Call, Route } from '../../http/route.ts';

/** Whether the caller would rather have Markdown than HTML (RFC 7763). */
export function wantsMarkdown({ headers }: Pick<Call, 'headers'>): boolean {
  const { accept } = headers;
  if (accept === undefined) return false;
  return (
    new Negotiator({ headers: { accept: String(accept) } }).mediaType(['text/html', 'text/markdown']) ===
    'text/markdown'
  );
}
export const markdownAnswer = (body: string): Answer => ({
  status: 200,
  body,
  headers: { 'content-type': 'text/markdown; charset=utf-8', vary: 'accept' },
});
export const homeMarkdown = async (_parts: Parts): Promise<Answer> => markdownAnswer('# Mailroom');
export const mailboxMarkdown = async (_mailbox: Mailbox, _parts: Parts): Promise<Answer> =>
  markdownAnswer('# Mailroom');
export const namespaceMarkdown = async (_namespace: Namespace, _parts: Parts): Promise<Answer> =>
  markdownAnswer('# Mailroom');
export const programRoutes = (_parts: Parts): readonly Route[] => [];
