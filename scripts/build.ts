/**
 * Builds `dist` of the packages, always from scratch; with `--to FOLDER` only that of `packages/throughline`.
 *
 * Bundles the modules into few files, because finding and compiling some 500 small files takes longer
 * than running them. Types stay in separate files.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { buildInspector } from '../inspector/build.ts'
import { layerGroups } from './chunk-layers.ts'
import { packageFolders, root } from './packages.ts'
import { jsonSchemas } from './policy-page.ts'

interface Package {
  readonly folder: string
  readonly dist: string
  /** Entries beside the exports: the command line, and the program of a thread. */
  readonly programs: readonly string[]
  /** Dependencies that are bundled, because we use little of them; their licenses are included. */
  readonly builtIn: readonly string[]
}

const { values } = parseArgs({ options: { to: { type: 'string' } } })
const [main, ...others] = packageFolders.map(
  (folder): Package => ({ folder, dist: join(folder, 'dist'), programs: [], builtIn: [] }),
)
if (main === undefined) throw new Error('there are no packages')
const throughline = {
  ...main,
  programs: ['cli/main', 'stores/sqlite-writer'],
  builtIn: ['valibot'],
}

if (values.to !== undefined) await build({ ...throughline, dist: resolve(values.to) })
else for (const each of [throughline, ...others]) await build(each)

async function build(built: Package): Promise<void> {
  rmSync(built.dist, { recursive: true, force: true })
  await writeModules(built)
  if (writeTypes(built) !== 0) process.exitCode = 1
  keepNeededTypes(built)
  if (built.folder === throughline.folder) writeSchemas(built)
  if (basename(built.folder) === 'server') await addInspector(built)
  for (const name of built.builtIn) {
    const license = join(root, 'node_modules', name, 'LICENSE.md')
    copyFileSync(license, join(built.dist, `${name}-license.md`))
  }
}

async function writeModules(built: Package): Promise<void> {
  const bundle = await rolldown({
    input: entries(built),
    platform: 'neutral',
    // A long text must not be copied to each of its uses.
    optimization: { inlineConst: false },
    // Installed dependencies and Node stay external.
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !built.builtIn.includes(id),
  })
  await bundle.write({
    dir: built.dist,
    format: 'esm',
    // Names and lines stay, for stack traces. Node keeps a file with other characters as UTF-16: twice
    // the memory, and slower to compile.
    comments: { annotation: true, jsdoc: false, legal: false },
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

/** The exports of the package, and its programs. */
function entries({ folder, programs }: Package): Readonly<Record<string, string>> {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  }
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target.default],
  )
  const names = [...targets.map((path) => path.slice('./dist/'.length, -'.js'.length)), ...programs]
  return Object.fromEntries(names.map((name) => [name, join(folder, 'src', `${name}.ts`)]))
}

/** Does not check the types: that is another step of `npm run check`. */
function writeTypes({ folder, dist }: Package): number {
  const settings = join(folder, 'tsconfig.build.json')
  const { status } = spawnSync(`tsc -p "${settings}" --outDir "${dist}"`, {
    stdio: 'inherit',
    shell: true,
  })
  return status ?? 1
}

/** Removes the types of modules that users cannot import. */
function keepNeededTypes(built: Package): void {
  const { dist, programs } = built
  const needed = new Set<string>()
  const need = (file: string) => {
    if (needed.has(file)) return
    needed.add(file)
    const text = readFileSync(join(dist, file), 'utf8')
    for (const [, target = ''] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g))
      need(`${join(dirname(file), target)}.d.ts`)
  }
  for (const name of Object.keys(entries(built))) if (!programs.includes(name)) need(`${name}.d.ts`)
  for (const file of globSync('**/*.d.ts', { cwd: dist }))
    if (!needed.has(file)) rmSync(join(dist, file))
}

/** The static files of the page that the server serves, beside its code. */
async function addInspector({ dist }: Package): Promise<void> {
  cpSync(await buildInspector(), join(dist, 'inspector'), { recursive: true })
}

/** For editors: `"$schema": "./node_modules/throughline/dist/config.schema.json"`. */
function writeSchemas({ dist }: Package): void {
  for (const [name, schema] of jsonSchemas())
    writeFileSync(join(dist, name), `${JSON.stringify(schema, null, 2)}\n`)
}
