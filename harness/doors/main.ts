/** npm run test:agent -- [--steps 300] [--stream-steps 60] */
import { parseArgs } from 'node:util'
import type { Way } from './agent.ts'
import { type AgentReport, agentReport } from './agent-report.ts'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '300' },
    'stream-steps': { type: 'string', default: '60' },
  },
})

const ways: readonly Way[] = ['prepareStep', 'middleware']
const reports: AgentReport[] = []
for (const way of ways)
  for (const stream of [false, true]) {
    const steps = Number(stream ? values['stream-steps'] : values.steps)
    const report = await agentReport({ way, steps, stream })
    reports.push(report)
    console.log(lineOf(report))
    for (const problem of report.problems) console.log(`  ${problem}`)
  }
process.exitCode = reports.every(isSound) ? 0 : 1

function lineOf(report: AgentReport): string {
  return (
    `${report.way}${report.stream ? ', streamed' : ''}: ${report.steps} steps in ${report.requests} requests, ` +
    `${report.refused} refused by the rules, ${report.overflows} over the window, ` +
    `at most ${report.mostTokens} tokens, ${report.epochs} epochs in the last hundred requests, ` +
    `task ${report.taskWhole ? 'word for word' : 'LOST'} at the end, ` +
    `${report.messages} messages, ${report.duplicates} twice, ${report.missing} missing, ` +
    `usage taken ${report.usageTaken} times, ${report.seconds} s`
  )
}

function isSound(report: AgentReport): boolean {
  const { refused, overflows, taskWhole, duplicates, missing, usageTaken, requests } = report
  return refused + overflows + duplicates + missing === 0 && taskWhole && usageTaken === requests
}
