/**
 * Spans through `@opentelemetry/api`, where a program has installed it. Without it, or before an SDK is
 * registered, no span is made. Names of attributes are those of the GenAI conventions, where they have one.
 */
import type { Span, Tracer } from '@opentelemetry/api'
import type { ModelAttempt } from './domain/model-calls.ts'
import { inputTokensOf, outputTokensOf } from './domain/usage.ts'
import { isNotInstalled, isThroughlineError } from './errors.ts'
import type { SpanAttributes, Tracing } from './ports/tracing.ts'

/** Null where the package is not installed. */
export async function loadTracing(): Promise<Tracing | null> {
  try {
    const { trace } = await import('@opentelemetry/api')
    return tracingWith(() => trace.getTracer('throughline'))
  } catch (cause) {
    if (isNotInstalled(cause)) return null
    throw cause
  }
}

// The values of SpanKind and SpanStatusCode, which the package exports as enums.
const clientKind = 2
const errorStatus = 2

/** The tracer is read for each span, because a program may register its SDK later. */
function tracingWith(tracer: () => Tracer): Tracing {
  return {
    run: (name, attributes, work, resultOf) =>
      tracer().startActiveSpan(name, { attributes: present(attributes) }, async (span) => {
        try {
          const value = await work()
          if (span.isRecording()) span.setAttributes(present(resultOf(value)))
          return value
        } catch (error) {
          failWith(span, isThroughlineError(error) ? error.code : nameOf(error))
          throw error
        } finally {
          span.end()
        }
      }),
    modelCall: (attempt, attributes) => {
      const { model, startedAt, durationMs, outcome } = attempt
      const span = tracer().startSpan(`chat ${model}`, {
        kind: clientKind,
        startTime: new Date(startedAt),
        attributes: present({ ...attributes, ...callAttributes(attempt) }),
      })
      if (outcome.kind === 'failed') failWith(span, String(outcome.status ?? outcome.cause))
      span.end(new Date(startedAt + durationMs))
    },
  }
}

function callAttributes({ model, answeredBy, usage, outcome }: ModelAttempt): SpanAttributes {
  const slash = model.indexOf('/')
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': slash === -1 ? undefined : model.slice(0, slash),
    'gen_ai.request.model': slash === -1 ? model : model.slice(slash + 1),
    'gen_ai.response.model': answeredBy ?? undefined,
    'gen_ai.usage.input_tokens': (usage && inputTokensOf(usage)) ?? undefined,
    'gen_ai.usage.output_tokens': (usage && outputTokensOf(usage)) ?? undefined,
    // Whether the answer became the summary.
    'throughline.outcome': outcome.kind,
  }
}

/** The message of an error may have content. */
function failWith(span: Span, type: string): void {
  span.setAttribute('error.type', type)
  span.setStatus({ code: errorStatus })
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}

function present(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const known = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(known)
}
