/** Bundles the program from the sources, as an application would. */
import { join } from 'node:path'
import { type OutputOptions, rolldown } from 'rolldown'

/** With files that are loaded when they are needed, by name. */
export async function splitBundle(): Promise<ReadonlyMap<string, string>> {
  return bundle({ format: 'esm', entryFileNames: 'entry.js' })
}

/** One script that sets `program`, for runtimes without modules. */
export async function singleBundle(): Promise<string> {
  const files = await bundle({ format: 'iife', name: 'program', codeSplitting: false })
  const [script = ''] = files.values()
  return script
}

async function bundle(output: OutputOptions): Promise<ReadonlyMap<string, string>> {
  const built = await rolldown({
    input: join(import.meta.dirname, 'fit-case.ts'),
    platform: 'browser',
    resolve: { conditionNames: ['throughline-source', 'browser', 'import', 'default'] },
    external: (id) => id.startsWith('gpt-tokenizer'),
    // Otherwise the vocabulary is copied to each of its uses.
    optimization: { inlineConst: false },
    // A script without modules has none; the tokenizer of Node is not read there.
    ...(output.format === 'iife' && { transform: { define: { 'import.meta': '{}' } } }),
  })
  const { output: files } = await built.generate({ minify: true, ...output })
  await built.close()
  return new Map(
    files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.code]] : [])),
  )
}
