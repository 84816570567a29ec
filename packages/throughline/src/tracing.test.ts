import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createThroughline } from './index.ts'
import type { LanguageModel } from './models/index.ts'

const exporter = new InMemorySpanExporter()
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
})
afterAll(() => {
  trace.disable()
  context.disable()
})
beforeEach(() => exporter.reset())

function spansNamed(name: string): readonly ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.name === name)
}

const secret = 'The launch code is 47113.'
const models = [{ id: 'tiny', contextWindowTokens: 4_000 }]

function messages(count: number) {
  return Array.from({ length: count }, (_, n) => ({
    role: n % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `${secret} Message ${n}: ${'words '.repeat(60)}`,
  }))
}

it('makes spans with the id, the model and the figures of each call, and no content', async () => {
  const tl = createThroughline({ models })
  const chat = tl.tenant('acme').conversation('c1')
  await chat.append(messages(4))
  const small = await chat.context({ model: 'tiny' })
  await chat.append(messages(60), {
    usage: { inputTokens: small.tokens, outputTokens: 7 },
    of: small.fingerprint,
  })
  const large = await chat.context({ model: 'tiny' })
  await chat.recall('launch code')
  await tl.close()
  const [first, second] = spansNamed('throughline.append')
  const common = { 'gen_ai.conversation.id': 'c1', 'throughline.tenant': 'acme' }
  expect(first?.attributes).toEqual({ ...common, 'throughline.messages': 4 })
  expect(second?.attributes).toEqual({
    ...common,
    'throughline.messages': 60,
    'gen_ai.usage.input_tokens': small.tokens,
    'gen_ai.usage.output_tokens': 7,
  })
  const [whole, compacted] = spansNamed('throughline.context')
  expect(whole?.attributes).toEqual({
    ...{ ...common, 'gen_ai.request.model': 'tiny', 'throughline.tokens': small.tokens },
    ...{ 'throughline.tokens.available': small.available, 'throughline.decision': 'renew' },
    'throughline.decision.reason': small.decision.reason,
  })
  expect(compacted?.attributes).toMatchObject({
    'gen_ai.conversation.compacted': true,
    'throughline.tokens': large.tokens,
  })
  expect(spansNamed('throughline.recall')[0]?.attributes['throughline.pieces']).toBeGreaterThan(0)
  const all = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events }) => [name, attributes, events])
  expect(JSON.stringify(all)).not.toContain('47113')
})

it('puts calls of models below the compaction, and that below the span of the program', async () => {
  const summarizer: LanguageModel = {
    id: 'own/writer',
    card: null,
    prices: null,
    generate: async () => ({
      kind: 'answered',
      text: 'no summary',
      finish: 'stop',
      model: 'own/writer-2',
      usage: { inputTokens: 900, outputTokens: 30 },
    }),
  }
  const tl = createThroughline({ models, summarizer })
  const chat = tl.conversation('c2')
  await chat.append(messages(60))
  const tracer = trace.getTracer('program')
  await tracer.startActiveSpan('program', async (span) => {
    await chat.compact({ model: 'tiny' })
    span.end()
  })
  await tl.close()
  const [program] = spansNamed('program')
  const [compact] = spansNamed('throughline.compact')
  const [call] = spansNamed('chat own/writer')
  expect(compact?.parentSpanContext?.spanId).toBe(program?.spanContext().spanId)
  expect(call?.parentSpanContext?.spanId).toBe(compact?.spanContext().spanId)
  expect(call?.kind).toBe(SpanKind.CLIENT)
  expect(call?.attributes).toEqual({
    ...{ 'gen_ai.conversation.id': 'c2', 'throughline.tenant': 'default' },
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': 'own' },
    ...{ 'gen_ai.request.model': 'writer', 'gen_ai.response.model': 'own/writer-2' },
    ...{ 'gen_ai.usage.input_tokens': 900, 'gen_ai.usage.output_tokens': 30 },
    'throughline.outcome': 'refused',
  })
})

it('marks failures with their code, without their message', async () => {
  const tl = createThroughline({ strictModels: true })
  await expect(tl.conversation('c3').context({ model: secret })).rejects.toThrow()
  await tl.close()
  const [span] = spansNamed('throughline.context')
  expect(span?.status).toEqual({ code: SpanStatusCode.ERROR })
  expect(span?.attributes['error.type']).toBe('MODEL_UNKNOWN')
  expect(span?.events).toEqual([])
})

it('keeps handles usable by the turn memory, forks and new conversations', async () => {
  const { turnMemory } = await import('./turns/index.ts')
  const tl = createThroughline()
  const created = await tl.begin('c4', { title: 'A title' })
  if (!created.ok) throw new Error('not created')
  await created.value.append(messages(2))
  const fork = await created.value.history.fork(1, 'c5')
  if (!fork.ok) throw new Error('no fork')
  await fork.value.append(messages(1))
  expect(await turnMemory(fork.value)).toBeDefined()
  await tl.close()
  expect(
    spansNamed('throughline.append').map(({ attributes }) => attributes['gen_ai.conversation.id']),
  ).toEqual(['c4', 'c5'])
})

it('needs no package: without it, and without an SDK, everything works', () => {
  const run = (script: string) =>
    execFileSync(
      process.execPath,
      ['--conditions=throughline-source', '--input-type=module', '--eval', script],
      { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' },
    )
  const program = `
    const { createThroughline } = await import('throughline')
    const tl = createThroughline()
    const { head } = await tl.conversation('c').append({ role: 'user', content: 'Hello' })
    await tl.close()
    console.log(head, loaded)`
  const hooks = (missing: boolean) => `
    import { registerHooks } from 'node:module'
    let loaded = false
    registerHooks({ resolve(name, context, next) {
      if (name !== '@opentelemetry/api') return next(name, context)
      loaded = true
      if (${missing}) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' })
      return next(name, context)
    } })`
  expect(run(hooks(true) + program)).toBe('1 true\n')
  expect(run(hooks(false) + program)).toBe('1 true\n')
})
