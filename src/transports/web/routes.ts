export { hidden } from '../../http/hidden.ts';
