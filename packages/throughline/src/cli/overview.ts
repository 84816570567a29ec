/** What `throughline` alone says: what it is, the way of the first minutes, and the commands. */
import { commandGroups, findCommand } from './command-table.ts'
import { done, type Ending } from './ending.ts'
import { wrap } from './screen/cells.ts'
import { labelled } from './screen/labelled.ts'
import { paintOf } from './screen/paint.ts'
import { typedCommand } from './typed-command.ts'
import type { World } from './world.ts'

export async function overview(world: World): Promise<Ending> {
  const { stdout } = world
  const { bold, cyan } = paintOf(stdout)
  const lines = [
    ...wrap(what, stdout.width),
    '',
    bold('The first two minutes'),
    ...labelled(
      firstMinutes
        .filter(([name]) => findCommand(name) !== null)
        .map(([, words, shows]) => [typedCommand(words, world), shows]),
      stdout,
      { paint: cyan },
    ),
    ...commandGroups.flatMap(({ title, commands }) => [
      '',
      bold(title),
      ...labelled(
        Object.entries(commands).map(([name, { summary }]) => [name, summary]),
        stdout,
        { paint: cyan, labelColumns: 10 },
      ),
    ]),
    '',
    ...wrap(
      `${typedCommand('COMMAND --help', world)} tells more of each, with examples.`,
      stdout.width,
    ),
    ...wrap(
      `Every command takes --json. Settings: ${typedCommand('config', world)}.`,
      stdout.width,
    ),
  ]
  await stdout.write(`${lines.join('\n')}\n`)
  return done
}

const what =
  "Throughline keeps a conversation of any length inside any model's context window; nothing is deleted, and everything is one recall away."

/** Each with the command that it needs: some are brought by other parts of the package. */
const firstMinutes: readonly (readonly [name: string, words: string, shows: string])[] = [
  ['import', 'import session.jsonl', 'bring a conversation of another tool'],
  ['list', 'list', 'see what is there'],
  ['replay', 'replay --last --window 32000', 'watch it stay inside a window'],
  ['context', 'context --last --window 8000', 'what a small model would be shown'],
  ['compact', 'compact --last --preview', 'what a compaction would do'],
  ['recall', 'recall --last which port', 'find what was said on something'],
  ['receipt', 'receipt --last', 'what the last compaction did'],
]
