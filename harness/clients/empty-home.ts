/**
 * `throughline run claude` from an empty home folder. The same client without us is run in a home of its own: what
 * it writes there is its own, and anything else in the other home would be ours.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { startScriptedUpstream } from '../gateway/scripted-upstream.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { codingAgents } from './coding-agents.ts'
import { installed } from './install.ts'
import { type Ran, runProgram } from './run-program.ts'

export interface EmptyHomeReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures
  readonly skipped: string | null
}

/** What users have at home; the settings of the client are the ones that it would be tempting to edit. */
const userFiles: Readonly<Record<string, string>> = {
  '.bashrc': 'export EDITOR=vi\n',
  '.claude/settings.json': '{ "includeCoAuthoredBy": false }\n',
  '.codex/config.toml': 'model = "gpt-5.1-codex"\n',
  '.gemini/settings.json': '{}\n',
}

const answer = 'All is well.'

export async function runInEmptyHome(): Promise<EmptyHomeReport> {
  const found = await installed(codingAgents['claude-code'].package)
  if (found.kind === 'missing') return { findings: [], figures: {}, skipped: found.why }
  const upstream = await startScriptedUpstream({ answer: () => ({ text: answer }) })
  const findings: Finding[] = []
  const add = (rule: string, detail: string) => findings.push({ rule, detail })
  const words = ['-p', 'Is all well?', '--output-format', 'text']
  const env = { ANTHROPIC_API_KEY: 'sk-of-the-provider', DISABLE_AUTOUPDATER: '1' }
  const main = join(import.meta.dirname, '../../packages/throughline/src/cli/main.ts')
  const path = [dirname(found.program), dirname(process.execPath), process.env['PATH'] ?? '']
  const run = ['run', 'claude', '--port', '0', '--upstream', upstream.url, '--', ...words]
  try {
    const figures: Record<string, number> = {}
    for (const [kind, files] of Object.entries({ empty: {}, used: userFiles })) {
      const alone = await atHome(files, {
        ...{ program: found.program, words },
        env: { ...env, ANTHROPIC_BASE_URL: upstream.url },
      })
      const through = await atHome(files, {
        ...{ program: process.execPath },
        words: ['--conditions=throughline-source', main, ...run],
        env: { ...env, PATH: path.join(delimiter) },
      })
      for (const [name, { ran }] of Object.entries({ alone, through }))
        if (ran.status !== 0 || !ran.stdout.includes(answer))
          add('answer', `${kind}, ${name}: ${ran.status} ${ran.stdout}${ran.stderr.slice(-300)}`)
      for (const file of Object.keys(files))
        if (through.before.get(file) !== through.after.get(file)) add('edited', file)
      const own = new Set([...alone.after.keys()].map(placeOf))
      const ours = [...through.after.keys()].filter((file) => !own.has(placeOf(file)))
      for (const file of ours)
        if (!file.startsWith('.local/share/throughline/')) add('written', `${kind}: ${file}`)
      figures[`files before, ${kind}`] = through.before.size
      figures[`unchanged, ${kind}`] = [...through.before].filter(
        ([file, hash]) => through.after.get(file) === hash,
      ).length
      figures[`of the client, ${kind}`] = through.after.size - through.before.size - ours.length
      figures[`of the server, ${kind}`] = ours.length
    }
    return { findings, figures, skipped: null }
  } finally {
    await upstream.close()
  }
}

/** The client's own folder; those that programs share count with the next two names. */
function placeOf(file: string): string {
  const names = file.split('/')
  const isShared = ['.local', '.config', '.cache'].includes(names[0] ?? '')
  return names.slice(0, isShared ? 3 : 1).join('/')
}

interface Stay {
  readonly ran: Ran
  /** Hashes by path. */
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

interface Asked {
  readonly program: string
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const timeoutMs = 120_000

async function atHome(files: Readonly<Record<string, string>>, asked: Asked): Promise<Stay> {
  const home = mkdtempSync(join(tmpdir(), 'throughline-home-'))
  const cwd = mkdtempSync(join(tmpdir(), 'throughline-work-'))
  try {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, file)), { recursive: true })
      writeFileSync(join(home, file), text)
    }
    const before = hashesIn(home)
    const ran = await runProgram({ ...asked, home, cwd, timeoutMs })
    return { ran, before, after: hashesIn(home) }
  } finally {
    for (const folder of [home, cwd]) rmSync(folder, { recursive: true, force: true })
  }
}

function hashesIn(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    files.flatMap((file): readonly (readonly [string, string])[] => {
      if (!file.isFile()) return []
      const path = join(file.parentPath, file.name)
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex')
      return [[relative(folder, path), hash]]
    }),
  )
}
