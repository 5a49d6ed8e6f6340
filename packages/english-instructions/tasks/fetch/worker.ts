import { serve } from '@mailroom/workers/serve';
import { type Page, readPage } from './read-page.ts';

export interface PageTask {
  readonly html: string;
  readonly url: string;
}

readPage('<title>Warm</title><ul><li><a href="/up">up</a></ul><table><tr><td>1</table>', 'http://warm.example/');

serve<PageTask, Page>(({ html, url }) => readPage(html, url));
