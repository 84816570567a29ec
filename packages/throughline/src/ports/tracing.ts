/** Spans of an engine's work, for OpenTelemetry. They have ids, models and figures, and no content. */
import type { ModelAttempt } from '../domain/model-calls.ts'

/** Undefined values are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface Tracing {
  /** Runs the work inside a span, with the attributes of its result; calls of models are its children. */
  run<Value>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Value>,
    resultOf: (value: Value) => SpanAttributes,
  ): Promise<Value>
  /** A finished call of a model that writes summaries. */
  modelCall(attempt: ModelAttempt, attributes: SpanAttributes): void
}
