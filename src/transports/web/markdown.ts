// TEMP
import { type Html, html } from '../../http/html.ts';
export const plainText = (text: string): Html =>
  html`${text.split(/\n{2,}/).map((p) => html`<p dir="auto">${p.split('\n').map((l, i) => html`${i > 0 && html`<br>`}${l}`)}</p>`)}`;
export const renderMarkdown = async (text: string): Promise<Html> => plainText(text);
