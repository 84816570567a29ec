/** npm run test:frameworks: conversations through every integration, against a strict server. */
import { option, part, runHarness } from '../kernel/command.ts'
import { doors } from './doors.ts'
import { runDoor } from './run-door.ts'

process.exitCode = await runHarness({
  script: 'test:frameworks',
  unnamed: ['doors'],
  parts: {
    doors: part(
      'Turns with parallel tool calls in a 16K window, resumed in a new process.',
      {
        turns: option.number(300, 'turns of each conversation'),
        only: option.text('the door to play', Object.keys(doors)),
      },
      async ({ turns, only }, print) => {
        const names = Object.keys(doors).filter((name) => only === null || name === only)
        const findings = []
        for (const name of names) {
          const report = await runDoor(name, turns)
          print(
            `${name}: ${report.turns} turns in ${report.requests} requests, ${report.refused} refused, ` +
              `at most ${report.mostTokens} tokens, ${report.messages} messages, ${report.compactions} compactions`,
          )
          findings.push(...report.findings)
        }
        return { findings, total: `${names.length} integrations` }
      },
    ),
  },
})
