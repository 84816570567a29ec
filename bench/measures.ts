/** The measures by name: what each shows, and how it is taken. Each is loaded when it is taken. */
import { costMethods } from '../packages/throughline/src/cli/simulation/cost-session.ts'
import { costTables } from './cost/tables.ts'
import type { BenchOptions, BenchRow, BenchTable } from './report.ts'
import { shippedSizes } from './shipped-sizes.ts'

/** A benchmark: what it shows, what it needs, and how it is taken. */
export interface Measure {
  readonly shows: string
  /** Whether it needs a folder of transcripts, takes one, or makes its own. */
  readonly data: 'needed' | 'taken' | 'none'
  /** What has to stand in transcripts, where not every conversation has it. */
  readonly wants?: string
  /** Of windows, contexts …: those that it has unless others are asked for. */
  readonly sizes?: readonly number[]
  /** What is compared, where one may ask for some of it. */
  readonly methods?: readonly string[]
  /** The rows as people compare them, where there is more to it than one row after the other. */
  readonly tables?: (rows: readonly BenchRow[]) => readonly BenchTable[]
  readonly take: (options: BenchOptions) => Promise<readonly BenchRow[]>
}

/**
 * The measures by name: what each shows, what it needs, and how it is taken.
 *
 * @example
 * for (const [name, { shows }] of Object.entries(measures)) console.log(name, shows)
 */
export const measures = {
  cost: {
    shows: 'what conversations cost with the cache counted, beside simpler ways',
    data: 'needed',
    sizes: shippedSizes.cost,
    methods: costMethods,
    tables: costTables,
    take: async (options) => (await import('./cost.ts')).measureCost(options),
  },
  edits: {
    wants: 'edits of files by an agent, far enough behind a cut, in formats that keep tool calls',
    shows: 'whether edits find their text behind a cut',
    data: 'needed',
    take: async (options) => (await import('./edits.ts')).measureEdits(options),
  },
  extract: {
    shows: 'what reading messages for facts costs beside counting them',
    data: 'taken',
    take: async (options) => (await import('./extract.ts')).measureExtract(options),
  },
  fit: {
    shows: 'whether contexts fit, are accepted and repeat themselves',
    data: 'needed',
    sizes: shippedSizes.fit,
    take: async (options) => (await import('./fit.ts')).measureFit(options),
  },
  gate: {
    shows: 'which drafts of summaries the gate lets through',
    data: 'taken',
    take: async (options) => (await import('./gate.ts')).measureGate(options),
  },
  hang: {
    shows: 'what a request costs while the model that writes summaries hangs',
    data: 'none',
    take: async (options) => (await import('./hang.ts')).measureHang(options),
  },
  log: {
    shows: 'what a turn costs to keep, at 100 to 100,000 messages',
    data: 'none',
    take: async (options) => (await import('./log.ts')).measureLog(options),
  },
  recall: {
    wants: 'questions with their evidence, as qmsum, longmemeval and locomo have them',
    shows: 'how much of the evidence stands in a context; without data, what a search costs',
    data: 'taken',
    sizes: shippedSizes.recall,
    take: async (options) => (await import('./recall.ts')).measureRecall(options),
  },
  refetch: {
    wants: 'compactions of the tool that wrote them, and calls that open files behind these',
    shows: 'which files are opened again behind a compaction',
    data: 'needed',
    take: async (options) => (await import('./refetch.ts')).measureRefetch(options),
  },
  start: {
    shows: 'how long the command line takes to start, beside a Node that does nothing',
    data: 'none',
    take: async (options) => (await import('./start.ts')).measureStart(options),
  },
  survival: {
    wants: 'names that the assistant uses again, far enough behind a cut',
    shows: 'what a compaction keeps of what is needed next',
    data: 'needed',
    take: async (options) => (await import('./survival.ts')).measureSurvival(options),
  },
  tokens: {
    shows: 'how right and how fast the token counts are',
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
    take: async (options) => (await import('./turn.ts')).measureTurn(options),
  },
} as const satisfies Record<string, Measure>

export type MeasureName = keyof typeof measures
