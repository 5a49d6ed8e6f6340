export { certificateFinding } from './certificate.js';
export type { Finding, FindingStatus } from './finding.js';
export { fail, findingLines, ok, reasonOf, skip, warn } from './finding.js';
export type { ServiceOptions } from './service.js';
export { at, clockFinding, request, serviceFindings, textAt } from './service.js';
