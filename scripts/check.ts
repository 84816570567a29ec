/**
 * Everything that must hold before a change lands, other than the tests: format,
 * lint, types, the import law, unused code, requirements, documents, and the package that users
 * would get. Steps run side by side; each prints only when it fails.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

interface Step {
  readonly name: string
  readonly commands: readonly string[]
}

const steps: readonly Step[] = [
  { name: 'format and lint', commands: ['biome check --error-on-warnings --colors=off .'] },
  { name: 'types', commands: ['tsc -p .'] },
  { name: 'import law', commands: ['vitest run packages/throughline/test/law --reporter=dot'] },
  { name: 'unused code', commands: ['knip'] },
  { name: 'requirements', commands: ['node scripts/check-requirements.ts'] },
  {
    name: 'documents',
    commands: ['node --conditions=throughline-source scripts/check-documents.ts'],
  },
  {
    name: 'package',
    commands: [
      'node scripts/build.ts',
      'publint --strict packages/throughline',
      'attw --pack packages/throughline --profile esm-only --quiet',
    ],
  },
]

const results = await Promise.all(steps.map(runStep))
process.exitCode = results.every(Boolean) ? 0 : 1

async function runStep({ name, commands }: Step): Promise<boolean> {
  const started = performance.now()
  for (const command of commands) {
    const { code, output } = await run(command)
    if (code === 0) continue
    console.log(`✗ ${name}: ${command}\n${output}`)
    return false
  }
  console.log(`✓ ${name}  ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return true
}

function run(command: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(command, { cwd: root, shell: true })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output }))
  })
}
