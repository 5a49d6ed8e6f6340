// Scripts yield to other requests.
import '../../workers/low-priority.ts';

// Imported afterwards, so that starting a replacement thread also has a low priority.
await import('./thread.ts');
