/** Numbers and times for readers. Numbers have units. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export function count(value: number, unit: string, units = `${unit}s`): string {
  return `${whole.format(value)} ${value === 1 ? unit : units}`
}

export function number(value: number): string {
  return whole.format(value)
}

/** 812 tokens, 8.4k tokens, 128k tokens, 1.2M tokens. */
export function tokens(value: number): string {
  return `${short(value)} ${value === 1 ? 'token' : 'tokens'}`
}

export function short(value: number): string {
  if (value < 1000) return whole.format(value)
  if (value < 1_000_000) return `${trimmed(value / 1000)}k`
  return `${trimmed(value / 1_000_000)}M`
}

function trimmed(value: number): string {
  return value >= 99.95 ? whole.format(value) : value.toFixed(1)
}

export function percent(ratio: number): string {
  if (ratio > 0 && ratio < 0.005) return '<1 %'
  return `${whole.format(ratio * 100)} %`
}

export function duration(ms: number): string {
  return ms < 1000 ? `${whole.format(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const second = new Intl.DateTimeFormat('en-GB', {
  ...({ hour: '2-digit', minute: '2-digit', second: '2-digit' } as const),
})

export function time(at: number): string {
  const date = new Date(at)
  if (!Number.isFinite(date.getTime())) return 'unknown time'
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday ? second.format(date) : `${day.format(date)}, ${minute.format(date)}`
}

export function ago(at: number): string {
  const minutes = Math.round((Date.now() - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.round(minutes / 60)} h ago`
  if (minutes < 30 * 24 * 60) return count(Math.round(minutes / 1440), 'day ago', 'days ago')
  return day.format(new Date(at))
}

/** `#12` or `#3–#17`; a span's end is not included. */
export function anchor({ from, to }: { readonly from: number; readonly to: number }): string {
  return to <= from + 1 ? `#${from}` : `#${from}–#${to - 1}`
}
