/** Runs the main commands on a long made-up session, in a temporary folder that it removes at the end. */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Run } from '../command.ts'
import { done } from '../exit-result.ts'
import { shellWord } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { madeSession } from '../tour/made-session.ts'
import { packageFolder } from '../version.ts'
import type { World } from '../world.ts'

const firstMessage =
  'Two things first: the staging gateway listens on port 47113, and nothing is merged after Thursday 18:00, when the release is cut.'

export const tour: Run = async (args, world) => {
  const { bold, cyan } = styleOf(world.stdout)
  const print = (text: string) => world.stdout.write(`${text}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'throughline-tour-'))
  try {
    writeFileSync(
      join(folder, 'session.jsonl'),
      madeSession(args.number('turns') ?? 100, [firstMessage]),
    )
    await print(bold('Throughline, in two minutes'))
    for (const { intro, words } of stops) {
      const command = ['throughline', ...words.map(shellWord)].join(' ')
      await print(`\n${intro}\n${cyan('$')} ${bold(command)}\n`)
      const exitCode = await run(words, folder, world)
      // A command that fails ends the tour with its exit code.
      if (exitCode !== 0) return { exitCode, problem: null }
    }
    await print(farewell(world))
    return done
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

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

/** In a process of its own, as a new user would run it; without the settings of this user. */
function run(words: readonly string[], folder: string, { env }: World): Promise<number> {
  const launcher = join(packageFolder(), 'bin/throughline.js')
  const own = Object.entries(env).filter(([name]) => !name.startsWith('THROUGHLINE_'))
  const child = spawn(process.execPath, [launcher, ...words], {
    cwd: folder,
    stdio: 'inherit',
    env: {
      ...Object.fromEntries(own),
      THROUGHLINE_STORE: join(folder, 'tour.db'),
      XDG_CONFIG_HOME: folder,
    },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
}

function farewell(world: World): string {
  const { bold, dim } = styleOf(world.stdout)
  const own = newestSession(world)
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
function newestSession({ home }: World): string | null {
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
