/**
 * npm start [-- --turns 100]: runs the main commands on a long made-up session, as a new user would. Files and store
 * are in a temporary folder that is removed at the end.
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
const firstMessage =
  'Two things first: the staging gateway listens on port 47113, and nothing is merged after Thursday 18:00, when the release is cut.'

interface Stop {
  readonly intro: string
  readonly words: readonly string[]
}

const stops: readonly Stop[] = [
  {
    intro: 'Import a made-up coding session in the format of Claude Code:',
    words: ['import', 'session.jsonl'],
  },
  {
    intro: 'It is longer than a window of 32,000 tokens. Simulate its requests one by one:',
    words: ['replay', 'session.jsonl', '--window', '32000'],
  },
  {
    intro: 'What a model would receive next. Older messages become a digest; none is deleted:',
    words: ['context', '--last', '--window', '32000', '--figures'],
  },
  {
    intro: 'Recall finds the first message of the user …',
    words: ['recall', '--last', 'which port does the staging gateway listen on', '--limit', '1'],
  },
  { intro: '… and expand prints any message, word for word:', words: ['expand', '--last', '0'] },
  {
    intro:
      'A compaction writes a receipt: what it summarized, what it kept, what the context contains now.',
    words: ['compact', '--last', '--window', '32000'],
  },
  { intro: 'And it can be undone:', words: ['undo', '--last'] },
]

const folder = mkdtempSync(join(tmpdir(), 'throughline-tour-'))
try {
  writeFileSync(join(folder, 'session.jsonl'), madeSession(Number(values.turns), [firstMessage]))
  console.log(bold('Throughline, in two minutes'))
  for (const { intro, words } of stops) {
    console.log(
      `\n${intro}\n${cyan('$')} ${bold(['throughline', ...words.map(quoted)].join(' '))}\n`,
    )
    const code = await run(words)
    // A command that fails ends the tour with its exit code.
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

/** Without the user's own settings. */
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
        ? '  a session of Claude Code, Codex, opencode or pi, conversations.json of ChatGPT,\n  messages as JSON or JSONL, plain text'
        : '  your newest session; it is only read, nothing is sent anywhere',
    ),
    '',
    `${bold('All commands')}   npx throughline`,
    `${bold('With pictures')}  docs/cli.md`,
    `${bold('In a program')}   the example in README.md`,
  ].join('\n')
}

/** Reads only file names and times. */
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
