export { certificateFinding } from './certificate.js';
export { fail, findingLines, ok, reasonOf, skip, warn } from './finding.js';
export { at, clockFinding, request, serviceFindings, textAt } from './service.js';
