// Attacks that leave the service as it was share one, in this order: what measures memory most narrowly comes first, and
// the flood of refused requests, which lasts for a minute, last.
import './endless-bodies.ts';
import './streams.ts';
import './large-answers.ts';
import './search.ts';
import './unread-answers.ts';
