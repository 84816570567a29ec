/** npm run test:mcp: the tools over MCP, as real coding agents use them. */

import { codingAgents } from '../clients/coding-agents.ts'
import { installed } from '../clients/install.ts'
import { withoutNetwork } from '../clients/offline.ts'
import { option, part, runHarness } from '../kernel/command.ts'
import { figuresLine } from '../kernel/finding.ts'
import { runAgents, type Transport } from './agents.ts'

const clients = ['claude-code', 'codex'] as const
const transports: readonly Transport[] = ['stdio', 'http']

const options = {
  searches: option.number(200, 'searches of both sessions together, over each transport'),
  over: option.text('the transport; without it, both', transports),
}

const words = process.argv.slice(2)
const named = clients.filter((name) => words.includes(name))
if (!words.includes('--help'))
  for (const name of named.length === 0 ? clients : named)
    await installed(codingAgents[name].package)

const command = {
  script: 'test:mcp',
  unnamed: [...clients],
  parts: Object.fromEntries(
    clients.map((client) => {
      const { name, version } = codingAgents[client].package
      return [
        client,
        part(
          `Two sessions at once of ${name} ${version}.`,
          options,
          async ({ searches, over }, print) => {
            const lines: string[] = []
            const findings = []
            for (const each of transports) {
              if (over !== null && over !== each) continue
              const report = await runAgents({ client, over: each, searches, print })
              findings.push(...report.findings)
              lines.push(`${each}: ${report.skipped ?? figuresLine(report.figures)}`)
            }
            return { findings, total: lines.join('; ') }
          },
        ),
      ]
    }),
  ),
}

process.exitCode = withoutNetwork() ?? (await runHarness(command))
