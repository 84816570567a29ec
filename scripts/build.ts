/**
 * Builds `packages/throughline/dist` (or the folder given with `--to`) from `src`, always from scratch.
 *
 * Bundles the modules into few files, because finding and compiling some 500 small files takes longer
 * than running them. Types stay in separate files.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { layerGroups } from './chunk-layers.ts'
import { jsonSchemas } from './policy-page.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages/throughline')
const { values } = parseArgs({ options: { to: { type: 'string', default: join(folder, 'dist') } } })
const dist = resolve(values.to)
// Bundled, because we use little of it; its license is included.
const builtIn = ['valibot']

rmSync(dist, { recursive: true, force: true })
await writeModules()
process.exitCode = writeTypes()
keepNeededTypes()
writeSchemas()
for (const name of builtIn)
  copyFileSync(join(root, 'node_modules', name, 'LICENSE.md'), join(dist, `${name}-license.md`))

async function writeModules(): Promise<void> {
  const bundle = await rolldown({
    input: entries(),
    platform: 'neutral',
    // A long text must not be copied to each of its uses.
    optimization: { inlineConst: false },
    // Installed dependencies and Node stay external.
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !builtIn.includes(id),
  })
  await bundle.write({
    dir: dist,
    format: 'esm',
    // Names and lines stay, for stack traces. Node keeps a file with other characters as UTF-16: twice
    // the memory, and slower to compile.
    comments: false,
    minify: {
      compress: false,
      mangle: false,
      codegen: { removeWhitespace: false, asciiOnly: true },
    },
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { groups: layerGroups },
  })
}

/** The exports of the package, and the command line. */
function entries(): Readonly<Record<string, string>> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  }
  const built = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target.default],
  )
  const names = [...built.map((path) => path.slice('./dist/'.length, -'.js'.length)), 'cli/main']
  return Object.fromEntries(names.map((name) => [name, join(folder, 'src', `${name}.ts`)]))
}

/** Does not check the types: that is another step of `npm run check`. */
function writeTypes(): number {
  const settings = join(folder, 'tsconfig.build.json')
  const { status } = spawnSync(`tsc -p "${settings}" --outDir "${dist}"`, {
    stdio: 'inherit',
    shell: true,
  })
  return status ?? 1
}

/** Removes the types of modules that users cannot import. */
function keepNeededTypes(): void {
  const needed = new Set<string>()
  const need = (file: string) => {
    if (needed.has(file)) return
    needed.add(file)
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g))
      need(`${join(dirname(file), target)}.d.ts`)
  }
  for (const name of Object.keys(entries())) if (name !== 'cli/main') need(`${name}.d.ts`)
  for (const file of globSync('**/*.d.ts', { cwd: dist }))
    if (!needed.has(file)) rmSync(join(dist, file))
}

/** For editors: `"$schema": "./node_modules/throughline/dist/config.schema.json"`. */
function writeSchemas(): void {
  for (const [name, schema] of jsonSchemas())
    writeFileSync(join(dist, name), `${JSON.stringify(schema, null, 2)}\n`)
}
