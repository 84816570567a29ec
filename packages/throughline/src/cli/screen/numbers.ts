/** Formats numbers, sizes and times for people. */
import { grouped } from '../../domain/text.ts'

export { grouped }

/** `1 message`, `2,000 messages`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

export function percent(share: number): string {
  const value = share * 100
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`
}

export function bytes(size: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  let [value, unit] = [size, 0]
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000
    unit += 1
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1_000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `just now`, `5 min ago`, `3 days ago`; a date after 30 days. */
export function ago(at: number, now: number): string {
  const seconds = Math.round((now - at) / 1_000)
  if (seconds < -60) return dayOf(at)
  if (seconds < 60) return 'just now'
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ago`
  const days = Math.floor(hours / 24)
  if (days < 30) return days === 1 ? 'yesterday' : `${days} days ago`
  return dayOf(at)
}

export function dayOf(at: number): string {
  return momentOf(at).slice(0, 10)
}

/** `2026-03-01 14:05`, in UTC. */
export function momentOf(at: number): string {
  // Message times may be outside the range of dates.
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().slice(0, 16).replace('T', ' ') : '?'
}

/** Short token counts: `950`, `12.4 k`, `3.1 M`. */
export function amountText(amount: number): string {
  if (amount < 10_000) return grouped(amount)
  if (amount < 1_000_000) return `${(amount / 1_000).toFixed(amount < 100_000 ? 1 : 0)} k`
  return `${(amount / 1_000_000).toFixed(amount < 100_000_000 ? 1 : 0)} M`
}

/** `trigger 81, overflow 45`. */
export function countsText(by: Readonly<Record<string, number>>): string {
  return Object.entries(by)
    .map(([name, count]) => `${name} ${grouped(count)}`)
    .join(', ')
}
