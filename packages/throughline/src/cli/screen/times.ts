/** Moments as people tell them. */

/** `just now`, `5 min ago`, `3 days ago`; a date where it is long ago. */
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

/** `2026-03-01 14:05`, in UTC, as the log has it. */
export function momentOf(at: number): string {
  // Messages are of any time that somebody claims; not all of those are dates.
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().slice(0, 16).replace('T', ' ') : '?'
}
