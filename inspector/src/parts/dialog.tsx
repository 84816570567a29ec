import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly close: () => void
}

/** The browser keeps the focus inside, and closes it with Escape. */
export function Dialog({ title, children, close }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog ref={element} aria-label={title} onCancel={close} onClose={close}>
      <header class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={close}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}
