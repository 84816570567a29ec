/**
 * Bundles what a web page imports from the built package, and prints how many bytes it loads, minified: with
 * the import, with the first request, and with the first compaction. Fails if it grew beyond the limits below.
 */
import { join } from 'node:path'
import { type OutputChunk, rolldown } from 'rolldown'
import { root } from './packages.ts'

const adapters = ['openaiChat', 'openaiResponses', 'anthropicMessages', 'geminiContents']
const imports: Readonly<Record<string, string>> = {
  fit: "export { fit } from 'throughline'",
  ...Object.fromEntries(
    adapters.map((name) => [
      `fit, ${name}`,
      `export { fit } from 'throughline'; export { ${name} } from 'throughline/adapters'`,
    ]),
  ),
  createThroughline: "export { createThroughline } from 'throughline'",
}

/** Files that are loaded when they are needed, by the names of their chunks. */
const stages: Readonly<Record<string, readonly string[]>> = {
  import: [],
  'first request': ['fit-messages'],
  'first compaction': ['make-view', 'recall-for-turn', 'message-pieces'],
  'summary by a model': ['styled-models', 'summary-models', 'write-summary'],
}

/** Of `fit` with one adapter; a little above the largest, so that growth is noticed. */
const limits: Readonly<Record<string, number>> = {
  import: 97_000,
  'first request': 150_000,
  'first compaction': 425_000,
  'summary by a model': 640_000,
  vocabulary: 500_000,
}

const columns = [...Object.keys(stages), 'vocabulary']
const width = 20
const problems: string[] = []
console.log('kB, minified'.padEnd(width + 6), columns.map((name) => name.padStart(width)).join(''))
for (const [name, code] of Object.entries(imports)) {
  const isFit = name.startsWith('fit')
  const sizes = await loadedBytes(code, isFit)
  const shown = columns.map((column) => {
    const bytes = sizes.get(column)
    return (bytes === undefined ? '–' : (bytes / 1000).toFixed(1)).padStart(width)
  })
  console.log(name.padEnd(width + 6), shown.join(''))
  for (const [stage, bytes] of sizes)
    if (isFit && bytes > (limits[stage] ?? 0))
      problems.push(`${name}: ${stage} loads ${bytes} bytes, the limit is ${limits[stage]}`)
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

/** For each stage what is loaded until then, and for the vocabulary of the estimate what it adds. */
async function loadedBytes(code: string, isFit: boolean): Promise<ReadonlyMap<string, number>> {
  const chunks = await bundled(code)
  const loaded = new Set<OutputChunk>()
  const load = (chunk: OutputChunk | undefined) => {
    if (chunk === undefined || loaded.has(chunk)) return
    loaded.add(chunk)
    for (const name of chunk.imports) load(chunks.find(({ fileName }) => fileName === name))
  }
  const bytesOf = (all: Iterable<OutputChunk>) =>
    [...all].reduce((sum, chunk) => sum + Buffer.byteLength(chunk.code), 0)
  const named = (name: string) => {
    const found = chunks.find((chunk) => chunk.fileName.startsWith(`${name}-`))
    if (found === undefined) throw new Error(`no file ${name} in the bundle`)
    return found
  }
  load(chunks.find(({ isEntry }) => isEntry))
  if (!isFit) return new Map([['import', bytesOf(loaded)]])
  const sizes = new Map<string, number>()
  for (const [stage, names] of Object.entries(stages)) {
    for (const name of names) load(named(name))
    sizes.set(stage, bytesOf(loaded))
  }
  return sizes.set('vocabulary', bytesOf([named('estimate')]))
}

async function bundled(code: string): Promise<readonly OutputChunk[]> {
  const entry = join(root, 'packages/client/entry-of-a-page.js')
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    external: (id) => id.startsWith('gpt-tokenizer') || id === '@opentelemetry/api',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? code : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  await bundle.close()
  return output.filter((file) => file.type === 'chunk')
}
