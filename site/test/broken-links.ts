/** Links of built pages whose file or fragment does not exist. */
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { RenderedPage } from '../render-page.ts'

export function brokenLinks(folder: string, pages: readonly RenderedPage[]): readonly string[] {
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (file: string): ReadonlySet<string> => {
    const text = () => readFileSync(join(folder, file), 'utf8')
    const found =
      ids.get(file) ?? new Set([...text().matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))
    ids.set(file, found)
    return found
  }
  return pages.flatMap(({ source, html }) =>
    [...html.matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, link = '']) => {
      if (/^(?:https?|mailto):/.test(link)) return []
      const [path = '', fragment] = link.split('#')
      const target = path === '' ? source.file : posix.join(posix.dirname(source.file), path)
      if (!existsSync(join(folder, target))) return [`${source.path}: ${link}`]
      const isThere = fragment === undefined || idsOf(target).has(fragment)
      return isThere ? [] : [`${source.path}: ${link} has no such heading`]
    }),
  )
}
