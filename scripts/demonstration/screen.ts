/** What the demonstration draws with: plain where colours or a terminal are missing. */

const terminal = process.stdout.isTTY === true
const coloured = terminal && process.env['NO_COLOR'] === undefined
const width = Math.min(process.stdout.columns ?? 80, 100)

const paint = (code: number) => (text: string) =>
  coloured ? `\u001b[${code}m${text}\u001b[0m` : text
export const bold = paint(1)
export const dim = paint(2)
export const green = paint(32)
const cyan = paint(36)

export function heading(text: string): void {
  console.log(`\n${bold(text)}`)
}

export function line(label: string, text: string): void {
  console.log(`  ${label.padEnd(22)} ${text}`)
}

/** A line that is drawn over while work goes on; without a terminal only its last state. */
export function progress(share: number, text: string): void {
  if (!terminal) {
    if (share >= 1) console.log(`  ${text}`)
    return
  }
  const cells = Math.max(10, width - text.length - 8)
  const full = Math.round(cells * Math.min(1, share))
  process.stdout.write(`\r  ${cyan('█'.repeat(full))}${dim('░'.repeat(cells - full))} ${text} `)
  if (share >= 1) process.stdout.write('\n')
}

const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** One column for each value, from zero up. */
export function columns(values: readonly number[]): string {
  const most = Math.max(...values)
  return values.map((value) => heights[Math.min(7, Math.floor((7 * value) / most))]).join('')
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
