/** A part of a mail as `postal-mime` 4.0.0 has read it, which does not export it. */
export interface PartTree {
  readonly contentType: {
    readonly parsed: { readonly value: string; readonly params: { readonly boundary?: string } };
    /** What follows `multipart/`; false of a part without parts. */
    readonly multipart: string | false;
  };
  readonly contentDisposition: { readonly parsed: { readonly value: string } };
  readonly headers: readonly { readonly key: string }[];
  readonly childNodes: readonly PartTree[];
}

/** Whether there are texts in plain and in HTML that no inner `multipart/alternative` says to be the same. */
export function mixesTexts({ childNodes }: PartTree): boolean {
  const kinds = new Set<string>();
  const look = ({ contentType, contentDisposition, childNodes: parts }: PartTree): void => {
    if (contentType.multipart === false && contentDisposition.parsed.value !== 'attachment')
      kinds.add(contentType.parsed.value);
    else if (contentType.multipart !== 'alternative') parts.forEach(look);
  };
  childNodes.forEach(look);
  return kinds.has('text/plain') && kinds.has('text/html');
}

/** Whether a part says nothing of its type, so that what it is in depends on it (RFC 2046, section 5.1.5). */
export const hasUntyped = ({ childNodes }: PartTree): boolean =>
  childNodes.some(({ headers }) => !headers.some(({ key }) => key === 'content-type'));
