import type { ServerResponse } from 'node:http';

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const button = (path: string, label: string): string =>
  `<form method="post" action="/${path}"><button>${label}</button></form>`;

export function page(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(`<!doctype html><html lang="en"><title>Example</title><h1>Example</h1>${body}</html>`);
}

export function redirect(response: ServerResponse, to: string, cookie?: string): void {
  response.writeHead(303, { location: to, ...(cookie === undefined ? {} : { 'set-cookie': cookie }) });
  response.end();
}
