import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../..')

function loadedBy(entry: string): readonly string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ resolve(name, context, next) {
      const resolved = next(name, context)
      urls.push(resolved.url)
      return resolved
    } })
    await import(${JSON.stringify(entry)})
    console.log(JSON.stringify(urls))`
  const output = execFileSync(
    process.execPath,
    ['--conditions=throughline-source', '--input-type=module', '--eval', script],
    { cwd: folder, encoding: 'utf8' },
  )
  return JSON.parse(output) as string[]
}

it('loads no optional peer and no Node module when the root is imported', () => {
  const foreign = loadedBy('throughline').filter((url) => !url.includes('/throughline/src/'))
  expect(foreign.filter((url) => !/\/(?:@noble\/hashes|stemmer|valibot)\//.test(url))).toEqual([])
})

it('loads no AI SDK when models are imported: it is needed only for names', () => {
  const foreign = loadedBy('throughline/models').filter((url) => !url.includes('/throughline/src/'))
  expect(foreign.filter((url) => !url.includes('/eventsource-parser/'))).toEqual([])
})

it('loads nothing of the engine for the help of the command line and its version', () => {
  const loaded = ['run-cli', 'help'].flatMap((file) => loadedBy(`./src/cli/${file}.ts`))
  const ours = loaded.flatMap((url) => /\/throughline\/src\/(.*)$/.exec(url)?.[1] ?? [])
  expect(
    ours.filter(
      (file) => !/^(?:cli\/|errors(?:-data)?\.ts|defaults-data\.ts|domain\/text\.ts)/.test(file),
    ),
  ).toEqual([])
})

it('loads nothing of a compaction for a first request that fits', () => {
  const loaded = loadedBy('./test/law/first-request.test-support.ts')
  const ours = loaded.flatMap((url) => /\/throughline\/src\/(.*)$/.exec(url)?.[1] ?? [])
  expect(ours).toContain('fit/fit-messages.ts')
  expect(ours.filter((file) => /^flow\/(?:epoch|select|recall|receipt)\//.test(file))).toEqual([])
})

it('sees what an entry loads, so that the test above can fail', () => {
  expect(loadedBy('./src/cli/version.ts')).toContain('node:fs')
})
