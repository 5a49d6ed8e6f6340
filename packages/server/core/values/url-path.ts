/** A segment that leads up or nowhere, between any slashes, also before parameters that some servers cut off. */
const DOTS = /(?:^|[/\\])\.{1,2}(?:[/\\;]|$)/;

/**
 * Why the path of a URL is not plain: a `..` or `.` (RFC 3986, section 5.2.4) that shows once `%2e`, `%2f` or `%5c` are
 * decoded, as servers and proxies may do, one layer or several. Undefined when there is none.
 */
export function hiddenDotsError({ pathname }: URL): string | undefined {
  let path = pathname;
  for (;;) {
    if (DOTS.test(path)) return 'Its path hides a ".." or "." behind percent-encoding. Write the path that is meant.';
    const decoded = path.replace(/%(2[ef]|5c|25|3b)/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === path) return undefined;
    path = decoded;
  }
}
