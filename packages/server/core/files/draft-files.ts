import { AppError, invalid } from '@mailroom/behavior/values/error';
import { MAX_FILES } from '../entities/attachment.ts';
import type { Draft, DraftChange } from '../entities/draft.ts';
import type { DraftFiles } from '../ports/drafts.ts';
import type { Upload } from './uploads.ts';

/** Awaits a write that takes the files of the upload; when it is unknown whether it did, they are swept. */
export async function keeping<T>(upload: Upload | undefined, write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    upload?.keep();
    throw error;
  }
}

/**
 * The files of a draft after a change; undefined when they stay as they are. AppError `validation_error` for a file that
 * the draft has not, `body_too_large` for too many.
 */
export function filesOf(
  draft: Draft,
  wanted: DraftChange['attachments'],
  upload: Upload | undefined,
): DraftFiles | undefined {
  const added = upload?.files ?? [];
  if (wanted === undefined && added.length === 0) return undefined;
  const keep = wanted === undefined ? draft.attachments.map(({ id }) => id) : keptFiles(draft, wanted ?? []);
  const kept = draft.attachments.filter(({ id }) => keep.includes(id));
  if (upload !== undefined && added.length > 0) checkTotal([...kept, ...added], upload.limits.max_files);
  return { keep, upload: added.length === 0 ? null : (upload?.id ?? null) };
}

function keptFiles(draft: Draft, asked: NonNullable<DraftChange['attachments']>): readonly string[] {
  const keep: string[] = [];
  for (const [at, { id }] of asked.entries()) {
    if (id === undefined) continue;
    const pointer = `/attachments/${at}/id`;
    if (keep.includes(id)) throw invalid(pointer, 'This file is in the list twice.');
    if (!draft.attachments.some((file) => file.id === id))
      throw invalid(pointer, 'The draft has no file with this id. Read it again: it lists its files.');
    keep.push(id);
  }
  return keep;
}

function checkTotal(files: readonly { readonly size: number }[], max: number): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (files.length <= MAX_FILES && bytes <= max) return;
  const message =
    files.length > MAX_FILES
      ? `A message has at most ${MAX_FILES} files; with those of the draft these are ${files.length}.`
      : `The files of a message have at most ${max} bytes together; with those of the draft these have ${bytes}.`;
  throw new AppError('body_too_large', `/attachments: ${message}`, { errors: [{ pointer: '/attachments', message }] });
}
