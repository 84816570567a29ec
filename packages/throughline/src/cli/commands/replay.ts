/** Simulates a transcript, request by request, and reports the result. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Arguments, Run } from '../command.ts'
import { done, type ExitResult, failWith, UsageError } from '../exit-result.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import type { ReplayReport } from '../replay/replay-report.ts'
import { findReplayed } from '../replay/replay-source.ts'
import { reportLines } from '../replay/report-lines.ts'
import { runReplay } from '../replay/run-replay.ts'
import { setWindow } from '../request-options.ts'
import { counted, grouped } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { writeOutcome } from '../screen/write-outcome.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'

export const replay: Run = async (args, world) => {
  const asked = parseReplayOptions(args, world)
  const folder = mkdtempSync(join(tmpdir(), 'throughline-replay-'))
  const change = (settings: CliSettings) => {
    const own = { ...settings, store: join(folder, 'replay.db'), summarizer: null }
    return asked.window === null ? own : setWindow(own, asked.window)
  }
  try {
    const conversation = await findReplayed(args, world, folder)
    if ('exitCode' in conversation) return conversation
    const answer = async (open: OpenEngine) => {
      const { report, series } = await runReplay({ conversation, ...asked }, open, world)
      if (asked.html !== null) {
        const { replayPage } = await import('../replay/page/replay-page.ts')
        writeFileSync(asked.html, replayPage(report, series), { mode: 0o600 })
      }
      const page = asked.html === null ? [] : ['', `HTML report: ${safeLine(asked.html)}`]
      const lines = () => [...reportLines(report, world.stdout), ...page]
      return writeOutcome(args, world, { json: report, lines, exit: replayResult(report) })
    }
    return await withEngine(args, world, answer, { change })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const windowTokens = 32_000

/** `window`: null for the model's own. */
function parseReplayOptions(args: Arguments, { cwd }: World) {
  const ofModel = args.text('window') === 'model'
  const named = args.text('html')
  const html = named === null ? null : resolve(cwd, named)
  if (html !== null && !statSync(dirname(html), { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`--html: no such folder "${dirname(html)}"`)
  return {
    window: ofModel ? null : (atLeastOne(args, 'window') ?? windowTokens),
    most: atLeastOne(args, 'calls') ?? Number.POSITIVE_INFINITY,
    perSecond: atLeastOne(args, 'speed'),
    html,
    quiet: args.has('quiet') || args.json,
  }
}

function atLeastOne(args: Arguments, option: string): number | null {
  const value = args.number(option)
  if (value === 0) throw new UsageError(`--${option} must be at least 1`)
  return value
}

function replayResult(report: ReplayReport): ExitResult {
  const { violations, requests, impossible, windowTokens } = report
  const found = `found ${counted(violations.total, 'invalid request')}`
  const exceeds = `system prompt and tools alone exceed a window of ${grouped(windowTokens)} tokens`
  if (violations.total > 0) return failWith('UNSOUND', `${found}; this is a bug, please report it`)
  if (requests === 0 || requests !== impossible) return done
  return failWith('REFUSED', `${exceeds}; use a larger --window`)
}
