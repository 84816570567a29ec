/** Frameworks that are too large for the lock file: installed beside their doors on first use. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'outside')

/** The doors of each module in the folder. */
export const outsideDoors: Readonly<Record<string, readonly string[]>> = {
  './outside/claude-agent.ts': ['claude-agent'],
  './outside/mastra.ts': ['mastra', 'mastra-stream'],
  './outside/langchain.ts': ['langchain', 'langchain-responses', 'langchain-postgres'],
}

/** Their documents, whose snippets compile only with them. */
export const outsideDocuments: readonly string[] = [
  ...['docs/claude-agent.md', 'docs/langchain.md', 'docs/mastra.md'],
]

/** Doors that ask no model: they compare what they stored themselves. */
export const storeDoors: readonly string[] = ['claude-agent']

/** Null if all are installed, otherwise why they are not. */
export function installOutside(): string | null {
  if (isInstalled()) return null
  const options = [
    '--no-package-lock',
    '--ignore-scripts',
    '--omit=optional',
    '--no-audit',
    '--no-fund',
  ]
  // Not a workspace: npm would otherwise install into the checkout.
  const args = ['install', '--workspaces=false', '--prefix', folder, ...options]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status === 0 && isInstalled()) return null
  return `npm could not install them: ${stderr.match(/npm error (?!A complete).*/)?.[0] ?? stderr}`
}

/** What the compiler says of the doors and of the documents' snippets. */
export function compileOutside(): string {
  const snippets = join(folder, '.cache')
  rmSync(snippets, { recursive: true, force: true })
  mkdirSync(snippets)
  for (const document of outsideDocuments) {
    const text = readFileSync(join(root, document), 'utf8')
    for (const [index, [, code = '']] of [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].entries())
      writeFileSync(
        join(snippets, `${basename(document, '.md')}-${index}.ts`),
        `${code}\nexport {}\n`,
      )
  }
  const { stdout } = spawnSync('tsc', ['-p', folder], { cwd: root, encoding: 'utf8' })
  return stdout
}

function isInstalled(): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return Object.entries(dependencies).every(([name, version]) => {
    const file = join(folder, 'node_modules', name, 'package.json')
    return existsSync(file) && readFileSync(file, 'utf8').includes(`"version": "${version}"`)
  })
}
