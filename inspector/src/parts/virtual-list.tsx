/** A list that keeps only the rows in sight in the document, however long it is. */
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface VirtualListProps {
  readonly count: number
  readonly label: string
  readonly estimate: (index: number) => number
  readonly keyOf: (index: number) => string | number
  readonly row: (index: number) => ComponentChildren
  /** The row to show first; null keeps the place. */
  readonly focus: number | null
  /** Called with the rows in sight. */
  readonly onRange?: (from: number, to: number) => void
}

type Options = VirtualizerOptions<HTMLDivElement, HTMLDivElement>

export function VirtualList(props: VirtualListProps) {
  const { count, label, estimate, keyOf, row, focus, onRange } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [, redraw] = useState(0)
  const options: Options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: estimate,
    getItemKey: keyOf,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 8,
    onChange: () => redraw((before) => before + 1),
  }
  const [list] = useState(() => new Virtualizer<HTMLDivElement, HTMLDivElement>(options))
  list.setOptions(options)
  useLayoutEffect(() => list._didMount(), [list])
  useLayoutEffect(() => list._willUpdate())
  useEffect(() => {
    if (focus === null) return
    list.scrollToIndex(focus, { align: 'start' })
    // Heights are known only when rows are drawn.
    const again = setTimeout(() => list.scrollToIndex(focus, { align: 'start' }), 80)
    return () => clearTimeout(again)
  }, [focus, list])
  const items = list.getVirtualItems()
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0]
  useEffect(() => onRange?.(first, last), [first, last])
  return (
    // The list scrolls, so keys must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region needs the focus for its keys
    <div class="scroller" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <div class="rows" role="list" style={{ height: `${list.getTotalSize()}px` }}>
        {items.map((item) => (
          <div
            key={item.key}
            role="listitem"
            class="row"
            data-index={item.index}
            aria-posinset={item.index + 1}
            aria-setsize={count}
            ref={list.measureElement}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
    </div>
  )
}
