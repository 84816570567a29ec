/** A chat in a test: a model server on loopback, and a person who types. */
import { onTestFinished } from 'vitest'
import type {
  FaultServer,
  FaultServerOptions,
} from '../../../../../harness/fault-server/settings.ts'
import { createFaultServer } from '../../../../../harness/fault-server.ts'
import type { Entered, LineEditor } from '../line-editor.ts'
import { type TestWorld, type TestWorldOptions, testWorld } from '../world.test-support.ts'

export interface ChatTest extends TestWorld {
  readonly server: FaultServer
}

export async function chatTest(
  options: {
    readonly server?: FaultServerOptions
    readonly world?: TestWorldOptions
    /** What a person types, in order; Ctrl-D follows. */
    readonly typed?: readonly (string | Entered)[]
    readonly api?: 'openai' | 'anthropic'
  } = {},
): Promise<ChatTest> {
  const { typed, api = 'openai', world = {} } = options
  const server = await createFaultServer({ pace: { retryAfterMs: 20 }, ...options.server })
  onTestFinished(() => server.close())
  const test = testWorld({
    ...world,
    env: {
      ...{ THROUGHLINE_TOKENIZER: 'estimate', THROUGHLINE_MODEL: 'house/small' },
      ...{ HOUSE_KEY: 'test-key', ...world.env },
    },
    ...(typed !== undefined && { lines: async () => typing(typed) }),
  })
  const providers = { house: { api, baseUrl: server.url, keyEnv: 'HOUSE_KEY' } }
  await test.run('config', 'set', 'providers', JSON.stringify(providers))
  return { ...test, server }
}

/** Ctrl-C, as it comes while something is said: with the first sign of it. */
export const interrupts = '^C'

function typing(typed: readonly (string | Entered)[]): LineEditor {
  const left = [...typed]
  const listeners = new Set<() => void>()
  return {
    read: async () => {
      const next = left.shift()
      if (next === undefined) return { kind: 'ended' }
      if (next === interrupts) return { kind: 'interrupted', dropped: false }
      return typeof next === 'string' ? { kind: 'line', text: next } : next
    },
    onInterrupt: (listener) => {
      listeners.add(listener)
      if (left[0] === interrupts) {
        left.shift()
        setTimeout(listener, 100)
      }
      return () => listeners.delete(listener)
    },
    close: () => {},
  }
}
