import { detectLanguage } from '@mailroom/detect-language';
import { serve } from '@mailroom/workers/serve';

// A text without any known word loads the statistics.
detectLanguage('xyzzy');
serve<string, string | null>(detectLanguage);
