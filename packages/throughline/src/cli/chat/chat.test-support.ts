/** A chat in a test: a model server on loopback, and a simulated user who types. */
import { onTestFinished } from 'vitest'
import {
  createFaultServer,
  type FaultServer,
  type FaultServerOptions,
  type ModelFault,
  type ModelQuestion,
} from '../../../../../harness/fault-server.ts'
import type { Entered, LineEditor } from '../line-editor.ts'
import { type TestWorld, type TestWorldOptions, testWorld } from '../world.test-support.ts'

export interface ChatTest extends TestWorld {
  readonly server: FaultServer
}

export async function chatTest(
  options: {
    readonly server?: Omit<FaultServerOptions, 'faults'> & { readonly faults?: Faults }
    readonly world?: TestWorldOptions
    /** The lines that the user types, in order; Ctrl-D follows. */
    readonly typed?: readonly (string | Entered)[]
    readonly api?: 'openai' | 'anthropic'
  } = {},
): Promise<ChatTest> {
  const { typed, api = 'openai', world = {} } = options
  const user = typing(typed ?? [])
  const faultOf = faultsInOrder(options.server?.faults ?? [])
  const server = await createFaultServer({
    pace: { retryAfterMs: 20 },
    ...options.server,
    faults: (question) => {
      user.onRequest()
      return faultOf(question)
    },
  })
  onTestFinished(() => server.close())
  const test = testWorld({
    ...world,
    env: {
      ...{ THROUGHLINE_TOKENIZER: 'estimate', THROUGHLINE_MODEL: 'house/small' },
      ...{ HOUSE_KEY: 'test-key', ...world.env },
    },
    ...(typed !== undefined && { lines: async () => user.editor }),
  })
  const providers = { house: { api, baseUrl: server.url, keyEnv: 'HOUSE_KEY' } }
  await test.run('config', 'set', 'providers', JSON.stringify(providers))
  const models = { 'house/small': { contextWindowTokens: 8_192 } }
  await test.run('config', 'set', 'models', JSON.stringify(models))
  return { ...test, server }
}

type Faults = readonly ModelFault[] | ((question: ModelQuestion) => ModelFault | null)

function faultsInOrder(faults: Faults): (question: ModelQuestion) => ModelFault | null {
  if (typeof faults === 'function') return faults
  const left = [...faults]
  return () => left.shift() ?? null
}

/** Ctrl-C while the chat waits for an answer. */
export const interrupts = '^C'

function typing(typed: readonly (string | Entered)[]) {
  const left = [...typed]
  let interrupt = () => {}
  const editor: LineEditor = {
    read: async () => {
      const next = left.shift()
      if (next === undefined) return { kind: 'ended' }
      if (next === interrupts) return { kind: 'interrupted', dropped: false }
      return typeof next === 'string' ? { kind: 'line', text: next } : next
    },
    onInterrupt: (listener) => {
      interrupt = listener
      return () => {
        interrupt = () => {}
      }
    },
    close: () => {},
  }
  const onRequest = () => {
    if (left[0] !== interrupts) return
    left.shift()
    interrupt()
  }
  return { editor, onRequest }
}
