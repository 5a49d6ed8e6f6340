// Showing mail yields to requests.
import '@mailroom/workers/low-priority';
import { serve } from '@mailroom/workers/serve';
import { type ShownHtml, shownHtml } from './shown-html.ts';

/** A mail whose HTML is to be shown. */
export interface ShownTask {
  readonly raw: Uint8Array;
  readonly images: boolean;
}

serve<ShownTask, ShownHtml>(({ raw, images }) => shownHtml(raw, images));
