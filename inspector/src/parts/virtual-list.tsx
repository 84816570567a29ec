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

type Options = VirtualizerOptions<HTMLElement, HTMLLIElement>

export function VirtualList(props: VirtualListProps) {
  const { count, label, estimate, keyOf, row, focus, onRange } = props
  const scroller = useRef<HTMLElement>(null)
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
  const [list] = useState(() => new Virtualizer<HTMLElement, HTMLLIElement>(options))
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
  const [first, last] = [list.range?.startIndex ?? 0, list.range?.endIndex ?? 0]
  useEffect(() => onRange?.(first, last), [first, last])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls, so keys must reach it
    <section class="scroller" ref={scroller} tabIndex={0} aria-label={label}>
      <ol class="rows" style={{ height: `${list.getTotalSize()}px` }}>
        {items.map((item) => (
          <li
            key={item.key}
            class="row"
            data-index={item.index}
            aria-posinset={item.index + 1}
            aria-setsize={count}
            ref={list.measureElement}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </li>
        ))}
      </ol>
    </section>
  )
}
