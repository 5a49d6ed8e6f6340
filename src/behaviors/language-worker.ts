import { serve } from '../workers/serve.ts';
import { detectLanguage } from './language.ts';

// No word of it is known: the statistics are loaded.
detectLanguage('xyzzy');
serve<string, string | null>(detectLanguage);
