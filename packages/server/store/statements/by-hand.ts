/** Whether the handling is answered by hand: not what an owner has approved, which the behavior carries out. */
export const isByHand = (of = ''): string => `${of}by_hand_ms > 0 and ${of}approved = 0`;
/**
 * What is set of a handling that begins to wait for an answer by hand; `now` is the SQL of the time. Its behavior handles
 * it again only at the deadline or after it was handed back, and no earlier claim settles it.
 */
export const waitByHand = (now: string): string => `
  leased = 0, fence = fence + 1, attempt = 0, waiting_for = 'answer', due_at = ${now} + by_hand_ms, claim = null,
  answerable_at = null, progress = null`;
