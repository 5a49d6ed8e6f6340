import { serve } from '../workers/serve.ts';
import { detectLanguage } from './language.ts';

// A text without any known word loads the statistics.
detectLanguage('xyzzy');
serve<string, string | null>(detectLanguage);
