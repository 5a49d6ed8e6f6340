import { AsyncLocalStorage } from 'node:async_hooks';
import type { Millis } from '@mailroom/behavior/values/clock';

/** What is said of a span: never a text, an address or a key of a message. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export interface SpanStart {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** The `traceparent` (W3C Trace Context) of the span above; that of the running code by default. */
  readonly parent?: string | undefined;
  /** Those of other spans that it belongs to. */
  readonly links?: readonly string[];
  /** Now by default. */
  readonly start?: Millis;
  readonly attributes?: SpanAttributes;
}

/** A part of a trace that runs. */
interface Span {
  /** By which others are spans below it. */
  readonly traceparent: string;
  end(attributes?: SpanAttributes, failed?: boolean): void;
}

/** Where spans are recorded. Parts that are given none record nothing. */
export interface Tracing {
  begin(name: string, start: SpanStart): Span;
}

const running = new AsyncLocalStorage<string>();

/** The `traceparent` of the running code; undefined where nothing is traced. */
export const currentTrace = (): string | undefined => running.getStore();

/** The header by which a request to another server belongs to the trace of the running code. */
export const traceHeader = (): { readonly traceparent?: string } => {
  const traceparent = currentTrace();
  return traceparent === undefined ? {} : { traceparent };
};

/** Runs `act` as a part of a trace. */
export const inTrace = <T>(traceparent: string, act: () => T): T => running.run(traceparent, act);

/** Runs `act` in a span that ends with it. */
export async function traced<T>(
  tracing: Tracing,
  [name, start]: readonly [string, SpanStart],
  act: () => Promise<T>,
  attributesOf: (result: T) => SpanAttributes = () => ({}),
): Promise<T> {
  const span = tracing.begin(name, start);
  try {
    const result = await inTrace(span.traceparent, act);
    span.end(attributesOf(result));
    return result;
  } catch (error) {
    span.end({}, true);
    throw error;
  }
}
