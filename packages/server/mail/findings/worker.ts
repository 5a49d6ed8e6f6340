// Searching long texts yields to requests.
import '@mailroom/workers/low-priority';
import type { Finding } from '@mailroom/findings';
import { serve } from '@mailroom/workers/serve';
import { type SearchTask, search } from './search.ts';

serve<SearchTask, readonly Finding[]>(search);
