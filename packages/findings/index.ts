export type { Finding, IncomingKind, OutgoingKind, Span } from './finding.ts';
export { parseWhere } from './finding.ts';
export type { IncomingContent } from './incoming.ts';
export { incomingFindings, incomingHtmlFindings, incomingTextFindings } from './incoming.ts';
export type { OutgoingContent } from './outgoing.ts';
export { outgoingFindings, outgoingTextFindings } from './outgoing.ts';
