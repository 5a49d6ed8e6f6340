import type { Registry } from '../../../core/access/registry.ts';
import type { Mailbox } from '../../../core/entities/mailbox.ts';
import type { Signed, SignedCall } from './sign-in-form.ts';

/** The existing mailbox that a path names, for its owner. AppError `mailbox_not_found`, `mailbox_gone`. */
export function managedMailbox(
  { params }: SignedCall,
  { session, caller }: Signed,
  { registry, mailDomain }: { readonly registry: Registry; readonly mailDomain: string },
): Promise<Mailbox> {
  const [local = ''] = (params.local ?? '').split('@');
  return registry.mailboxFor(caller, `${local}@${session.namespace.name}.${mailDomain}`, 'mailboxes:write');
}
