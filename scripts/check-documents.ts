/**
 * Documents that cannot lie: what is made from code is up to date, links between
 * documents lead somewhere, and every TypeScript snippet compiles against the source.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { generatedDocuments } from './generated-documents.ts'

const root = join(import.meta.dirname, '..')
const snippetSettings = {
  extends: '../../../../tsconfig.base.json',
  compilerOptions: { noEmit: true, noUnusedLocals: false },
  include: ['*.ts'],
}

/** What an example beside the code may use without saying where it comes from. */
const exampleNames = `import * as everything from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { memory } from 'throughline/stores/memory'
import { openaiChat, openaiResponses } from 'throughline/adapters'
import { chatCall, recallTools, throughlineMiddleware, throughlineStep } from 'throughline/ai-sdk'
import { boundedFetch, httpModel, languageModel } from 'throughline/models'
import { build, createFaultServer, drawContext, scriptedModel, storeContract, truthfulSummary } from 'throughline/testing'
import { afterReply, rememberedTurns } from 'throughline/turns'
import { readTranscript } from 'throughline/transcripts'
const { createThroughline, createMeter, findModel, fit, modelCard } = everything
const { recallToolSchemas, runRecallTool } = everything
const { budgetOf, classify, modifiedFiles, trackFiles, trim } = everything
const { formatSummary, historyText, safeSummarize, summarizeDroppedMessages, summarizeToolResult, summaryMessage } = everything
declare const error: unknown
declare function it(name: string, run: () => Promise<void>): void
declare function expect(value: unknown): { toBe(expected: unknown): void }
declare const chat: everything.ConversationHandle
declare const context: everything.Context
declare let state: everything.FitState | null
declare const inputs: readonly everything.MessageInput[]
declare const tl: everything.Throughline
declare const tokenizer: everything.Tokenizer
declare const estimator: everything.Tokenizer
declare const bytes: Uint8Array
declare const system: string
declare const tools: readonly everything.ToolSchema[]
declare const messages: readonly everything.Message[]
`
const problems: string[] = []

const generated = await generatedDocuments()
for (const [path, text] of generated)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text)
    problems.push(`${relative(root, path)} is out of date: npm run docs`)

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
}
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root })
for (const document of documents) {
  checkLinks(document)
  // What is generated shows conversations, in which people run what they like.
  if (!generated.has(join(root, document))) checkCommands(document)
}
compileSnippets()

for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function checkLinks(document: string): void {
  const text = readFileSync(join(root, document), 'utf8')
  for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g))
    if (!/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(document), target)))
      problems.push(`${document}: there is no ${target}`)
}

/** What a reader is told to run is there. */
function checkCommands(document: string): void {
  const text = readFileSync(join(root, document), 'utf8')
  for (const [, name = ''] of text.matchAll(/npm run ([a-z][a-z:-]*[a-z])/g))
    if (!Object.hasOwn(scripts, name)) problems.push(`${document}: there is no npm run ${name}`)
}

function compileSnippets(): void {
  // Inside the package, so that its name and its dependencies resolve as they do for users.
  const folder = join(root, 'packages/throughline/.cache/snippets')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const sources = [...documents, ...globSync('packages/throughline/src/**/*.ts', { cwd: root })]
  let count = 0
  for (const source of sources)
    for (const snippet of snippetsOf(readFileSync(join(root, source), 'utf8'), source)) {
      count += 1
      writeFileSync(join(folder, `${count}.ts`), `// ${source}\n${snippet}\nexport {}\n`)
    }
  if (count === 0) problems.push('no snippet was found: the search for them is broken')
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
    return [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
  return [...text.matchAll(/^[ ]*\* @example\n((?:[ ]*\*(?!\/).*\n)+)/gm)].map(([, block = '']) => {
    const code = block.replace(/^[ ]*\* ?/gm, '')
    // In a block, so that an example may give its own meaning to a name.
    return `${exampleNames}{\n${code}}`
  })
}
