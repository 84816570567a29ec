/** The measures by name: what each shows and how to run it. Each is loaded when it runs. */
import { costMethods } from '../packages/throughline/src/cli/simulation/cost-session.ts'
import { costTables } from './cost/tables.ts'
import type { BenchOptions, BenchRow, BenchTable } from './report.ts'
import { shippedSizes } from './shipped-sizes.ts'
import { turnTables } from './turn/tables.ts'

/** A benchmark: what it shows, what it needs, and how to run it. */
export interface Measure {
  readonly shows: string
  /** Whether it needs a folder of transcripts, accepts one, or generates its data. */
  readonly data: 'needed' | 'taken' | 'none'
  /** What transcripts must contain, if not every conversation has it. */
  readonly wants?: string
  /** Default sizes of windows, contexts and so on. */
  readonly sizes?: readonly number[]
  /** The methods it compares, if a user may choose among them. */
  readonly methods?: readonly string[]
  /** Other dimensions, with the values that a user may choose among. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
  /** The rows as comparison tables, if a plain list of rows is not enough. */
  readonly tables?: (rows: readonly BenchRow[]) => readonly BenchTable[]
  readonly take: (options: BenchOptions) => Promise<readonly BenchRow[]>
}

/**
 * The measures by name: what each shows, what it needs, and how to run it.
 *
 * @example
 * for (const [name, { shows }] of Object.entries(measures)) console.log(name, shows)
 */
export const measures = {
  cost: {
    shows: 'what conversations cost including the prompt cache, compared with simpler methods',
    data: 'needed',
    sizes: shippedSizes.cost,
    methods: costMethods,
    tables: costTables,
    take: async (options) => (await import('./cost.ts')).measureCost(options),
  },
  edits: {
    wants: 'file edits by an agent, far enough after a cut, in formats that keep tool calls',
    shows: 'whether edits after a cut find their text',
    data: 'needed',
    take: async (options) => (await import('./edits.ts')).measureEdits(options),
  },
  extract: {
    shows: 'what extracting facts costs, relative to counting tokens',
    data: 'taken',
    take: async (options) => (await import('./extract.ts')).measureExtract(options),
  },
  fit: {
    shows: 'whether contexts fit, pass provider validation and keep their prefix',
    data: 'needed',
    sizes: shippedSizes.fit,
    take: async (options) => (await import('./fit.ts')).measureFit(options),
  },
  gate: {
    shows: 'which summary drafts the gate accepts',
    data: 'taken',
    take: async (options) => (await import('./gate.ts')).measureGate(options),
  },
  gateway: {
    shows: 'the time that the gateway adds to a request, beside a bare relay with undici',
    data: 'none',
    sizes: shippedSizes.gateway,
    take: async (options) => (await import('./gateway.ts')).measureGateway(options),
  },
  hang: {
    shows: 'what a request costs while the model that writes summaries hangs',
    data: 'none',
    take: async (options) => (await import('./hang.ts')).measureHang(options),
  },
  log: {
    shows: 'what it costs to append a turn, at 100 to 100,000 messages',
    data: 'none',
    take: async (options) => (await import('./log.ts')).measureLog(options),
  },
  loop: {
    shows: 'how long changes of a long conversation, and large messages, block the event loop',
    data: 'none',
    sizes: shippedSizes.loop,
    take: async (options) => (await import('./loop.ts')).measureLoop(options),
  },
  origin: {
    wants: 'sessions of Claude Code, whose records say what people typed',
    shows: "whose words a context shows as the user's",
    data: 'needed',
    sizes: shippedSizes.origin,
    take: async (options) => (await import('./origin.ts')).measureOrigin(options),
  },
  recall: {
    wants: 'questions with their evidence, as in qmsum, longmemeval, locomo and memorybank',
    shows: 'how much of the evidence is in a context; without data, what a search costs',
    data: 'taken',
    sizes: shippedSizes.recall,
    take: async (options) => (await import('./recall.ts')).measureRecall(options),
  },
  refetch: {
    wants: "compactions by the transcript's own tool, and calls that open files after them",
    shows: 'which files are opened again after a compaction',
    data: 'needed',
    take: async (options) => (await import('./refetch.ts')).measureRefetch(options),
  },
  rules: {
    shows: "which of a user's rules, decisions and refusals are in a context after 20 compactions",
    data: 'none',
    sizes: shippedSizes.rules,
    take: async (options) => (await import('./rules.ts')).measureRules(options),
  },
  start: {
    shows: 'how long the command line takes to start, compared with an empty Node process',
    data: 'none',
    take: async (options) => (await import('./start.ts')).measureStart(options),
  },
  survival: {
    wants: 'names that the assistant uses again, far enough after a cut',
    shows: 'how much of what is needed next a compaction keeps',
    data: 'needed',
    take: async (options) => (await import('./survival.ts')).measureSurvival(options),
  },
  tokens: {
    shows: 'how accurate and how fast token counts are',
    data: 'taken',
    take: async (options) => (await import('./tokens.ts')).measureTokens(options),
  },
  transcripts: {
    shows: 'what the readers find in a folder of transcripts',
    data: 'needed',
    take: async (options) => (await import('./transcripts.ts')).measureTranscripts(options),
  },
  turn: {
    shows: 'what a turn and its context cost, at 100 to 100,000 messages',
    data: 'none',
    sizes: shippedSizes.turn,
    choices: {
      windows: ['8192', '32768', '131072'],
      turns: ['300', '1350', '5000'],
      durability: ['full', 'normal'],
    },
    tables: turnTables,
    take: async (options) => (await import('./turn.ts')).measureTurn(options),
  },
} as const satisfies Record<string, Measure>

export type MeasureName = keyof typeof measures
