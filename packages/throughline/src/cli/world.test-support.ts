/** A test environment for commands: a temporary folder, captured output and a fixed clock. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createThroughline, type MessageInput, type Throughline } from '../index.ts'
import { sqlite } from '../stores/sqlite.ts'
import { currentUser, type User } from './ownership.ts'
import { runCli } from './run-cli.ts'
import type { OuterWorld, Output } from './world.ts'

export interface TestWorld {
  readonly world: OuterWorld
  readonly folder: string
  readonly store: string
  /** Ctrl-C. */
  readonly interrupt: AbortController
  run(...words: string[]): Promise<RunResult>
  /** The output since the start of the last run. */
  output(): Omit<RunResult, 'exitCode'>
  /** The JSON document on stdout; throws if it is not one document. */
  json(...words: string[]): Promise<unknown>
  /** Opens an engine on the same store, to fill it before a test. */
  engine<Value>(use: (tl: Throughline) => Promise<Value>): Promise<Value>
}

interface RunResult {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface TestWorldOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly screen?: Partial<Omit<Output, 'write'>>
  /** What the user types; null without a terminal. */
  readonly answer?: string | null
  readonly now?: number
  readonly lines?: OuterWorld['lines']
  /** Who runs the command; the user of the process unless set. */
  readonly user?: User
}

/** Removed with the test. */
export function testWorld(options: TestWorldOptions = {}): TestWorld {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // The default path, so that no command prints it on stderr.
  const store = join(folder, 'throughline/throughline.db')
  mkdirSync(dirname(store))
  const interrupt = new AbortController()
  const captured = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof captured): Output => ({
    ...{
      isTerminal: false,
      redraws: options.screen?.isTerminal ?? false,
      width: 80,
      height: 24,
      colours: false,
      unicode: true,
      ...options.screen,
    },
    write: async (text) => {
      captured[name] += text
    },
  })
  const { answer = null, stdin = '' } = options
  const world: OuterWorld = {
    stdin: (async function* () {
      yield new TextEncoder().encode(stdin)
    })(),
    stdout: outputOf('stdout'),
    stderr: outputOf('stderr'),
    env: { XDG_DATA_HOME: folder, ...options.env },
    cwd: folder,
    home: folder,
    user: options.user ?? currentUser(),
    now: () => options.now ?? Date.UTC(2026, 0, 2),
    signal: interrupt.signal,
    ask:
      answer === null
        ? null
        : async (question) => {
            captured.stderr += question
            return answer
          },
    lines: options.lines ?? null,
  }
  const run = async (...words: string[]) => {
    captured.stdout = ''
    captured.stderr = ''
    const exitCode = await runCli(words, world)
    return { exitCode, ...captured }
  }
  return {
    ...{ world, folder, store, interrupt, run },
    output: () => ({ ...captured }),
    json: async (...words) => JSON.parse((await run(...words, '--json')).stdout),
    engine: async (use) => {
      const tl = createThroughline({ store: sqlite(store, { durability: 'normal' }) })
      try {
        return await use(tl)
      } finally {
        await tl.close()
      }
    },
  }
}

/** A session of `turns` turns; each reads one file and mentions a number of its own. */
export function sessionOf(turns: number): readonly MessageInput[] {
  return Array.from({ length: turns }, (_, turn): readonly MessageInput[] => [
    {
      role: 'user',
      content: `Please look at src/part-${turn}.ts: the limit should be ${turn + 40}.`,
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          callId: `c${turn}`,
          name: 'read_file',
          input: { path: `src/part-${turn}.ts` },
        },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          callId: `c${turn}`,
          output: Array.from(
            { length: 20 },
            (_, line) => `export const limit${line} = ${turn}`,
          ).join('\n'),
        },
      ],
    },
    { role: 'assistant', content: `The limit of part ${turn} is ${turn + 40} now.` },
  ]).flat()
}
