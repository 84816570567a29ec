/** npm run test:crash: kills a writer with SIGKILL, again and again, on one file. */
import { option, part, runHarness } from '../kernel/command.ts'
import { figuresLine } from '../kernel/finding.ts'
import { plantedPart } from '../kernel/planted.ts'
import { crash, planted } from './crash.ts'

process.exitCode = await runHarness({
  script: 'test:crash',
  unnamed: ['kills'],
  parts: {
    kills: part(
      'Kills a writer at random moments and audits the file after each kill.',
      {
        ...{ kills: option.number(50, 'kills'), seed: option.seed() },
        plant: option.text('plants a bug in the writer', ['ack-first', 'no-key', 'torn']),
      },
      async ({ kills, seed, plant }) => {
        const { findings, figures } = await crash({ kills, seed, plant: plant ?? undefined })
        return { findings, total: figuresLine(figures) }
      },
    ),
    planted: plantedPart(planted),
  },
})
