/** The use of the window over the last requests, with trigger, target and a mark per compaction. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { percent, short, time, tokens } from '../data/format.ts'
import type { RequestUse } from '../data/types.ts'
import { reasonText } from '../data/words.ts'

interface WindowChartProps {
  /** Newest first. */
  readonly requests: readonly RequestUse[]
  /** By epoch: the tokens that the request would have had without its compaction. */
  readonly before: ReadonlyMap<number, number>
  readonly open: (fingerprint: string) => void
}

const [height, left, right, top, bottom] = [148, 44, 112, 14, 20] as const

export function WindowChart({ requests, before, open }: WindowChartProps) {
  const [hovered, setHovered] = useState<number | null>(null)
  const figure = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(760)
  useEffect(() => {
    const box = figure.current
    if (box === null) return
    const observer = new ResizeObserver(() => setWidth(Math.max(280, box.clientWidth)))
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  const ordered = requests.toReversed()
  const [newest] = requests
  if (newest === undefined) return null
  const beforeAt = ordered.map((use, at) =>
    isCompaction(use, ordered[at - 1]) ? (before.get(use.epoch) ?? use.tokens) : use.tokens,
  )
  const most = Math.max(
    ...ordered.map(({ availableTokens }, at) => Math.max(availableTokens, beforeAt[at] ?? 0)),
  )
  const x = (at: number) => left + (at / Math.max(1, ordered.length - 1)) * (width - left - right)
  const y = (value: number) => top + (1 - value / most) * (height - top - bottom)
  // A compaction falls from its size before to that after.
  const points = ordered.flatMap(({ tokens: used }, at) =>
    [...new Set([beforeAt[at] ?? used, used])].map((value) => `${x(at)},${y(value)}`),
  )
  const { availableTokens, triggerTokens, targetTokens } = newest
  const lines = labelled([
    { name: 'available', value: availableTokens },
    ...(triggerTokens === undefined ? [] : [{ name: 'trigger', value: triggerTokens }]),
    ...(targetTokens === undefined ? [] : [{ name: 'target', value: targetTokens }]),
  ])
  const compactions = ordered.flatMap((use, at) => (isCompaction(use, ordered[at - 1]) ? [at] : []))
  const shown = hovered === null ? null : (ordered[hovered] ?? null)
  const nearest = (clientX: number, box: DOMRect) => {
    const at = ((clientX - box.left) / box.width) * width
    const index = Math.round(((at - left) / (width - left - right)) * (ordered.length - 1))
    return Math.max(0, Math.min(ordered.length - 1, index))
  }
  const move = (to: number) => setHovered(Math.max(0, Math.min(ordered.length - 1, to)))
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: (hovered ?? ordered.length) - 1,
    ArrowRight: (hovered ?? -1) + 1,
    Home: 0,
    End: ordered.length - 1,
  }
  return (
    <figure class="chart" ref={figure}>
      <div
        class="chart-area"
        role="slider"
        tabIndex={0}
        aria-label="Use of the window by request; Enter opens a request"
        aria-valuemin={1}
        aria-valuemax={ordered.length}
        aria-valuenow={(hovered ?? ordered.length - 1) + 1}
        aria-valuetext={describe(ordered[hovered ?? ordered.length - 1] ?? newest)}
        onMouseMove={(event) =>
          setHovered(nearest(event.clientX, event.currentTarget.getBoundingClientRect()))
        }
        onMouseLeave={() => setHovered(null)}
        onClick={(event) => {
          const at = nearest(event.clientX, event.currentTarget.getBoundingClientRect())
          open(ordered[at]?.fingerprint ?? '')
        }}
        onKeyDown={(event) => {
          const to = keys[event.key]
          if (event.key === 'Enter')
            open((ordered[hovered ?? ordered.length - 1] ?? newest).fingerprint)
          else if (to !== undefined) move(to)
          else return
          event.preventDefault()
        }}
      >
        <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          <polygon
            class="area"
            points={`${left},${y(0)} ${points.join(' ')} ${x(ordered.length - 1)},${y(0)}`}
          />
          {[0, 0.5, 1].map((share) => (
            <text key={share} class="tick" x={left - 6} y={y(most * share) + 3.5} text-anchor="end">
              {share === 0 ? '0' : short(most * share)}
            </text>
          ))}
          {lines.map(({ name, value, labelY }) => (
            <g key={name}>
              <line
                class={`level level-${name}`}
                x1={left}
                x2={width - right}
                y1={y(value)}
                y2={y(value)}
              />
              <text class={`tick label-${name}`} x={width - right + 6} y={labelY(y) + 3.5}>
                {`${name} ${short(value)}`}
              </text>
            </g>
          ))}
          <polyline class="curve" points={points.join(' ')} />
          {compactions.map((at) => (
            <g key={at}>
              <line class="mark" x1={x(at)} x2={x(at)} y1={top} y2={y(0)} />
              <path class="mark-head" d={`M${x(at) - 4},${top - 6} h8 l-4,6 z`} />
            </g>
          ))}
          {hovered !== null && shown !== null && (
            <circle class="dot" cx={x(hovered)} cy={y(shown.tokens)} r="4" />
          )}
          <text class="tick" x={left} y={height - 4}>
            {time(ordered[0]?.at ?? 0)}
          </text>
          <text class="tick" x={width - right} y={height - 4} text-anchor="end">
            {time(newest.at)}
          </text>
        </svg>
      </div>
      <figcaption class="chart-note" aria-live="off">
        {shown === null
          ? `${ordered.length} requests, ▾ ${compactions.length === 1 ? '1 compaction' : `${compactions.length} compactions`}. The last one used ${percent(newest.utilization)} of ${tokens(availableTokens)}.`
          : describe(shown)}
      </figcaption>
    </figure>
  )
}

function describe(use: RequestUse): string {
  const { at, head, tokens: used, availableTokens, decision } = use
  const place = head === undefined ? '' : ` at #${head}`
  return `${time(at)}${place}: ${short(used)} of ${tokens(availableTokens)}, ${decision.kind === 'continue' ? 'not compacted' : decision.kind === 'compact' ? 'compacted' : 'built anew'}: ${reasonText(decision.reason)}`
}

/** The first request of a conversation compacts only if it hides something. */
export function isCompaction(use: RequestUse, before: RequestUse | undefined): boolean {
  const { decision, epoch, stubbed, leftOut } = use
  if (decision.kind === 'continue' || decision.shadow) return false
  return before === undefined ? stubbed + leftOut > 0 : epoch > before.epoch
}

/** Labels that would overlap move apart. */
function labelled(lines: readonly { readonly name: string; readonly value: number }[]) {
  const sorted = lines.toSorted((one, other) => other.value - one.value)
  return sorted.map((line, at) => ({
    ...line,
    labelY: (y: (value: number) => number): number => {
      let last = Number.NEGATIVE_INFINITY
      for (const each of sorted.slice(0, at + 1)) last = Math.max(y(each.value), last + 15)
      return last
    },
  }))
}
