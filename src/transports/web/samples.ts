// TEMP
import { type Html, html } from '../../http/html.ts';

const one = (code: string): { code: string; marked: Html } => ({ code, marked: html`${code}` });
export const samples = (of: { baseUrl: string; address: string; body: string; key: boolean }) => ({
  curl: one(`curl ${of.baseUrl}`),
  typescript: one('ts'),
  python: one('py'),
});
