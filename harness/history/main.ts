/** npm run test:history: edits, pins, purges, searches, undo and restore. */
import { option, part, runHarness } from '../kernel/command.ts'
import { type Figures, type Finding, figuresLine, sumFigures } from '../kernel/finding.ts'
import { plantedPart } from '../kernel/planted.ts'
import { seededShares } from '../kernel/threads.ts'
import { planted } from './planted.ts'
import { purgeCanaries } from './purge-canaries.ts'
import { runEdits } from './run-edits.ts'
import { runPins } from './run-pins.ts'
import { runQueries } from './run-queries.ts'
import { runUndo } from './run-undo.ts'

/** Runs per batch, so that progress is printed now and then. */
const editsAtOnce = 500
const chainsAtOnce = 50
const seed = option.seed()

interface Report {
  readonly findings: readonly Finding[]
  readonly figures: Figures
}

const outcome = ({ findings, figures }: Report) => ({ findings, total: figuresLine(figures) })

const sum = (reports: readonly Report[]): Report => ({
  findings: reports.flatMap(({ findings }) => findings),
  figures: sumFigures(reports.map(({ figures }) => figures)),
})

process.exitCode = await runHarness({
  script: 'test:history',
  unnamed: [],
  parts: {
    edits: part(
      'Conversations with random edits and removals.',
      { runs: option.number(500, 'edits and removals'), seed },
      async (asked, print) => {
        const reports: Report[] = []
        for (const share of seededShares(asked.seed, asked.runs, editsAtOnce)) {
          const { findings, figures } = await runEdits(share)
          const rerun = `edits --runs ${share.runs} --seed ${share.seed}`
          reports.push({ findings: findings.map((each) => ({ ...each, rerun })), figures })
          print(`${rerun}: ${findings.length} findings`)
        }
        return outcome(sum(reports))
      },
    ),
    pins: part(
      'Pins under attack, compaction after compaction.',
      { chains: option.number(100, 'conversations'), seed },
      async (asked, print) => {
        const reports: Report[] = []
        for (let from = 0; from < asked.chains; from += chainsAtOnce) {
          const to = Math.min(asked.chains, from + chainsAtOnce)
          const report = await runPins({ seed: asked.seed, from, to })
          reports.push(report)
          print(`${to} of ${asked.chains} chains, ${report.findings.length} findings`)
        }
        return outcome(sum(reports))
      },
    ),
    purge: part(
      'Searches every byte of the files for purged words.',
      { canaries: option.number(100, 'words'), seed },
      async (asked) => outcome(await purgeCanaries(asked)),
    ),
    queries: part(
      'Unusual queries to recall.',
      { queries: option.number(2_000, 'queries'), seed },
      async (asked) => outcome(await runQueries(asked)),
    ),
    undo: part(
      'Undo, restore and corrected summaries in random order.',
      { chains: option.number(100, 'conversations'), seed },
      async (asked) => outcome(await runUndo(asked)),
    ),
    planted: plantedPart(planted),
  },
})
