import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contextRecords } from '../../../../scripts/house/measure-shapes.ts'
import { defaults } from '../../src/defaults-data.ts'
import { flowOrder, maySee, roomOf, rooms, stageOf } from './rooms.ts'

const src = join(import.meta.dirname, '../../src')
const files = globSync('**/*.ts', { cwd: src })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test(?:-support)?\.ts$/.test(file))

interface Import {
  readonly file: string
  readonly target: string
}

describe('the import law', () => {
  it('lists every room', () => {
    expect(files.map(roomOf).filter((room) => rooms[room] === undefined)).toEqual([])
  })

  it('lists exactly the folders of the flow', () => {
    const flow = files.filter((file) => roomOf(file) === 'flow')
    expect(flow.filter((file) => stageOf(file) < 0)).toEqual([])
    expect(new Set(flow.map((file) => file.split('/')[1]))).toEqual(new Set(flowOrder))
  })

  it('lets each room import only the rooms that it may see', () => {
    const broken = relativeImports(files, read).filter(({ file, target }) => !maySee(file, target))
    expect(broken).toEqual([])
  })

  it('lets only the outer rooms use Node', () => {
    const broken = packageImports(files, read).filter(
      ({ file, target }) => target.startsWith('node:') && !rooms[roomOf(file)]?.outside?.test(file),
    )
    expect(broken).toEqual([])
  })

  it('lets only the outer rooms use time, randomness, the network and the process', () => {
    const outside =
      /\b(?:process\??\.|Buffer\.|Date\.now|Math\.random|fetch\(|setTimeout|setInterval|performance\.|new Date\(\))/
    const broken = files
      .filter((file) => !rooms[roomOf(file)]?.outside?.test(file))
      .filter((file) => outside.test(withoutComments(read(file))))
    expect(broken).toEqual([])
  })

  it('lets files import only the packages that their room names', () => {
    const broken = packageImports(files, read).filter(
      ({ file, target }) =>
        !target.startsWith('node:') &&
        !rooms[roomOf(file)]?.packages?.some(
          (name) => target === name || target.startsWith(`${name}/`),
        ),
    )
    expect(broken).toEqual([])
  })

  it('has no import cycles', () => {
    expect(cyclesIn(relativeImports(files, read))).toEqual([])
  })

  it('keeps files small, with specific names', () => {
    const large = files.filter((file) => read(file).split('\n').length > 400)
    const vague = files.filter((file) =>
      /(?:^|\/)(?:utils?|types|core|v2|helpers?|common|misc)\b/.test(file),
    )
    expect({ large, vague }).toEqual({ large: [], vague: [] })
  })

  it('passes at most ten kinds of records between a request and its commit', () => {
    const records = contextRecords()
    expect(records).toContain('ContextInputs')
    expect(records.length, records.join(', ')).toBeLessThanOrEqual(10)
  })

  it('has no unused default', () => {
    const readers = files.filter(
      (file) => /\bdefaults\b/.test(read(file)) && file !== 'defaults-data.ts',
    )
    const texts = readers.map(read)
    const idle = Object.keys(defaults).filter(
      (name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)),
    )
    expect(idle).toEqual([])
    expect(readers.length).toBeGreaterThan(10)
  })

  it('finds a broken law', () => {
    const planted: Readonly<Record<string, string>> = {
      'domain/span.ts': "import { append } from '../flow/append/append.ts'\n",
      'stores/sqlite.ts': "import { memory } from './memory.ts'\n",
      'flow/append/append.ts':
        "import { readFileSync } from 'node:fs'\nexport { x } from '../../domain/span.ts'\n",
      'flow/measure/measure.ts': "import { append } from '../append/append.ts'\n",
      'cli/main.ts':
        "import { sqlite } from '../stores/sqlite.ts'\nimport { place } from '../domain/placement.ts'\n",
      'flow/measure/triggers.ts': "import type { Selected } from '../select/selection.ts'\n",
    }
    const names = Object.keys(planted)
    const text = (file: string) => planted[file] ?? ''
    const broken = relativeImports(names, text).filter(({ file, target }) => !maySee(file, target))
    expect(broken.map(({ file }) => file)).toEqual([
      'domain/span.ts',
      'stores/sqlite.ts',
      'cli/main.ts',
      'flow/measure/triggers.ts',
    ])
    expect(packageImports(names, text).map(({ target }) => target)).toEqual(['node:fs'])
    expect(cyclesIn(relativeImports(names, text))).not.toEqual([])
  })
})

function read(file: string): string {
  return readFileSync(join(src, file), 'utf8')
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function importsOf(file: string, text: string): readonly Import[] {
  const found = withoutComments(text).matchAll(
    /(?:^|\n)\s*(?:import|export)[^'"\n]*(?:\{[^}]*\})?[^'"\n]*from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]|getBuiltinModule\?*\.?\(['"]([^'"]+)['"]/g,
  )
  return [...found].map(([, from, dynamic, builtin]) => ({
    file,
    target: from ?? dynamic ?? builtin ?? '',
  }))
}

function relativeImports(
  names: readonly string[],
  text: (file: string) => string,
): readonly Import[] {
  return names
    .flatMap((file) => importsOf(file, text(file)))
    .filter(({ target }) => target.startsWith('.'))
    .map(({ file, target }) => ({ file, target: posix.join(dirname(file), target) }))
}

function packageImports(
  names: readonly string[],
  text: (file: string) => string,
): readonly Import[] {
  return names
    .flatMap((file) => importsOf(file, text(file)))
    .filter(({ target }) => !target.startsWith('.'))
}

function cyclesIn(imports: readonly Import[]): readonly string[] {
  const targets = Map.groupBy(imports, ({ file }) => file)
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const { target } of targets.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return cycles
}
