/**
 * npm start [-- --turns 100]: the command line at work on a long session, as a newcomer would use it. Every command
 * is run as it stands there; files and store are in a temporary folder that is removed at the end.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { madeSession } from '../packages/throughline/src/cli/replay/made-session.test-support.ts'
import { styleOf } from '../packages/throughline/src/cli/screen/style.ts'

const launcher = join(import.meta.dirname, '../packages/throughline/bin/throughline.js')
const isTerminal = process.stdout.isTTY === true
const { bold, cyan, dim } = styleOf({
  unicode: true,
  colours: isTerminal && process.env['NO_COLOR'] === undefined,
})

const { values } = parseArgs({ options: { turns: { type: 'string', default: '100' } } })
const said =
  'Two things first: the staging gateway listens on port 47113, and nothing is merged after Thursday 18:00, when the release is cut.'

interface Stop {
  readonly tell: string
  readonly words: readonly string[]
}

const stops: readonly Stop[] = [
  {
    tell: 'A coding session, made up, in the form of Claude Code. It comes in:',
    words: ['import', 'session.jsonl'],
  },
  {
    tell: 'It is longer than a window of 32,000 tokens. Its requests again, one by one:',
    words: ['replay', 'session.jsonl', '--window', '32000'],
  },
  {
    tell: 'What a model would be sent next. Nothing is deleted; most of it is told in short:',
    words: ['context', '--last', '--window', '32000', '--figures'],
  },
  {
    tell: 'What the user said at the very beginning is one recall away …',
    words: ['recall', '--last', 'which port does the staging gateway listen on', '--limit', '1'],
  },
  { tell: '… and so is every message, to the letter:', words: ['expand', '--last', '0'] },
  {
    tell: 'A compaction leaves a receipt: what it covered, what it kept, what it shows now.',
    words: ['compact', '--last', '--window', '32000'],
  },
  { tell: 'And it can be taken back:', words: ['undo', '--last'] },
]

const folder = mkdtempSync(join(tmpdir(), 'throughline-tour-'))
try {
  writeFileSync(join(folder, 'session.jsonl'), madeSession(Number(values.turns), [said]))
  console.log(bold('Throughline, in two minutes'))
  for (const { tell, words } of stops) {
    console.log(
      `\n${tell}\n${cyan('$')} ${bold(['throughline', ...words.map(quoted)].join(' '))}\n`,
    )
    const code = await run(words)
    // What is shown must be true: a command that fails ends the tour with its code.
    if (code !== 0) {
      process.exitCode = code
      break
    }
  }
  if (process.exitCode === undefined) console.log(farewell())
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [launcher, ...words], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ...withoutSettings(),
      THROUGHLINE_STORE: join(folder, 'tour.db'),
      XDG_CONFIG_HOME: folder,
    },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

/** Your own settings stay out of it. */
function withoutSettings(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('THROUGHLINE_')),
  )
}

function quoted(word: string): string {
  return word.includes(' ') ? `"${word}"` : word
}

function farewell(): string {
  const own = newestSession()
  return [
    '',
    bold('Now with a session of yours'),
    `  npx throughline replay ${own ?? 'FILE'}`,
    dim(
      own === null
        ? '  a session of Claude Code, Codex or pi, conversations.json of ChatGPT,\n  messages as JSON or JSONL, plain text'
        : '  the newest that is here; it is only read, nothing of it is sent anywhere',
    ),
    '',
    `${bold('All commands')}   npx throughline`,
    `${bold('With pictures')}  docs/cli.md`,
    `${bold('In a program')}   the example in README.md`,
  ].join('\n')
}

/** Its name alone is looked at. */
function newestSession(): string | null {
  const home = homedir()
  const files = ['.claude/projects/*/*.jsonl', '.codex/sessions/**/*.jsonl']
    .flatMap((pattern) => globSync(pattern, { cwd: home }))
    // A link may lead nowhere.
    .map((file) => ({
      file,
      at: statSync(join(home, file), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .toSorted((one, other) => other.at - one.at)
  const [newest] = files
  return newest === undefined ? null : `~/${newest.file}`
}
