// Scripts yield to other requests.
import '@mailroom/workers/low-priority';

// Imported afterwards, so that starting a replacement thread also has a low priority.
await import('./thread.ts');
