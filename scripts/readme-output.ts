/** Runs the first example of README.md; its output is generated like the other outputs of the document. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.ts'

export function readmeOutput(readme: string): string {
  const [, code] = /^```ts\n([\s\S]*?)^```/m.exec(readme) ?? []
  if (code === undefined) throw new Error('README.md has no example')
  // Inside the package, so that its name and dependencies resolve as they do for users.
  const folder = join(root, 'packages/throughline/.cache')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'readme-example.ts')
  writeFileSync(file, code)
  const output = execFileSync(process.execPath, ['--conditions=throughline-source', file], {
    encoding: 'utf8',
  })
  return `\`\`\`text\n${output}\`\`\``
}
