import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { currentTrace, type SpanStart, type Tracing } from '../../core/ports/tracing.ts';
import { VERSION } from '../../core/values/version.ts';
import { serviceResource } from './resource.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
/** Version 00 of W3C Trace Context, section 3.2; of later versions the same four parts are read. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;

/** What a `traceparent` says; undefined for none, and for one that is wrong. */
function contextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags = ''] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
}

const above = (traceparent: string | undefined): Context => {
  const context = contextOf(traceparent);
  return context === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
};

const linksTo = (all: readonly string[] = []): Link[] =>
  all.flatMap((one) => {
    const context = contextOf(one);
    return context === undefined ? [] : [{ context }];
  });

/** Sends spans to a collector by OTLP over HTTP. Dispose of it to send the last ones. */
export class OtelTracing implements Tracing, AsyncDisposable {
  readonly #provider: TracerProvider;
  readonly #tracer;

  /** `endpoint` is a URL to which `/v1/traces` is appended. */
  constructor(endpoint: string) {
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
    this.#provider = new TracerProvider({
      resource: serviceResource(),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.#tracer = this.#provider.getTracer('mailroom', VERSION);
  }

  begin(name: string, { kind, parent = currentTrace(), links, start, attributes }: SpanStart) {
    const span = this.#tracer.startSpan(
      name,
      {
        kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
        links: linksTo(links),
        ...(start !== undefined && { startTime: start }),
        ...(attributes !== undefined && { attributes }),
      },
      above(parent),
    );
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      end(more: SpanStart['attributes'] = {}, failed = false): void {
        span.setAttributes(more);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A collector that is gone must not fail the stop.
    await this.#provider.shutdown().catch(() => {});
  }
}
