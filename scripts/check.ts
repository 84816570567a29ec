/**
 * Everything that must pass before a change lands, other than the tests: format, lint, types, the
 * import law, unused code, requirements, documents, and the package that users would get. Steps run in
 * parallel; each prints only if it fails.
 */
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { packageFolders, root } from './packages.ts'

interface Step {
  readonly name: string
  readonly command: string
}

const steps: readonly Step[] = [
  {
    name: 'requirements',
    command: 'node --conditions=throughline-source scripts/check-requirements.ts',
  },
  { name: 'format and lint', command: 'biome check --error-on-warnings --colors=off .' },
  { name: 'words', command: 'node scripts/check-words.ts' },
  { name: 'types', command: 'tsc -p . && tsc -p inspector && tsc -p site' },
  { name: 'import law', command: 'vitest run packages/throughline/test/law --reporter=dot' },
  { name: 'unused code', command: 'knip' },
  { name: 'documents', command: 'node --conditions=throughline-source scripts/check-documents.ts' },
]

/** Runs its commands in sequence, so it takes longest. */
const longest: Step = {
  name: 'package',
  command: [
    'node scripts/build.ts',
    'node scripts/check-package.ts',
    'node scripts/bundle-sizes.ts',
    'node scripts/pack.ts',
    'node scripts/try-examples.ts',
    ...packageFolders.flatMap((folder) => [
      `publint run --strict ${join(folder, '.cache/package.tgz')}`,
      `attw ${join(folder, '.cache/package.tgz')} --profile esm-only --quiet`,
    ]),
  ].join(' && '),
}

const running = [runStep(longest)]
// The other steps use the remaining processors.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
const results = await Promise.all([...running, ...steps.map(runStep)])
process.exitCode = results.every(Boolean) ? 0 : 1

async function runStep({ name, command }: Step): Promise<boolean> {
  const started = performance.now()
  const { code, output } = await run(command)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(code === 0 ? `✓ ${name}  ${seconds} s` : `✗ ${name}: ${command}\n${output}`)
  return code === 0
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
