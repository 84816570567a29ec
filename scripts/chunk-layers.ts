/**
 * Joins what a process always loads together into one file, because each file is looked up, read and
 * compiled for itself. The bundler groups all other modules by their importers.
 */
import { join } from 'node:path'
import type { CodeSplittingGroup, CodeSplittingNameFunction } from 'rolldown'

const sources = join(import.meta.dirname, '../packages/throughline/src')

/**
 * The modules of a layer are imported by all its roots, and are in no layer before it. A bundler of a web page
 * loads whole files, so what `fit` needs is apart from what only an engine with a store needs.
 */
const layers = [
  { name: 'fit', roots: ['fit/fit.ts'] },
  { name: 'fit-core', roots: ['index.ts', 'fit/fit-messages.ts'] },
  { name: 'presets', roots: ['index.ts', 'policies/read-preset.ts'] },
  { name: 'reports', roots: ['open-engine.ts', 'fit/reported.ts'] },
  { name: 'config', roots: ['config.ts'] },
  { name: 'core', roots: ['index.ts'] },
  { name: 'request', roots: ['open-engine.ts', 'fit/fit-messages.ts'] },
  { name: 'supplied', roots: ['open-engine.ts', 'flow/assemble/supplied-slots.ts'] },
  { name: 'epoch', roots: ['open-engine.ts', 'flow/epoch/make-view.ts'] },
  { name: 'shared', roots: ['open-engine.ts', 'stores/sqlite.ts'] },
  { name: 'engine', roots: ['open-engine.ts'] },
  { name: 'stores', roots: ['stores/sqlite.ts', 'stores/memory.ts'] },
  { name: 'compaction', roots: ['flow/epoch/make-view.ts'] },
]

export const layerGroups: CodeSplittingGroup[] = layers.map(({ name, roots }, index) => ({
  debugName: name,
  name: (id, graph) =>
    roots.every((root) => importedBy(join(sources, root), graph).has(id)) ? name : null,
  priority: layers.length - index,
}))

type ModuleGraph = Parameters<CodeSplittingNameFunction>[1]

const importedByRoot = new Map<string, ReadonlySet<string>>()

/** With the root itself. */
function importedBy(root: string, graph: ModuleGraph): ReadonlySet<string> {
  const known = importedByRoot.get(root)
  if (known !== undefined) return known
  const found = new Set([root])
  for (const id of found)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  importedByRoot.set(root, found)
  return found
}
