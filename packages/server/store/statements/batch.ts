/** Maximum bytes of text that one transaction deletes or rewrites, because other writes wait meanwhile. */
const BATCH_BYTES = 2_000_000;

/**
 * The last of the oldest messages for which `where` holds, up to `most` of them (a number or a parameter) and a few MB,
 * but at least one; its `id` is null when there is none. Reads no text.
 */
export const batchEnd = (where: string, max: number | string): string => `
  select max(id) as id from (
    select id, sum(size) over (order by id) - size as before from (
      select id, octet_length(body) + coalesce(octet_length(data), 0) as size
      from messages where ${where} order by id limit ${max}
    ) sized
  ) placed where before < ${BATCH_BYTES}`;
