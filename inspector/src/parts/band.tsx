/** The whole log as one band: which stretches the model sees whole, shortened, kept, or only summarized. */
import { useMemo, useState } from 'preact/hooks'
import { type MessageState, stateOf, stateTexts } from '../data/message-state.ts'
import type { View } from '../data/types.ts'

interface Stretch {
  readonly kind: MessageState
  readonly from: number
  readonly to: number
}

/** Kept and shortened messages are single places; what is between them are stretches. */
function stretchesOf(view: View | null, head: number): readonly Stretch[] {
  if (view === null) return head === 0 ? [] : [{ kind: 'whole', from: 0, to: head }]
  const { line, keeps, stubs, history } = view
  const places = [0, line, history?.written?.to ?? 0, head]
  for (const seq of [...keeps, ...stubs.map((stub) => stub.seq)]) places.push(seq, seq + 1)
  const cuts = [...new Set(places)].filter((at) => at <= head).sort((one, other) => one - other)
  return cuts.flatMap((from, at) => {
    const to = cuts[at + 1]
    return to === undefined ? [] : [{ kind: stateOf(view, from), from, to }]
  })
}

interface BandProps {
  readonly view: View | null
  readonly head: number
  readonly pins: readonly number[]
  /** Set to a function that says which messages are in sight. */
  readonly sight: { current: ((from: number, to: number) => void) | null }
  readonly go: (seq: number) => void
}

export function Band({ view, head, pins, sight, go }: BandProps) {
  // Kept here, so that scrolling draws nothing but this band and the rows again.
  const [shown, setShown] = useState<{ readonly from: number; readonly to: number } | null>(null)
  sight.current = (from, to) => setShown({ from, to })
  const stretches = useMemo(() => stretchesOf(view, head), [view, head])
  const [at, setAt] = useState(0)
  if (head === 0) return null
  const x = (seq: number) => `${(seq / head) * 100}%`
  const line = view?.line ?? 0
  const used = [...new Set(stretches.map(({ kind }) => kind))]
  const place = Math.min(at, head - 1)
  const step = Math.max(1, Math.round(head / 100))
  const move = (to: number) => {
    const next = Math.max(0, Math.min(head - 1, to))
    setAt(next)
    go(next)
  }
  const keys: Readonly<Record<string, number>> = {
    ArrowLeft: place - step,
    ArrowRight: place + step,
    PageUp: place - step * 10,
    PageDown: place + step * 10,
    Home: 0,
    End: head - 1,
  }
  return (
    <figure class="band">
      <div
        class="band-bar"
        role="slider"
        tabIndex={0}
        aria-label="Place in the log"
        aria-valuemin={0}
        aria-valuemax={head - 1}
        aria-valuenow={place}
        aria-valuetext={`message #${place}, ${stateTexts[stateOf(view, place)]}`}
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          move(Math.floor(((event.clientX - box.left) / box.width) * head))
        }}
        onKeyDown={(event) => {
          const to = keys[event.key]
          if (to === undefined) return
          event.preventDefault()
          move(to)
        }}
      >
        <svg width="100%" height="100%" aria-hidden="true">
          <defs>
            <pattern
              id="hatch"
              width="5"
              height="5"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect width="2.4" height="5" class="band-hatch" />
            </pattern>
          </defs>
          {stretches.map(({ kind, from, to }) => (
            <g key={from}>
              <rect class={`band-${kind}`} x={x(from)} width={x(to - from)} y="6" height="22" />
              {kind === 'stub' && (
                <rect fill="url(#hatch)" x={x(from)} width={x(to - from)} y="6" height="22" />
              )}
            </g>
          ))}
          {pins.map((seq) => (
            <circle key={seq} class="band-pin" cx={x(seq + 0.5)} cy="33.5" r="2.5" />
          ))}
          {line > 0 && <rect class="band-line" x={x(line)} width="2" y="0" height="36" />}
          {shown !== null && (
            <rect
              class="band-shown"
              x={x(shown.from)}
              width={`max(4px, ${((shown.to - shown.from + 1) / head) * 100}%)`}
              y="3"
              height="28"
              rx="2"
            />
          )}
        </svg>
      </div>
      <figcaption class="legend">
        {legendOf(used).map((kind) => (
          <span key={kind}>
            <i class={`key key-${kind}`} aria-hidden="true" /> {stateTexts[kind]}
          </span>
        ))}
        {line > 0 && (
          <span>
            <i class="key key-line" aria-hidden="true" /> {`the line: compacted up to #${line - 1}`}
          </span>
        )}
        {pins.length > 0 && (
          <span>
            <i class="key key-pin" aria-hidden="true" /> pinned
          </span>
        )}
      </figcaption>
    </figure>
  )
}

/** Kept messages have the color of those after the line, so one entry names both. */
function legendOf(used: readonly MessageState[]): readonly MessageState[] {
  return used.includes('whole') ? used.filter((kind) => kind !== 'kept') : used
}
