import { percent } from '../data/format.ts'

export function Gauge({ ratio }: { readonly ratio: number }) {
  return (
    <span
      class={ratio > 1 ? 'gauge is-over' : 'gauge'}
      role="img"
      aria-label={`window ${percent(ratio)} full`}
    >
      <span style={{ width: `${Math.min(100, ratio * 100)}%` }} />
    </span>
  )
}
