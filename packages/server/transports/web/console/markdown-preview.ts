import { html } from '../../../http/html.ts';
import { renderMarkdown } from '../../../http/markdown.ts';
import type { Route } from '../../../http/route.ts';
import type { Context } from './context.ts';
import { heading } from './shell.ts';
import { PRIVATE, signedForm } from './sign-in-form.ts';

/** Shows a text that is being written as Markdown: to a script its markup, else on a page. */
export const markdownRoute = (context: Context): Route =>
  signedForm('/console/markdown', context, async (call, signed) => {
    const markup = await renderMarkdown(call.form.get('body') ?? '');
    if (call.headers.accept === 'application/json')
      return { status: 200, body: { html: markup.text }, headers: PRIVATE };
    const main = html`${heading('Preview', undefined)}
<p class="meta">Nothing is sent or kept. Close this tab to go on writing.</p><div class="prose">${markup}</div>`;
    return context.answer(200, { title: 'Preview', root: '../', tab: 'write', main }, signed);
  });
