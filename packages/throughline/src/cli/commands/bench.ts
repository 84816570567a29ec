/** The measures of the project, on transcripts of anybody. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { bench, measures } from '../../bench/index.ts'
import { askedMeasure } from '../bench/asked-measure.ts'
import { benchLines, measureLines } from '../bench/bench-lines.ts'
import { benchProgress } from '../bench/bench-progress.ts'
import type { Command } from '../command.ts'
import { done, notDone } from '../ending.ts'
import { tell } from '../screen/tell.ts'

export const benchCommand: Command = {
  name: 'bench',
  summary: 'takes a measure, on transcripts of yours',
  usage: ['bench', 'bench MEASURE [--data DIR] [--sizes N,N] [--methods NAME,NAME]'],
  about: [
    'The measures that the project is held to, on its shipped policy, each beside what it is compared with in the same run. Without a measure, they are listed. With --json: { measure, policyHash, rows }.',
    'Some count tokens exactly, and need the package gpt-tokenizer for it.',
  ],
  options: {
    data: { value: 'DIR', says: 'a folder of transcripts, as JSON or JSONL' },
    sizes: { value: 'N,N', says: 'windows or contexts in tokens, instead of its own' },
    methods: { value: 'NAME,NAME', says: 'what is compared, instead of everything' },
  },
  settings: [],
  examples: [
    { command: 'bench', shows: 'the measures' },
    {
      command: 'bench cost --data ~/.claude/projects --sizes 32000',
      shows: 'what your sessions cost, by five ways to keep them small',
    },
    {
      command: 'bench survival --data ~/.claude/projects --json',
      shows: 'which names stand behind a compaction, for programs',
    },
    { command: 'bench turn', shows: 'what one more turn costs on this machine' },
  ],
  run: async (args, world) => {
    const asked = askedMeasure(args)
    if (asked === null) {
      const json = Object.entries(measures).map(([name, { shows }]) => ({ name, shows }))
      await tell(args, world, { json, lines: () => measureLines(world.stdout) })
      return done
    }
    const { name, data, sizes, methods } = asked
    const dataDir = data === null ? null : resolve(world.cwd, data)
    if (dataDir !== null && !statSync(dataDir, { throwIfNoEntry: false })?.isDirectory())
      return notDone('NOT_FOUND', `there is no folder "${data}"`)
    const shown = benchProgress(`bench ${name}`, world)
    try {
      const report = await bench(name, {
        dataDir,
        sizes,
        methods,
        progress: (progress) => {
          world.signal.throwIfAborted()
          shown.at(progress)
        },
      })
      shown.end()
      await tell(args, world, { json: report, lines: () => benchLines(report, world.stdout) })
    } finally {
      shown.end()
    }
    return done
  },
}
