export { pageRoute as hidden } from '../../http/page-route.ts';
