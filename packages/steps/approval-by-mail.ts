import { Type } from 'typebox';

/** Whether its owners are asked by mail when a plan waits for their approval; read by `core/delivery/mail-approvals`. */
export const ApprovalByMail = Type.Boolean({
  default: true,
  description: 'Ask the owners by mail when a plan waits for approval. They approve it by answering "yes".',
});
