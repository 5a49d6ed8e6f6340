// TEMP
import { type Html, html } from '../../http/html.ts';
export const qrSvg = (_text: string): Html => html`<svg viewBox="0 0 10 10" role="img" aria-label="QR"></svg>`;
