import type { Cell, WriteStep } from '../db.ts';
import { step } from '../db.ts';

/** Has the index look at the messages that a statement selects again. */
export const noteChanged = (selected: string, ...cells: readonly Cell[]): WriteStep =>
  step(`insert into index_changes (message_id) select o.id from (${selected}) o`, ...cells);
