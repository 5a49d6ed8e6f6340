import { type Cell, step, type WriteStep } from '../db.ts';

/** Has the index look at the messages that a statement selects again. */
export const noteChanged = (selected: string, ...cells: readonly Cell[]): WriteStep =>
  step(`insert into index_changes (message_id) select o.id from (${selected}) o`, ...cells);
