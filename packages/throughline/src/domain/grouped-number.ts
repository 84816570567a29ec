/** 1,234,567: the same on every machine. */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',')
}
