/** npm run test:frameworks: conversations through every integration, against a strict server. */
import { option, part, runHarness } from '../kernel/command.ts'
import type { Finding } from '../kernel/finding.ts'
import { doors } from './doors.ts'
import { compileOutside, installOutside, outsideDoors, storeDoors } from './outside.ts'
import { runDoor, runStoreDoor } from './run-door.ts'

process.exitCode = await runHarness({
  script: 'test:frameworks',
  unnamed: ['doors'],
  parts: {
    doors: part(
      'Turns with parallel tool calls in a 16K window, resumed in a new process.',
      {
        turns: option.number(300, 'turns of each conversation'),
        only: option.text('the door to play', [
          ...Object.keys(doors),
          ...Object.values(outsideDoors).flat(),
        ]),
      },
      async ({ turns, only }, print) => {
        const modules = { './doors.ts': Object.keys(doors), ...outsideDoors }
        const chosen = Object.entries(modules).flatMap(([module, names]) =>
          names
            .filter((name) => only === null || name === only)
            .map((name) => ({ module, name, isOutside: module !== './doors.ts' })),
        )
        const missing = chosen.some(({ isOutside }) => isOutside) ? installOutside() : null
        const played = chosen.filter(({ isOutside }) => !isOutside || missing === null)
        const findings: Finding[] = []
        if (played.some(({ isOutside }) => isOutside)) {
          const refused = compileOutside()
          if (refused !== '') findings.push({ rule: 'types', detail: refused })
        }
        for (const { module, name } of played) {
          if (storeDoors.includes(name)) {
            await runStoreDoor(name, turns, module)
            print(`${name}: ${turns} turns were given back, in this process and in the next`)
            continue
          }
          const report = await runDoor(name, turns, module)
          print(
            `${name}: ${report.turns} turns in ${report.requests} requests, ${report.refused} refused, ` +
              `at most ${report.mostTokens} tokens, ${report.messages} messages, ${report.compactions} compactions`,
          )
          findings.push(...report.findings)
        }
        if (missing !== null)
          print(`skipped ${chosen.length - played.length} integrations: ${missing}`)
        return { findings, total: `${played.length} integrations` }
      },
    ),
  },
})
