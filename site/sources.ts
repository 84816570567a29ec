/** Reads the pages: which document becomes which file of the site. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { decisionsFolder, navigation } from './navigation-data.ts'

const root = join(import.meta.dirname, '..')

export interface Source {
  /** In the repository, with slashes. */
  readonly path: string
  /** In the site, such as `decisions/0001-one-package.html`. */
  readonly file: string
  readonly title: string
  /** In the navigation. */
  readonly name: string
  /** The group of the navigation; null for a page outside it. */
  readonly group: string | null
  readonly markdown: string
}

/** All pages, those of the navigation first and in its order. */
export function readSources(): readonly Source[] {
  const listed = navigation.flatMap(({ title, pages }) =>
    pages.map(([path, name]) => read(path, title, name)),
  )
  const missing = globSync('docs/*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !listed.some((source) => source.path === path))
  if (missing.length > 0) throw new Error(`not in the navigation: ${missing.join(', ')}`)
  const decisions = globSync(`${decisionsFolder}/*.md`, { cwd: root })
    .sort()
    .map((path) => read(path.replaceAll('\\', '/'), null, null))
  return [...listed, decisionList(decisions), ...decisions]
}

/** The file of the site for a Markdown file of the repository. */
function fileOf(path: string): string {
  const special: Readonly<Record<string, string>> = {
    'README.md': 'index.html',
    // docs/security.md has that name.
    'SECURITY.md': 'report-a-vulnerability.html',
  }
  if (special[path] !== undefined) return special[path]
  const example = /^examples\/([^/]+)\/README\.md$/.exec(path)
  if (example !== null) return `examples/${example[1]}.html`
  return path
    .replace(/^docs\//, '')
    .toLowerCase()
    .replace(/\.md$/, '.html')
}

function read(path: string, group: string | null, name: string | null): Source {
  if (!existsSync(join(root, path))) throw new Error(`${path} of the navigation does not exist`)
  const markdown = readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`${path} has no title`)
  return { path, file: fileOf(path), title, name: name ?? title, group, markdown }
}

function decisionList(decisions: readonly Source[]): Source {
  const links = decisions.map(({ path, title }) => `- [${title}](${posix.basename(path)})`)
  const title = 'Decisions'
  const text = `# ${title}\n\nDecisions that may surprise a reader, with their reasons.\n\n${links.join('\n')}\n`
  return {
    ...{ path: `${decisionsFolder}/`, file: 'decisions/index.html', title, name: title },
    ...{ group: 'Project', markdown: text },
  }
}
