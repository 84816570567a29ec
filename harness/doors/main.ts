/** npm run test:agent: an agent of hundreds of steps, through each AI SDK integration. */
import { option, part, runHarness } from '../kernel/command.ts'
import type { Finding } from '../kernel/finding.ts'
import { type AgentReport, agentReport } from './agent.ts'

process.exitCode = await runHarness({
  script: 'test:agent',
  unnamed: ['agent'],
  parts: {
    agent: part(
      'With `prepareStep` and with the middleware, whole and streamed, against a strict server.',
      {
        steps: option.number(300, 'steps of the agent'),
        'stream-steps': option.number(60, 'steps with streamed answers'),
      },
      async ({ steps, 'stream-steps': streamSteps }, print) => {
        const findings: Finding[] = []
        for (const way of ['prepareStep', 'middleware'] as const)
          for (const stream of [false, true]) {
            const report = await agentReport({ way, steps: stream ? streamSteps : steps, stream })
            print(lineOf(report))
            findings.push(...report.problems.map((detail) => ({ rule: 'refused', detail })))
            if (!hasPassed(report)) findings.push({ rule: 'agent', detail: lineOf(report) })
          }
        return { findings, total: '4 agents' }
      },
    ),
  },
})

function lineOf(report: AgentReport): string {
  return (
    `${report.way}${report.stream ? ', streamed' : ''}: ${report.steps} steps in ${report.requests} requests, ` +
    `${report.refused} broke the format rules, ${report.overflows} over the window, ` +
    `at most ${report.mostTokens} tokens, ${report.epochs} epochs in the last hundred requests, ` +
    `task ${report.taskWhole ? 'word for word' : 'LOST'} at the end, ` +
    `${report.messages} messages, ${report.duplicates} twice, ${report.missing} missing, ` +
    `${report.usageTaken} usage reports accepted, ${report.seconds} s`
  )
}

function hasPassed(report: AgentReport): boolean {
  const { refused, overflows, taskWhole, duplicates, missing, usageTaken, requests } = report
  return refused + overflows + duplicates + missing === 0 && taskWhole && usageTaken === requests
}
