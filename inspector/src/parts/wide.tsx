import type { ComponentChildren } from 'preact'

interface WideProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** Content that may be wider than the screen: it scrolls, with keys, too. */
export function Wide({ label, children }: WideProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it
    <section class="scroll-x" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
