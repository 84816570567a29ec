/** A world for tests: a folder of its own, captured output, and a clock that stands. */
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
  run(...words: string[]): Promise<Ran>
  /** What was said since the last run began. */
  said(): Omit<Ran, 'exitCode'>
  /** What `--json` says on stdout; throws where it is not one document. */
  json(...words: string[]): Promise<unknown>
  /** An engine on the same store, for what a test begins with. */
  engine<Value>(use: (tl: Throughline) => Promise<Value>): Promise<Value>
}

interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export interface TestWorldOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  readonly screen?: Partial<Omit<Output, 'write'>>
  /** What a person answers; null where nobody is there. */
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
  // The default place, so that no command names it on stderr.
  const store = join(folder, 'throughline/throughline.db')
  mkdirSync(dirname(store))
  const interrupt = new AbortController()
  const said = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof said): Output => ({
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
      said[name] += text
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
            said.stderr += question
            return answer
          },
    lines: options.lines ?? null,
  }
  const run = async (...words: string[]) => {
    said.stdout = ''
    said.stderr = ''
    const exitCode = await runCli(words, world)
    return { exitCode, ...said }
  }
  return {
    ...{ world, folder, store, interrupt, run },
    said: () => ({ ...said }),
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

/** A session of so many turns, each with a file that is read and a number of its own. */
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
