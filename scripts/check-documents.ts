/**
 * Checks the documents: generated ones are up to date, links and named files exist, every TypeScript
 * snippet compiles against the source, and every public function says what it is for and shows how to
 * use it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { outsideDocuments } from '../harness/frameworks/outside.ts'
import { headingsOf, slugger } from '../site/slugs.ts'
import { apiProblems } from './api-problems.ts'
import { exampleNames } from './example-names.ts'
import { filledPlace } from './filled-document.ts'
import { generatedDocuments } from './generated-documents.ts'
import { publicApi } from './public-api.ts'

const root = join(import.meta.dirname, '..')
const snippetSettings = {
  extends: '../../../../tsconfig.base.json',
  compilerOptions: {
    noEmit: true,
    noUnusedLocals: false,
    // Snippets import the sources; an incremental build skips the unchanged ones.
    incremental: true,
    tsBuildInfoFile: '../snippets.tsbuildinfo',
  },
  include: ['*.ts'],
}

/** Documents on frameworks that are not in the lock file; `npm run test:frameworks` compiles their snippets. */
const compiledElsewhere = outsideDocuments

/** Documents that name source files. */
const namesFiles = ['docs/architecture.md', 'docs/invariants.md']

const namesAtHand = exampleNames()
const api = publicApi()
const problems: string[] = [...apiProblems(api.entries)]

const generated = await generatedDocuments(api)
for (const [path, text] of generated)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
    problems.push(`${relative(root, path)} is out of date: npm run docs`)

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const documents = globSync(['*.md', 'docs/**/*.md', 'examples/*/*.md'], { cwd: root })
for (const document of documents) {
  checkLinks(document)
  if (namesFiles.includes(document)) checkFiles(document)
  checkCommands(document)
}
compileSnippets()

for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function checkLinks(document: string): void {
  const text = readFileSync(join(root, document), 'utf8')
  for (const [, target = '', fragment] of text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)) {
    if (/^[a-z]+:/.test(target)) continue
    const path = target === '' ? document : join(dirname(document), target)
    if (!existsSync(join(root, path))) problems.push(`${document}: ${target} does not exist`)
    else if (fragment !== undefined && !fragmentsOf(path).has(fragment))
      problems.push(`${document}: ${target}#${fragment} is no heading`)
  }
}

/** The fragments of the headings of a document. */
function fragmentsOf(document: string): ReadonlySet<string> {
  const headings = headingsOf(readFileSync(join(root, document), 'utf8'))
  return new Set(headings.map(slugger()))
}

/** Every named source file exists. */
function checkFiles(document: string): void {
  const text = readFileSync(join(root, document), 'utf8')
  const named = [...text.matchAll(/`([a-z][\w./-]*\/[\w.-]+\.ts)`/g)].map(([, file = '']) => file)
  if (named.length === 0) problems.push(`${document} names no file: the search pattern is broken`)
  for (const file of named)
    if (!existsSync(join(root, 'packages/throughline/src', file)))
      problems.push(`${document}: ${file} does not exist`)
}

/** Every named npm script exists, except in outputs: they show conversations with made-up commands. */
function checkCommands(document: string): void {
  const text = readFileSync(join(root, document), 'utf8').replace(filledPlace, '')
  for (const [, name = ''] of text.matchAll(/npm run ([a-z][a-z:-]*[a-z])/g))
    if (!Object.hasOwn(scripts, name)) problems.push(`${document}: npm run ${name} does not exist`)
}

function compileSnippets(): void {
  // Inside the package, so that its name and dependencies resolve as they do for users.
  const folder = join(root, 'packages/throughline/.cache/snippets')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const here = documents.filter((document) => !compiledElsewhere.includes(document))
  const sources = [...here, ...globSync('packages/throughline/src/**/*.ts', { cwd: root })]
  let count = 0
  for (const source of sources)
    for (const snippet of snippetsOf(readFileSync(join(root, source), 'utf8'), source)) {
      count += 1
      writeFileSync(join(folder, `${count}.ts`), `// ${source}\n${snippet}\nexport {}\n`)
    }
  if (count === 0) problems.push('no snippet was found: the search pattern is broken')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(snippetSettings))
  const { status, stdout } = spawnSync(`tsc -p "${folder}"`, {
    encoding: 'utf8',
    cwd: root,
    shell: true,
  })
  if (status !== 0) problems.push(stdout)
}

function snippetsOf(text: string, source: string): readonly string[] {
  if (source.endsWith('.md'))
    return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) =>
      // Readers are in the root of a checkout, snippets four folders below it.
      code.replaceAll("'./harness/", "'../../../../harness/"),
    )
  return [...text.matchAll(/^[ ]*\* @example\n((?:[ ]*\*(?!\/).*\n)+)/gm)].map(([, block = '']) => {
    const code = block.replace(/^[ ]*\* ?/gm, '')
    // In a block, so that an example may redeclare a name.
    return `${namesAtHand}{\n${code}}`
  })
}
