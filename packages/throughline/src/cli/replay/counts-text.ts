import { grouped } from '../../domain/grouped-number.ts'

/** `trigger 81, overflow 45`. */
export function countsText(by: Readonly<Record<string, number>>): string {
  return Object.entries(by)
    .map(([name, count]) => `${name} ${grouped(count)}`)
    .join(', ')
}
