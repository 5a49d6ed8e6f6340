export { certificateFinding } from './certificate.ts';
export type { Finding, FindingStatus } from './finding.ts';
export { fail, findingLines, ok, reasonOf, skip, warn } from './finding.ts';
export type { ServiceOptions } from './service.ts';
export { at, clockFinding, request, serviceFindings, textAt } from './service.ts';
